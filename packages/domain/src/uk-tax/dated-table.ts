import type { PlainDate } from '../plain-date.ts';

/** One row of a dated table: in force from that day until the next row's, with the place it was read in. */
export type DatedRow = { readonly from: PlainDate; readonly source: string };

/** The row in force on a day: the last that began on or before it; undefined before the first. Rows stand in the order of their dates. */
export function rowOn<Row extends DatedRow>(table: readonly Row[], date: PlainDate): Row | undefined {
  // Most questions are about the newest rows, so the search starts there.
  for (let index = table.length - 1; index >= 0; index -= 1) {
    const row = table[index];
    if (row !== undefined && row.from <= date) return row;
  }
  return undefined;
}
