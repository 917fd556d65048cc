/** Returns groups of clients with their totals, in one statement over the rows of the client list. */
import type { ClientGroup } from '@portal/contract/client-groups.ts';
import type { Db } from '@portal/db/database.ts';
import type { Pence } from '@portal/domain/money.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { sql } from '@portal/db/sql.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit, isVisibleTo } from '../positions/visible-clients.ts';

type GroupRow = Omit<ClientGroup, 'next_due_client'> & {
  readonly read_clients: number;
  readonly next_due_client_id: string | null;
  readonly next_due_client_name: string | null;
};

/** An admin also sees groups without clients. */
export async function listClientGroups(db: Db, companyId: string, actor: Actor, groupId?: string): Promise<ClientGroup[]> {
  const isVisible = isVisibleTo(actor, sql`grouped.company_id`, sql`grouped.client_id`) ?? sql`true`;
  const matchesGroup = (column: 'id' | 'group_id') =>
    groupId === undefined ? sql`` : sql`and ${sql.identifier(column)} = ${groupId}::uuid`;
  const { rows } = await db.execute<GroupRow>(sql`
    with seen as (
      select grouped.group_id, r.*, r.status not in ('inactive', 'closed') as is_active
      from client_group_members grouped
      join client_rows r on r.company_id = grouped.company_id and r.client_id = grouped.client_id
      where grouped.company_id = ${companyId}::uuid ${matchesGroup('group_id')} and ${isVisible}
    ), totals as (
      select group_id, count(*)::int as clients, (count(*) filter (where is_active))::int as active_clients,
        (count(*) filter (where is_active and figures in ('read', 'partial')))::int as read_clients,
        (count(*) filter (where is_active and figures in ('unread', 'partial')))::int as incomplete_clients,
        coalesce(sum(owed_pence) filter (where is_active), 0)::bigint as owed_pence,
        coalesce(sum(overdue_pence) filter (where is_active), 0)::bigint as overdue_pence,
        coalesce(sum(refund_pence) filter (where is_active), 0)::bigint as refund_pence
      from seen group by group_id
    ), next as (
      select distinct on (group_id) group_id, next_due_on, next_due_tax, next_due_what, next_due_pence,
        client_id as next_due_client_id, name as next_due_client_name
      from seen where is_active and next_due_on < ${NEVER_DUE}::date order by group_id, next_due_on, client_id
    )
    select g.id as group_id, g.name, coalesce(t.clients, 0) as clients, coalesce(t.active_clients, 0) as active_clients,
      coalesce(t.read_clients, 0) as read_clients, coalesce(t.incomplete_clients, 0) as incomplete_clients,
      t.owed_pence, t.overdue_pence, t.refund_pence, n.next_due_on, n.next_due_tax, n.next_due_what, n.next_due_pence,
      n.next_due_client_id, n.next_due_client_name
    from client_groups g left join totals t on t.group_id = g.id left join next n on n.group_id = g.id
    where g.company_id = ${companyId}::uuid ${matchesGroup('id')} ${getAssigneeLimit(actor) === undefined ? sql`` : sql`and t.clients > 0`}
    order by lower(g.name), g.id`);
  return rows.map(toClientGroup);
}

/** Returns a group. A team member can't find a group that contains only other members' clients. */
export async function getClientGroup(db: Db, companyId: string, actor: Actor, groupId: string): Promise<ClientGroup> {
  const [group] = await listClientGroups(db, companyId, actor, groupId);
  if (!group) throw createNotFoundError();
  return group;
}

/** The amounts are unknown until the figures of at least one client have been read. */
function toClientGroup({
  read_clients: readClientCount,
  next_due_client_id: id,
  next_due_client_name: name,
  ...row
}: GroupRow): ClientGroup {
  const hideUnlessKnown = (amount: Pence | null): Pence | null => (readClientCount > 0 ? amount : null);
  return {
    ...row,
    owed_pence: hideUnlessKnown(row.owed_pence),
    overdue_pence: hideUnlessKnown(row.overdue_pence),
    refund_pence: hideUnlessKnown(row.refund_pence),
    next_due_client: id === null || name === null ? null : { client_id: id, name },
  };
}
