/** Counts the work of each practice member, in one statement over the assignments. */
import type { assignmentApi } from '@portal/contract/assignment.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

type Workload = EndpointOutput<typeof assignmentApi.workload>;

/** Counts in the same way as the client list's filters, so that each number matches the list that it links to. */
export async function countWorkload(db: Db, companyId: string, today: PlainDate): Promise<Workload> {
  const { rows } = await db.execute<Workload['members'][number]>(sql`
    with active as (
      select r.client_id, coalesce(r.overdue_pence > 0 or late.client_id is not null, false) as is_overdue,
        coalesce(due.due_7, 0) as due_7, coalesce(due.due_30, 0) as due_30
      from client_rows r
      left join (select distinct client_id from tax_positions
        where company_id = ${companyId}::uuid and (overdue_returns > 0 or overdue_updates > 0)) late on late.client_id = r.client_id
      left join (select client_id, count(*) filter (where due_on <= ${today}::date + 7) as due_7, count(*) as due_30 from due_items
        where company_id = ${companyId}::uuid and what <> 'refund' and due_on between ${today}::date and ${today}::date + 30
        group by client_id) due on due.client_id = r.client_id
      where r.company_id = ${companyId}::uuid and r.status not in ('inactive', 'closed')
    )
    select m.user_id, u.full_name, m.groups, count(a.client_id)::int as clients, coalesce(sum(a.due_7), 0)::int as due_7,
      coalesce(sum(a.due_30), 0)::int as due_30, (count(*) filter (where a.is_overdue))::int as overdue_clients
    from memberships m join users u on u.id = m.user_id
    left join (select distinct user_id, client_id from client_members where company_id = ${companyId}::uuid) assigned on assigned.user_id = m.user_id
    left join active a on a.client_id = assigned.client_id
    where m.company_id = ${companyId}::uuid and m.role in ('practice_admin', 'team_member')
    group by m.user_id, u.full_name, m.groups
    order by due_30 desc, clients desc, u.full_name, m.user_id`);
  const { rows: unassignedRows } = await db.execute<{ clients: number }>(sql`
    select count(*)::int as clients from client_rows r where r.company_id = ${companyId}::uuid and r.status not in ('inactive', 'closed')
      and not exists (select from client_members c where c.company_id = r.company_id and c.client_id = r.client_id)`);
  return { today, members: rows, unassigned: unassignedRows[0]?.clients ?? 0 };
}
