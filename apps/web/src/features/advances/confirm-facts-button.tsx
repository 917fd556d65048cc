/** Refreshes HMRC's figures while the user is present, because they are too old to base a payment on. */
import { advancesApi } from '@portal/contract/advances.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function ConfirmFactsButton({ advance, companyId }: AdvancePartProps) {
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => apiRequest(advancesApi.confirmFacts, { company_id: companyId, advance_id: advance.advance_id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  return (
    <>
      {confirm.error && (
        <Notice tone="error" title="We couldn’t check HMRC’s figures" role="alert">
          {getErrorText(confirm.error)}
        </Notice>
      )}
      <Button onClick={() => confirm.mutate()} isBusy={confirm.isPending}>
        Confirm again
      </Button>
    </>
  );
}
