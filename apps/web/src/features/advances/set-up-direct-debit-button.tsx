import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Goes to GoCardless’s page, which redirects back here. */
export function SetUpDirectDebitButton({ companyId, obligationId }: { companyId: string; obligationId: string }) {
  const start = useMutation({
    mutationFn: () => apiRequest(shortfallsApi.startMandate, { company_id: companyId, obligation_id: obligationId }),
    onSuccess: ({ authorisation_url }) => window.location.assign(authorisation_url),
  });
  return (
    <>
      {start.error && (
        <Notice tone="error" title="We couldn’t start the Direct Debit" role="alert">
          {getErrorText(start.error)}
        </Notice>
      )}
      <Button variant="outlined" onClick={() => start.mutate()} isBusy={start.isPending || start.isSuccess}>
        Set up Direct Debit
      </Button>
    </>
  );
}
