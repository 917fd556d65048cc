/** Tests practice members' notifications: channels, quiet hours, mutes, the digest, and one-click unsubscribing. */
import { randomUUID } from 'node:crypto';
import { auditEntries, dueItems, positionChanges, staffNotifications } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import { NOTIFICATION_KINDS, type Channels, type NotificationKind } from '@portal/domain/staff-notifications/notification-kinds.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { notifyOfFigures } from './notify-of-figures.ts';
import { notify } from './notify.ts';
import { sendDigests } from './send-digests.ts';
import { sendWaitingEmails } from './send-waiting-emails.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());
beforeEach(async () => {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  practice = await addPractice(portal);
  clientId = await addClient(portal, practice.companyId, { name: 'Brook Ltd' });
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
});

const getOwnKey = (overrides: object = {}) => ({ company_id: practice.companyId, ...overrides });
const getAddress = (userId: string) => `${userId}@oakline.example`;
const listEmailsTo = async (userId: string) => {
  await portal.runJobs();
  return portal.sentEmails.filter(({ to }) => to === getAddress(userId));
};
const list = async (browser = practice.member) =>
  (await browser.get('/open-tax/notifications', getOwnKey())).body['notifications'] as { title: string; is_read: boolean }[];
const listTitles = async (browser = practice.member) => (await list(browser)).map(({ title }) => title);

type Choice = { readonly changed?: Partial<Record<NotificationKind, Channels>>; readonly digest?: string; readonly quiet?: object | null };
const choose = ({ changed = {}, digest = 'daily', quiet = null }: Choice, browser = practice.member) =>
  browser.post(
    '/open-tax/notifications/choices',
    getOwnKey({
      kinds: NOTIFICATION_KINDS.map((kind) => ({ kind, ...(changed[kind] ?? NOTIFICATION_KIND_FACTS[kind].defaults.team_member) })),
      digest,
      quiet,
    }),
  );

/** Sends an event the way features do. */
const send = (kind: NotificationKind, overrides: { key?: string; clientId?: string; userIds?: readonly string[]; title?: string } = {}) =>
  portal.deps.database.db.transaction((tx) =>
    notify(portal.deps, tx, practice.companyId, [
      { kind, key: randomUUID(), title: `About ${kind}`, path: '/v2/open-tax/dashboard', userIds: [practice.memberId], ...overrides },
    ]),
  );

describe('a notification', () => {
  it('reaches a user once, by the channels they chose, and is read once', async () => {
    const key = randomUUID();
    await send('mention', { key });
    await send('mention', { key });
    expect(await listTitles()).toEqual(['About mention']);
    expect(await listEmailsTo(practice.memberId)).toMatchObject([{ subject: 'About mention' }]);
    expect(await practice.member.get('/open-tax/notifications/unread', getOwnKey())).toMatchObject({ body: { unread: 1 } });
    expect((await practice.member.post('/open-tax/notifications/read', getOwnKey())).body).toEqual({ unread: 0 });

    await choose({ changed: { mention: { portal: false, email: 'now' }, client_left: { portal: true, email: 'off' } } });
    await send('mention');
    await send('client_left');
    expect(await listTitles()).toEqual(['About client_left', 'About mention']);
    expect(await listEmailsTo(practice.memberId)).toHaveLength(2);
  });

  it('is private: a colleague neither sees nor changes it', async () => {
    await send('mention');
    expect(await listTitles(practice.admin)).toEqual([]);
    const [row] = await portal.deps.database.db
      .select({ id: staffNotifications.id })
      .from(staffNotifications)
      .where(eq(staffNotifications.companyId, practice.companyId));
    await practice.admin.post('/open-tax/notifications/read', getOwnKey({ notification_ids: [row?.id] }));
    expect(await list()).toMatchObject([{ is_read: false }]);
    const otherPractice = await addPractice(portal);
    expect((await otherPractice.admin.get('/open-tax/notifications', getOwnKey())).status).toBe(404);
  });

  it('about a muted client isn’t delivered, and one that the practice’s work depends on can’t be switched off', async () => {
    await practice.member.post('/open-tax/notifications/mute', getOwnKey({ client_id: clientId, is_muted: true }));
    await choose({ changed: { hmrc_connection: { portal: false, email: 'off' } } });
    await send('refund_appeared', { clientId });
    await send('hmrc_connection');
    expect(await listTitles()).toEqual(['About hmrc_connection']);
    const [email] = await listEmailsTo(practice.memberId);
    expect(email?.unsubscribeUrl).toBeUndefined();
    expect((await practice.member.get('/open-tax/notifications/choices', getOwnKey())).body['muted']).toEqual([
      { client_id: clientId, name: 'Brook Ltd' },
    ]);
    const otherClient = await addClient(portal, practice.companyId);
    expect((await practice.member.post('/open-tax/notifications/mute', getOwnKey({ client_id: otherClient, is_muted: true }))).status).toBe(
      404,
    );
  });

  it('in quiet hours is emailed when they end, several of a kind as one email', async () => {
    await choose({ quiet: { from: 20, to: 7 } });
    portal.moveClock('2026-11-10T21:15:00.000Z');
    await send('mention', { title: 'First' });
    await send('mention', { title: 'Second' });
    await sendWaitingEmails(portal.deps);
    expect(await listEmailsTo(practice.memberId)).toEqual([]);
    portal.moveClock('2026-11-11T07:00:00.000Z');
    await Promise.all([sendWaitingEmails(portal.deps), sendWaitingEmails(portal.deps)]);
    const emails = await listEmailsTo(practice.memberId);
    expect(emails).toHaveLength(1);
    expect(emails[0]?.subject).toBe('Someone mentions you: 2 notifications');
    expect(emails[0]?.text).toContain('First\nSecond');
  });
});

describe('unsubscribing', () => {
  it('works with one POST without a session, ends emails of that kind only, and can be repeated (RFC 8058)', async () => {
    await send('mention');
    const [email] = await listEmailsTo(practice.memberId);
    const { pathname, search, searchParams } = new URL(email?.unsubscribeUrl ?? '');
    const token = searchParams.get('link') ?? '';
    const read = () => portal.app.inject({ url: '/portal/notification-unsubscribe', query: { token } });
    expect((await read()).json()).toEqual({ practice: 'Oakline Accounting', label: 'Someone mentions you', is_on: true });
    for (let times = 0; times < 2; times += 1) {
      const postedResponse = await portal.app.inject({
        method: 'POST',
        url: `${pathname}${search}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      });
      expect(postedResponse.statusCode).toBe(200);
    }
    expect((await read()).json()).toMatchObject({ is_on: false });
    await send('mention');
    await send('colleague_joined');
    expect((await listEmailsTo(practice.memberId)).map(({ subject }) => subject)).toEqual(['About mention', 'About colleague_joined']);
    expect(await listTitles()).toHaveLength(3);
    const isThis = and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'notifications.unsubscribed'));
    expect(await portal.deps.database.db.$count(auditEntries, isThis)).toBe(1);
    const guessedResponse = await portal.app.inject({ method: 'POST', url: `${pathname}?link=${'a'.repeat(43)}` });
    expect(guessedResponse.statusCode).toBe(404);
  });
});

const FIGURES = {
  isKnown: true,
  owed: 0,
  overdue: 0,
  refund: 0,
  overdueReturns: 0,
  overdueUpdates: 0,
  penalty: 0,
  penaltyPoints: 0,
  nextDueOn: null,
  nextDueWhat: null,
};

async function change(
  after: Partial<Record<keyof typeof FIGURES, unknown>>,
  at = portal.deps.clock.now(),
  changedClientId = clientId,
): Promise<void> {
  const row = { companyId: practice.companyId, clientId: changedClientId, tax: 'vat' as const, changedAt: at };
  const figures = FIGURES as unknown as typeof positionChanges.$inferInsert.before;
  await portal.deps.database.db
    .insert(positionChanges)
    .values({ ...row, before: figures, after: { ...figures, ...after } as typeof figures });
}

async function addDueItem(dueOn: PlainDate, dueClientId = clientId): Promise<void> {
  const row = {
    companyId: practice.companyId,
    clientId: dueClientId,
    tax: 'vat' as const,
    key: randomUUID(),
    what: 'return' as const,
    kind: 'return' as const,
  };
  await portal.deps.database.db
    .insert(dueItems)
    .values({ ...row, dueOn, amountPence: 0 as Pence, title: 'VAT return', source: 'hmrc', asOf: portal.deps.clock.now() });
}

describe('figures', () => {
  it('notify assigned members of a refund, a penalty and what became overdue, once each; an admin where no one is assigned', async () => {
    const unassignedId = await addClient(portal, practice.companyId, { name: 'Alone Ltd' });
    await change({ refund: 100 }, '2026-11-09T08:00:00.000Z' as Instant);
    await notifyOfFigures(portal.deps);
    expect(await listTitles()).toEqual([]);
    portal.moveClock('2026-11-10T10:00:00.000Z');
    await change({ refund: 5_000 });
    await change({ penaltyPoints: 1 }, portal.deps.clock.now(), unassignedId);
    await addDueItem('2026-11-10' as PlainDate);
    await notifyOfFigures(portal.deps);
    await notifyOfFigures(portal.deps);
    expect(await listTitles()).toEqual(['Brook Ltd: VAT refund']);
    expect(await listTitles(practice.admin)).toEqual(['Alone Ltd: VAT penalty point']);
    portal.moveClock('2026-11-11T06:00:00.000Z');
    await notifyOfFigures(portal.deps);
    await notifyOfFigures(portal.deps);
    expect(await listTitles()).toEqual(['Brook Ltd: VAT return overdue since 10 November 2026', 'Brook Ltd: VAT refund']);
  });
});

describe('the digest', () => {
  it('lists once what changed, what is due and what is waiting, for each user’s own clients only', async () => {
    const unassignedId = await addClient(portal, practice.companyId, { name: 'Alone Ltd' });
    for (const dueClientId of [clientId, unassignedId]) {
      await change({ refund: 5_000 }, portal.deps.clock.now(), dueClientId);
      await addDueItem(addDays(portal.deps.clock.today(), 3), dueClientId);
    }
    await send('task_assigned', { title: 'Prepare it' });
    expect(await listEmailsTo(practice.memberId)).toEqual([]);
    await Promise.all([sendDigests(portal.deps), sendDigests(portal.deps)]);
    const [email, ...otherEmails] = await listEmailsTo(practice.memberId);
    expect(otherEmails).toEqual([]);
    expect(email?.subject).toBe('Oakline Accounting: your day, 10 November 2026');
    expect(email?.text).toContain('1 client’s figures have changed since yesterday.');
    expect(email?.text).toContain('Brook Ltd: VAT return: due 13 November 2026');
    expect(email?.text).toContain('Brook Ltd: VAT: changed: refund due');
    expect(email?.text).toContain('• Prepare it');
    expect(email?.text).not.toContain('Alone Ltd');
    expect(email?.text).not.toContain('£');
    const [admins] = await listEmailsTo(practice.adminId);
    expect(admins?.text).toContain('2 clients’ figures have changed since yesterday.');
    await sendDigests(portal.deps);
    expect(await listEmailsTo(practice.memberId)).toHaveLength(1);
  });

  it('that the portal missed in the morning is sent once later that day, but not after 8pm or to users who joined later', async () => {
    await addDueItem('2026-11-13' as PlainDate);
    const setTime = async (time: string) => {
      portal.moveClock(`2026-11-10T${time}:00.000Z` as Instant);
      await Promise.all([sendDigests(portal.deps), sendDigests(portal.deps)]);
      return (await listEmailsTo(practice.memberId)).length;
    };
    await choose({ quiet: { from: 13, to: 15 } });
    expect(await setTime('20:00')).toBe(0);
    expect([await setTime('14:59'), await setTime('15:00'), await setTime('15:01')]).toEqual([0, 1, 1]);
    expect((await listEmailsTo(practice.memberId))[0]?.text).not.toContain('Good morning');
    practice = await addPractice(portal);
    await addDueItem('2026-11-13' as PlainDate, await addClient(portal, practice.companyId));
    await sendDigests(portal.deps);
    expect(await listEmailsTo(practice.adminId)).toEqual([]);
  });

  it('is not sent without anything new, at night, to those who unsubscribed, or to former members', async () => {
    await addDueItem(addDays(portal.deps.clock.today(), 3));
    await choose({ digest: 'off' });
    await sendDigests(portal.deps);
    await choose({ digest: 'weekly' });
    await sendDigests(portal.deps);
    portal.moveClock('2026-11-10T13:00:00.000Z');
    await choose({ digest: 'daily' });
    await sendDigests(portal.deps);
    expect(await listEmailsTo(practice.memberId)).toEqual([]);
    // Monday.
    await choose({ digest: 'weekly' });
    portal.moveClock('2026-11-16T08:00:00.000Z');
    await addDueItem('2026-11-18' as PlainDate);
    await sendDigests(portal.deps);
    expect((await listEmailsTo(practice.memberId)).map(({ subject }) => subject)).toEqual([
      'Oakline Accounting: your week, 16 November 2026',
    ]);
  });
});
