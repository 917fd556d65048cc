/**
 * Sends a column of many rows as one parameter. PostgreSQL splits such a text in half the time that it takes to read the same values from
 * JSON: 81 against 170 ms for 10,000 objects of bookkeeping software.
 */
import { sql, type SQL } from './sql.ts';

/** JSON escapes control characters, so JSON never contains it. */
const SEPARATOR = '\u001f';

/**
 * Returns one text for each row, in order, and an empty one at the end, which the statement must leave out: `rows from (…)` with `limit` or
 * `with ordinality`. Without it, PostgreSQL would split a single empty text into nothing. In a text, the separator itself becomes U+FFFD.
 */
export function splitJoinedTexts(texts: readonly string[]): SQL {
  const safeTexts = texts.some((text) => text.includes(SEPARATOR)) ? texts.map((text) => text.replaceAll(SEPARATOR, '\ufffd')) : texts;
  return sql`string_to_table(${[...safeTexts, ''].join(SEPARATOR)}, chr(31))`;
}
