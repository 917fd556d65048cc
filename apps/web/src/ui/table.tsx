import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './table.module.css';

type TableProps = {
  /** The accessible name. */
  label: string;
  /**
   * thead, tbody and tfoot with plain rows and cells. Cells with `data-numeric` are right-aligned, those with `data-nowrap` don't wrap, and
   * those with `data-sentence` have a minimum width. TableHead renders a thead.
   */
  children: ReactNode;
  dense?: boolean;
  /** Aligns the first and last column with the content around the table. */
  flush?: boolean;
  className?: string | undefined;
};

/** A small table of known size, which scrolls horizontally where it doesn't fit. Use DataTable for long lists. */
export function Table({ label, children, dense = false, flush = false, className }: TableProps) {
  return (
    // A scrollable region must be reachable with the keyboard (WCAG 2.1.1), so lint allows its tabIndex.
    <div className={styles.scroller} tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label} className={clsx(styles.table, dense && styles.dense, flush && styles.flush, className)}>
        {children}
      </table>
    </div>
  );
}

type TableHeadProps = {
  /** The column titles. Use `numeric` for right-aligned columns. */
  columns: readonly (string | { readonly numeric: string })[];
};

export function TableHead({ columns }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          typeof column === 'string' ? (
            <th key={column} scope="col">
              {column}
            </th>
          ) : (
            <th key={column.numeric} scope="col" data-numeric>
              {column.numeric}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
