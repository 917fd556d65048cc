/** The rows of an import, each with its outcome and problems. Only visible rows are rendered. */
import type { ImportOutcome } from '@portal/domain/client-imports/import-states.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { clientImportsApi, type ClientImport, type ClientImportRow } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { fieldText, OUTCOME_LABELS, OUTCOMES, referencesText } from './import-labels.ts';
import { ResolveDialog } from './resolve-dialog.tsx';

const QUERY_NAME = 'outcome';
const PAGE_ROWS = 100;
const LOAD_AHEAD_ROWS = 30;
const LIKELY_ROW_PX = 56;
const COLUMNS = { xs: '48px minmax(0, 1fr)', md: '64px minmax(180px, 1fr) 170px minmax(240px, 1.6fr)' };

type Rows = EndpointOutput<typeof clientImportsApi.rows>;

export function ImportRows({ companyId, current }: { companyId: string; current: ClientImport }) {
  const [search] = useSearchParams();
  const named = search.get(QUERY_NAME);
  const outcome = OUTCOMES.find((one) => one === named);
  const input = { company_id: companyId, import_id: current.import_id, ...(outcome === undefined ? {} : { outcome }), limit: PAGE_ROWS };
  const query = useInfiniteQuery<Rows, ApiError, ClientImportRow[], readonly unknown[], number>({
    // The outcomes of the rows change with the import's state.
    queryKey: [clientImportsApi.rows.path, input, current.state],
    queryFn: ({ pageParam, signal }) => apiRequest(clientImportsApi.rows, { ...input, after: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after ?? undefined,
    // Keep the rows visible while their new outcomes load, but never show rows of another file or filter.
    placeholderData: (before, query) => (query && isSameInput(query.queryKey[1], input) ? before : undefined),
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
  });
  const total = outcome === undefined ? current.rows_total : current.counts[outcome];
  return (
    <Box>
      <FilterChips
        label="Rows by outcome"
        name={QUERY_NAME}
        selected={outcome}
        all={{ label: 'All rows', count: current.rows_total }}
        options={OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value].label, count: current.counts[value] }))}
      />
      <LoadState query={query} skeleton={<TableSkeleton rows={8} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Typography sx={{ py: 2 }}>
              No row of this file is {outcome === undefined ? 'left' : `"${OUTCOME_LABELS[outcome].label}"`}.
            </Typography>
          ) : (
            <VirtualRows
              rows={rows}
              total={total}
              companyId={companyId}
              current={current}
              isLoadingMore={query.isFetchingNextPage}
              loadMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
            />
          )
        }
      </LoadState>
    </Box>
  );
}

function isSameInput(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type VirtualRowsProps = {
  readonly rows: readonly ClientImportRow[];
  readonly total: number;
  readonly companyId: string;
  readonly current: ClientImport;
  readonly isLoadingMore: boolean;
  readonly loadMore: (() => void) | undefined;
};

function VirtualRows({ rows, total, companyId, current, isLoadingMore, loadMore }: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [settling, setSettling] = useState<ClientImportRow | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LIKELY_ROW_PX,
    overscan: 10,
    getItemKey: (index) => rows[index]?.row ?? index,
  });
  const drawn = virtual.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastDrawn >= rows.length - LOAD_AHEAD_ROWS) loadMore();
  }, [loadMore, isLoadingMore, lastDrawn, rows.length]);
  const settle = current.state === 'importing' || current.state === 'undone' ? undefined : setSettling;
  return (
    <>
      <Box
        ref={scroller}
        role="table"
        aria-label="Rows of the file"
        aria-rowcount={total + 1}
        tabIndex={0}
        sx={{
          maxHeight: '65dvh',
          overflow: 'auto',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          bgcolor: 'background.paper',
          fontSize: '0.875rem',
        }}
      >
        <Box
          role="rowgroup"
          sx={{ position: 'sticky', top: 0, zIndex: 1, bgcolor: 'background.paper', borderBottom: 1, borderColor: 'divider' }}
        >
          <Box
            role="row"
            aria-rowindex={1}
            sx={{ display: 'grid', gridTemplateColumns: COLUMNS, columnGap: 2, px: 1.5, py: 1, fontWeight: 600 }}
          >
            <span role="columnheader">Line</span>
            <span role="columnheader">Client</span>
            <Box component="span" role="columnheader" sx={WIDE_ONLY}>
              Outcome
            </Box>
            <Box component="span" role="columnheader" sx={WIDE_ONLY}>
              What to mend or choose
            </Box>
          </Box>
        </Box>
        <Box role="rowgroup" sx={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {drawn.map((item) => {
            const row = rows[item.index];
            return row ? (
              <Box
                role="row"
                aria-rowindex={item.index + 2}
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                sx={{
                  position: 'absolute',
                  top: 0,
                  left: 0,
                  right: 0,
                  transform: `translateY(${item.start}px)`,
                  display: 'grid',
                  gridTemplateColumns: COLUMNS,
                  columnGap: 2,
                  rowGap: 0.75,
                  px: 1.5,
                  py: 1.25,
                  borderBottom: 1,
                  borderColor: 'divider',
                }}
              >
                <Cells row={row} settle={settle} />
              </Box>
            ) : null;
          })}
        </Box>
      </Box>
      {isLoadingMore && (
        <Typography role="status" variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
          Loading more rows
        </Typography>
      )}
      <ResolveDialog companyId={companyId} current={current} row={settling} onClose={() => setSettling(null)} />
    </>
  );
}

const WIDE_ONLY = { display: { xs: 'none', md: 'block' } } as const;
/** On a phone the outcome and the problems are below the name. */
const BELOW_NAME = { gridColumn: { xs: '2', md: 'auto' }, minWidth: 0 } as const;

function Cells({ row, settle }: { row: ClientImportRow; settle: ((row: ClientImportRow) => void) | undefined }) {
  const words = OUTCOME_LABELS[row.outcome];
  const name = row.said['name'] ?? '(no name)';
  const references = referencesText(row.said);
  const isOther = row.client_name !== null && row.client_name !== name;
  return (
    <>
      <Box role="cell" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
        {row.row}
      </Box>
      <Box role="cell" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
        {references !== '' && <Box sx={{ color: 'text.secondary' }}>{references}</Box>}
        {isOther && <Box sx={{ color: 'text.secondary' }}>is {row.client_name}</Box>}
      </Box>
      <Box role="cell" sx={BELOW_NAME}>
        <StateChip label={doneLabel(row) ?? words.chip} icon={words.icon} tone={words.tone} />
      </Box>
      <Box role="cell" sx={BELOW_NAME}>
        <Problems row={row} />
        {settle && canResolve(row) && (
          <Button
            size="small"
            variant="outlined"
            sx={{ mt: 0.75 }}
            onClick={() => settle(row)}
            aria-label={`Choose for line ${row.row}, ${name}`}
          >
            {row.outcome === 'ambiguous' ? 'Choose' : 'Choose again'}
          </Button>
        )}
      </Box>
    </>
  );
}

/** The row is ambiguous, or it is resolved but not applied yet. */
function canResolve(row: ClientImportRow): boolean {
  return row.outcome === 'ambiguous' || (row.candidates.length > 0 && !row.applied && row.outcome !== 'duplicate');
}

const DONE: Readonly<Partial<Record<ImportOutcome, string>>> = { new: 'Added', matched: 'Completed' };
const UNDONE = { removed: 'Removed again', restored: 'Put back', kept: 'Kept' } as const;

function doneLabel({ outcome, applied, undone }: ClientImportRow): string | undefined {
  if (undone !== null) return UNDONE[undone];
  return applied ? DONE[outcome] : undefined;
}

function Problems({ row }: { row: ClientImportRow }) {
  if (row.problems.length === 0) return null;
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5, overflowWrap: 'anywhere' }}>
      {row.problems.map(({ field, problem }) => (
        <li key={`${field} ${problem}`}>
          <strong>{fieldText(field)}</strong>
          {row.outcome === 'invalid' && row.said[field] !== undefined && <> “{row.said[field].slice(0, 60)}”</>}: {problem}
        </li>
      ))}
    </Box>
  );
}
