import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './table.module.css';

type TableProps = {
  /** The accessible name. */
  label: string;
  /** thead, tbody and tfoot with plain rows and cells. Cells with `data-numeric` are right-aligned, with `data-nowrap` on one line, with `data-sentence` never narrow. TableHead writes a thead. */
  children: ReactNode;
  dense?: boolean;
  /** The first and last column line up with the content around the table. */
  flush?: boolean;
  className?: string | undefined;
};

/** A table of a known, small size, which scrolls sideways where it doesn't fit. DataTable is for long lists. */
export function Table({ label, children, dense = false, flush = false, className }: TableProps) {
  return (
    // A region that scrolls must be reachable with the keyboard (WCAG 2.1.1), which is why lint allows its tabIndex.
    <div className={styles.scroller} tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label} className={clsx(styles.table, dense && styles.dense, flush && styles.flush, className)}>
        {children}
      </table>
    </div>
  );
}

type TableHeadProps = {
  /** The columns' titles; those of right-aligned columns as `numeric`. */
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
