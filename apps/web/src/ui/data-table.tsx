/**
 * A virtualised table: only visible rows are rendered, the next page is loaded before the user reaches the end, and the header and the
 * first column stay in place.
 */
import Box from '@mui/material/Box';
import { columnVisibilityFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { DataTableHeading } from './data-table-heading.tsx';
import { CHECKBOX_COLUMN_PX, DataTableRow } from './data-table-row.tsx';
import type { DataColumn, DataOrder } from './data-column.ts';

export type DataTableProps<Row> = {
  readonly label: string;
  /** Identifies the list. With another filter or order the key changes and the table scrolls to the top. */
  readonly listKey: string;
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  readonly getRowId: (row: Row) => string;
  readonly getRowName: (row: Row) => string;
  /** Ids of hidden columns. The first column is always shown. */
  readonly hidden: readonly string[];
  readonly order: DataOrder;
  readonly onOrder: (order: DataOrder) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined;
  /** Number of rows in the whole result. Undefined while it is being counted. */
  readonly total: number | undefined;
  readonly dense: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: (() => void) | undefined;
};

const ROW_PX = { dense: 36, normal: 44 } as const;
/** How many rows before the end the next page is requested. */
const LOAD_AHEAD_ROWS = 40;

const toRowSelection = (ids: ReadonlySet<string>): Record<string, true> => Object.fromEntries([...ids].map((id) => [id, true as const]));

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { listKey, rows: data, columns, getRowId, hidden, selected, onSelect, dense, isLoadingMore, loadMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const defs = useMemo(() => columns.map(({ id, title }) => ({ id, header: title })), [columns]);
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: getRowId,
    state: {
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      rowSelection: toRowSelection(selected),
    },
    onRowSelectionChange: (change) => {
      const before = toRowSelection(selected);
      const after = typeof change === 'function' ? change(before) : change;
      onSelect?.(new Set(Object.keys(after).filter((id) => after[id])));
    },
  });
  const visibleColumns = table.getVisibleLeafColumns().flatMap((column) => columns.filter(({ id }) => id === column.id));
  const tableRows = table.getRowModel().rows;
  const rowPx = dense ? ROW_PX.dense : ROW_PX.normal;
  const virtualizer = useVirtualizer({
    count: tableRows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [listKey]);
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  const virtualItems = virtualizer.getVirtualItems();
  const lastIndex = virtualItems.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastIndex >= data.length - LOAD_AHEAD_ROWS) loadMore();
  }, [loadMore, isLoadingMore, lastIndex, data.length]);
  const canSelect = onSelect !== undefined;
  const width = visibleColumns.reduce((sum, column) => sum + column.width, canSelect ? CHECKBOX_COLUMN_PX : 0);
  return (
    <Box
      ref={scroller}
      role="table"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={(props.total ?? data.length) + 1}
      aria-busy={isLoadingMore}
      sx={{
        height: 'max(320px, calc(100dvh - 300px))',
        overflow: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
        fontSize: '0.875rem',
      }}
    >
      <DataTableHeading
        columns={visibleColumns}
        width={width}
        order={props.order}
        onOrder={props.onOrder}
        select={
          canSelect
            ? {
                isAll: table.getIsAllRowsSelected(),
                isSome: table.getIsSomeRowsSelected(),
                toggle: () => table.toggleAllRowsSelected(),
              }
            : undefined
        }
      />
      <Box role="rowgroup" sx={{ height: virtualizer.getTotalSize(), position: 'relative', minWidth: width }}>
        {virtualItems.map((item) => {
          const row = tableRows[item.index];
          if (!row) return null;
          return (
            <DataTableRow
              key={row.id}
              row={row.original}
              name={props.getRowName(row.original)}
              columns={visibleColumns}
              index={item.index}
              start={item.start}
              height={rowPx}
              isSelected={selected.has(row.id)}
              toggle={canSelect ? () => row.toggleSelected() : undefined}
            />
          );
        })}
      </Box>
    </Box>
  );
}
