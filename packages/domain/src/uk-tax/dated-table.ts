import type { PlainDate } from '../plain-date.ts';

/** A row of a dated table, in force from its date until the next row's, with its source. */
export type DatedRow = { readonly from: PlainDate; readonly source: string };

/**
 * Returns the row in force on a day: the last one starting on or before it, or undefined if there isn't one. Rows must be in date order.
 */
export function findRowInForce<Row extends DatedRow>(table: readonly Row[], date: PlainDate): Row | undefined {
  // Search from the newest row, because most lookups are recent.
  for (let index = table.length - 1; index >= 0; index -= 1) {
    const row = table[index];
    if (row !== undefined && row.from <= date) return row;
  }
  return undefined;
}
