import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operationsApi } from '@portal/contract/operations.ts';
import type { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { FAILURE_MESSAGES } from '@portal/domain/mail-reports/delivery-failure.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ShortHash } from '../../ui/short-hash.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import { AuditTable } from './audit-table.tsx';
import { LogOutCustomer } from './log-out-customer.tsx';

export type CompanyData = EndpointOutput<typeof operatorCompaniesApi.get>;
type CompanyProps = { data: CompanyData };

export function CompanyAdvances({ data }: CompanyProps) {
  return (
    <SectionCard title="Advances">
      {data.advances.length === 0 ? (
        <Text>No advances yet.</Text>
      ) : (
        <RecordTable
          label="Advances"
          rows={data.advances}
          getKey={({ advance_id }) => advance_id}
          columns={[
            {
              title: 'Period to',
              layout: 'nowrap',
              cell: (row) => (
                <TextLink to={getPageLink('adminAdvance', { company_id: data.company.company_id, advance_id: row.advance_id })}>
                  {formatDate(row.period_end, 'short')}
                </TextLink>
              ),
            },
            { title: 'Status', cell: (row) => <StateChip {...ADVANCE_CHIPS[row.state]} /> },
            { title: 'Refund', layout: 'numeric', cell: (row) => formatPounds(row.refund_pence) },
            { title: 'Payout', layout: 'numeric', cell: (row) => formatPounds(row.net_pence) },
            {
              title: 'Outstanding',
              layout: 'numeric',
              cell: (row) => (row.outstanding_pence === 0 ? null : formatPounds(row.outstanding_pence)),
            },
            { title: 'Paid in', layout: 'numeric', cell: (row) => (row.hours_to_payout === null ? null : `${row.hours_to_payout} h`) },
          ]}
        />
      )}
    </SectionCard>
  );
}

const IDENTITY: Readonly<Record<string, string>> = {
  pending: 'In progress',
  passed: 'Verified',
  failed: 'Failed',
  expired: 'Expired',
  needs_review: 'Needs review',
};

function describeBounce({ email, cause, reported_at: at }: CompanyData['undeliverable'][number]): string {
  const day = formatDate(toLondonDate(at));
  return cause === 'complaint' ? `${email} reported our email as spam on ${day}` : `An email to ${email} bounced on ${day}`;
}

export function CompanyPeople({ data }: CompanyProps) {
  return (
    <SectionCard title="People and identity">
      {data.undeliverable.map((address) => (
        <Notice key={address.email} tone="warning" title={describeBounce(address)}>
          {address.cause !== 'complaint' && `${FAILURE_MESSAGES[address.cause]} `}
          {address.detail !== '' && `The mail server’s response: ${address.detail}. `}
          We still email this company, but the emails may not arrive.
        </Notice>
      ))}
      <RecordTable
        label="People"
        rows={data.people}
        getKey={({ user_id }) => user_id}
        cardsAt={TOO_NARROW_FOR_ACTIONS}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Email', cell: ({ email }) => email },
          { title: 'Identity', cell: ({ identity }) => (identity ? (IDENTITY[identity.status] ?? identity.status) : 'Not checked') },
          { title: 'Last seen', layout: 'nowrap', cell: ({ last_seen_at: at }) => (at ? <InstantText at={at} /> : 'Never') },
          { title: 'Access', layout: 'action', cell: (person) => <LogOutCustomer person={person} /> },
        ]}
      />
    </SectionCard>
  );
}

const DOCUMENT_LABELS = { agreement: 'Agreement', filing_receipt: 'HMRC receipt', books_file: 'Books' } as const;

export function CompanyDocuments({ data }: CompanyProps) {
  return (
    <SectionCard title="Documents">
      {data.documents.length === 0 ? (
        <Text>No documents yet.</Text>
      ) : (
        <RecordTable
          label="Documents"
          rows={data.documents}
          getKey={({ kind, at, title }) => `${kind}${at}${title}`}
          columns={[
            { title: 'Document', layout: 'sentence', cell: ({ title }) => title },
            { title: 'Kind', layout: 'nowrap', cell: ({ kind }) => DOCUMENT_LABELS[kind] },
            { title: 'Date', layout: 'nowrap', cell: ({ at }) => <InstantText at={at} /> },
            { title: 'Reference', cell: renderReference },
          ]}
        />
      )}
    </SectionCard>
  );
}

function renderReference({ kind, reference }: CompanyData['documents'][number]) {
  if (reference === null) return null;
  return kind === 'agreement' ? <ShortHash what="agreement" hash={reference} /> : reference;
}

const MAX_HISTORY = 25;

/** The newest entries of the audit trail. Search covers all entries. */
export function CompanyHistory({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(operationsApi.audit, { company_id: companyId }));
  return (
    <SectionCard
      title="History"
      aside={<TextLink to={getPageLink('adminAudit', { company_id: companyId })}>Search the audit trail</TextLink>}
    >
      <LoadState query={query}>
        {({ entries }) => (
          <Stack>
            <AuditTable entries={entries.slice(0, MAX_HISTORY)} showsCompany={false} />
            {entries.length > MAX_HISTORY && (
              <Text size="small" tone="quiet">
                The newest {MAX_HISTORY} entries. Search the audit trail to see them all.
              </Text>
            )}
          </Stack>
        )}
      </LoadState>
    </SectionCard>
  );
}
