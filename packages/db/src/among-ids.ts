import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** That a column is one of these ids, however many: one parameter, where `inArray` takes one for each and a statement carries 65,535 at most. */
export function amongIds(column: SQLWrapper, ids: readonly string[]): SQL {
  // A set to join with: an array that is no constant would be gone through anew for each row.
  return sql`${column} in (select wanted.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as wanted(id))`;
}
