/** A row with content, and its line in the file. `isMisquoted`: a quote is missing, so its cells may be wrong. */
export type TableRow = { readonly line: number; readonly cells: readonly string[]; readonly isMisquoted: boolean };
