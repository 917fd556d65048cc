/** One statement: its status, the next action, and the outcome of each row. */
import type { StatementOutcome } from '@portal/domain/tax-statements/statement-states.ts';
import { taxStatementsApi, type TaxStatement, type TaxStatementRow } from '@portal/contract/tax-statements.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { getClientLink, formatClientCount } from '../../lib/client-labels.ts';
import { errorText } from '../../lib/error-text.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { STATE_LABELS } from './statement-labels.ts';

type StatementCardProps = { companyId: string; statement: TaxStatement };

const rowsText = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'row' : 'rows'}`;

export function StatementCard({ companyId, statement }: StatementCardProps) {
  return (
    <SectionCard
      title={statement.file_name}
      aside={
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {rowsText(statement.rows)}, sent by {statement.imported_by}, <InstantText at={statement.imported_at} />
        </Typography>
      }
    >
      <StatementProgress companyId={companyId} statement={statement} />
      {statement.state !== 'reading' && <Rows companyId={companyId} statement={statement} />}
    </SectionCard>
  );
}

function StatementProgress({ companyId, statement }: StatementCardProps) {
  const { state, rows, rows_done: done, refused, clients, clients_taken: taken } = statement;
  const queries = useQueryClient();
  const invalidateClients = useInvalidateClients();
  const of = { company_id: companyId, statement_id: statement.statement_id };
  const act = useMutation({
    mutationFn: (which: 'start' | 'cancel') => apiRequest(taxStatementsApi[which], of),
    onSettled: () => queries.invalidateQueries({ queryKey: [taxStatementsApi.list.path] }).then(invalidateClients),
  });
  const { title, tone } = STATE_LABELS[state];
  if (state === 'reading' || state === 'importing') {
    const words =
      state === 'reading' ? `Being read: ${rowsText(rows)} so far` : `Taking in: ${done.toLocaleString('en-GB')} of ${rowsText(rows)} done`;
    return (
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, textAlign: 'center', pb: 2 }}>
        <ProgressBar label={words} {...(state === 'reading' ? {} : { percent: rows === 0 ? 0 : (done / rows) * 100 })} />
        <Typography variant="body2" sx={{ px: 2, color: 'text.secondary' }}>
          You can leave this page: it goes on.
        </Typography>
        {state === 'importing' && (
          <Button variant="outlined" size="small" sx={{ mt: 2 }} onClick={() => act.mutate('cancel')} disabled={act.isPending}>
            Cancel
          </Button>
        )}
      </Box>
    );
  }
  return (
    <Notice tone={tone} title={title} role="status">
      <Typography>
        {state === 'ready'
          ? `${formatClientCount(clients)} of yours ${clients === 1 ? 'is' : 'are'} named in it. ${refused === 0 ? 'Every row can be taken in.' : `${rowsText(refused)} would be refused; a client one of whose rows is refused keeps its figures of before.`}`
          : `The figures of ${formatClientCount(taken)} come from it. ${refused === 0 ? 'No row was refused.' : `${rowsText(refused)} refused.`} ${statement.reason ?? ''}`}
      </Typography>
      {state !== 'completed' && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mt: 2 }}>
          {clients > 0 && (
            <Button onClick={() => act.mutate('start')} disabled={act.isPending}>
              {state === 'ready' ? 'Take the figures in' : 'Go on with it'}
            </Button>
          )}
          {state === 'ready' && (
            <Button variant="outlined" onClick={() => act.mutate('cancel')} disabled={act.isPending}>
              Put it away
            </Button>
          )}
        </Box>
      )}
      {act.error !== null && (
        <Typography role="alert" sx={{ mt: 1, color: 'error.tone' }}>
          {errorText(act.error)}
        </Typography>
      )}
    </Notice>
  );
}

const OUTCOMES: Readonly<Record<StatementOutcome, string>> = { waiting: 'Would be taken in', taken: 'Taken in', refused: 'Refused' };

/** Query parameter of the row filter. Only refused rows can be selected, because the other outcomes have no count. */
const QUERY_NAME = 'outcome';

function Rows({ companyId, statement }: StatementCardProps) {
  const [search] = useSearchParams();
  const outcome: StatementOutcome | undefined = search.get(QUERY_NAME) === 'refused' ? 'refused' : undefined;
  const input = { company_id: companyId, statement_id: statement.statement_id, ...(outcome === undefined ? {} : { outcome }) };
  const query = useInfiniteQuery({
    // Rows change with the statement's state, so load them again when it changes.
    queryKey: [taxStatementsApi.rows.path, input, statement.state],
    queryFn: ({ pageParam, signal }) => apiRequest(taxStatementsApi.rows, { ...input, after: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.rows),
  });
  return (
    <Box sx={{ mt: 3 }}>
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
            <Typography sx={{ color: 'text.secondary' }}>
              {outcome === 'refused' ? 'No row is refused.' : 'The rows are no longer kept.'}
            </Typography>
          ) : (
            <>
              <RowTable companyId={companyId} rows={rows} />
              {query.hasNextPage && (
                <Button
                  variant="text"
                  size="small"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                  sx={{ mt: 1 }}
                >
                  Show more rows
                </Button>
              )}
            </>
          )
        }
      </LoadState>
      {statement.rows_until !== null && (
        <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
          Each row can be looked up until <InstantText at={statement.rows_until} />.
        </Typography>
      )}
    </Box>
  );
}

function RowTable({ companyId, rows }: { companyId: string; rows: readonly TaxStatementRow[] }) {
  return (
    <Box
      role="region"
      aria-label="Rows of the statement"
      tabIndex={0}
      sx={{ overflow: 'auto', maxHeight: '60dvh', border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Box
        component="table"
        sx={{
          borderCollapse: 'collapse',
          width: '100%',
          minWidth: 560,
          fontSize: '0.875rem',
          '& th, & td': { textAlign: 'left', verticalAlign: 'top', px: 1.5, py: 1, borderBottom: 1, borderColor: 'divider' },
          '& thead th': { position: 'sticky', top: 0, bgcolor: 'background.paper', fontWeight: 600 },
          '& .line': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', width: 72 },
        }}
      >
        <thead>
          <tr>
            <th scope="col" className="line">
              Row
            </th>
            <th scope="col">Client</th>
            <th scope="col">What became of it</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <td className="line">{row.row.toLocaleString('en-GB')}</td>
              <td>
                <ClientCell companyId={companyId} row={row} />
              </td>
              <td>
                {OUTCOMES[row.outcome]}
                {row.problem !== null && (
                  <Box sx={{ color: 'text.secondary' }}>
                    {row.field}: {row.problem}
                  </Box>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

function ClientCell({ companyId, row: { client_id: id, client_name: name } }: { companyId: string; row: TaxStatementRow }) {
  if (id === null || name === null) return 'None of yours';
  const to = getClientLink(companyId, id);
  return to === undefined ? (
    name
  ) : (
    <Link component={RouterLink} to={to}>
      {name}
    </Link>
  );
}
