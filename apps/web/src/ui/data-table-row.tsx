import clsx from 'clsx';
import { BareCheckbox } from './choice.tsx';
import type { DataColumn } from './data-column.ts';
import styles from './data-table.module.css';

type DataTableRowProps<Row> = {
  row: Row;
  id: string;
  name: string;
  columns: readonly DataColumn<Row>[];
  index: number;
  start: number;
  isSelected: boolean;
  toggle: ((id: string) => void) | undefined;
};

/** One row of the virtualised table, positioned absolutely. */
export function DataTableRow<Row>({ row, id, name, columns, index, start, isSelected, toggle }: DataTableRowProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      className={isSelected ? clsx(styles.row, styles.selected) : styles.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      {toggle && (
        <div role="cell" className={styles.checkbox}>
          <BareCheckbox label={`Select ${name}`} checked={isSelected} onChange={() => toggle(id)} />
        </div>
      )}
      {columns.map((column, place) => (
        <div key={column.id} role={place === 0 ? 'rowheader' : 'cell'} className={getCellClass(place, column.align)}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

const CELL_CLASS = styles.cell;
const FIRST_CELL_CLASS = clsx(styles.cell, styles.first);
const RIGHT_CELL_CLASS = clsx(styles.cell, styles.right);

/** Returns the classes of a cell in the heading or in a row. */
export function getCellClass(place: number, align: 'right' | undefined): string | undefined {
  if (place === 0) return FIRST_CELL_CLASS;
  return align === 'right' ? RIGHT_CELL_CLASS : CELL_CLASS;
}
