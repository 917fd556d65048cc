/**
 * Money received for advances: matched credits, Direct Debits, amounts deducted from a later payout, and write-offs. Every list and
 * decision sums these rows; our total exposure sums the same rows in the view all_tenants_receipts.
 */
import { sql, type AnyColumn, type SQL } from '@portal/db/sql.ts';

/**
 * One row for each amount, with `company_id`, `advance_id` and `amount_pence`. PostgreSQL reads only the part of the indexes that is
 * joined.
 */
const RECEIPTS_SQL = sql`(select company_id, advance_id, amount_pence from credit_allocations where advance_id is not null and reversed_at is null
  union all select company_id, advance_id, amount_pence from shortfall_recoveries)`;

/**
 * Returns the sum received for one advance, in pence. Columns are nested, because Drizzle drops the table's name from the outermost SQL of
 * a field.
 */
export function selectReceivedPence(companyId: SQL | AnyColumn, advanceId: SQL | AnyColumn): SQL<number> {
  const sum = sql`select sum(receipts.amount_pence) from ${RECEIPTS_SQL} receipts where receipts.company_id = ${companyId} and receipts.advance_id = ${advanceId}`;
  return sql<number>`coalesce((${sum}), 0)`.mapWith(Number);
}
