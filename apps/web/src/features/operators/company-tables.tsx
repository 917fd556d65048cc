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
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ShortHash } from '../../ui/short-hash.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ADVANCE_CHIPS } from './advance-labels.ts';
import { AuditTable } from './audit-table.tsx';

export type CompanyData = EndpointOutput<typeof operatorCompaniesApi.get>;
type CompanyProps = { data: CompanyData };

export function CompanyAdvances({ data }: CompanyProps) {
  return (
    <SectionCard title="Advances">
      {data.advances.length === 0 ? (
        <Text>No advances yet.</Text>
      ) : (
        <Table label="Advances" dense flush>
          <TableHead
            columns={[
              'Period to',
              'Status',
              { numeric: 'Refund' },
              { numeric: 'Payout' },
              { numeric: 'Outstanding' },
              { numeric: 'Paid in' },
            ]}
          />
          <tbody>
            {data.advances.map((advance) => (
              <tr key={advance.advance_id}>
                <th scope="row" data-nowrap>
                  <TextLink to={getPageLink('adminAdvance', { company_id: data.company.company_id, advance_id: advance.advance_id })}>
                    {formatDate(advance.period_end, 'short')}
                  </TextLink>
                </th>
                <td>
                  <StateChip {...ADVANCE_CHIPS[advance.state]} />
                </td>
                <td data-numeric>{formatPounds(advance.refund_pence)}</td>
                <td data-numeric>{formatPounds(advance.net_pence)}</td>
                <td data-numeric>{advance.outstanding_pence === 0 ? '–' : formatPounds(advance.outstanding_pence)}</td>
                <td data-numeric>{advance.hours_to_payout === null ? '–' : `${advance.hours_to_payout} h`}</td>
              </tr>
            ))}
          </tbody>
        </Table>
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
      <Table label="People" dense flush>
        <TableHead columns={['Name', 'Email', 'Identity', 'Last seen']} />
        <tbody>
          {data.people.map((person) => (
            <tr key={person.user_id}>
              <th scope="row">{person.name}</th>
              <td>{person.email}</td>
              <td>{person.identity ? (IDENTITY[person.identity.status] ?? person.identity.status) : 'Not checked'}</td>
              <td data-nowrap>{person.last_seen_at ? <InstantText at={person.last_seen_at} /> : 'Never'}</td>
            </tr>
          ))}
        </tbody>
      </Table>
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
        <Table label="Documents" dense flush>
          <TableHead columns={['Kind', 'Document', 'Date', 'Reference']} />
          <tbody>
            {data.documents.map((document) => (
              <tr key={`${document.kind}${document.at}${document.title}`}>
                <td data-nowrap>{DOCUMENT_LABELS[document.kind]}</td>
                <th scope="row" data-sentence>
                  {document.title}
                </th>
                <td data-nowrap>
                  <InstantText at={document.at} />
                </td>
                <td>
                  {document.reference === null ? (
                    '–'
                  ) : document.kind === 'agreement' ? (
                    <ShortHash what="agreement" hash={document.reference} />
                  ) : (
                    document.reference
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </SectionCard>
  );
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
