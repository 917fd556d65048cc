/**
 * A virtualised table: only visible rows are rendered, the next page is loaded before the user reaches the end, and the header and the
 * first column stay in place.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useRef, type CSSProperties } from 'react';
import type { DataColumn, DataOrder } from './data-column.ts';
import { DataTableHeading } from './data-table-heading.tsx';
import { DataTableRow } from './data-table-row.tsx';
import styles from './data-table.module.css';
import { LineSkeleton } from './skeletons.tsx';

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
const CHECKBOX_COLUMN_PX = 44;
/** How many rows before the end the next page is requested. */
const LOAD_AHEAD_ROWS = 40;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { listKey, rows, getRowId, hidden, selected, onSelect, dense, isLoadingMore, loadMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const columns = props.columns.filter(({ id }, index) => index === 0 || !hidden.includes(id));
  const rowPx = dense ? ROW_PX.dense : ROW_PX.normal;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
  });
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [listKey]);
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  const virtualItems = virtualizer.getVirtualItems();
  const lastIndex = virtualItems.at(-1)?.index ?? 0;
  useEffect(() => {
    if (loadMore && !isLoadingMore && lastIndex >= rows.length - LOAD_AHEAD_ROWS) loadMore();
  }, [loadMore, isLoadingMore, lastIndex, rows.length]);
  const toggle =
    onSelect &&
    ((id: string): void => {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      onSelect(next);
    });
  return (
    <div
      ref={scroller}
      role="table"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={(props.total ?? rows.length) + 1}
      aria-busy={isLoadingMore}
      className={clsx(styles.frame, dense && styles.dense)}
      style={getLayout(columns, onSelect !== undefined, virtualizer.getTotalSize())}
    >
      <DataTableHeading
        columns={columns}
        order={props.order}
        onOrder={props.onOrder}
        select={onSelect && toSelectAll(rows.map(getRowId), selected, onSelect)}
      />
      <div role="rowgroup" className={styles.body}>
        {virtualItems.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const id = getRowId(row);
          return (
            <DataTableRow
              key={id}
              row={row}
              id={id}
              name={props.getRowName(row)}
              columns={columns}
              index={item.index}
              start={item.start}
              isSelected={selected.has(id)}
              toggle={toggle}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The columns' widths as variables of the table, so that rows and cells have no style of their own. */
function getLayout<Row>(columns: readonly DataColumn<Row>[], canSelect: boolean, bodyPx: number): CSSProperties {
  const checkboxPx = canSelect ? CHECKBOX_COLUMN_PX : 0;
  const widths = columns.map(({ width }, index) => (index === 0 ? `${width}px` : `minmax(${width}px, ${width}fr)`));
  return {
    '--columns': [...(canSelect ? [`${checkboxPx}px`] : []), ...widths].join(' '),
    '--table-width': `${columns.reduce((sum, { width }) => sum + width, checkboxPx)}px`,
    '--first-left': `${checkboxPx}px`,
    '--body-height': `${bodyPx}px`,
  } as CSSProperties;
}

/** Selects or clears all loaded rows. */
function toSelectAll(ids: readonly string[], selected: ReadonlySet<string>, onSelect: (selected: ReadonlySet<string>) => void) {
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id));
  return { isAll, isSome: !isAll && ids.some((id) => selected.has(id)), toggle: () => onSelect(new Set(isAll ? [] : ids)) };
}

/** The place of a table that is loading. */
export function DataTableSkeleton() {
  return (
    <div className={clsx(styles.frame, styles.loading)}>
      {Array.from({ length: 24 }, (_, row) => (
        <div key={row} className={styles.placeholder}>
          <LineSkeleton width={`${80 - (row % 3) * 10}%`} height={20} />
        </div>
      ))}
    </div>
  );
}
