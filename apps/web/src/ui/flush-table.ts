/**
 * Aligns a table with its card: the first and last columns line up with the card's title. (`:not(* + *)` is the first cell of a row,
 * heading or not.)
 */
export const FLUSH_TABLE = {
  '& .MuiTableRow-root > :not(* + *)': { pl: 0 },
  '& .MuiTableRow-root > :last-child': { pr: 0 },
} as const;
