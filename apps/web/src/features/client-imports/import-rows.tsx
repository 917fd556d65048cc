/** The rows of an import, each with its outcome and problems. Only visible rows are rendered. */
import { clientImportsApi, type ClientImport, type ClientImportRow } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { measureRendered } from '../../ui/measure-rendered.ts';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { CorrectDialog } from './correct-dialog.tsx';
import { ImportRowCells } from './import-row-cells.tsx';
import { FILTER_LABELS, FILTERS, OUTCOME_PARAM } from './import-labels.ts';
import styles from './import-rows.module.css';
import { ResolveDialog } from './resolve-dialog.tsx';
import { VatGroupAnswerDialog } from './vat-group-answer-dialog.tsx';

const PAGE_SIZE = 100;
const LOAD_AHEAD_ROWS = 30;
const LIKELY_ROW_PX = 56;

type Rows = EndpointOutput<typeof clientImportsApi.rows>;

export function ImportRows({ companyId, current }: { companyId: string; current: ClientImport }) {
  const [search] = useSearchParams();
  const outcomeParam = search.get(OUTCOME_PARAM);
  const outcome = FILTERS.find((item) => item === outcomeParam);
  const input = { company_id: companyId, import_id: current.import_id, ...(outcome === undefined ? {} : { outcome }), limit: PAGE_SIZE };
  const query = useInfiniteQuery<Rows, ApiError, ClientImportRow[], readonly unknown[], number>({
    // The rows' outcomes depend on the import's state.
    queryKey: [clientImportsApi.rows.path, input, current.state],
    queryFn: ({ pageParam, signal }) => apiRequest(clientImportsApi.rows, { ...input, after: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_after ?? undefined,
    // Keep the rows visible while their new outcomes load, but never show rows from another file or filter.
    placeholderData: (previous, query) => (query && isSameInput(query.queryKey[1], input) ? previous : undefined),
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
  });
  const counts = { ...current.counts, ...current.undone };
  const total = outcome === undefined ? current.rows_total : counts[outcome];
  return (
    <div>
      <FilterChips
        label="Rows by outcome"
        name={OUTCOME_PARAM}
        selected={outcome}
        all={{ label: 'All rows', count: current.rows_total }}
        options={FILTERS.map((value) => ({ value, label: FILTER_LABELS[value].label, count: counts[value] }))}
      />
      <LoadState query={query} skeleton={<TableSkeleton rows={8} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Text className={styles.none}>
              {outcome === undefined ? 'No rows.' : `No rows with the status “${FILTER_LABELS[outcome].chip}”.`}
            </Text>
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
    </div>
  );
}

function isSameInput(item: unknown, other: unknown): boolean {
  return JSON.stringify(item) === JSON.stringify(other);
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
  const [rowToResolve, setRowToResolve] = useState<ClientImportRow | null>(null);
  const [rowToCorrect, setRowToCorrect] = useState<ClientImportRow | null>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LIKELY_ROW_PX,
    overscan: 10,
    getItemKey: (index) => rows[index]?.row ?? index,
    measureElement: measureRendered,
  });
  const visibleRows = virtualizer.getVirtualItems();
  const lastDrawn = visibleRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastDrawn >= rows.length - LOAD_AHEAD_ROWS) loadMore();
  }, [loadMore, isLoadingMore, lastDrawn, rows.length]);
  const canChange = current.state !== 'importing' && current.state !== 'undone';
  const [groupRow, setGroupRow] = useState<ClientImportRow | null>(null);
  const actions = canChange ? { resolve: setRowToResolve, correct: setRowToCorrect, setVatGroup: setGroupRow } : undefined;
  return (
    <>
      <div ref={scroller} role="table" aria-label="Rows of the file" aria-rowcount={total + 1} tabIndex={0} className={styles.table}>
        <div role="rowgroup" className={styles.heading}>
          <div role="row" aria-rowindex={1} className={styles.columns}>
            <span role="columnheader">Row</span>
            <span role="columnheader">Client</span>
            <span role="columnheader" className={styles.wideOnly}>
              Status
            </span>
            <span role="columnheader" className={styles.wideOnly}>
              Action needed
            </span>
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {visibleRows.map((item) => {
            const row = rows[item.index];
            return row ? (
              <div
                role="row"
                aria-rowindex={item.index + 2}
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={clsx(styles.columns, styles.row)}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <ImportRowCells statusChoices={current.status_choices} companyId={companyId} row={row} actions={actions} />
              </div>
            ) : null;
          })}
        </div>
      </div>
      {isLoadingMore && (
        <Text role="status" size="small" tone="quiet">
          Loading more rows
        </Text>
      )}
      {groupRow !== null && (
        <VatGroupAnswerDialog companyId={companyId} current={current} row={groupRow} onClose={() => setGroupRow(null)} />
      )}
      <ResolveDialog companyId={companyId} current={current} row={rowToResolve} onClose={() => setRowToResolve(null)} />
      <CorrectDialog companyId={companyId} current={current} row={rowToCorrect} onClose={() => setRowToCorrect(null)} />
    </>
  );
}
