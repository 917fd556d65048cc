/** The practice's VAT invoices and credit notes, newest first. */
import { billingApi, INVOICE_FILE_PATH } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { INVOICE_STATUS_CHIPS } from '../../components/billing/invoice-status.ts';
import { PeriodText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { MEDIA_BELOW } from '../../lib/use-media-query.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type Invoice = EndpointOutput<typeof billingApi.invoices>['invoices'][number];
type InvoicesProps = { companyId: string; invoices: readonly Invoice[] };

export function InvoicesTab({ profile }: { profile: PracticeProfile }) {
  const isAdmin = profile.role === 'admin';
  const query = useQuery({ ...apiQuery(billingApi.invoices, { company_id: profile.company_id }), enabled: isAdmin });
  if (!isAdmin) {
    return (
      <SectionCard title="Invoices">
        <Text>Only admins see the practice’s invoices.</Text>
      </SectionCard>
    );
  }
  return (
    <SectionCard title="Invoices" source="These are your VAT invoices. Stripe’s receipts aren’t VAT invoices.">
      <LoadState query={query}>
        {({ invoices }) =>
          invoices.length === 0 ? (
            <Text>No invoices yet. The first one is issued when you subscribe.</Text>
          ) : (
            <InvoiceTable companyId={profile.company_id} invoices={invoices} />
          )
        }
      </LoadState>
    </SectionCard>
  );
}

function InvoiceTable({ companyId, invoices }: InvoicesProps) {
  return (
    <RecordTable
      label="Invoices"
      rows={invoices}
      getKey={(invoice) => invoice.invoice_id}
      cardsAt={MEDIA_BELOW.md}
      columns={[
        { title: 'Number', cell: (invoice) => <InvoiceName invoice={invoice} /> },
        { title: 'Issued', layout: 'nowrap', cell: (invoice) => formatDate(invoice.issued_on, 'short') },
        { title: 'Period', cell: (invoice) => <PeriodText start={invoice.period_start} end={invoice.period_end} /> },
        { title: 'Excluding VAT', layout: 'numeric', cell: (invoice) => formatPounds(invoice.net_pence) },
        { title: 'VAT', layout: 'numeric', cell: (invoice) => formatPounds(invoice.vat_pence) },
        { title: 'Total', layout: 'numeric', cell: (invoice) => formatPounds(invoice.total_pence) },
        { title: 'Status', cell: ({ status }) => <StateChip {...INVOICE_STATUS_CHIPS[status]} /> },
        { title: 'Files', layout: 'action', cell: (invoice) => <Files companyId={companyId} invoice={invoice} /> },
      ]}
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
