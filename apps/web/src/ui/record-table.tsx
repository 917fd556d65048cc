/** A table of known size whose rows become cards where it would need horizontal scrolling. */
import type { ReactNode } from 'react';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../lib/use-media-query.ts';
import { RecordCards } from './record-cards.tsx';
import { Table, TableHead } from './table.tsx';

export type RecordColumn<Row> = {
  readonly title: string;
  /** `action` is what the user can do with the record. A card has it below the facts, without the title. */
  readonly layout?: 'numeric' | 'nowrap' | 'sentence' | 'action';
  /** Null if there is nothing to show: the table then has a dash, and a card leaves the column out. */
  readonly cell: (row: Row) => ReactNode;
  /** The column's part of the totals, shown if the first column has one. */
  readonly total?: ReactNode;
};

type RecordTableProps<Row> = {
  label: string;
  /** The first column names the record: it is the row's header in the table and the card's title. */
  columns: readonly [RecordColumn<Row>, ...(RecordColumn<Row> | false | undefined)[]];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** The widths at which rows become cards. */
  cardsAt?: string;
};

export function RecordTable<Row>({ label, columns, rows, getKey, cardsAt = CARD_LAYOUT_QUERY }: RecordTableProps<Row>) {
  const showsCards = useMediaQuery(cardsAt);
  const [nameColumn, ...optionalColumns] = columns;
  const others = optionalColumns.filter((column) => column !== undefined && column !== false);
  if (showsCards) {
    const action = others.find(({ layout }) => layout === 'action');
    const facts = others.filter((column) => column !== action);
    const cards = rows.map((row) => ({
      key: getKey(row),
      title: nameColumn.cell(row),
      facts: listFacts(facts, ({ cell }) => cell(row)),
      action: action?.cell(row),
    }));
    const { total } = nameColumn;
    const totals = total === undefined ? [] : [{ key: 'total', title: total, facts: listFacts(facts, (column) => column.total ?? null) }];
    return <RecordCards label={label} cards={[...cards, ...totals]} />;
  }
  return (
    <Table label={label} dense flush>
      <TableHead columns={[nameColumn, ...others].map(({ title, layout }) => (layout === 'numeric' ? { numeric: title } : title))} />
      <tbody>
        {rows.map((row) => (
          <tr key={getKey(row)}>
            <th scope="row" {...getLayout(nameColumn)}>
              {nameColumn.cell(row)}
            </th>
            {others.map((column) => (
              <td key={column.title} {...getLayout(column)}>
                {column.cell(row) ?? (column.layout === 'action' ? null : '–')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {nameColumn.total !== undefined && (
        <tfoot>
          <tr>
            <th scope="row">{nameColumn.total}</th>
            {others.map((column) => (
              <td key={column.title} {...getLayout(column)}>
                {column.total}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </Table>
  );
}

function listFacts<Row>(columns: readonly RecordColumn<Row>[], getValue: (column: RecordColumn<Row>) => ReactNode) {
  return columns.map((column) => ({ label: column.title, value: getValue(column) })).filter(({ value }) => value !== null);
}

/** The attribute that Table's style sheet expects on a cell. */
const getLayout = <Row,>({ layout }: RecordColumn<Row>) => (layout === undefined ? {} : { [`data-${layout}`]: '' });
