import clsx from 'clsx';
import { BareCheckbox } from './choice.tsx';
import type { DataColumn, DataOrder } from './data-column.ts';
import { getCellClass } from './data-table-row.tsx';
import styles from './data-table.module.css';

type HeadingProps<Row> = {
  columns: readonly DataColumn<Row>[];
  order: DataOrder;
  onOrder: (order: DataOrder) => void;
  select: { isAllSelected: boolean; isSomeSelected: boolean; toggle: () => void } | undefined;
};

/** The header row of a data table. Sortable columns are buttons that state the current direction. */
export function DataTableHeading<Row>({ columns, order, onOrder, select }: HeadingProps<Row>) {
  return (
    <div role="rowgroup" className={styles.heading}>
      <div role="row" aria-rowindex={1} className={styles.headingRow}>
        {select && (
          <div role="columnheader" className={styles.checkbox}>
            <BareCheckbox
              label="Select all loaded rows"
              checked={select.isAllSelected}
              isMixed={select.isSomeSelected}
              onChange={select.toggle}
            />
          </div>
        )}
        {columns.map((column, place) => {
          const sorted = column.sort !== undefined && column.sort === order.sort ? order.direction : undefined;
          return (
            <div
              role="columnheader"
              key={column.id}
              aria-sort={sorted === undefined ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
              className={getCellClass(place, column.align)}
            >
              {column.sort === undefined ? (
                column.title
              ) : (
                <SortButton title={column.title} sorted={sorted} onSort={() => onOrder(getNextOrder(column, order))} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Amounts sort in descending order by default, other columns in ascending order. A second click reverses the direction. */
function getNextOrder<Row>(column: DataColumn<Row>, order: DataOrder): DataOrder {
  const sort = column.sort ?? order.sort;
  if (sort === order.sort) return { sort, direction: order.direction === 'asc' ? 'desc' : 'asc' };
  return { sort, direction: column.align === 'right' ? 'desc' : 'asc' };
}

function SortButton({ title, sorted, onSort }: { title: string; sorted: 'asc' | 'desc' | undefined; onSort: () => void }) {
  return (
    <button type="button" onClick={onSort} className={clsx(styles.sort, sorted && styles.sorted)}>
      {title}
      {sorted !== undefined && (
        <span aria-hidden className={styles.arrow}>
          {sorted === 'asc' ? '▲' : '▼'}
        </span>
      )}
    </button>
  );
}
