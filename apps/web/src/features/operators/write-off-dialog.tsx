/** Asks a second operator to approve writing off an unpaid invoice as a bad debt. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

type Invoice = EndpointOutput<typeof operatorBillingApi.invoices>['invoices'][number];

export function WriteOffDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const send = useApprovalRequest({
    send: () => {
      const { company_id, invoice_id } = invoice;
      return apiRequest(operatorBillingApi.requestWriteOff, { company_id, invoice_id, reason: reason.trim() });
    },
    onClose,
    // The invoice may have been paid in the meantime.
    readAgain: operatorBillingApi.invoices.path,
  });
  return (
    <ModalDialog
      open
      heading={`Write off ${invoice.number}`}
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getMissingText([getReasonError(reason)])} isBusy={send.isPending} onClick={() => send.mutate()}>
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          For a bad debt: an invoice that’s correct but won’t be paid. The invoice stays as it is, and no credit note is issued. Its VAT can
          be reclaimed in box 4 once it’s six months overdue.{' '}
          {invoice.status === 'disputed'
            ? 'The payer’s bank took this payment back: that can be written off once Stripe shows that the dispute is lost.'
            : 'Stripe stops trying to collect it, and a practice that’s still subscribed stays subscribed.'}
        </Text>
        <FactList
          facts={[
            { label: 'Practice', value: invoice.practice },
            { label: 'Issued', value: formatDate(invoice.issued_on) },
            { label: 'Total including VAT', value: formatPounds(invoice.total_pence) },
            ...(invoice.write_off?.failure ? [{ label: 'Earlier write-off failed', value: invoice.write_off.failure }] : []),
          ]}
        />
        <ReasonField
          id="write-off-reason"
          value={reason}
          onChange={setReason}
          hint="Why it won’t be paid, and what was done to collect it. Saved in the history with your name, and in the month’s file."
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
