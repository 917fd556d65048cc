import { clientRows } from '@portal/db/schema/schema.ts';
import { and, or, sql, type SQL, type SQLWrapper } from '@portal/db/sql.ts';

/**
 * The only condition for searching clients: in the list, the count, exports, bulk actions, the command palette and lists of clients'
 * records. `alternatives` are those of parseClientSearch; `toPattern` returns "%word%" for the word at a position.
 */
export function matchesClientSearch(
  alternatives: readonly (readonly string[])[],
  toPattern: (alternativeIndex: number, wordIndex: number) => SQLWrapper,
): SQL | undefined {
  // The text has no letters or digits.
  if (alternatives.length === 0) return sql`false`;
  const conditions = alternatives.map((words, alternativeIndex) =>
    and(...words.map((_searchWord, wordIndex) => sql`${clientRows.search} like ${toPattern(alternativeIndex, wordIndex)}`)),
  );
  return or(...conditions);
}
