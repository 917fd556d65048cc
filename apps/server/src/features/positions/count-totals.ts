/** A practice's totals of one tax, counted by one statement over its positions and due items. */
import type { Db, Tx } from '@portal/db/database.ts';
import type { PracticeTotals } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/references/hmrc-bank-account.ts';
import { sql, type SQL } from 'drizzle-orm';

export const TAXES: readonly Tax[] = ['vat', 'paye', 'ct', 'sa'];

/** Over the clients in hand; for a team_member (`assignedTo`) over the assigned ones alone. */
export async function countTotals(
  db: Db | Tx,
  companyId: string,
  tax: Tax,
  today: PlainDate,
  assignedTo?: string,
): Promise<PracticeTotals> {
  const { rows } = await db.execute<{ totals: Omit<PracticeTotals, 'tax'> }>(sql`
    with seen as materialized (
      select c.id from clients c
      where c.company_id = ${companyId} and c.status not in ('inactive', 'closed') and ${HAS[tax]} ${onlyAssigned(assignedTo)}
    ), positions as (
      select p.* from tax_positions p join seen on seen.id = p.client_id where p.company_id = ${companyId} and p.tax = ${tax}
    ), items as (
      select d.what, d.due_on, d.amount_pence from due_items d join seen on seen.id = d.client_id
      where d.company_id = ${companyId} and d.tax = ${tax} and d.due_on < ${today}::date + interval '13 months'
    ), upcoming as (
      select due_on - ${today}::date as days, greatest(coalesce(amount_pence, 0), 0) as amount from items
      where what <> 'refund' and due_on between ${today}::date and ${today}::date + 90
    ), months as (
      select greatest(date_trunc('month', due_on)::date, date_trunc('month', ${today}::date)::date) as month,
        sum(amount_pence) filter (where what = 'payment') as to_pay, -sum(amount_pence) filter (where what = 'refund') as to_receive
      from items where amount_pence is not null group by 1
    )
    select jsonb_build_object(
      'clients', (select count(*) from seen),
      'owed_pence', coalesce(sum(owed_pence), 0), 'overdue_pence', coalesce(sum(overdue_pence), 0),
      'overdue_clients', count(*) filter (where overdue_pence > 0),
      'refund_pence', coalesce(sum(refund_pence), 0), 'refund_clients', count(*) filter (where refund_pence > 0),
      'overdue_returns', coalesce(sum(overdue_returns), 0),
      'at_risk_pence', coalesce(sum(penalty_pence + interest_pence), 0),
      'due', (select jsonb_build_object(
        '7', jsonb_build_object('items', count(*) filter (where days <= 7), 'amount_pence', coalesce(sum(amount) filter (where days <= 7), 0)),
        '30', jsonb_build_object('items', count(*) filter (where days <= 30), 'amount_pence', coalesce(sum(amount) filter (where days <= 30), 0)),
        '90', jsonb_build_object('items', count(*), 'amount_pence', coalesce(sum(amount), 0))) from upcoming),
      'by_month', (select jsonb_agg(jsonb_build_object('month', day::date, 'to_pay_pence', coalesce(to_pay, 0), 'to_receive_pence', coalesce(to_receive, 0)) order by day)
        from generate_series(date_trunc('month', ${today}::date), date_trunc('month', ${today}::date) + interval '11 months', interval '1 month') as day
        left join months on months.month = day::date)
    ) as totals from positions`);
  const totals = rows[0]?.totals;
  if (!totals) throw new Error('counting answered nothing');
  return { tax, ...totals };
}

const HAS: Readonly<Record<Tax, SQL>> = { vat: sql`c.has_vat`, paye: sql`c.has_paye`, ct: sql`c.has_ct`, sa: sql`c.has_sa` };

function onlyAssigned(userId: string | undefined): SQL {
  if (userId === undefined) return sql``;
  return sql`and exists (select from client_members m where m.company_id = c.company_id and m.client_id = c.id and m.user_id = ${userId})`;
}
