/**
 * Counts the clients that need attention, for the practice and each member. The conditions are those of the client list, so that every
 * number equals the number of clients behind its link.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientRows, practiceAttention, type MemberAttention } from '@portal/db/schema/schema.ts';
import { ATTENTION_GROUPS, getAttentionFilters, SOON_DAYS, type AttentionGroup } from '@portal/domain/clients/attention.ts';
import type { Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, sql, type SQL } from '@portal/db/sql.ts';
import { getAssignmentsFingerprint } from '../positions/count-totals.ts';
import { buildClientFilter } from './client-filters.ts';

/**
 * Returns a row for all clients, one for each member with clients, and one for clients without a member. With `memberId`, returns only that
 * member's row.
 */
export async function countAttention(db: Db | Tx, companyId: string, today: PlainDate, memberId?: string): Promise<MemberAttention[]> {
  const { columns, conditions, values } = selectCounts(companyId, today);
  const member = sql<string | null>`m.user_id`;
  const assignedFingerprint = sql<string>`case when m.user_id is null then '' else ${getAssignmentsFingerprint(sql`${companyId}::uuid`, sql`m.user_id`)} end`;
  const membersOfCompany = sql`(select distinct client_id, user_id from client_members where company_id = ${companyId}
    ${memberId === undefined ? sql`` : sql`and user_id = ${memberId}`}) m`;
  const byMember = await db
    .select({ member, assigned: assignedFingerprint, ...columns })
    .from(clientRows)
    .leftJoin(membersOfCompany, sql`m.client_id = ${clientRows.clientId}`)
    .where(and(...conditions, memberId === undefined ? undefined : sql`m.user_id is not null`))
    .groupBy(sql`m.user_id`)
    .prepare('')
    .execute(values);
  const rows = byMember.map(({ member: userId, assigned: fingerprint, ...counts }) => toMember(userId ?? 'none', fingerprint, counts));
  if (memberId !== undefined) return rows;
  const [totalCounts] = await db
    .select(columns)
    .from(clientRows)
    .where(and(...conditions))
    .prepare('')
    .execute(values);
  return totalCounts === undefined ? rows : [toMember(null, '', totalCounts), ...rows];
}

export async function storeAttention(tx: Tx, companyId: string, counts: Omit<typeof practiceAttention.$inferInsert, 'companyId'>) {
  await tx
    .insert(practiceAttention)
    .values({ companyId, ...counts })
    .onConflictDoUpdate({ target: practiceAttention.companyId, set: counts });
}

type Counts = Readonly<Record<AttentionGroup | 'clients' | 'overdue_pence' | 'due_pence', number | null>>;

/** Selects the count of each group as a column, over the practice's active clients. */
function selectCounts(companyId: string, today: PlainDate) {
  const viewer = { assignedTo: undefined, today };
  const activeFilter = buildClientFilter(companyId, { status: 'in_hand' }, viewer);
  const groups = ATTENTION_GROUPS.map((group) => ({ group, ...buildClientFilter(companyId, getAttentionFilters(group, today), viewer) }));
  const dueBefore = addDays(today, SOON_DAYS);
  const countWhere = (condition: SQL | undefined) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const counts = Object.fromEntries(groups.map(({ group, conditions }) => [group, countWhere(and(...conditions()))])) as Record<
    AttentionGroup,
    SQL<number>
  >;
  const sumWhere = (amount: SQL) =>
    sql<number | null>`(sum(${amount}))::bigint`.mapWith((sum: unknown) => (sum === null ? null : Number(sum)));
  return {
    columns: {
      clients: sql<number>`count(*)::int`,
      ...counts,
      overdue_pence: sumWhere(sql`${clientRows.overduePence}`),
      due_pence:
        sumWhere(sql`(select sum(d.amount_pence) filter (where d.amount_pence > 0) from due_items d where d.company_id = ${clientRows.companyId}
        and d.client_id = ${clientRows.clientId} and d.what <> 'refund' and d.due_on between ${today}::date and ${dueBefore}::date)`),
    },
    conditions: activeFilter.conditions(),
    values: Object.assign({}, activeFilter.values, ...groups.map(({ values }) => values)) as Readonly<Record<string, unknown>>,
  };
}

function toMember(member: string | null, assignedFingerprint: string, counts: Counts): MemberAttention {
  const amounts: Readonly<Partial<Record<AttentionGroup, number | null>>> = {
    overdue_payment: counts.overdue_pence,
    due_this_week: counts.due_pence,
  };
  const groups = Object.fromEntries(
    ATTENTION_GROUPS.map((group) => [group, { clients: counts[group] ?? 0, amount_pence: (amounts[group] ?? null) as Pence | null }]),
  );
  return { member, assigned: assignedFingerprint, clients: counts.clients ?? 0, groups: groups as MemberAttention['groups'] };
}
