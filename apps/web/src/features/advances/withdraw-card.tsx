/** Withdraws from an advance, which is free of charge until the money has left. A dialog explains the consequences first. */
import { advancesApi } from '@portal/contract/advances.ts';
import { canWithdraw } from '@portal/domain/advances/advance-states.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { FLUSH_LEFT } from '../../ui/flush-left.ts';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function WithdrawCard({ advance, companyId }: AdvancePartProps) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const withdraw = useMutation({
    mutationFn: () => apiRequest(advancesApi.withdraw, { company_id: companyId, advance_id: advance.advance_id }),
    onSuccess: () => setOpen(false),
    onSettled: () => queries.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  // An offer that was never accepted simply expires. Withdrawing matters only once there is an agreement.
  if (advance.state === 'quoted' || !canWithdraw(advance.state)) return null;
  return (
    <>
      <Button variant="text" color="error" onClick={() => setOpen(true)} sx={{ ...FLUSH_LEFT, justifySelf: 'start' }}>
        Withdraw from the agreement
      </Button>
      <ModalDialog
        open={open}
        small
        heading="Withdraw from the agreement?"
        loading={withdraw.isPending}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button variant="outlined" onClick={() => setOpen(false)} disabled={withdraw.isPending}>
              Keep the agreement
            </Button>
            <Button color="error" onClick={() => withdraw.mutate()} loading={withdraw.isPending}>
              Withdraw
            </Button>
          </>
        }
      >
        <Typography>
          We will not pay you {formatPounds(advance.net_pence)}. HMRC repays your {formatPounds(advance.refund_pence)} as usual, and nothing
          is charged.
        </Typography>
        <Typography sx={{ mt: 1 }}>If HMRC already holds the collection account, give HMRC your own bank account again.</Typography>
        {withdraw.error ? (
          <Typography role="alert" sx={{ mt: 2, color: 'error.tone', fontWeight: 500 }}>
            {errorText(withdraw.error)}
          </Typography>
        ) : null}
      </ModalDialog>
    </>
  );
}
