import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operationsApi } from '@portal/contract/operations.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { RecordCards } from '../../ui/record-cards.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './audit-table.module.css';

type AuditEntry = EndpointOutput<typeof operationsApi.audit>['entries'][number];

/** Actors that aren't people. */
const AUTOMATIC_ACTORS: Readonly<Record<string, string>> = {
  rules: 'Rules',
  clock: 'Schedule',
  bank: 'Bank',
  hmrc: 'HMRC',
};

/** Entries of the audit trail, newest first. */
export function AuditTable({ entries, showsCompany = true }: { entries: readonly AuditEntry[]; showsCompany?: boolean }) {
  const showsCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  if (entries.length === 0) return <Text>{showsCompany ? 'No entries match. Change the filters to see more.' : 'No entries yet.'}</Text>;
  if (showsCards) {
    return (
      <RecordCards
        label="Audit trail"
        cards={entries.map((entry) => ({
          key: `${entry.company_id}${entry.sequence}`,
          title: entry.action,
          facts: [
            { label: 'Time', value: <InstantText at={entry.at} /> },
            { label: 'Person', value: AUTOMATIC_ACTORS[entry.actor] ?? entry.actor },
            ...(showsCompany ? [{ label: 'Company', value: <CompanyLink entry={entry} /> }] : []),
          ],
          action: <Details entry={entry} summary="Details" />,
        }))}
      />
    );
  }
  return (
    <Table label="Audit trail" dense flush>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Person</th>
          <th scope="col">Action</th>
          {showsCompany && <th scope="col">Company</th>}
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={`${entry.company_id}${entry.sequence}`}>
            <td data-nowrap>
              <InstantText at={entry.at} />
            </td>
            <td className={styles.person}>{AUTOMATIC_ACTORS[entry.actor] ?? entry.actor}</td>
            <th scope="row" data-nowrap>
              {entry.action}
            </th>
            {showsCompany && (
              <td>
                <CompanyLink entry={entry} />
              </td>
            )}
            <td className={styles.details}>
              <Details entry={entry} summary={showsCompany ? entry.subject : 'Details'} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function CompanyLink({ entry: { company_id: companyId, company_name: name } }: { entry: AuditEntry }) {
  return companyId ? <TextLink to={getPageLink('adminCompany', { company_id: companyId })}>{name ?? 'Company'}</TextLink> : '–';
}

function Details({ entry, summary }: { entry: AuditEntry; summary: string }) {
  return (
    <details>
      <summary>{summary}</summary>
      <dl className={styles.values}>
        <div>
          <dt>Record</dt>
          <dd>{entry.subject}</dd>
        </div>
        {entry.before !== null && (
          <div>
            <dt>Before</dt>
            <dd>{entry.before}</dd>
          </div>
        )}
        {entry.after !== null && (
          <div>
            <dt>After</dt>
            <dd>{entry.after}</dd>
          </div>
        )}
        <div>
          <dt>Address</dt>
          <dd>{entry.ip === '' ? 'None' : entry.ip}</dd>
        </div>
      </dl>
    </details>
  );
}
