/** One measured figure of `npm run bench`: what was measured, the figure, the limit it must keep, and whether it does. */
export type BenchRow = { readonly what: string; readonly measured: string; readonly limit: string; readonly ok: boolean };

/** Prints rows as a table for people, one line each. */
export function printBenchRows(rows: readonly BenchRow[]): void {
  for (const row of rows) console.log(`${row.ok ? 'ok  ' : 'FAIL'}  ${row.what}: ${row.measured} (limit ${row.limit})`);
}
