/** Practices' VAT invoices and credit notes, newest first. A paid invoice can be refunded, an unpaid one credited or written off. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { OPERATOR_INVOICE_FILE_PATH } from '@portal/contract/billing.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { INVOICE_STATUS_CHIPS } from '../../components/billing/invoice-status.ts';
import { apiQuery } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { WriteOffDialog } from './write-off-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Invoices = EndpointOutput<typeof operatorBillingApi.invoices>;
type Invoice = Invoices['invoices'][number];

export function InvoicesCard() {
  const { filters, change, page } = useUrlFilters(['view', 'q']);
  const input = { page, ...(filters.q === undefined ? {} : { q: filters.q }) };
  const query = useQuery({ ...apiQuery(operatorBillingApi.invoices, input), placeholderData: keepPreviousData });
  const [invoiceToRefund, setInvoiceToRefund] = useState<Invoice>();
  const [invoiceToWriteOff, setInvoiceToWriteOff] = useState<Invoice>();
  return (
    <>
      <LoadState query={query}>
        {({ invoices, count, pages }) => (
          <SectionCard
            title="Invoices"
            source="Totals include VAT. Invoices never change: a refund or credit creates a credit note, but a write-off doesn’t."
          >
            <Stack>
              <ListSearch label="Search invoices" hint="By practice or number" text={filters.q ?? ''} onSearch={(q) => change({ q })} />
              {invoices.length === 0 ? (
                <Text>{filters.q === undefined ? 'No invoices yet.' : 'No invoices match. Change the search to see more.'}</Text>
              ) : (
                <InvoiceTable invoices={invoices} onRefund={setInvoiceToRefund} onWriteOff={setInvoiceToWriteOff} />
              )}
              <Pager
                page={page}
                pages={pages}
                count={count}
                noun={count === 1 ? 'document' : 'documents'}
                onPage={(next) => change({ page: String(next) })}
              />
            </Stack>
          </SectionCard>
        )}
      </LoadState>
      {invoiceToWriteOff && <WriteOffDialog invoice={invoiceToWriteOff} onClose={() => setInvoiceToWriteOff(undefined)} />}
      {invoiceToRefund && (
        <RefundDialog
          companyId={invoiceToRefund.company_id}
          isUnpaid={isUnpaid(invoiceToRefund)}
          invoiceId={invoiceToRefund.invoice_id}
          number={invoiceToRefund.number}
          onClose={() => setInvoiceToRefund(undefined)}
        />
      )}
    </>
  );
}

type InvoiceActions = { onRefund: (invoice: Invoice) => void; onWriteOff: (invoice: Invoice) => void };
type InvoiceTableProps = Pick<Invoices, 'invoices'> & InvoiceActions;

function InvoiceTable({ invoices, ...actions }: InvoiceTableProps) {
  return (
    <RecordTable
      label="Invoices"
      rows={invoices}
      getKey={(invoice) => invoice.invoice_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Number', cell: (invoice) => <InvoiceName invoice={invoice} /> },
        { title: 'Practice', cell: ({ practice }) => practice },
        { title: 'Issued', layout: 'nowrap', cell: (invoice) => formatDate(invoice.issued_on, 'short') },
        { title: 'Total', layout: 'numeric', cell: (invoice) => formatPounds(invoice.total_pence) },
        {
          title: 'Refunded or credited',
          layout: 'numeric',
          cell: ({ refunded_pence: refunded }) => (refunded === 0 ? null : formatPounds(refunded)),
        },
        { title: 'Status', cell: ({ status }) => <StateChip {...INVOICE_STATUS_CHIPS[status]} /> },
        {
          title: 'Action',
          layout: 'action',
          cell: (invoice) => (hasAction(invoice) ? <ActionButtons invoice={invoice} {...actions} /> : null),
        },
      ]}
    />
  );
}

const isRefundable = ({ kind, status }: Invoice): boolean => kind === 'invoice' && status === 'paid';

const isUnpaid = ({ kind, status, write_off: writeOff }: Invoice): boolean =>
  kind === 'invoice' && (status === 'open' || status === 'failed' || status === 'disputed') && writeOff?.status !== 'sending';
const hasAction = (invoice: Invoice): boolean => isRefundable(invoice) || isUnpaid(invoice);

function ActionButtons({ invoice, onRefund, onWriteOff }: { invoice: Invoice } & InvoiceActions) {
  const buttons = isRefundable(invoice)
    ? [{ label: 'Refund', onClick: onRefund }]
    : [
        // Stripe can’t credit a payment that the payer’s bank took back.
        ...(invoice.status === 'disputed' ? [] : [{ label: 'Credit', onClick: onRefund }]),
        { label: 'Write off', onClick: onWriteOff },
      ];
  return (
    <Row gap={8}>
      {buttons.map(({ label, onClick }) => (
        <Button key={label} size="small" variant="outlined" onClick={() => onClick(invoice)}>
          {label}
          <HiddenText> {invoice.number}</HiddenText>
        </Button>
      ))}
    </Row>
  );
}

function describeWriteOff({ write_off: writeOff }: Invoice): string | undefined {
  if (!writeOff) return undefined;
  const { status, written_off_on: writtenOffOn, reversed_on: reversedOn, failure, reason } = writeOff;
  if (status === 'sending') return 'Being written off at Stripe';
  if (status === 'refused') return `Not written off: ${failure ?? ''}`;
  const writtenOffText = `Written off${writtenOffOn === null ? '' : ` on ${formatDate(writtenOffOn, 'short')}`}`;
  if (status === 'reversed') return `${writtenOffText}, then paid${reversedOn === null ? '' : ` on ${formatDate(reversedOn, 'short')}`}`;
  const { vat_pence: vat, relief_from: from, relief_until: until } = writeOff;
  return `${writtenOffText}: ${reason}. VAT of ${formatPounds(vat)} can be reclaimed from ${formatDate(from, 'short')} to ${formatDate(until, 'short')}.`;
}

const getInvoiceHref = ({ company_id, invoice_id }: Invoice): string =>
  `${PORTAL_BASE}${OPERATOR_INVOICE_FILE_PATH}?${new URLSearchParams({ company_id, invoice_id })}`;

function InvoiceName({ invoice }: { invoice: Invoice }) {
  const { number, kind, corrects_number: corrects } = invoice;
  const writeOffText = describeWriteOff(invoice);
  return (
    <>
      <TextLink href={getInvoiceHref(invoice)} download>
        {number}
        <HiddenText> (PDF)</HiddenText>
      </TextLink>
      {kind === 'credit_note' && (
        <Text size="small" tone="quiet">
          Credit note{corrects !== null && ` for ${corrects}`}
        </Text>
      )}
      {writeOffText !== undefined && (
        <Text size="small" tone="quiet">
          {writeOffText}
        </Text>
      )}
    </>
  );
}
