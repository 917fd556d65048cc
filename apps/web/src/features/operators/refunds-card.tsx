/** Refunds of invoices. Those that a bank sent back come first, because a person has to send them again, or record how they were paid. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useToast } from '../../ui/toast.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';

type Refunds = EndpointOutput<typeof operatorBillingApi.refunds>;
type Refund = Refunds['refunds'][number];

const REFRESH_MS = 15_000;

const CHIPS: Readonly<Record<Refund['status'], ComponentProps<typeof StateChip>>> = {
  sending: { label: 'Being sent', icon: 'clock', tone: 'info' },
  refused: { label: 'Refused by Stripe', icon: 'close', tone: 'warning' },
  pending: { label: 'At the bank', icon: 'clock', tone: 'info' },
  succeeded: { label: 'Paid back', icon: 'checkCircle', tone: 'success' },
  failed: { label: 'Came back', icon: 'errorCircle', tone: 'error' },
  transferred: { label: 'Paid by bank transfer', icon: 'checkCircle', tone: 'success' },
  excess: { label: 'More than was left', icon: 'errorCircle', tone: 'error' },
};

export function RefundsCard() {
  const { change, page } = useUrlFilters(['view']);
  const query = useQuery({
    ...apiQuery(operatorBillingApi.refunds, { page }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const [retrying, setRetrying] = useState<Refund>();
  const [recording, setRecording] = useState<Refund>();
  return (
    <>
      <LoadState query={query}>
        {({ refunds, count, pages }) => (
          <SectionCard title="Refunds" source="With VAT. Two operators decide a refund, on the invoice.">
            <Stack>
              {refunds.length === 0 ? (
                <Text>
                  No refunds yet. Find the invoice under <TextLink to={pageLink('adminBilling', { view: 'invoices' })}>Invoices</TextLink>{' '}
                  to refund it.
                </Text>
              ) : (
                <RefundTable refunds={refunds} onRetry={setRetrying} onRecord={setRecording} />
              )}
              <Pager
                page={page}
                pages={pages}
                count={count}
                noun={count === 1 ? 'refund' : 'refunds'}
                onPage={(next) => change({ page: String(next) })}
              />
            </Stack>
          </SectionCard>
        )}
      </LoadState>
      {recording && <TransferDialog refund={recording} onClose={() => setRecording(undefined)} />}
      {retrying && <RetryDialog refund={retrying} onClose={() => setRetrying(undefined)} />}
    </>
  );
}

type RefundTableProps = {
  refunds: readonly Refund[];
  onRetry: (refund: Refund) => void;
  onRecord: (refund: Refund) => void;
};

function RefundTable({ refunds, onRetry, onRecord }: RefundTableProps) {
  return (
    <Table label="Refunds" dense flush>
      <TableHead columns={['Invoice', 'Practice', { numeric: 'Amount' }, 'Status', 'Reason', 'Credit note', 'Decided', 'Action']} />
      <tbody>
        {refunds.map((refund) => (
          <tr key={refund.refund_id}>
            <th scope="row" data-nowrap>
              {refund.invoice_number}
            </th>
            <td>{refund.practice}</td>
            <td data-numeric>{formatPounds(refund.total_pence)}</td>
            <td>
              <StateChip {...CHIPS[refund.status]} />
              {refund.failure !== null && (
                <Text size="small" tone="quiet">
                  {refund.failure}
                </Text>
              )}
              {refund.transfer !== null && (
                <Text size="small" tone="quiet">
                  {formatDate(refund.transfer.transferred_on, 'short')}, {refund.transfer.reference}
                </Text>
              )}
            </td>
            <td data-sentence>{refund.reason}</td>
            <td data-nowrap>{refund.credit_note_number ?? '–'}</td>
            <td data-nowrap>
              <InstantText at={refund.ordered_at} />
            </td>
            <td>
              {refund.status === 'failed' ? (
                <Stack gap={4} align="start">
                  <Button size="small" variant="text" onClick={() => onRetry(refund)}>
                    Send again<HiddenText> {refund.invoice_number}</HiddenText>
                  </Button>
                  <Button size="small" variant="text" onClick={() => onRecord(refund)}>
                    Record bank transfer<HiddenText> {refund.invoice_number}</HiddenText>
                  </Button>
                </Stack>
              ) : (
                '–'
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function RetryDialog({ refund, onClose }: { refund: Refund; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const toast = useToast();
  const retry = useMutation({
    mutationFn: () => {
      const { company_id, refund_id } = refund;
      return apiRequest(operatorBillingApi.retryRefund, { company_id, refund_id, reason: reason.trim() });
    },
    onSuccess: () => {
      toast('success', 'Refund is being sent again');
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [operatorBillingApi.refunds.path] }),
  });
  return (
    <ModalDialog
      open
      small
      heading={`Send ${formatPounds(refund.total_pence)} again?`}
      loading={retry.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getReasonError(reason)} isBusy={retry.isPending} onClick={() => retry.mutate()}>
          Send again
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          {refund.failure} It goes to the payment method that paid {refund.invoice_number}. {refund.practice} has its credit note already.
        </Text>
        <ReasonField id="retry-reason" value={reason} onChange={setReason} />
        {retry.error && (
          <Notice tone="error" title="Not sent" role="alert">
            {errorText(retry.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
