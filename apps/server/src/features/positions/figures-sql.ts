/** Computes the state of a client's figures in SQL, for statements over many clients. Mirrors domain/positions/figures-state.ts. */
import { sql, type SQL } from '@portal/db/sql.ts';

/** The column that records whether a client has the tax. */
export const HAS_TAX = { vat: 'has_vat', paye: 'has_paye', ct: 'has_ct', sa: 'has_sa' } as const;

/** The domain's `getFiguresState`, computed from the columns `figures` and `stale_on` of a list row. A test compares the two. */
export function figuresStateSql(row: string, today: SQL): SQL {
  const [figures, staleOn] = [sql.raw(`${row}.figures`), sql.raw(`${row}.stale_on`)];
  return sql`case when ${figures} <> 'read' then ${figures} when ${staleOn} <= ${today}::date then 'stale' else 'current' end`;
}
