import { hmrcObservations, obligations } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

/**
 * SQL for a query on obligations. False for an open one that HMRC's newest list of open ones no longer has, for example after a change of
 * the VAT periods: it can't be filed any more, so it would stay overdue forever.
 */
export const IS_STILL_EXPECTED = sql`(${obligations.status} <> 'open' or ${isListed(sql`true`)})`;

/** The same by the newest list from before that day. True if there is none. */
export const wasExpectedBefore = (day: PlainDate): SQL =>
  sql`(${obligations.status} <> 'open' or ${isListed(sql`n.taken_at < (${day}::date)::timestamp at time zone 'Europe/London'`)})`;

function isListed(condition: SQL): SQL {
  return sql`coalesce((select exists (select 1 from jsonb_array_elements(newest.body) as o
      where o ->> 'periodKey' = ${obligations.periodKey} and (o ->> 'start')::date = ${obligations.periodStart})
    from (select n.body from ${hmrcObservations} n where n.company_id = ${obligations.companyId} and n.kind = 'open_obligations'
      and ${condition} order by n.taken_at desc limit 1) as newest), true)`;
}
