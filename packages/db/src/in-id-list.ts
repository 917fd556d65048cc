import { sql, type SQL, type SQLWrapper } from './sql.ts';

/**
 * Returns a condition that a column is one of these IDs. Uses a single parameter, because `inArray` needs one per ID and a statement allows
 * at most 65,535.
 */
export function isInIdList(column: SQLWrapper, ids: readonly string[]): SQL {
  // PostgreSQL can join with the IDs of a subquery. It would scan a non-constant array again for every row.
  return sql`${column} in (select wanted.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as wanted(id))`;
}
