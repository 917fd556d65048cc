/** The practice's VAT invoices and credit notes, newest first. */
import { billingApi, INVOICE_FILE_PATH } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { INVOICE_STATUS_CHIPS } from '../../components/billing/invoice-status.ts';
import { PeriodText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { MEDIA_BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { PracticeProfile } from './practice-profile.ts';

type Invoice = EndpointOutput<typeof billingApi.invoices>['invoices'][number];
type InvoicesProps = { companyId: string; invoices: readonly Invoice[] };

export function InvoicesTab({ profile }: { profile: PracticeProfile }) {
  const isAdmin = profile.role === 'admin';
  const query = useQuery({ ...apiQuery(billingApi.invoices, { company_id: profile.company_id }), enabled: isAdmin });
  const isNarrow = useMediaQuery(MEDIA_BELOW.md);
  if (!isAdmin) {
    return (
      <SectionCard title="Invoices">
        <Text>Only admins see the practice’s invoices.</Text>
      </SectionCard>
    );
  }
  const List = isNarrow ? InvoiceCards : InvoiceTable;
  return (
    <SectionCard title="Invoices" source="These are your VAT invoices. Stripe’s receipts aren’t VAT invoices.">
      <LoadState query={query}>
        {({ invoices }) =>
          invoices.length === 0 ? (
            <Text>No invoices yet. The first one is issued when you subscribe.</Text>
          ) : (
            <List companyId={profile.company_id} invoices={invoices} />
          )
        }
      </LoadState>
    </SectionCard>
  );
}

function InvoiceTable({ companyId, invoices }: InvoicesProps) {
  return (
    <Table label="Invoices" dense flush>
      <TableHead
        columns={['Number', 'Issued', 'Period', { numeric: 'Excluding VAT' }, { numeric: 'VAT' }, { numeric: 'Total' }, 'Status', 'Files']}
      />
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.invoice_id}>
            <th scope="row">
              <InvoiceName invoice={invoice} />
            </th>
            <td data-nowrap>{formatDate(invoice.issued_on, 'short')}</td>
            <td>
              <PeriodText start={invoice.period_start} end={invoice.period_end} />
            </td>
            <td data-numeric>{formatPounds(invoice.net_pence)}</td>
            <td data-numeric>{formatPounds(invoice.vat_pence)}</td>
            <td data-numeric>{formatPounds(invoice.total_pence)}</td>
            <td>
              <StateChip {...INVOICE_STATUS_CHIPS[invoice.status]} />
            </td>
            <td data-nowrap>
              <Files companyId={companyId} invoice={invoice} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function InvoiceCards({ companyId, invoices }: InvoicesProps) {
  return (
    <RecordCards
      label="Invoices"
      cards={invoices.map((invoice) => ({
        key: invoice.invoice_id,
        title: <InvoiceName invoice={invoice} />,
        facts: [
          { label: 'Issued', value: formatDate(invoice.issued_on) },
          { label: 'Total including VAT', value: formatPounds(invoice.total_pence) },
          { label: 'Status', value: <StateChip {...INVOICE_STATUS_CHIPS[invoice.status]} /> },
        ],
        action: <Files companyId={companyId} invoice={invoice} />,
      }))}
    />
  );
}

function InvoiceName({
  invoice: { number, kind, corrects_number: corrects, reason, transfer, written_off_on: writtenOffOn },
}: {
  invoice: Invoice;
}) {
  return (
    <>
      {number}
      {kind === 'credit_note' && (
        <Text size="small" tone="quiet">
          Credit note{corrects !== null && ` for ${corrects}`}
          {reason !== null && `: ${reason}`}
        </Text>
      )}
      {writtenOffOn !== null && (
        <Text size="small" tone="quiet">
          We wrote it off in our accounts on {formatDate(writtenOffOn)} and have stopped trying to collect the payment. No credit note was
          issued for it.
        </Text>
      )}
      {transfer !== null && (
        <Text size="small" tone="quiet">
          Paid by bank transfer on {formatDate(transfer.transferred_on)}, reference {transfer.reference}
        </Text>
      )}
    </>
  );
}

function Files({ companyId, invoice: { invoice_id: id, number } }: { companyId: string; invoice: Invoice }) {
  const getHref = (format: 'pdf' | 'csv') =>
    `${PORTAL_BASE}${INVOICE_FILE_PATH}?${new URLSearchParams({ company_id: companyId, invoice_id: id, format })}`;
  return (
    <Row gap={12}>
      {(['pdf', 'csv'] as const).map((format) => (
        <TextLink key={format} href={getHref(format)} download>
          {format.toUpperCase()}
          <HiddenText> of {number}</HiddenText>
        </TextLink>
      ))}
    </Row>
  );
}
