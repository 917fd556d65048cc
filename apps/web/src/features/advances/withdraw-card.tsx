/** Withdraws from an advance, free of charge until the money has been sent. A dialog explains the consequences first. */
import { advancesApi } from '@portal/contract/advances.ts';
import { canWithdraw } from '@portal/domain/advances/advance-states.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getPayoutAmount } from '../../components/advances/payout-amount.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function WithdrawCard({ advance, companyId }: AdvancePartProps) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const withdraw = useMutation({
    mutationFn: () => apiRequest(advancesApi.withdraw, { company_id: companyId, advance_id: advance.advance_id }),
    onSuccess: () => setOpen(false),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  // An offer that was never accepted simply expires. Withdrawing only matters once there is an agreement.
  if (advance.state === 'quoted' || !canWithdraw(advance.state)) return null;
  return (
    <>
      <Button variant="text" tone="error" fit="flush" onClick={() => setOpen(true)}>
        Withdraw from the agreement
      </Button>
      <ModalDialog
        open={isOpen}
        small
        heading="Withdraw from the agreement?"
        loading={withdraw.isPending}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button variant="outlined" onClick={() => setOpen(false)} disabled={withdraw.isPending}>
              Keep the agreement
            </Button>
            <Button tone="error" onClick={() => withdraw.mutate()} isBusy={withdraw.isPending}>
              Withdraw
            </Button>
          </>
        }
      >
        <Stack gap={12}>
          <Text>
            We won’t pay you {formatPounds(getPayoutAmount(advance))}. HMRC will repay your {formatPounds(advance.refund_pence)} as usual,
            and we won’t charge you anything.
          </Text>
          <Text>If HMRC already has the collection account, change it back to your own bank account.</Text>
          {withdraw.error && (
            <Text role="alert" tone="error" weight="medium">
              {getErrorText(withdraw.error)}
            </Text>
          )}
        </Stack>
      </ModalDialog>
    </>
  );
}
