/** One figure of `npm run bench`: the quantity measured, its value and limit, and whether it meets the limit. */
export type BenchRow = { readonly title: string; readonly measured: string; readonly limit: string; readonly ok: boolean };

/** Prints one line for each row. */
export function printBenchRows(rows: readonly BenchRow[]): void {
  for (const row of rows) console.log(`${row.ok ? 'ok  ' : 'FAIL'}  ${row.title}: ${row.measured} (limit ${row.limit})`);
}
