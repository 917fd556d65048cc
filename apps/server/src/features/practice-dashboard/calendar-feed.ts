/**
 * A personal calendar feed at a secret URL, which is shown once and stored as a hash. Contains whatever the user can see at the time of
 * each request.
 */
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { CALENDAR_FEED_PATH, type practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { calendarFeeds, companies, memberships, users } from '@portal/db/schema/schema.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { hashToken, generateToken, type Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockSession } from '../identity/lock-session.ts';
import { formatCalendar, type CalendarEvent } from './format-calendar.ts';
import { countWorkDays, type WorkDay } from '../work-items/count-work-days.ts';
import { listOwnDays, sumDays, type DueOnDay } from './calendar-queries.ts';

export async function createFeed(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof practiceDashboardApi.createFeed>,
): Promise<{ url: string }> {
  const { practiceId: companyId } = tenant;
  const token = generateToken();
  const createdAt = deps.clock.now();
  const newFeed = { tokenHash: hashToken(token), covers: input.covers, createdAt };
  await deps.database.db.transaction(async (tx) => {
    await lockSession(tx, actor);
    await tx
      .insert(calendarFeeds)
      .values({ companyId, userId: actor.userId, ...newFeed })
      .onConflictDoUpdate({ target: [calendarFeeds.companyId, calendarFeeds.userId], set: newFeed });
    await recordAudit(tx, {
      companyId,
      at: createdAt,
      actor: actor.userId,
      action: 'calendar_feed.created',
      subject: actor.userId,
      ip: caller.ip,
    });
  });
  return { url: `${deps.site.publicUrl}/portal${CALENDAR_FEED_PATH}/${token}.ics` };
}

export async function revokeFeed(
  deps: AppDeps,
  { tenant, actor, caller }: Call<typeof practiceDashboardApi.revokeFeed>,
): Promise<{ done: true }> {
  const { practiceId: companyId } = tenant;
  await deps.database.db.transaction(async (tx) => {
    const deletedFeeds = await tx
      .delete(calendarFeeds)
      .where(and(eq(calendarFeeds.companyId, companyId), eq(calendarFeeds.userId, actor.userId)))
      .returning({ userId: calendarFeeds.userId });
    if (deletedFeeds.length === 0) return;
    const at = deps.clock.now();
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'calendar_feed.revoked', subject: actor.userId, ip: caller.ip });
  });
  return { done: true };
}

/** The feed goes back a month, so that yesterday's deadline doesn't disappear, and a year ahead. */
const PAST_DAYS = 31;
const FUTURE_DAYS = 365;

/** Returns the calendar for a feed token, or undefined if the token is unknown or revoked, or its owner has left the practice. */
export async function readFeed(deps: AppDeps, token: string): Promise<string | undefined> {
  const { db } = deps.database;
  const [feed] = await db
    .select({
      companyId: calendarFeeds.companyId,
      covers: calendarFeeds.covers,
      userId: users.id,
      email: users.email,
      fullName: users.fullName,
      role: memberships.role,
      practice: companies.name,
    })
    .from(calendarFeeds)
    .innerJoin(users, eq(users.id, calendarFeeds.userId))
    .innerJoin(companies, eq(companies.id, calendarFeeds.companyId))
    .innerJoin(memberships, and(eq(memberships.companyId, calendarFeeds.companyId), eq(memberships.userId, calendarFeeds.userId)))
    .where(eq(calendarFeeds.tokenHash, hashToken(token)));
  if (!feed || (feed.role !== 'practice_admin' && feed.role !== 'team_member')) return undefined;
  const actor: Actor = {
    userId: feed.userId,
    email: feed.email,
    fullName: feed.fullName,
    isOperator: false,
    signInMethod: 'link',
    role: feed.role,
  };
  const today = deps.clock.today();
  const [first, last] = [addDays(today, -PAST_DAYS), addDays(today, FUTURE_DAYS)];
  const filter = feed.covers === 'assigned' ? { member: feed.userId } : {};
  const days = await sumDays(db, actor, feed.companyId, { first, last }, filter);
  const ownDays = await listOwnDays(db, actor, feed.companyId, { first: today, last }, filter);
  const taskDays = await countWorkDays(db, actor, feed.companyId, { first, last, ownerId: feed.userId });
  const events = [
    ...days.map((day) => toEvent(day, feed.companyId, deps.site.publicUrl)),
    ...ownDays.map((day) => toOwnEvent(day, feed.companyId, deps.site.publicUrl)),
    ...taskDays.map((day) => toTaskEvent(day, feed.companyId, deps.site.publicUrl)),
  ];
  return formatCalendar({ name: `Tax deadlines, ${feed.practice}`, brand: deps.site.brand, at: deps.clock.now(), events });
}

function toEvent(
  { due_on: day, tax, what, kind, items, amount_pence: amount, unknown_amounts: unknownCount }: DueOnDay,
  companyId: string,
  publicUrl: string,
): CalendarEvent {
  const title = `${TAX_NAMES[tax]}: ${items.toLocaleString('en-GB')} ${getItemName(kind, items)} ${what === 'refund' ? 'expected' : 'due'}`;
  const sum =
    amount === null
      ? ''
      : `${unknownCount > 0 ? 'At least ' : ''}${formatPounds(pence(Math.abs(amount)))} ${what === 'refund' ? 'refund from HMRC' : 'to pay to HMRC'}, excluding amounts not yet known. `;
  return {
    uid: `${companyId}-${day}-${tax}-${kind}`,
    day,
    title,
    // Omits client names, because other companies share, print and store calendars.
    text: `${sum}Open the calendar in the portal to see the clients.`,
    url: `${publicUrl}/portal/v2/open-tax/calendar?company_id=${companyId}&day=${day}`,
  };
}

/** Returns an event for the practice's own date. Its title includes HMRC's date, to avoid confusion between the two. */
function toOwnEvent(day: DueOnDay & { readonly on: PlainDate }, companyId: string, publicUrl: string): CalendarEvent {
  const event = toEvent(day, companyId, publicUrl);
  return {
    ...event,
    uid: `${event.uid}-own`,
    day: day.on,
    title: `Internal deadline: ${event.title.replace(/ due$/, '')} (HMRC’s is ${formatDate(day.due_on, 'short')})`,
  };
}

/** Omits titles, which may name clients. */
function toTaskEvent({ due_on: day, tasks }: WorkDay, companyId: string, publicUrl: string): CalendarEvent {
  return {
    uid: `${companyId}-${day}-tasks`,
    day,
    title: `You have ${tasks.toLocaleString('en-GB')} ${tasks === 1 ? 'task' : 'tasks'} due`,
    text: 'Open your tasks in the portal to see them.',
    url: `${publicUrl}/portal/v2/open-tax/tasks?company_id=${companyId}&due_on=${day}`,
  };
}
