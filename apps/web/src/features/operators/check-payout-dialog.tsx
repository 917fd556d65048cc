/** Records what the bank statement shows for a payout from GoCardless. */
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { useState } from 'react';
import { MoneyInput } from '../../components/formats/money-input.tsx';
import { apiRequest } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import type { DirectDebitPayout } from './operator-outputs.ts';
import { useReconciliationAction } from './use-reconciliation-action.ts';
import { getMissingText } from '../../ui/submit-button.tsx';

/** Open while `payout` is set. */
export function CheckPayoutDialog({ payout, onClose }: { payout: DirectDebitPayout | undefined; onClose: () => void }) {
  return payout ? <OpenDialog key={payout.payout_id} payout={payout} onClose={onClose} /> : null;
}

function OpenDialog({ payout, onClose }: { payout: DirectDebitPayout; onClose: () => void }) {
  const [amount, setAmount] = useState<Pence>();
  const [day, setDay] = useState<string>(payout.arrives_on ?? '');
  const statementOn = parsePlainDate(day);
  const save = useReconciliationAction(
    () =>
      apiRequest(reconciliationExceptionsApi.checkDirectDebitPayout, {
        payout_id: payout.payout_id,
        statement_pence: amount ?? payout.net_pence,
        statement_on: statementOn ?? day,
      }),
    'Check recorded',
    onClose,
  );
  return (
    <ConfirmDialog
      heading={`Payout ${payout.reference}`}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel="Record"
      missing={getMissingText([
        amount === undefined ? 'Enter the amount on the bank statement.' : undefined,
        statementOn === undefined ? 'Enter the date on the bank statement.' : undefined,
      ])}
      errorTitle="Not saved"
    >
      <Text>
        GoCardless says it paid {formatPounds(payout.net_pence)}. Find the reference on the bank statement and enter the amount it shows, or
        0 if it isn’t there. Your name and the time are recorded.
      </Text>
      <MoneyInput id="statement-amount" label="Amount on the bank statement" value={amount} onChange={setAmount} />
      <FieldFrame id="statement-day" label="Date on the bank statement">
        <TextInput id="statement-day" type="date" value={day} onChange={(event) => setDay(event.target.value)} aria-required />
      </FieldFrame>
      {amount !== undefined && amount !== payout.net_pence && (
        <Notice tone="warning" title="A different amount">
          This payout will be listed as a reconciliation exception until the statement shows {formatPounds(payout.net_pence)}.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
