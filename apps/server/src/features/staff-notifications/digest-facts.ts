/** The facts of a practice's digests, loaded once, and each member's view of them. */
import type { Db } from '@portal/db/database.ts';
import { clientMembers, clients, dueItems, mutedClients, workItems } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull, lte, ne, sql } from '@portal/db/sql.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import {
  describePositionChange,
  type PositionChangeKind,
  type PositionFigures,
} from '@portal/domain/positions/describe-position-change.ts';
import type { ItemKind } from '@portal/domain/positions/position.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';

export const DIGEST_DAYS_AHEAD = 7;

export type ChangedClient = {
  readonly clientId: string;
  readonly name: string;
  readonly tax: Tax;
  readonly kinds: readonly PositionChangeKind[];
};
export type DueClient = {
  readonly clientId: string;
  readonly name: string;
  readonly tax: Tax;
  readonly kind: ItemKind;
  readonly dueOn: PlainDate;
};

export type DigestFacts = {
  readonly changes: readonly ChangedClient[];
  /** The changes in the seven days before a weekly digest. Empty if no member gets one. */
  readonly weekChanges: readonly ChangedClient[];
  /** Items due in the next seven days, by day. */
  readonly due: readonly DueClient[];
  readonly tasks: ReadonlyMap<string, number>;
  readonly clientsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly mutedBy: ReadonlyMap<string, ReadonlySet<string>>;
};

type Days = { readonly today: PlainDate; readonly isWeekly: boolean };

export async function loadDigestFacts(db: Db, companyId: string, { today, isWeekly }: Days): Promise<DigestFacts> {
  const assignedRows = await db
    .selectDistinct({ userId: clientMembers.userId, clientId: clientMembers.clientId })
    .from(clientMembers)
    .where(eq(clientMembers.companyId, companyId));
  const mutedRows = await db
    .select({ userId: mutedClients.userId, clientId: mutedClients.clientId })
    .from(mutedClients)
    .where(eq(mutedClients.companyId, companyId));
  const tasks = await db
    .select({ ownerId: workItems.ownerId, count: sql`count(*)`.mapWith(Number) })
    .from(workItems)
    .where(
      and(
        eq(workItems.companyId, companyId),
        ne(workItems.status, 'done'),
        isNull(workItems.removedAt),
        lte(workItems.dueOn, addDays(today, DIGEST_DAYS_AHEAD)),
      ),
    )
    .groupBy(workItems.ownerId);
  return {
    changes: await listChanges(db, companyId, addDays(today, -1)),
    weekChanges: isWeekly ? await listChanges(db, companyId, addDays(today, -7)) : [],
    due: await listDueClients(db, companyId, today),
    tasks: new Map(tasks.flatMap(({ ownerId, count }) => (ownerId === null ? [] : [[ownerId, count] as const]))),
    clientsOf: groupByUser(assignedRows),
    mutedBy: groupByUser(mutedRows),
  };
}

function groupByUser(rows: readonly { readonly userId: string; readonly clientId: string }[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { userId, clientId } of rows) {
    const group = groups.get(userId);
    if (group) group.add(clientId);
    else groups.set(userId, new Set([clientId]));
  }
  return groups;
}

/** Lists the net change of each client and tax since the start of a day, as on “Today” (position-changes). First figures aren't changes. */
async function listChanges(db: Db, companyId: string, since: PlainDate): Promise<ChangedClient[]> {
  const { rows } = await db.execute<{ client_id: string; name: string; tax: Tax; before: PositionFigures; after: PositionFigures }>(sql`
    select p.client_id, c.name, p.tax, (array_agg(p.before order by p.changed_at))[1] as before,
      (array_agg(p.after order by p.changed_at desc))[1] as after
    from position_changes p join clients c on c.company_id = p.company_id and c.id = p.client_id and c.status not in ('inactive', 'closed')
    where p.company_id = ${companyId}::uuid and p.changed_at >= (${since}::date::timestamp at time zone 'Europe/London')
    group by p.client_id, c.name, p.tax order by c.name, p.client_id`);
  return rows.flatMap(({ client_id: clientId, name, tax, before, after }) => {
    const kinds = [...new Set(describePositionChange(before, after).map(({ kind }) => kind))].filter((kind) => kind !== 'first_figures');
    return kinds.length === 0 ? [] : [{ clientId, name, tax, kinds }];
  });
}

function listDueClients(db: Db, companyId: string, today: PlainDate): Promise<DueClient[]> {
  return db
    .select({ clientId: dueItems.clientId, name: clients.name, tax: dueItems.tax, kind: dueItems.kind, dueOn: dueItems.dueOn })
    .from(dueItems)
    .innerJoin(clients, and(eq(clients.companyId, dueItems.companyId), eq(clients.id, dueItems.clientId)))
    .where(
      and(
        eq(dueItems.companyId, companyId),
        ne(dueItems.what, 'refund'),
        sql`${dueItems.dueOn} between ${today} and ${addDays(today, DIGEST_DAYS_AHEAD)}`,
        sql`${clients.status} not in ('inactive', 'closed')`,
      ),
    )
    .orderBy(asc(dueItems.dueOn), asc(clients.name));
}

type Reader = { readonly userId: string; readonly isAdmin: boolean; readonly isWeekly: boolean };

export type OwnFacts = { readonly changes: readonly ChangedClient[]; readonly due: readonly DueClient[]; readonly tasks: number };

/** An admin sees all clients and a team member the assigned ones; both without clients they have muted. */
export function selectFacts(facts: DigestFacts, { userId, isAdmin, isWeekly }: Reader): OwnFacts {
  const assignedIds = facts.clientsOf.get(userId);
  const mutedIds = facts.mutedBy.get(userId);
  const isSeen = ({ clientId }: { readonly clientId: string }) =>
    (isAdmin || assignedIds?.has(clientId) === true) && mutedIds?.has(clientId) !== true;
  return {
    changes: (isWeekly ? facts.weekChanges : facts.changes).filter(isSeen),
    due: facts.due.filter(isSeen),
    tasks: facts.tasks.get(userId) ?? 0,
  };
}
