/**
 * A virtualised table that scrolls with the window: it renders only visible rows and loads the next page before the user reaches the end.
 * The header and the first column are sticky, and the arrow keys move between rows.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import type { DataColumn, DataOrder } from './data-column.ts';
import { DataTableHeading } from './data-table-heading.tsx';
import { DataTableRow } from './data-table-row.tsx';
import styles from './data-table.module.css';
import { LineSkeleton } from './skeletons.tsx';
import { useRowLinks } from './use-row-links.ts';

export type DataTableProps<Row> = {
  readonly label: string;
  /** Identifies the list. When the filter or order changes, the key changes too, and the table scrolls to the top. */
  readonly listKey: string;
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  readonly getRowId: (row: Row) => string;
  readonly getRowName: (row: Row) => string;
  /** IDs of hidden columns. The first column is always shown. */
  readonly hidden: readonly string[];
  readonly order: DataOrder;
  readonly onOrder: (order: DataOrder) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined;
  /** Number of rows in the whole result. Undefined until counted. */
  readonly total: number | undefined;
  readonly dense: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: (() => void) | undefined;
};

const ROW_PX = { dense: 36, normal: 44 } as const;
const HEADING_PX = 32;
const CHECKBOX_COLUMN_PX = 40;
/** How many rows before the end to request the next page. */
const LOAD_AHEAD_ROWS = 40;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, getRowId, hidden, selected, onSelect, dense, isLoadingMore, loadMore } = props;
  const heading = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const columns = props.columns.filter(({ id }, index) => index === 0 || !hidden.includes(id));
  const rowPx = dense ? ROW_PX.dense : ROW_PX.normal;
  const scrollMargin = useDistanceFromTop(scroller);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: 10,
    scrollMargin,
    // The sticky heading covers the rows at the top of the window.
    scrollPaddingStart: HEADING_PX,
  });
  useScrollToTop(props.listKey, scroller);
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  useRowLinks(scroller, virtualizer, rows.length);
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
      role="table"
      aria-label={props.label}
      aria-rowcount={(props.total ?? rows.length) + 1}
      aria-busy={isLoadingMore}
      className={clsx(styles.frame, dense && styles.dense)}
      style={getLayout(columns, onSelect !== undefined, virtualizer.getTotalSize())}
    >
      <div ref={heading} className={styles.headingArea}>
        <DataTableHeading
          columns={columns}
          order={props.order}
          onOrder={props.onOrder}
          select={onSelect && createSelectAll(rows.map(getRowId), selected, onSelect)}
        />
      </div>
      <div
        ref={scroller}
        role="rowgroup"
        className={styles.scroller}
        onScroll={({ currentTarget }) => {
          if (heading.current) heading.current.scrollLeft = currentTarget.scrollLeft;
        }}
      >
        <div className={styles.body}>
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
                start={item.start - scrollMargin}
                isSelected={selected.has(id)}
                toggle={toggle}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Returns the element's distance from the top of the page, in px. It only affects which rows are rendered, and there are rows to spare. */
function useDistanceFromTop(element: RefObject<HTMLElement | null>): number {
  const [distance, setDistance] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (element.current) setDistance(Math.round(element.current.getBoundingClientRect().top + scrollY));
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [element]);
  return distance;
}

/** A different list starts at its first row. The same list keeps its scroll position, including after going back. */
function useScrollToTop(listKey: string, list: RefObject<HTMLElement | null>): void {
  const shownKey = useRef(listKey);
  useLayoutEffect(() => {
    if (shownKey.current === listKey) return;
    shownKey.current = listKey;
    if (list.current && list.current.getBoundingClientRect().top < HEADING_PX) scrollTo(0, 0);
  }, [listKey, list]);
}

/** Sets the columns' widths as variables on the table, so that rows and cells need no inline style. */
function getLayout<Row>(columns: readonly DataColumn<Row>[], canSelect: boolean, bodyPx: number): CSSProperties {
  const checkboxPx = canSelect ? CHECKBOX_COLUMN_PX : 0;
  return {
    '--columns': [...(canSelect ? [`${checkboxPx}px`] : []), ...columns.map(({ width }) => `minmax(${width}px, ${width}fr)`)].join(' '),
    '--table-width': `${columns.reduce((sum, { width }) => sum + width, checkboxPx)}px`,
    '--first-left': `${checkboxPx}px`,
    '--body-height': `${bodyPx}px`,
  } as CSSProperties;
}

/** Returns the IDs of columns that don't fit the width, starting from the end of `keptNames`. The first column is always kept. */
export function listColumnsThatOverflow<Row>(
  columns: readonly DataColumn<Row>[],
  keptNames: readonly string[],
  availablePx: number,
): string[] {
  const byImportance = columns.slice(1).toSorted((a, b) => keptNames.indexOf(a.id) - keptNames.indexOf(b.id));
  let remaining = availablePx - CHECKBOX_COLUMN_PX - (columns[0]?.width ?? 0);
  return byImportance.flatMap(({ id, width }) => {
    remaining -= width;
    return remaining < 0 ? [id] : [];
  });
}

/** Returns a function that selects or clears all loaded rows. */
function createSelectAll(ids: readonly string[], selected: ReadonlySet<string>, onSelect: (selected: ReadonlySet<string>) => void) {
  const isAllSelected = ids.length > 0 && ids.every((id) => selected.has(id));
  return {
    isAllSelected,
    isSomeSelected: !isAllSelected && ids.some((id) => selected.has(id)),
    toggle: () => onSelect(new Set(isAllSelected ? [] : ids)),
  };
}

/** Placeholder while a table loads. As high as the window, so that the content below doesn't appear and then move. */
export function DataTableSkeleton() {
  return (
    <div className={clsx(styles.frame, styles.loading)}>
      <div className={styles.headingRow} />
      {Array.from({ length: 28 }, (_, row) => (
        <div key={row} className={styles.placeholder}>
          <LineSkeleton width={`${80 - (row % 3) * 10}%`} height={16} />
        </div>
      ))}
    </div>
  );
}
