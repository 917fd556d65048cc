/** Tests the client portal: what a client's users can and can't see, how to pay, preferences and reminders. */
import { randomUUID } from 'node:crypto';
import { clientAuthorisations, clientInvitations, clientPeople, clients, dueItems, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { type Browser, createBrowser } from '../../testing/test-trader.ts';
import { sendDueReminders } from './due-reminders.ts';
import { sendInvitationReminders } from './send-invitation-reminders.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let carl: Browser;
let email: string;
const getOwnKey = () => ({ company_id: clientId });
const DAY_MS = 86_400_000;

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  clientId = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd', taxes: ['vat', 'paye', 'ct', 'sa'] });
  [email, carl] = await addPerson();
});

/** Adds a user of the client, as an accepted invitation would. */
async function addPerson(): Promise<[email: string, person: Browser]> {
  const { db } = portal.deps.database;
  const [userId, createdAt] = [randomUUID(), portal.deps.clock.now()];
  const address = `${userId}@harlow.example`;
  await db.insert(users).values({ id: userId, email: address, fullName: 'Carl Harlow', createdAt });
  await db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
  const session = await startSession(db, portal.deps.wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  return [address, createBrowser(portal, `portal_session=${session}`)];
}

type Item = Pick<typeof dueItems.$inferInsert, 'tax' | 'what' | 'kind'> & {
  readonly days: number;
  readonly pence: number | null;
  readonly key?: string;
};

/** Adds an item due a number of days from today. */
async function addItem({ days, pence, key = randomUUID(), ...item }: Item): Promise<void> {
  const { clock, database } = portal.deps;
  const dueOn = addDays(clock.today(), days);
  await database.db.insert(dueItems).values({
    companyId: practice.companyId,
    clientId,
    ...item,
    key,
    dueOn,
    amountPence: pence as Pence | null,
    title: '',
    periodStart: addDays(dueOn, -60),
    periodEnd: addDays(dueOn, -30),
    source: 'hmrc',
    asOf: clock.now(),
  });
}

const VAT_PAYMENT = { tax: 'vat', what: 'payment', kind: 'payment', pence: 123_450 } as const;

describe('the overview', () => {
  it('shows what is due, overdue first, how to pay each tax, and refunds that are coming', async () => {
    const references = { vrn: '482193730', utr: '2234567890', accountsOfficeReference: '123PW12345678' };
    await portal.deps.database.db.update(clients).set(references).where(eq(clients.id, clientId));
    await addItem({ ...VAT_PAYMENT, days: 5 });
    await addItem({ tax: 'paye', what: 'payment', kind: 'payment', pence: 5000, days: -3 });
    await addItem({ tax: 'ct', what: 'payment', kind: 'payment', pence: null, days: 40 });
    await addItem({ tax: 'sa', what: 'payment', kind: 'payment_on_account', pence: 100_000, days: 50 });
    await addItem({ tax: 'vat', what: 'refund', kind: 'refund', pence: -20_000, days: 10 });
    const { status, body } = await carl.get('/client/portal', getOwnKey());
    expect(status).toBe(200);
    expect(body).toMatchObject({ client_id: clientId, name: 'Harlow Joinery Ltd', practice: 'Oakline Accounting', requests: [] });
    expect(body['due']).toMatchObject([
      { tax: 'paye', is_overdue: true, amount_pence: 5000, reference: expect.stringMatching(/^123PW12345678\d{4}$/) },
      { tax: 'vat', is_overdue: false, amount_pence: 123_450, reference: '482193730' },
      // Only HMRC's notice contains the reference for a corporation tax payment, and an unknown amount is never nil.
      { tax: 'ct', amount_pence: null, reference: null },
      { tax: 'sa', kind: 'payment_on_account', reference: '2234567890K' },
    ]);
    expect(body['refunds']).toMatchObject([{ tax: 'vat', amount_pence: -20_000, is_overdue: false }]);
    expect(body['accounts']).toContainEqual(
      expect.objectContaining({
        tax: 'vat',
        sort_code: '08-32-00',
        account_number: '11963155',
        check_at: expect.stringContaining('gov.uk'),
      }),
    );
    expect(body['taxes']).toContainEqual({ tax: 'sa', figures_state: 'unread', as_of: null, owed_pence: null });
  });

  it('shows the practice’s requests that the client can still accept at HMRC', async () => {
    const { clock, database } = portal.deps;
    const request = { companyId: practice.companyId, clientId, status: 'link_sent', sentAt: clock.now(), checkedAt: clock.now() } as const;
    const [url, today] = ['https://www.tax.service.gov.uk/agents/answer', clock.today()];
    await database.db.insert(clientAuthorisations).values([
      { ...request, tax: 'vat', clientActionUrl: url, expiresOn: addDays(today, 5) },
      { ...request, tax: 'sa', clientActionUrl: url, expiresOn: today },
    ]);
    expect((await carl.get('/client/portal', getOwnKey())).body['requests']).toEqual([{ tax: 'vat', url, answer_by: addDays(today, 4) }]);
  });

  it('shows nothing of another client, however it is named', async () => {
    const otherClient = await addClient(portal, practice.companyId);
    const otherPractice = await addPractice(portal);
    const foreignClient = await addClient(portal, otherPractice.companyId);
    for (const path of ['/client/portal', '/client/people', '/client/profile', '/client/vat-summary', '/client/notification-preference']) {
      expect([path, (await carl.get(path, getOwnKey())).status]).toEqual([path, 200]);
      for (const query of [
        { company_id: otherClient },
        { company_id: foreignClient },
        { company_id: practice.companyId, client_id: otherClient },
        { company_id: otherPractice.companyId, client_id: clientId },
        { company_id: clientId, client_id: otherClient },
      ]) {
        expect([path, query, (await carl.get(path, query)).status]).toEqual([path, query, 404]);
      }
    }
  });
});

const HIDDEN_FACTS = ['status', 'client_code', 'members', 'tags', 'group', 'vat_group', 'attention'];
const OWN_FACTS: ReadonlySet<string> = new Set(
  `client_id full_name kind taxes vrn utr nino company_number paye_reference accounts_office_reference postcode email phone year_end_on
  year_end_source register_status register_read_at next_due_on next_due_tax next_due_what next_due_pence owed_pence overdue_pence
  refund_pence figures_state unread_taxes refresh_failed as_of today`.split(/\s+/),
);

describe('the calls that a client shares with the practice', () => {
  it('respond to a client under its own id, without the practice’s internal data', async () => {
    const { companyId, admin } = practice;
    const clientKey = { company_id: companyId, client_id: clientId };
    await admin.post('/client/tags', { ...clientKey, tags: ['Slow payer'] });
    await admin.post('/client/notes', { ...clientKey, text: 'Secret note' });
    await portal.deps.database.db.update(clients).set({ clientCode: 'HAR01' }).where(eq(clients.id, clientId));
    const group = { company_id: companyId, name: 'Behind with payments', client_ids: [clientId] };
    expect((await admin.post('/open-tax/client-groups', group)).status).toBe(200);
    const profileResponse = await carl.get('/client/profile', getOwnKey());
    expect(profileResponse.body).toMatchObject({
      full_name: 'Harlow Joinery Ltd',
      tags: [],
      client_code: null,
      members: [],
      group: null,
      attention: 'none',
    });
    const practiceFacts = { tags: ['Slow payer'], client_code: 'HAR01', group: { name: group.name } };
    expect((await admin.get('/client/profile', clientKey)).body).toMatchObject(practiceFacts);
    // A field that is added must be one of these, or be hidden.
    expect(Object.keys(profileResponse.body).filter((name) => !OWN_FACTS.has(name))).toEqual(HIDDEN_FACTS);
    const sharedPaths = [
      'vat-summary',
      'paye-summary',
      'corp-tax-summary',
      'self-assessment-summary',
      'agent-details',
      'sync-data',
      'companies',
    ];
    for (const name of sharedPaths) expect([name, (await carl.get(`/client/${name}`, getOwnKey())).status]).toEqual([name, 200]);
    const details = (await carl.get('/client/agent-details', getOwnKey())).body['authorisations'] as { acts: unknown[]; next: string }[];
    for (const { acts, next } of details) expect([acts, next]).toEqual([[], '']);
    for (const path of ['/client/notes', '/client/contacts', '/client/timeline', '/client/books', '/client-onboarding/invite']) {
      for (const query of [clientKey, { ...getOwnKey(), client_id: clientId }])
        expect([path, (await carl.get(path, query)).status]).toEqual([path, 404]);
    }
    expect((await carl.post('/client-onboarding/invite', { ...clientKey, email: 'accomplice@harlow.example' })).status).toBe(404);
  });

  it('are available to the practice’s staff for every client, and the clients’ own calls are not', async () => {
    const clientKey = { company_id: practice.companyId, client_id: clientId };
    expect((await practice.admin.get('/client/profile', { company_id: clientId })).body['client_id']).toBe(clientId);
    for (const path of ['/client/portal', '/client/notification-preference']) {
      expect((await practice.admin.get(path, clientKey)).status).toBe(404);
      expect((await practice.admin.get(path, getOwnKey())).status).toBe(404);
    }
  });
});

describe('notification preferences', () => {
  const preference = { remind_days: 14, people_emails: false };
  /** Lists the subjects of the emails to a user. */
  async function listEmails(to = email): Promise<string[]> {
    await sendDueReminders(portal.deps);
    await portal.runJobs();
    return portal.sentEmails.filter((email) => email.to === to).map(({ subject }) => subject);
  }

  it('default to a reminder a week before, and are saved', async () => {
    expect((await carl.get('/client/notification-preference', getOwnKey())).body).toEqual({ remind_days: 7, people_emails: true });
    expect((await carl.post('/client/notification-preference', { ...getOwnKey(), ...preference })).body).toEqual(preference);
    expect((await carl.get('/client/notification-preference', getOwnKey())).body).toEqual(preference);
    expect((await carl.post('/client/notification-preference', { ...getOwnKey(), ...preference, remind_days: 5 })).status).toBe(400);
  });

  it('decide when a person is reminded, and each item once', async () => {
    await addItem({ ...VAT_PAYMENT, days: 5 });
    await addItem({ tax: 'vat', what: 'return', kind: 'return', pence: null, days: 6 });
    await addItem({ tax: 'paye', what: 'payment', kind: 'payment', pence: 5000, days: 12 });
    await addItem({ tax: 'sa', what: 'refund', kind: 'refund', pence: -5000, days: 3 });
    const [second, dora] = await addPerson();
    await dora.post('/client/notification-preference', { ...getOwnKey(), remind_days: null, people_emails: true });
    expect(await listEmails()).toEqual([expect.stringMatching(/^Harlow Joinery Ltd: VAT payment due on .+ and 1 more$/)]);
    const [sentEmail] = portal.sentEmails.filter(({ to }) => to === email);
    expect(sentEmail?.text).toContain('£1,234.50');
    expect(sentEmail?.text).not.toContain('PAYE');
    expect(await listEmails(second)).toEqual([]);
    await carl.post('/client/notification-preference', { ...getOwnKey(), ...preference });
    // At most one email a day, and tomorrow's lists only the items that the longer period adds.
    expect(await listEmails()).toHaveLength(1);
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), DAY_MS));
    expect((await listEmails())[1]).toMatch(/^Harlow Joinery Ltd: PAYE payment due on [^&]+$/);
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), DAY_MS));
    expect(await listEmails()).toHaveLength(2);
  });

  it('decide who is notified that someone joined or left', async () => {
    const [second, dora] = await addPerson();
    await dora.post('/client/notification-preference', { ...getOwnKey(), remind_days: null, people_emails: false });
    const [, third] = await addPerson();
    await third.post('/client/leave', { ...getOwnKey(), confirm: true });
    expect((await listEmails()).filter((subject) => subject.includes('can no longer see'))).toHaveLength(1);
    expect((await listEmails(second)).filter((subject) => subject.includes('can no longer see'))).toEqual([]);
  });
});

describe('reminders of an invitation', () => {
  // Each test uses its own email address, because an address gets at most three invitations a day.
  let address: string;
  const INVITE_PATH = '/client-onboarding/invite';
  const getClientKey = () => ({ company_id: practice.companyId, client_id: clientId });
  const isThis = () => and(eq(clientInvitations.clientId, clientId), eq(clientInvitations.email, address));
  const countEmails = async (): Promise<number> => {
    await sendInvitationReminders(portal.deps);
    await portal.runJobs();
    return portal.sentEmails.filter(({ to }) => to === address).length;
  };
  /** Moves the link’s expiry date. */
  async function setDaysLeft(days: number): Promise<void> {
    const expiresAt: Instant = addMilliseconds(portal.deps.wallClock.now(), days * DAY_MS);
    await portal.deps.database.db.update(clientInvitations).set({ expiresAt }).where(isThis());
  }
  const getToken = () =>
    /client-signup\?token=([\w-]+)/.exec(portal.sentEmails.findLast(({ to }) => to === address)?.text ?? '')?.[1] ?? '';

  beforeEach(async () => {
    await portal.runJobs();
    portal.sentEmails.length = 0;
    address = `slow-${randomUUID()}@harlow.example`;
    await practice.admin.post(INVITE_PATH, { ...getClientKey(), email: address });
  });

  it('are sent three times, each with a link that works, and then stop', async () => {
    expect(await countEmails()).toBe(1);
    for (const [days, emails] of [
      [18.5, 1],
      [18, 2],
      [17, 2],
      [10, 3],
      [2, 4],
      [1, 4],
    ] as const) {
      await setDaysLeft(days);
      expect([days, await countEmails()]).toEqual([days, emails]);
      expect((await createBrowser(portal).get('/client-invitation', { token: getToken() })).status).toBe(200);
    }
    expect((await practice.admin.get(INVITE_PATH, getClientKey())).body['invitations']).toMatchObject([{ state: 'opened', reminders: 3 }]);
  });

  it('that were missed are one email', async () => {
    await setDaysLeft(5);
    expect([await countEmails(), await countEmails()]).toEqual([2, 2]);
    expect((await practice.admin.get(INVITE_PATH, getClientKey())).body['invitations']).toMatchObject([{ reminders: 2 }]);
  });

  it('are sent to a prospective client too', async () => {
    await portal.deps.database.db.update(clients).set({ status: 'lead' }).where(eq(clients.id, clientId));
    const before = await countEmails();
    await setDaysLeft(13);
    expect(await countEmails()).toBe(before + 1);
  });

  it.each(['accepted', 'revoked', 'bounced', 'declined', 'of a closed client'] as const)('end when the invitation is %s', async (end) => {
    const { db } = portal.deps.database;
    await portal.runJobs();
    const token = getToken();
    const [row] = await db.select().from(clientInvitations).where(isThis());
    const now = portal.deps.clock.now();
    if (end === 'accepted') await db.update(clientInvitations).set({ acceptedAt: now }).where(isThis());
    if (end === 'bounced') await db.update(clientInvitations).set({ bouncedAt: now }).where(isThis());
    if (end === 'revoked') await practice.admin.post(`${INVITE_PATH}/revoke`, { ...getClientKey(), invitation_id: row?.id });
    if (end === 'declined')
      expect((await createBrowser(portal).post('/client-invitation/stop-reminders', { token })).body).toEqual({ done: true });
    if (end === 'of a closed client') await db.update(clients).set({ status: 'closed' }).where(eq(clients.id, clientId));
    await setDaysLeft(2);
    expect(await countEmails()).toBe(1);
    // An ignored invitation isn't a declined one: the link still works.
    if (end === 'declined') expect((await createBrowser(portal).get('/client-invitation', { token })).body['reminders_ended']).toBe(true);
  });
});
