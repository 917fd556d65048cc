/** A table of a few dozen rows. On a phone each row becomes a block of labelled values, so that no column is out of sight. */
import type { ReactNode } from 'react';
import styles from './small-table.module.css';

export type SmallColumn<Row> = {
  readonly title: string;
  readonly align?: 'right';
  /** Wrap long text onto a second line instead of overflowing the table. */
  readonly wraps?: true;
  readonly cell: (row: Row) => ReactNode;
};

type SmallTableProps<Row> = {
  label: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
};

/** Placeholder for an unknown value. Hidden on phones. */
export const UNKNOWN_VALUE = <span className={styles.unknown}>–</span>;

export function SmallTable<Row>({ label, columns, rows, getKey }: SmallTableProps<Row>) {
  return (
    <div tabIndex={0} role="region" aria-label={label} className={styles.frame}>
      <table aria-label={label} className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ title, align }) => (
              <th key={title} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column: { title, align, wraps, cell }, row, isFirst }: { column: SmallColumn<Row>; row: Row; isFirst: boolean }) {
  const content = cell(row);
  if (isFirst) {
    return <th scope="row">{content}</th>;
  }
  return (
    <td data-align={align} data-empty={content === UNKNOWN_VALUE ? '' : undefined}>
      <span className={styles.label} aria-hidden>
        {title}
      </span>
      <span className={wraps ? undefined : styles.oneLine}>{content}</span>
    </td>
  );
}
