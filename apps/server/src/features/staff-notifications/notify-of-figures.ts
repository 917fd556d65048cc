/**
 * Notifies members of new refunds and penalties, and of items that have become overdue. Figures are read in bulk, so their transactions
 * don't notify anyone; this compares changes since the last run, with a few statements per practice.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients, dueItems, figureEventMarks, positionChanges } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt, gte, lt, lte, ne, sql } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import type { PositionFigures } from '@portal/domain/positions/describe-position-change.ts';
import type { NotificationKind } from '@portal/domain/staff-notifications/notification-kinds.ts';
import { TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { listClientTeams, notify, type NotificationEvent } from './notify.ts';

const OVERLAP_MS = 300_000;
const CURRENT_CLIENT = sql`${clients.status} not in ('inactive', 'closed')`;

export async function notifyOfFigures(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const today = deps.clock.today();
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.id from companies c left join figure_event_marks m on m.company_id = c.id
    where c.kind = 'practice' and c.closed_at is null and (m.company_id is null or m.overdue_seen_on < ${today}::date
      or exists (select from position_changes p where p.company_id = c.id and p.changed_at > m.changes_seen_at))
    order by c.id`);
  await tryEach(rows, ({ id }) => db.transaction((tx) => notifyPractice(deps, tx, id, today)));
}

async function notifyPractice(deps: AppDeps, tx: Tx, companyId: string, today: PlainDate): Promise<void> {
  const now = deps.clock.now();
  const isThis = eq(figureEventMarks.companyId, companyId);
  // A practice's first run sends no notifications about past events.
  const first = { companyId, changesSeenAt: now, overdueSeenOn: today };
  const insertedMarks = await tx.insert(figureEventMarks).values(first).onConflictDoNothing().returning({ id: figureEventMarks.companyId });
  if (insertedMarks.length > 0) return;
  const [mark] = await tx.select().from(figureEventMarks).where(isThis).for('update');
  if (!mark) return;
  const events = [
    ...(await listFigureEvents(tx, companyId, { after: mark.changesSeenAt, until: now })),
    ...(await listOverdue(tx, companyId, { from: mark.overdueSeenOn, before: today })),
  ];
  // A read that started earlier but commits after this run is found by the next run. Each event still notifies only once.
  const overlap = addMilliseconds(now, -OVERLAP_MS);
  const changesSeenAt = overlap > mark.changesSeenAt ? overlap : mark.changesSeenAt;
  await tx.update(figureEventMarks).set({ changesSeenAt, overdueSeenOn: today }).where(isThis);
  if (events.length === 0) return;
  const getTeam = await listClientTeams(tx, companyId, [...new Set(events.map(({ clientId }) => clientId))]);
  await notify(
    deps,
    tx,
    companyId,
    events.map((event) => ({ ...event, userIds: getTeam(event.clientId) })),
  );
}

type FigureEvent = Omit<NotificationEvent, 'userIds'> & { readonly clientId: string };

async function listFigureEvents(tx: Tx, companyId: string, { after, until }: { after: Instant; until: Instant }): Promise<FigureEvent[]> {
  const rows = await tx
    .select({
      clientId: positionChanges.clientId,
      name: clients.name,
      tax: positionChanges.tax,
      at: positionChanges.changedAt,
      before: positionChanges.before,
      after: positionChanges.after,
    })
    .from(positionChanges)
    .innerJoin(clients, and(eq(clients.companyId, positionChanges.companyId), eq(clients.id, positionChanges.clientId), CURRENT_CLIENT))
    .where(and(eq(positionChanges.companyId, companyId), gt(positionChanges.changedAt, after), lte(positionChanges.changedAt, until)))
    .orderBy(asc(positionChanges.changedAt), asc(clients.name));
  return rows.flatMap(({ clientId, name, tax, at, before, after: now }) =>
    listAppearedEvents(before, now).map(({ kind, what }) => ({
      kind,
      key: `${clientId} ${tax} ${at}`,
      clientId,
      title: `${name}: ${TAX_NAMES[tax]} ${what}`,
      path: getClientPath(companyId, clientId, tax),
    })),
  );
}

type AppearedEvent = { readonly kind: NotificationKind; readonly what: string };

/** First figures aren't events: they show what already existed. */
function listAppearedEvents(before: PositionFigures, after: PositionFigures): AppearedEvent[] {
  if (!before.isKnown || !after.isKnown) return [];
  const hasMorePoints = (after.penaltyPoints ?? 0) > (before.penaltyPoints ?? 0) && before.penaltyPoints !== null;
  return [
    ...(before.refund === 0 && after.refund > 0 ? [{ kind: 'refund_appeared', what: 'refund' } as const] : []),
    ...(before.penalty === 0 && after.penalty > 0 ? [{ kind: 'penalty_appeared', what: 'penalty' } as const] : []),
    ...(hasMorePoints && !(before.penalty === 0 && after.penalty > 0)
      ? [{ kind: 'penalty_appeared', what: 'penalty point' } as const]
      : []),
  ];
}

async function listOverdue(tx: Tx, companyId: string, { from, before }: { from: PlainDate; before: PlainDate }): Promise<FigureEvent[]> {
  const rows = await tx
    .select({
      clientId: dueItems.clientId,
      name: clients.name,
      tax: dueItems.tax,
      key: dueItems.key,
      kind: dueItems.kind,
      dueOn: dueItems.dueOn,
    })
    .from(dueItems)
    .innerJoin(clients, and(eq(clients.companyId, dueItems.companyId), eq(clients.id, dueItems.clientId), CURRENT_CLIENT))
    .where(and(eq(dueItems.companyId, companyId), gte(dueItems.dueOn, from), lt(dueItems.dueOn, before), ne(dueItems.what, 'refund')))
    .orderBy(asc(dueItems.dueOn), asc(clients.name));
  return rows.map(({ clientId, name, tax, key, kind, dueOn }) => ({
    kind: 'obligation_overdue',
    key: `${clientId} ${tax} ${key} ${dueOn}`,
    clientId,
    title: `${name}: ${TAX_NAMES[tax]} ${getItemName(kind)} overdue since ${formatDate(dueOn)}`,
    path: getClientPath(companyId, clientId, tax),
  }));
}

const getClientPath = (companyId: string, clientId: string, tax: Tax): string =>
  `${PAGES.clientDashboard.path}?company_id=${companyId}&client_id=${clientId}&tab=${tax}`;
