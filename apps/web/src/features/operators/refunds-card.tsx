/** Refunds of invoices. Those returned by a bank come first, because an operator has to resend them or record how they were paid. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
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
  refused: { label: 'Rejected by Stripe', icon: 'close', tone: 'warning' },
  pending: { label: 'At the bank', icon: 'clock', tone: 'info' },
  succeeded: { label: 'Refunded', icon: 'checkCircle', tone: 'success' },
  failed: { label: 'Bounced', icon: 'errorCircle', tone: 'error' },
  transferred: { label: 'Paid by bank transfer', icon: 'checkCircle', tone: 'success' },
  excess: { label: 'Exceeds the amount left to refund', icon: 'errorCircle', tone: 'error' },
};

export function RefundsCard() {
  const { change, page } = useUrlFilters(['view']);
  const query = useQuery({
    ...apiQuery(operatorBillingApi.refunds, { page }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const [refundToRetry, setRefundToRetry] = useState<Refund>();
  const [refundToRecord, setRefundToRecord] = useState<Refund>();
  return (
    <>
      <LoadState query={query}>
        {({ refunds, count, pages }) => (
          <SectionCard title="Refunds" source="Including VAT, with credits of unpaid invoices. Requested on the invoice, by two operators.">
            <Stack>
              {refunds.length === 0 ? (
                <Text>
                  No refunds yet. Find the invoice under{' '}
                  <TextLink to={getPageLink('adminBilling', { view: 'invoices' })}>Invoices</TextLink> to refund it.
                </Text>
              ) : (
                <RefundTable refunds={refunds} onRetry={setRefundToRetry} onRecord={setRefundToRecord} />
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
      {refundToRecord && <TransferDialog refund={refundToRecord} onClose={() => setRefundToRecord(undefined)} />}
      {refundToRetry && <RetryDialog refund={refundToRetry} onClose={() => setRefundToRetry(undefined)} />}
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
    <RecordTable
      label="Refunds"
      rows={refunds}
      getKey={(refund) => refund.refund_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Invoice', layout: 'nowrap', cell: (refund) => refund.invoice_number },
        { title: 'Practice', cell: ({ practice }) => practice },
        { title: 'Amount', layout: 'numeric', cell: (refund) => formatPounds(refund.total_pence) },
        { title: 'Status', cell: (refund) => <State refund={refund} /> },
        { title: 'Reason', layout: 'sentence', cell: ({ reason }) => reason },
        { title: 'Credit note', layout: 'nowrap', cell: (refund) => refund.credit_note_number },
        { title: 'Decided', layout: 'nowrap', cell: (refund) => <InstantText at={refund.ordered_at} /> },
        {
          title: 'Action',
          layout: 'action',
          cell: (refund) => (refund.status === 'failed' ? <Actions refund={refund} onRetry={onRetry} onRecord={onRecord} /> : null),
        },
      ]}
    />
  );
}

function State({ refund: { kind, status, failure, transfer } }: { refund: Refund }) {
  const chip = CHIPS[status];
  return (
    <>
      <StateChip {...chip} label={kind === 'reduction' && status === 'succeeded' ? 'Credited' : chip.label} />
      {failure !== null && transfer === null && (
        <Text size="small" tone="quiet">
          {failure}
        </Text>
      )}
      {transfer !== null && (
        <Text size="small" tone="quiet">
          {formatDate(transfer.transferred_on, 'short')}, {transfer.reference}
        </Text>
      )}
    </>
  );
}

function Actions({ refund, onRetry, onRecord }: { refund: Refund } & Pick<RefundTableProps, 'onRetry' | 'onRecord'>) {
  const name = <HiddenText> {refund.invoice_number}</HiddenText>;
  return (
    <Row gap={8}>
      <Button size="small" variant="outlined" onClick={() => onRetry(refund)}>
        Send again{name}
      </Button>
      <Button size="small" variant="outlined" onClick={() => onRecord(refund)}>
        Record transfer{name}
      </Button>
    </Row>
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
      toast('success', 'Refund being sent again');
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
          {refund.failure} The refund goes to the payment method that paid {refund.invoice_number}. {refund.practice} already has its credit
          note.
        </Text>
        <ReasonField id="retry-reason" value={reason} onChange={setReason} />
        {retry.error && (
          <Notice tone="error" title="Not sent" role="alert">
            {getErrorText(retry.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
