/**
 * Requests a second operator's approval to refund an invoice, or to credit one that is unpaid: in full, by an amount including VAT, or by
 * line.
 */
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Radio } from '../../ui/choice.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { readRefundChoice, type RefundInvoice, type RefundKind } from './refund-choice.ts';
import styles from './price-list-draft-card.module.css';
import { useApprovalRequest } from './use-approval-request.ts';

type RefundDialogProps = { companyId: string; invoiceId: string; number: string; isUnpaid: boolean; onClose: () => void };

export function RefundDialog({ companyId, invoiceId, number, isUnpaid, onClose }: RefundDialogProps) {
  const query = useQuery(apiQuery(operatorBillingApi.invoice, { company_id: companyId, invoice_id: invoiceId }));
  const { data } = query;
  if (data && data.problem === null) return <RefundForm invoice={data} onClose={onClose} />;
  return (
    <ModalDialog open small heading={`${isUnpaid ? 'Credit' : 'Refund'} ${number}`} onClose={onClose}>
      <LoadState query={query}>{({ problem }) => <Text>{problem}</Text>}</LoadState>
    </ModalDialog>
  );
}

const KINDS: readonly { readonly kind: RefundKind; readonly label: string; readonly hint: string }[] = [
  { kind: 'all', label: 'The whole remaining amount', hint: '' },
  { kind: 'amount', label: 'An amount including VAT', hint: 'It’s spread across the lines, and one sixth of it is VAT.' },
  { kind: 'lines', label: 'Amounts per line, excluding VAT', hint: 'VAT is added.' },
];

function RefundForm({ invoice, onClose }: { invoice: RefundInvoice; onClose: () => void }) {
  const [kind, setKind] = useState<RefundKind>('all');
  const [amount, setAmount] = useState('');
  const [lines, setLines] = useState<Readonly<Record<number, string>>>({});
  const [reason, setReason] = useState('');
  const isUnpaid = invoice.status === 'open' || invoice.status === 'failed';
  const read = readRefundChoice(invoice, kind, { amount, lines });
  const send = useApprovalRequest({
    send: () => {
      if ('problem' in read) return Promise.reject(new Error(read.problem));
      const { company_id, invoice_id } = invoice;
      return apiRequest(operatorBillingApi.requestRefund, { company_id, invoice_id, ...read.choice, reason: reason.trim() });
    },
    onClose,
  });
  return (
    <ModalDialog
      open
      heading={`${isUnpaid ? 'Credit' : 'Refund'} ${invoice.number}`}
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton
          missing={getMissingText(['problem' in read ? read.problem : undefined, getReasonError(reason)])}
          isBusy={send.isPending}
          onClick={() => send.mutate()}
        >
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        {isUnpaid && (
          <Text>
            For an invoice that’s wrong and unpaid. It stays as it is, and the practice gets a credit note. Stripe collects only what is
            left. If the invoice is right but won’t be paid, write it off instead.
          </Text>
        )}
        <FactList
          facts={[
            { label: 'Practice', value: invoice.practice },
            { label: 'Total including VAT', value: formatPounds(invoice.total_pence) },
            ...(isUnpaid || invoice.paid_pence === invoice.total_pence
              ? []
              : [{ label: 'Collected after credit', value: formatPounds(invoice.paid_pence) }]),
            { label: isUnpaid ? 'Left to pay' : 'Left to refund', value: formatPounds(invoice.left_pence) },
          ]}
        />
        <fieldset className={styles.group}>
          <legend>
            <Text as="span" weight="bold">
              {isUnpaid ? 'What to credit' : 'What to refund'}
            </Text>
          </legend>
          {KINDS.map((item) => (
            <Radio
              key={item.kind}
              name="refund-kind"
              checked={kind === item.kind}
              onChange={() => setKind(item.kind)}
              label={item.kind === 'all' ? `${item.label}: ${formatPounds(invoice.left_pence)}` : item.label}
              {...(item.hint === '' ? {} : { hint: item.hint })}
            />
          ))}
        </fieldset>
        {kind === 'amount' && (
          <FieldFrame id="refund-amount" label="Amount including VAT (£)">
            <TextInput
              id="refund-amount"
              inputMode="decimal"
              widthInCharacters={10}
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          </FieldFrame>
        )}
        {kind === 'lines' && <LineFields invoice={invoice} texts={lines} onChange={setLines} />}
        <ReasonField
          id="refund-reason"
          value={reason}
          onChange={setReason}
          hint="Shown to the practice on the credit note. Also saved in the history with your name."
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

type LineFieldsProps = {
  invoice: RefundInvoice;
  texts: Readonly<Record<number, string>>;
  onChange: (texts: Readonly<Record<number, string>>) => void;
};

/** Discounts and credits don't have a field, because they are spread over the charged lines. */
function LineFields({ invoice, texts, onChange }: LineFieldsProps) {
  return (
    <>
      {invoice.lines
        .filter(({ amount_pence: amount }) => amount > 0)
        .map(({ position, description, left_pence: remaining }) => (
          <FieldFrame
            key={position}
            id={`refund-line-${position}`}
            label={`${description}, £`}
            hint={`${formatPounds(remaining)} left`}
            optional
          >
            <TextInput
              id={`refund-line-${position}`}
              inputMode="decimal"
              widthInCharacters={10}
              value={texts[position] ?? ''}
              disabled={remaining === 0}
              aria-describedby={`refund-line-${position}-hint`}
              onChange={({ target }) => onChange({ ...texts, [position]: target.value })}
            />
          </FieldFrame>
        ))}
    </>
  );
}
