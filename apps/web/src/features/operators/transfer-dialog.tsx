/** Asks a second operator to record that a returned refund was paid from our bank account. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds, parsePounds } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

type Refund = EndpointOutput<typeof operatorBillingApi.refunds>['refunds'][number];
const EMPTY = { amount: '', day: '', reference: '', evidence: '' };

export function TransferDialog({ refund, onClose }: { refund: Refund; onClose: () => void }) {
  const [texts, setTexts] = useState(EMPTY);
  const total = formatPounds(refund.total_pence);
  const amount = parsePounds(texts.amount);
  const day = parsePlainDate(texts.day);
  const send = useApprovalRequest({
    send: () => {
      if (amount === undefined || day === undefined) return Promise.reject(new Error('Enter the amount and the day.'));
      const { company_id, refund_id } = refund;
      const statement = { amount_pence: amount, transferred_on: day, reference: texts.reference.trim() };
      return apiRequest(operatorBillingApi.requestTransfer, { company_id, refund_id, ...statement, evidence: texts.evidence.trim() });
    },
    onClose,
    readAgain: operatorBillingApi.refunds.path,
  });
  const missing = getMissingText([
    amount === refund.total_pence
      ? undefined
      : `Enter ${total}, the amount of the refund. You can’t record a transfer of a different amount for this refund.`,
    day === undefined ? 'Enter the date on the bank statement.' : undefined,
    texts.reference.trim().length < 3 ? 'Enter the reference on the bank statement.' : undefined,
    getReasonError(texts.evidence, 'note'),
  ]);
  const getFieldProps = (name: 'amount' | 'day' | 'reference') => ({
    id: `transfer-${name}`,
    value: texts[name],
    onChange: ({ target }: { target: { value: string } }) => setTexts({ ...texts, [name]: target.value }),
  });
  return (
    <ModalDialog
      open
      heading={`Record a bank transfer of ${total}`}
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={missing} isBusy={send.isPending} onClick={() => send.mutate()}>
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          For a refund you’ve paid from our bank account because it can’t be paid to a card. The portal won’t pay it, and won’t send this
          refund to a card again.
        </Text>
        <FactList
          facts={[
            { label: 'Practice', value: refund.practice },
            { label: 'Invoice', value: refund.invoice_number },
            { label: 'Credit note', value: refund.credit_note_number ?? '–' },
            { label: 'Reason for return', value: refund.failure ?? '–' },
          ]}
        />
        <Row gap={16} align="end">
          <FieldFrame id="transfer-amount" label="Amount on the statement (£)">
            <TextInput {...getFieldProps('amount')} inputMode="decimal" widthInCharacters={10} />
          </FieldFrame>
          <FieldFrame id="transfer-day" label="Paid on">
            <TextInput {...getFieldProps('day')} type="date" widthInCharacters={14} />
          </FieldFrame>
        </Row>
        <FieldFrame id="transfer-reference" label="Reference on the statement" hint="Shown to the practice on its credit note.">
          <TextInput {...getFieldProps('reference')} maxLength={80} aria-describedby="transfer-reference-hint" />
        </FieldFrame>
        <ReasonField
          id="transfer-evidence"
          label="Evidence of the payment"
          value={texts.evidence}
          error={getReasonError(texts.evidence, 'note')}
          onChange={(evidence) => setTexts({ ...texts, evidence })}
          hint="For example, the account and the statement page. Saved in the history with your name."
        />
        {send.error && (
          <Notice tone="error" title="Not sent" role="alert">
            {getErrorText(send.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
