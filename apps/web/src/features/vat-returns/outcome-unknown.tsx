/** A filing whose response was lost. We ask HMRC what it has, once automatically and then on click. The return is never sent twice. */
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Notice } from '../../ui/notice.tsx';

export function OutcomeUnknown({ companyId, obligationId }: { companyId: string; obligationId: string }) {
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
    <Notice tone="warning" title="We do not know yet whether HMRC has this return" role="status">
      <Typography>
        We sent it, and HMRC’s answer was lost on the way. Please do not file it anywhere else: we find out by reading your HMRC account,
        and never send it a second time.
      </Typography>
      <Typography sx={{ mt: 1, fontWeight: 500 }}>
        {isPending
          ? 'Asking HMRC now …'
          : error
            ? errorText(error)
            : isSuccess
              ? 'HMRC does not show it yet. Ask again in a few minutes.'
              : ''}
      </Typography>
      <Button onClick={() => mutate()} loading={isPending} sx={{ mt: 1.5 }}>
        Ask HMRC again
      </Button>
    </Notice>
  );
}
