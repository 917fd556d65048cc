/** A table of known size whose rows become cards where it would need horizontal scrolling. */
import type { ReactNode } from 'react';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../lib/use-media-query.ts';
import { RecordCards } from './record-cards.tsx';
import { Table, TableHead } from './table.tsx';

export type RecordColumn<Row> = {
  readonly title: string;
  readonly layout?: 'numeric' | 'nowrap' | 'sentence';
  /** Null if there is nothing to show: the table then has a dash, and a card leaves the column out. */
  readonly cell: (row: Row) => ReactNode;
};

type RecordTableProps<Row> = {
  label: string;
  /** The first column names the record: it is the row's header in the table and the card's title. */
  columns: readonly [RecordColumn<Row>, ...RecordColumn<Row>[]];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** The widths at which rows become cards. */
  cardsAt?: string;
};

export function RecordTable<Row>({ label, columns, rows, getKey, cardsAt = CARD_LAYOUT_QUERY }: RecordTableProps<Row>) {
  const showsCards = useMediaQuery(cardsAt);
  const [nameColumn, ...others] = columns;
  if (showsCards) {
    return (
      <RecordCards
        label={label}
        cards={rows.map((row) => ({
          key: getKey(row),
          title: nameColumn.cell(row),
          facts: others.flatMap(({ title, cell }) => {
            const value = cell(row);
            return value === null ? [] : [{ label: title, value }];
          }),
        }))}
      />
    );
  }
  return (
    <Table label={label} dense flush>
      <TableHead columns={columns.map(({ title, layout }) => (layout === 'numeric' ? { numeric: title } : title))} />
      <tbody>
        {rows.map((row) => (
          <tr key={getKey(row)}>
            <th scope="row" {...getLayout(nameColumn)}>
              {nameColumn.cell(row)}
            </th>
            {others.map((column) => (
              <td key={column.title} {...getLayout(column)}>
                {column.cell(row) ?? '–'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The attribute that Table's style sheet expects on a cell. */
const getLayout = <Row,>({ layout }: RecordColumn<Row>) => (layout === undefined ? {} : { [`data-${layout}`]: '' });
