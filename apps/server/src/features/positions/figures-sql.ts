/** Computes the state of a client's figures in SQL, for statements over many clients. Mirrors domain/positions/figures-state.ts. */
import { sql, type SQL } from '@portal/db/sql.ts';

/** The column that records whether a client has the tax. */
export const HAS_TAX = { vat: 'has_vat', paye: 'has_paye', ct: 'has_ct', sa: 'has_sa' } as const;

/** Conditions on `due_items`: payments to HMRC, including those of an unknown amount, and refunds. Totals and lists use them. */
export const FLOWS = {
  payIn: sql`what = 'payment' and (amount_pence > 0 or amount_pence is null)`,
  refundIn: sql`what = 'refund' and amount_pence < 0`,
};

/** Matches a payment in `due_items` that makes a sum "at least". */
export const IS_UNKNOWN_AMOUNT = sql`what = 'payment' and amount_pence is null`;

/** Whether a client's amounts are incomplete, so that a sum with them is "at least": over all its taxes, or of one tax. */
export const isIncompleteSql = (row: string): SQL => sql`${sql.raw(row)}.figures in ('unread', 'partial')`;
export const isUnreadSql = (position: string): SQL => sql`${sql.raw(position)}.as_of is null`;

/** The domain's `getFiguresState`, computed from the columns `figures` and `stale_on` of a list row. A test compares the two. */
export function getFiguresStateSql(row: string, today: SQL): SQL {
  const [figures, staleOn] = [sql.raw(`${row}.figures`), sql.raw(`${row}.stale_on`)];
  return sql`case when ${figures} <> 'read' then ${figures} when ${staleOn} <= ${today}::date then 'stale' else 'current' end`;
}
