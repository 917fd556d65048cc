/** A table in a card: its first column begins and its last one ends where the card's title does. (`:not(* + *)` is a row's first cell, heading or not.) */
export const FLUSH_TABLE = {
  '& .MuiTableRow-root > :not(* + *)': { pl: 0 },
  '& .MuiTableRow-root > :last-child': { pr: 0 },
} as const;
