/** A table in a card: its first column begins and its last one ends where the card's title does. */
export const FLUSH_TABLE = {
  '& .MuiTableCell-root:first-of-type': { pl: 0 },
  '& .MuiTableCell-root:last-of-type': { pr: 0 },
} as const;
