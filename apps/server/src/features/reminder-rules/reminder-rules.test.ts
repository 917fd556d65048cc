/**
 * Rules that remind clients: which clients are reminded and when, only once and only of open items, and who is notified afterwards. Also
 * tests the practice's own templates.
 */
import { randomUUID } from 'node:crypto';
import {
  clientMessageRecipients,
  clientPeople,
  clients,
  dueItems,
  memberships,
  practices,
  staffNotifications,
  users,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { endLostAttempts } from '../messages/message-attempts.ts';
import { sendReminders } from './send-reminders.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
const RULE_MESSAGE = { subject: '{client}: {deadline} by {due date}', body: 'Dear {client},\n\nplease send us your books.\n\n{practice}' };

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());
beforeEach(async () => {
  portal.moveClock('2026-11-10T09:00:00.000Z');
  practice = await addPractice(portal);
  clientId = await addClientWithEmail(portal, practice.companyId, 'Brook Ltd', `brook@${practice.companyId}.example`);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const listOwnEmails = async () => {
  await portal.runJobs();
  return portal.sentEmails
    .filter(({ to }) => to.endsWith(`@${practice.companyId}.example`))
    .map(({ to, subject }) => `${to.split('@')[0]}: ${subject}`);
};

async function addDueItem(dueOn: string, dueClientId = clientId, pence: number | null = 0): Promise<string> {
  const key = randomUUID();
  const row = {
    companyId: practice.companyId,
    clientId: dueClientId,
    tax: 'vat' as const,
    key,
    what: 'return' as const,
    kind: 'return' as const,
  };
  await portal.deps.database.db.insert(dueItems).values({
    ...row,
    dueOn: dueOn as PlainDate,
    amountPence: pence as Pence | null,
    title: 'VAT return',
    source: 'hmrc',
    asOf: portal.deps.clock.now(),
  });
  return key;
}

const VAT_RULE = { name: 'VAT', tax: 'vat', item: 'return', days_before: 14, ...RULE_MESSAGE };

async function addRule({ escalate_days = null, ...overrides }: { escalate_days?: number | null; subject?: string } = {}): Promise<string> {
  const id = randomUUID();
  const savedResponse = await post('reminder-rules/save', { rule_id: id, version: 0, escalate_days, ...VAT_RULE, ...overrides });
  expect(savedResponse.status, JSON.stringify(savedResponse.body)).toBe(200);
  return id;
}
const switchOn = (id: string, isOn = true) => post('reminder-rules/switch', { rule_id: id, is_on: isOn });

describe('a rule', () => {
  it('reminds each client of each item once, on its day, as the preview said, and not when it is done', async () => {
    const [now, laterItem] = [await addDueItem('2026-11-20'), await addDueItem('2026-12-01')];
    const id = await addRule();
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toEqual([]);
    const preview = (await post('reminder-rules/preview', { rule_id: id, ...VAT_RULE })).body;
    expect(preview).toMatchObject({ reminders: 2, today: 1, left_out: 0 });
    expect(preview['planned']).toMatchObject([{ reminds_on: '2026-11-10' }, { reminds_on: '2026-11-17' }]);

    await switchOn(id);
    await Promise.all([sendReminders(portal.deps), sendReminders(portal.deps)]);
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toEqual(['brook: Brook Ltd: VAT return by 20 November 2026']);
    const timeline = (await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: clientId })).body;
    expect(JSON.stringify(timeline)).toContain('please send us your books');

    await portal.deps.database.db.delete(dueItems).where(and(eq(dueItems.clientId, clientId), eq(dueItems.key, now)));
    portal.moveClock('2026-11-16T09:00:00.000Z');
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toHaveLength(1);
    portal.moveClock('2026-11-17T07:30:00.000Z');
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toHaveLength(1);
    await portal.deps.database.db.delete(dueItems).where(and(eq(dueItems.clientId, clientId), eq(dueItems.key, laterItem)));
    portal.moveClock('2026-11-17T09:00:00.000Z');
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toHaveLength(1);
  });

  it('sends what is due at once when it is switched on, but only during the day', async () => {
    await addDueItem('2026-11-20');
    await switchOn(await addRule());
    expect(await listOwnEmails()).toEqual(['brook: Brook Ltd: VAT return by 20 November 2026']);
    portal.moveClock('2026-11-10T19:00:00.000Z');
    await addDueItem('2026-11-21');
    const evening = await addRule({ subject: 'Evening: {client}' });
    await switchOn(evening);
    expect(await listOwnEmails()).toHaveLength(1);
    portal.moveClock('2026-11-11T08:00:00.000Z');
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toContain('brook: Evening: Brook Ltd');
  });

  it('leaves out clients without an address, archived ones, messages with gaps, and users with their own reminders', async () => {
    const { db } = portal.deps.database;
    const silentClientId = await addClientWithEmail(portal, practice.companyId, 'No Address Ltd', null);
    const archivedClientId = await addClientWithEmail(portal, practice.companyId, 'Archived Ltd', `archived@${practice.companyId}.example`);
    await db.update(clients).set({ status: 'inactive' }).where(eq(clients.id, archivedClientId));
    const ownClient = await addClientWithEmail(portal, practice.companyId, 'Own Ltd', `own@${practice.companyId}.example`);
    const [userId, joinedAt] = [randomUUID(), portal.deps.clock.now()];
    await db.insert(users).values({ id: userId, email: `own@${practice.companyId}.example`, fullName: 'Own', createdAt: joinedAt });
    await db.insert(clientPeople).values({ companyId: practice.companyId, clientId: ownClient, userId, joinedAt, remindDays: 7 });
    for (const dueClientId of [silentClientId, archivedClientId, ownClient, clientId])
      await addDueItem('2026-11-20', dueClientId, dueClientId === clientId ? 100 : null);
    const id = await addRule({ subject: '{amount} due on {due date}' });
    const { planned } = (await post('reminder-rules/preview', { rule_id: id, ...VAT_RULE, subject: '{amount} due on {due date}' }))
      .body as {
      planned: { name: string; gap: string | null }[];
    };
    expect(planned.map(({ name, gap }) => [name, gap])).toEqual([
      ['Brook Ltd', null],
      ['No Address Ltd', 'no_email'],
      ['Own Ltd', 'own_reminders'],
    ]);
    await switchOn(id);
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toEqual(['brook: £1.00 due on 20 November 2026']);
  });

  it('notifies the user with the duty once when a reminded client hasn’t responded', async () => {
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    await addDueItem('2026-11-20');
    await switchOn(await addRule({ escalate_days: 3 }));
    await sendReminders(portal.deps);
    const listTitles = async () =>
      (
        (await practice.member.get('/open-tax/notifications', { company_id: practice.companyId })).body['notifications'] as {
          title: string;
        }[]
      ).map(({ title }) => title);
    portal.moveClock('2026-11-16T09:00:00.000Z');
    await sendReminders(portal.deps);
    expect(await listTitles()).toEqual([]);
    portal.moveClock('2026-11-17T09:00:00.000Z');
    await sendReminders(portal.deps);
    await sendReminders(portal.deps);
    expect(await listTitles()).toEqual(['Brook Ltd was reminded (VAT), but the VAT return due on 20 November 2026 still hasn’t been done']);
    expect(await listOwnEmails()).toHaveLength(1);
  });

  it('of an admin who has left is sent in the owner’s name, with replies to the owner', async () => {
    const { db } = portal.deps.database;
    const member = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await db.update(practices).set({ ownerId: practice.adminId }).where(eq(practices.companyId, practice.companyId));
    await db.update(memberships).set({ role: 'practice_admin' }).where(member);
    const rule = { rule_id: randomUUID(), version: 0, escalate_days: null, ...VAT_RULE, subject: '{sender}: {deadline}' };
    expect((await post('reminder-rules/save', rule, practice.member)).status).toBe(200);
    await post('reminder-rules/switch', { rule_id: rule.rule_id, is_on: true }, practice.member);
    const leaveResponse = await post('team-members/deactivate', { user_id: practice.memberId, successors: {} });
    expect(leaveResponse.status, JSON.stringify(leaveResponse.body)).toBe(200);
    await addDueItem('2026-11-20');
    await sendReminders(portal.deps);
    await portal.runJobs();
    const email = portal.sentEmails.find(({ to }) => to === `brook@${practice.companyId}.example`);
    const [owner] = await db.select().from(users).where(eq(users.id, practice.adminId));
    expect(email).toMatchObject({ subject: `${owner?.fullName}: VAT return`, author: { replyTo: owner?.email } });
  });

  it('notifies the owner if it may not have been sent and its author has left', async () => {
    const { db } = portal.deps.database;
    const member = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await db.update(practices).set({ ownerId: practice.adminId }).where(eq(practices.companyId, practice.companyId));
    await db.update(memberships).set({ role: 'practice_admin' }).where(member);
    const rule = { rule_id: randomUUID(), version: 0, escalate_days: null, ...VAT_RULE };
    await post('reminder-rules/save', rule, practice.member);
    await post('reminder-rules/switch', { rule_id: rule.rule_id, is_on: true }, practice.member);
    await addDueItem('2026-11-20');
    await sendReminders(portal.deps);
    expect((await post('team-members/deactivate', { user_id: practice.memberId, successors: {} })).status).toBe(200);
    // The process died while sending the message.
    const ofPractice = eq(clientMessageRecipients.companyId, practice.companyId);
    await db.update(clientMessageRecipients).set({ status: 'sending' }).where(ofPractice);
    await endLostAttempts(portal.deps, practice.companyId);
    const storedNotifications = await db
      .select({ userId: staffNotifications.userId, title: staffNotifications.title })
      .from(staffNotifications)
      .where(and(eq(staffNotifications.companyId, practice.companyId), eq(staffNotifications.kind, 'message_not_sent')));
    expect(storedNotifications).toEqual([
      {
        userId: practice.adminId,
        title: 'A message to a client may have been sent. Decide whether to send it again: {client}: {deadline} by {due date}',
      },
    ]);
  });

  it('is for admins, keeps what someone else changed, and does nothing once it is off or deleted', async () => {
    await addDueItem('2026-11-20');
    const id = await addRule();
    expect((await post('reminder-rules/switch', { rule_id: id, is_on: true }, practice.member)).status).toBe(404);
    const changedRule = { rule_id: id, version: 1, escalate_days: null, ...VAT_RULE, name: 'Changed' };
    expect((await post('reminder-rules/save', changedRule)).status).toBe(200);
    expect(await post('reminder-rules/save', { ...changedRule, name: 'Late' })).toMatchObject({ status: 409 });
    expect(await post('reminder-rules/save', { ...changedRule, version: 2, escalate_days: 14, name: 'x' })).toMatchObject({
      status: 400,
      body: { details: { field: 'escalate_days' } },
    });
    const otherPractice = await addPractice(portal);
    expect(
      (await otherPractice.admin.post('/open-tax/reminder-rules/switch', { company_id: otherPractice.companyId, rule_id: id, is_on: true }))
        .status,
    ).toBe(404);
    await switchOn(id);
    await switchOn(id, false);
    await sendReminders(portal.deps);
    await switchOn(id);
    await post('reminder-rules/remove', { rule_id: id });
    await sendReminders(portal.deps);
    expect(await listOwnEmails()).toEqual([]);
  });
});

describe('a template', () => {
  it('is saved once by a repeated request, shows its version, and keeps what someone else changed', async () => {
    const id = randomUUID();
    const template = { template_id: id, version: 0, name: 'Records', ...RULE_MESSAGE };
    for (let times = 0; times < 2; times += 1) expect((await post('message-templates/save', template)).status).toBe(200);
    expect((await post('message-templates/save', { ...template, version: 1, name: 'Books' })).status).toBe(200);
    expect((await post('message-templates/save', { ...template, version: 1, name: 'Late' })).status).toBe(409);
    const list = async () =>
      (await practice.admin.get('/open-tax/message-templates', { company_id: practice.companyId })).body['templates'];
    expect(await list()).toMatchObject([{ name: 'Books', version: 2, updated_by: 'practice_admin' }]);
    expect((await post('message-templates/save', { ...template, body: '{nothing}' })).status).toBe(400);
    expect((await post('message-templates/remove', { template_id: id }, practice.member)).status).toBe(403);
    await post('message-templates/remove', { template_id: id });
    expect(await list()).toEqual([]);
  });
});
