import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operationsApi } from '@portal/contract/operations.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { RecordTable } from '../../ui/record-table.tsx';
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
  if (entries.length === 0) return <Text>{showsCompany ? 'No entries match. Change the filters to see more.' : 'No entries yet.'}</Text>;
  return (
    <RecordTable
      label="Audit trail"
      rows={entries}
      getKey={(entry) => `${entry.company_id}${entry.sequence}`}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Action', layout: 'nowrap', cell: ({ action }) => action },
        { title: 'Time', layout: 'nowrap', cell: ({ at }) => <InstantText at={at} /> },
        { title: 'Person', cell: ({ actor }) => <Actor actor={actor} /> },
        showsCompany && { title: 'Company', cell: renderCompany },
        { title: 'Details', cell: (entry) => <Details entry={entry} summary={showsCompany ? entry.subject : 'Show'} /> },
      ]}
    />
  );
}

/** A person arrives as “Tessa Bright (tessa@brightwell.example)”. */
function Actor({ actor }: { actor: string }) {
  const [, name = AUTOMATIC_ACTORS[actor] ?? actor, email] = /^(.+) \((\S+@\S+)\)$/.exec(actor) ?? [];
  return (
    <div className={styles.person}>
      {name}
      {email !== undefined && (
        <Text size="small" tone="quiet">
          {email}
        </Text>
      )}
    </div>
  );
}

function renderCompany({ company_id: companyId, company_name: name }: AuditEntry) {
  return companyId ? <TextLink to={getPageLink('adminCompany', { company_id: companyId })}>{name ?? 'Company'}</TextLink> : null;
}

function Details({ entry, summary }: { entry: AuditEntry; summary: string }) {
  return (
    <details className={styles.details}>
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
