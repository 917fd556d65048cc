/** A filing whose response was lost. We ask HMRC what it has, once automatically and then on click. The return is never sent twice. */
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ResultPanel } from '../../ui/result-panel.tsx';
import { Text } from '../../ui/text.tsx';

type OutcomeUnknownProps = { companyId: string; obligationId: string; isNew: boolean };

export function OutcomeUnknown({ companyId, obligationId, isNew }: OutcomeUnknownProps) {
  const queries = useQueryClient();
  const input = { company_id: companyId, obligation_id: obligationId };
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => apiRequest(vatReturnsApi.resolve, input),
    onSuccess: (found) => queries.setQueryData(apiQuery(vatReturnsApi.get, input).queryKey, found),
  });
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate();
  }, [mutate]);
  return (
    <ResultPanel tone="warning" title="We don’t know yet whether HMRC has this return" isNew={isNew}>
      <Text measure>
        We sent it, but HMRC’s answer was lost. Don’t file it anywhere else. We’ll check your HMRC account and never send it a second time.
      </Text>
      <Text weight="medium" role="status">
        {isPending
          ? 'Checking with HMRC …'
          : error
            ? errorText(error)
            : isSuccess
              ? 'HMRC doesn’t show it yet. Check again in a few minutes.'
              : ''}
      </Text>
      <Button onClick={() => mutate()} isBusy={isPending}>
        Check again
      </Button>
    </ResultPanel>
  );
}
