/** One statement: its status, the next action, and the outcome of each row. */
import type { StatementOutcome } from '@portal/domain/tax-statements/statement-states.ts';
import { taxStatementsApi, type TaxStatement, type TaxStatementRow } from '@portal/contract/tax-statements.ts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiRequest } from '../../lib/api.ts';
import { getClientLink, formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './statement-card.module.css';
import { STATE_LABELS } from './statement-labels.ts';

type StatementCardProps = { companyId: string; statement: TaxStatement };

const formatRowCount = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'row' : 'rows'}`;

const areRowsDeleted = ({ ended_at: endedAt, rows_until: until }: TaxStatement): boolean => endedAt !== null && until === null;

export function StatementCard({ companyId, statement }: StatementCardProps) {
  return (
    <SectionCard
      title={statement.file_name}
      aside={
        <Text size="small" tone="quiet">
          {!areRowsDeleted(statement) && `${formatRowCount(statement.rows)}, `}uploaded by {statement.imported_by},{' '}
          <InstantText at={statement.imported_at} />
        </Text>
      }
    >
      <Stack gap={24}>
        <StatementProgress companyId={companyId} statement={statement} />
        {statement.state !== 'reading' && !areRowsDeleted(statement) && <Rows companyId={companyId} statement={statement} />}
      </Stack>
    </SectionCard>
  );
}

function StatementProgress({ companyId, statement }: StatementCardProps) {
  const { state, rows, rows_done: doneCount, clients } = statement;
  const queryClient = useQueryClient();
  const invalidateClients = useInvalidateClients();
  const statementKey = { company_id: companyId, statement_id: statement.statement_id };
  const actionMutation = useMutation({
    mutationFn: (action: 'start' | 'cancel') => apiRequest(taxStatementsApi[action], statementKey),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [taxStatementsApi.list.path] }).then(invalidateClients),
  });
  const { title, tone } = STATE_LABELS[state];
  if (state === 'reading' || state === 'importing') {
    const label =
      state === 'reading'
        ? `Checking: ${formatRowCount(rows)} so far`
        : `Importing: ${doneCount.toLocaleString('en-GB')} of ${formatRowCount(rows)} done`;
    return (
      <div className={styles.running}>
        <ProgressBar label={label} {...(state === 'reading' ? {} : { percent: rows === 0 ? 0 : (doneCount / rows) * 100 })} />
        <Text size="small" tone="quiet">
          You can leave this page. The import will continue.
        </Text>
        {state === 'importing' && (
          <Button variant="outlined" size="small" onClick={() => actionMutation.mutate('cancel')} disabled={actionMutation.isPending}>
            Cancel
          </Button>
        )}
      </div>
    );
  }
  return (
    <Notice tone={tone} title={title} role="status">
      <Stack gap={12}>
        <Text>
          {state === 'ready' ? (
            <Preview companyId={companyId} statement={statement} />
          ) : (
            <Result companyId={companyId} statement={statement} />
          )}
        </Text>
        {state !== 'completed' && (
          <Row>
            {clients > 0 && (
              <Button onClick={() => actionMutation.mutate('start')} disabled={actionMutation.isPending}>
                {state === 'ready' ? 'Import statement' : 'Continue import'}
              </Button>
            )}
            {state === 'ready' && (
              <Button variant="outlined" onClick={() => actionMutation.mutate('cancel')} disabled={actionMutation.isPending}>
                Discard
              </Button>
            )}
          </Row>
        )}
        {actionMutation.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(actionMutation.error)}
          </Text>
        )}
      </Stack>
    </Notice>
  );
}

function Preview({ companyId, statement }: StatementCardProps) {
  const { statement_id: id, clients, refused: rejectedCount } = statement;
  return (
    <>
      This statement covers{' '}
      <TextLink to={getPageLink('practiceClients', { company_id: companyId, action: `statement:${id}` })}>
        {formatClientCount(clients)}
      </TextLink>{' '}
      in your practice.{' '}
      {rejectedCount === 0 ? (
        'Every row can be imported.'
      ) : (
        <>
          <RejectedLink statement={statement} /> can’t be imported. If any of a client’s rows is rejected, that client keeps its current
          figures.
        </>
      )}
    </>
  );
}

function Result({ companyId, statement }: StatementCardProps) {
  const { refused: rejectedCount, reason } = statement;
  return (
    <>
      <UpdatedClients companyId={companyId} statement={statement} />{' '}
      {rejectedCount === 0 ? 'No rows were rejected.' : <RejectedRows statement={statement} />} {reason}
    </>
  );
}

/** The rejected rows, counted and listed. Users couldn't check a count without its rows, so no count is shown once the rows are deleted. */
export function RejectedRows({ statement }: { statement: TaxStatement }) {
  if (areRowsDeleted(statement)) return 'Some rows were rejected and have since been deleted.';
  return (
    <>
      <RejectedLink statement={statement} /> {statement.refused === 1 ? 'was' : 'were'} rejected.
    </>
  );
}

function RejectedLink({ statement: { statement_id: id, refused } }: { statement: TaxStatement }) {
  const [search] = useSearchParams();
  const next = new URLSearchParams(search);
  next.set(STATEMENT_PARAM, id);
  next.set(QUERY_NAME, 'refused');
  return (
    <TextLink to={`?${next.toString()}`} preventScrollReset>
      {formatRowCount(refused)}
    </TextLink>
  );
}

/** Query parameter of the statement to show. Defaults to the newest statement. */
export const STATEMENT_PARAM = 'statement_id';

/** The updated clients, counted and listed. Clients removed since then are counted separately, because the list doesn't include them. */
export function UpdatedClients({ companyId, statement }: StatementCardProps) {
  const { statement_id: id, clients_taken: updatedCount, clients_removed: removedCount } = statement;
  if (removedCount === null) return 'Clients were updated. The list of clients is no longer stored.';
  const to = getPageLink('practiceClients', { company_id: companyId, action: `statement_updated:${id}` });
  return (
    <>
      Updated figures for {updatedCount === 0 ? formatClientCount(0) : <TextLink to={to}>{formatClientCount(updatedCount)}</TextLink>}
      {removedCount > 0 && ` and ${formatClientCount(removedCount)} since removed`}.
    </>
  );
}

const OUTCOMES: Readonly<Record<StatementOutcome, string>> = {
  waiting: 'Ready to import',
  taken: 'Imported',
  refused: 'Rejected',
};

/** Query parameter of the row filter. Users can filter only by rejected rows, because no other outcome has a count. */
const QUERY_NAME = 'outcome';

function Rows({ companyId, statement }: StatementCardProps) {
  const [search] = useSearchParams();
  const outcome: StatementOutcome | undefined = search.get(QUERY_NAME) === 'refused' ? 'refused' : undefined;
  const input = { company_id: companyId, statement_id: statement.statement_id, ...(outcome === undefined ? {} : { outcome }) };
  const query = useInfiniteQuery({
    // The rows change with the statement's state, so refetch them when the state changes.
    queryKey: [taxStatementsApi.rows.path, input, statement.state],
    queryFn: ({ pageParam, signal }) => apiRequest(taxStatementsApi.rows, { ...input, after: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.rows),
  });
  return (
    <div>
      <FilterChips
        label="Rows by outcome"
        name={QUERY_NAME}
        selected={outcome}
        all={{ label: 'All rows', count: statement.rows }}
        options={[{ value: 'refused', label: OUTCOMES.refused, count: statement.refused }]}
      />
      <LoadState query={query} skeleton={<TableSkeleton rows={6} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Text tone="quiet">{outcome === 'refused' ? 'No rows were rejected.' : 'The rows have been deleted.'}</Text>
          ) : (
            <Stack gap={8} align="start">
              <RowTable companyId={companyId} rows={rows} />
              {query.hasNextPage && (
                <Button variant="text" size="small" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Show more rows
                </Button>
              )}
            </Stack>
          )
        }
      </LoadState>
      {statement.rows_until !== null && (
        <Text size="small" tone="quiet" className={styles.until}>
          We keep these rows until <InstantText at={statement.rows_until} />.
        </Text>
      )}
    </div>
  );
}

function RowTable({ companyId, rows }: { companyId: string; rows: readonly TaxStatementRow[] }) {
  return (
    <div role="region" aria-label="Rows of the statement" tabIndex={0} className={styles.scroller}>
      <table className={styles.rows}>
        <thead>
          <tr>
            <th scope="col" className={styles.line}>
              Row
            </th>
            <th scope="col">Client</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <td className={styles.line}>{row.row.toLocaleString('en-GB')}</td>
              <td>
                <ClientCell companyId={companyId} row={row} />
              </td>
              <td>
                {OUTCOMES[row.outcome]}
                {row.problem !== null && (
                  <div className={styles.problem}>
                    {row.field}: {row.problem}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ClientCell({ companyId, row: { client_id: id, client_name: name } }: { companyId: string; row: TaxStatementRow }) {
  if (id === null || name === null) return 'Not one of your clients';
  const to = getClientLink(companyId, id);
  return to === undefined ? name : <TextLink to={to}>{name}</TextLink>;
}
