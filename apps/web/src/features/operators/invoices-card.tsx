/** Practices' VAT invoices and credit notes, newest first. A paid invoice can be refunded. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { INVOICE_STATUS_CHIPS } from '../../components/billing/invoice-status.ts';
import { apiQuery } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Invoices = EndpointOutput<typeof operatorBillingApi.invoices>;
type Invoice = Invoices['invoices'][number];

export function InvoicesCard() {
  const { filters, change, page } = useUrlFilters(['view', 'q']);
  const input = { page, ...(filters.q === undefined ? {} : { q: filters.q }) };
  const List = useMediaQuery(TOO_NARROW_FOR_ACTIONS) ? InvoiceCards : InvoiceTable;
  const query = useQuery({ ...apiQuery(operatorBillingApi.invoices, input), placeholderData: keepPreviousData });
  const [refunding, setRefunding] = useState<Invoice>();
  return (
    <>
      <LoadState query={query}>
        {({ invoices, count, pages }) => (
          <SectionCard title="Invoices" source="Totals with VAT. An invoice never changes: a refund issues a credit note.">
            <Stack>
              <ListSearch label="Search invoices" hint="By practice or number" text={filters.q ?? ''} onSearch={(q) => change({ q })} />
              {invoices.length === 0 ? (
                <Text>{filters.q === undefined ? 'No invoices yet.' : 'No invoices match. Change the search to see more.'}</Text>
              ) : (
                <List invoices={invoices} onRefund={setRefunding} />
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
      {refunding && (
        <RefundDialog
          companyId={refunding.company_id}
          invoiceId={refunding.invoice_id}
          number={refunding.number}
          onClose={() => setRefunding(undefined)}
        />
      )}
    </>
  );
}

type InvoiceTableProps = Pick<Invoices, 'invoices'> & { onRefund: (invoice: Invoice) => void };

function InvoiceTable({ invoices, onRefund }: InvoiceTableProps) {
  return (
    <Table label="Invoices" dense flush>
      <TableHead columns={['Number', 'Practice', 'Issued', { numeric: 'Total' }, { numeric: 'Refunded' }, 'Status', 'Action']} />
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.invoice_id}>
            <th scope="row" data-nowrap>
              <InvoiceName invoice={invoice} />
            </th>
            <td>{invoice.practice}</td>
            <td data-nowrap>{formatDate(invoice.issued_on, 'short')}</td>
            <td data-numeric>{formatPounds(invoice.total_pence)}</td>
            <td data-numeric>{invoice.refunded_pence === 0 ? '–' : formatPounds(invoice.refunded_pence)}</td>
            <td>
              <StateChip {...INVOICE_STATUS_CHIPS[invoice.status]} />
            </td>
            <td>{isRefundable(invoice) ? <RefundButton invoice={invoice} onRefund={onRefund} /> : '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Below the table's width, so that no one scrolls sideways to the action. */
function InvoiceCards({ invoices, onRefund }: InvoiceTableProps) {
  return (
    <RecordCards
      label="Invoices"
      cards={invoices.map((invoice) => ({
        key: invoice.invoice_id,
        title: <InvoiceName invoice={invoice} />,
        facts: [
          { label: 'Practice', value: invoice.practice },
          { label: 'Issued', value: formatDate(invoice.issued_on, 'short') },
          { label: 'Total', value: formatPounds(invoice.total_pence) },
          ...(invoice.refunded_pence === 0 ? [] : [{ label: 'Refunded', value: formatPounds(invoice.refunded_pence) }]),
          { label: 'Status', value: <StateChip {...INVOICE_STATUS_CHIPS[invoice.status]} /> },
        ],
        action: isRefundable(invoice) && <RefundButton invoice={invoice} onRefund={onRefund} />,
      }))}
    />
  );
}

const isRefundable = ({ kind, status }: Invoice): boolean => kind === 'invoice' && status === 'paid';

function RefundButton({ invoice, onRefund }: { invoice: Invoice } & Pick<InvoiceTableProps, 'onRefund'>) {
  return (
    <Button size="small" variant="outlined" onClick={() => onRefund(invoice)}>
      Refund<HiddenText> {invoice.number}</HiddenText>
    </Button>
  );
}

function InvoiceName({ invoice: { number, kind, corrects_number: corrects } }: { invoice: Invoice }) {
  return (
    <>
      {number}
      {kind === 'credit_note' && (
        <Text size="small" tone="quiet">
          Credit note{corrects !== null && ` for ${corrects}`}
        </Text>
      )}
    </>
  );
}
