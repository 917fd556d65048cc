/**
 * A prepared select whose rows are mapped by code written once for its columns. Drizzle finds every column's decoder and place anew for each
 * field of each row, which was most of what the server did above the driver for a page of the client list: 88 us of 51 rows, where this takes 12.
 */
import { Column, getTableName, is } from 'drizzle-orm';

/** Selects the same as `query.prepare(name)`: the same rows in the same shapes (prepare-rows.test.ts). */
export function prepareRows<Prepared>(query: { prepare(name: string): Prepared }, name: string): Prepared {
  const prepared = query.prepare(name);
  const inside = prepared as unknown as Inside;
  if (!inside.fields) throw new Error('Only what selects columns can be prepared for rows.');
  inside.customResultMapper = writeMapper(inside.fields, inside.joinsNotNullableMap);
  return prepared;
}

/** What Drizzle's prepared select holds, on both drivers; its types keep it to themselves. */
type Inside = {
  readonly fields: readonly Field[] | undefined;
  /** By table: whether a join never leaves its columns all null. Absent without joins. */
  readonly joinsNotNullableMap: Readonly<Record<string, boolean>> | undefined;
  customResultMapper: MapRows | undefined;
};
type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Field = {
  readonly path: readonly string[];
  readonly field: Decoder | { readonly decoder: Decoder } | { readonly sql: { readonly decoder: Decoder } };
};
type MapRows = (rows: readonly unknown[][]) => unknown[];

/** Writes `(rows) => rows.map((row) => ({ ... }))` with a member for each column: only then the engine knows the rows' shape. */
function writeMapper(fields: readonly Field[], neverNull: Inside['joinsNotNullableMap']): MapRows {
  const decoders = fields.map(({ field }) => decoderOf(field));
  const valueOf = (at: number): string =>
    decoders[at] ? `(row[${at}] === null ? null : decoders[${at}].mapFromDriverValue(row[${at}]))` : `row[${at}]`;
  const groups = Map.groupBy(fields.keys(), (at) => groupOf(fields[at]));
  const members = [...groups].flatMap(([group, places]) => {
    const inside = places.map((at) => `${JSON.stringify(fields[at]?.path.at(-1))}: ${valueOf(at)}`);
    if (group === undefined) return inside;
    const whole = `{ ${inside.join(', ')} }`;
    const absent = whereAbsent(fields, places, neverNull);
    return [`${JSON.stringify(group)}: ${absent === undefined ? whole : `${valueOf(absent)} === null ? null : ${whole}`}`];
  });
  // Made of our own columns' names alone, each as a JSON text.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  const make = new Function('decoders', `return (rows) => rows.map((row) => ({ ${members.join(', ')} }))`) as (with_: unknown) => MapRows;
  return make(decoders);
}

function groupOf(field: Field | undefined): string | undefined {
  const path = field?.path ?? [];
  if (path.length > 2) throw new Error('Rows are mapped of columns and groups of columns, no deeper.');
  return path.length === 2 ? path[0] : undefined;
}

/** Undefined where the driver's value stands as it is. */
function decoderOf(field: Field['field']): Decoder | undefined {
  const decoder = 'mapFromDriverValue' in field ? field : 'decoder' in field ? field.decoder : field.sql.decoder;
  return decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue ? undefined : decoder;
}

/**
 * As Drizzle has it: where all columns of a group come from one table, and a join may leave that out, the group is null with its first column.
 * The place of that column; undefined where the group is always there.
 */
function whereAbsent(fields: readonly Field[], places: readonly number[], neverNull: Inside['joinsNotNullableMap']): number | undefined {
  const columns = places.flatMap((at) => {
    const field = fields[at]?.field;
    return is(field, Column) ? [{ at, table: getTableName(field.table) }] : [];
  });
  const [first] = columns;
  if (!neverNull || !first || neverNull[first.table]) return undefined;
  return columns.every(({ table }) => table === first.table) ? first.at : undefined;
}
