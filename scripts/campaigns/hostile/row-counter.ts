/** Counts a tenant's rows in each table, as a single text that can be compared. */
import type { Pool } from 'pg';

/** Rejections are also audited, and HMRC's response is recorded even if it causes the call to be rejected. */
const CHANGED_BY_REFUSALS = ['audit_entries', 'audit_heads', 'idempotency_keys', 'hmrc_observations'];

export async function createRowCounter(database: Pool): Promise<(companyId: string) => Promise<string>> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'company_id' and table_type = 'BASE TABLE' and table_name <> all($1) order by 1`,
    [CHANGED_BY_REFUSALS],
  );
  const counts = rows
    .map(({ name }) => `select '${name}' as name, count(*)::int as rows from "${name}" where company_id = $1`)
    .join(' union all ');
  return async (companyId) => {
    const { rows: rowCounts } = await database.query<{ name: string; rows: number }>(counts, [companyId]);
    return rowCounts
      .filter(({ rows: number }) => number > 0)
      .map(({ name, rows: number }) => `${name} ${number}`)
      .join(', ');
  };
}
