/** "Today": the stored counts of clients that need attention, counted again if none are stored for the day. */
import type { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import type { TodayRow } from '@portal/contract/practice-today.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, practiceAttention, staleTotals, users, type MemberAttention } from '@portal/db/schema/schema.ts';
import { ATTENTION_GROUPS } from '@portal/domain/clients/attention.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { countAttention } from '../clients/count-attention.ts';
import { getAssignmentsFingerprint } from '../positions/count-totals.ts';
import { enqueueTotalsJob } from '../positions/refresh-totals.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';

type Today = EndpointOutput<typeof practiceDashboardApi.today>;
export type ReadToday = (companyId: string, actor: Actor) => Promise<Today>;

export function createTodayReader(deps: AppDeps): ReadToday {
  const { db } = deps.database;
  const storedCounts = prepareStoredCounts(db);
  return async (companyId, actor) => {
    const today = deps.clock.today();
    const limit = getAssigneeLimit(actor);
    const [storedRow] = await storedCounts.execute({ companyId, today, userId: actor.userId });
    const isCurrent = storedRow !== undefined && hasSameClients(storedRow, limit);
    if (!isCurrent || storedRow.hasOldMark) await enqueueTotalsJob(deps, db, companyId);
    const names = new Map(isCurrent ? storedRow.names : await listNames(db, companyId));
    const members = isCurrent ? storedRow.members : await countAttention(db, companyId, today, limit);
    const countedAt = isCurrent ? storedRow.countedAt : deps.clock.now();
    if (limit !== undefined) {
      const ownAttention = members.find(({ member }) => member === limit);
      return { today, counted_at: countedAt, rows: [toRow(ownAttention ?? NO_CLIENTS, 'all')] };
    }
    return { today, counted_at: countedAt, rows: toRows(members, names, actor) };
  };
}

type StoredCounts = { readonly members: readonly MemberAttention[]; readonly assigned: string };

/** A member's counts are valid only while the same clients are assigned. */
function hasSameClients({ members, assigned }: StoredCounts, limit: string | undefined): boolean {
  if (limit === undefined) return members.some(({ member, clients }) => member === null && clients > 0);
  return members.find(({ member }) => member === limit)?.assigned === assigned;
}

/** One statement: the day's counts, colleagues' names, and whether a mark is older than any waiting job. */
function prepareStoredCounts(db: Db) {
  const company = sql`${practiceAttention.companyId}`;
  const query = db
    .select({
      countedAt: practiceAttention.countedAt,
      members: practiceAttention.members,
      assigned: getAssignmentsFingerprint(company, sql`${sql.placeholder('userId')}::uuid`),
      names: sql<[string, string][]>`(select coalesce(json_agg(json_build_array(u.id, u.full_name)), '[]') from ${memberships} ms
        join ${users} u on u.id = ms.user_id where ms.company_id = ${company})`,
      hasOldMark: sql<boolean>`exists (select from ${staleTotals} where ${staleTotals.companyId} = ${company}
        and ${staleTotals.markedAt} < now() - interval '2 minutes')`,
    })
    .from(practiceAttention)
    .where(and(eq(practiceAttention.companyId, sql.placeholder('companyId')), eq(practiceAttention.countedOn, sql.placeholder('today'))));
  return query.prepare('practice_today');
}

async function listNames(db: Db, companyId: string): Promise<[string, string][]> {
  const rows = await db
    .select({ id: users.id, name: users.fullName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, companyId));
  return rows.map(({ id, name }) => [id, name]);
}

const NO_CLIENTS: MemberAttention = {
  member: null,
  assigned: '',
  clients: 0,
  groups: Object.fromEntries(ATTENTION_GROUPS.map((group) => [group, { clients: 0, amount_pence: null }])) as MemberAttention['groups'],
};

/** All clients first, then colleagues by name, then unassigned clients. */
function toRows(members: readonly MemberAttention[], names: ReadonlyMap<string, string>, { userId }: Actor): TodayRow[] {
  const colleagues = members.flatMap((counts) => {
    const name = counts.member === null ? undefined : names.get(counts.member);
    if (counts.member === null || name === undefined) return [];
    return [{ ...toRow(counts, 'member'), member: { user_id: counts.member, full_name: name, is_you: counts.member === userId } }];
  });
  const find = (key: string | null): MemberAttention => members.find(({ member }) => member === key) ?? NO_CLIENTS;
  return [
    toRow(find(null), 'all'),
    ...colleagues.toSorted((a, b) => a.member.full_name.localeCompare(b.member.full_name, 'en-GB')),
    toRow(find('none'), 'none'),
  ];
}

function toRow({ clients, groups }: MemberAttention, scope: TodayRow['scope']): TodayRow {
  // Counts stored by a release before a group was added don't include that group.
  return { scope, member: null, clients, groups: { ...NO_CLIENTS.groups, ...groups } };
}
