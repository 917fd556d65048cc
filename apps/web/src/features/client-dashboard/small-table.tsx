/** A table of a few dozen rows. On phones, each row becomes a block of labelled values, so that every column is visible. */
import { Fragment, type ReactNode } from 'react';
import styles from './small-table.module.css';
import { SOURCE_NAMES, SourceText } from './source-text.tsx';

export type SmallColumn<Row> = {
  readonly title: string;
  readonly align?: 'right';
  /** Wrap long text onto a second line instead of overflowing the table. */
  readonly wraps?: true;
  readonly cell: (row: Row) => ReactNode;
};

/** The source of a row's figures. */
type SourceProps = Parameters<typeof SourceText>[0];

type SmallTableProps<Row> = {
  label: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** States the source once, below the table. Rows only name their source if there are several. */
  getSource?: (row: Row) => SourceProps;
};

/** Placeholder for an unknown value. Hidden on phones. */
export const UNKNOWN_VALUE = <span className={styles.unknown}>–</span>;

export function SmallTable<Row>({ label, columns: ownColumns, rows, getKey, getSource }: SmallTableProps<Row>) {
  const sources = getSource === undefined ? [] : listUniqueSources(rows.map(getSource));
  const columns: readonly SmallColumn<Row>[] =
    getSource === undefined || sources.length < 2
      ? ownColumns
      : [...ownColumns, { title: 'Source', wraps: true, cell: (row) => SOURCE_NAMES[getSource(row).source] }];
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
      {sources.length > 0 && (
        <p className={styles.source}>
          Source: <SourceList rows={sources} />
        </p>
      )}
    </div>
  );
}

/** Lists the sources of these figures: "HMRC, 21 November 2026, 09:14; Statutory deadline". */
export function SourceList({ rows }: { rows: readonly SourceProps[] }) {
  return listUniqueSources(rows).map((source, place) => (
    <Fragment key={source.source}>
      {place > 0 && '; '}
      <SourceText {...source} />
    </Fragment>
  ));
}

/** Lists each source once, with the time of its oldest figure. */
function listUniqueSources(all: readonly SourceProps[]): SourceProps[] {
  const sources = new Map<SourceProps['source'], SourceProps>();
  for (const one of all) {
    const knownSource = sources.get(one.source);
    const isOlder = knownSource === undefined || (one.as_of !== null && (knownSource.as_of === null || one.as_of < knownSource.as_of));
    if (isOlder) sources.set(one.source, { source: one.source, as_of: one.as_of });
  }
  return [...sources.values()];
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
