import type { PendingTask } from '@portal/contract/tasks.ts';
import { clientPeople, hmrcConnections, identityChecks, users } from '@portal/db/schema/schema.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice } from '../../testing/add-practice.ts';
import { createConnectedTrader, createOperator, makeOperator, signUp, type Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createTraderWithFiledReturn } from '../../testing/take-advance.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

async function listTasks(browser: Browser): Promise<PendingTask[]> {
  const { status, body } = await browser.get('/instant-vat/pending-tasks');
  expect(status).toBe(200);
  return body['tasks'] as PendingTask[];
}

const getKinds = (tasks: readonly PendingTask[]): string[] => tasks.map(({ task_id }) => task_id.split(':')[0] ?? '');

describe('pending tasks', () => {
  it('of a new user ask for a company and nothing else', async () => {
    const { browser } = await signUp(portal, 'new@tasks.example');
    expect(getKinds(await listTasks(browser))).toEqual(['add_company']);
  });

  it('of an operator are empty, because operators need no company', async () => {
    const { browser } = await signUp(portal, 'operator@tasks.example');
    const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, 'operator@tasks.example'));
    await makeOperator(portal, user?.id ?? '');
    expect(await listTasks(browser)).toEqual([]);
  });

  it('of a partner’s contact are empty, because contacts need no company', async () => {
    const email = 'contact@azets.example';
    const { browser } = await signUp(portal, email);
    const olga = await createOperator(portal, 'olga-partners@operators.example');
    expect((await olga.post('/operator/partners/contacts/add', { partner: 'azets', email })).status).toBe(200);
    expect(await listTasks(browser)).toEqual([]);
  });

  it('of a practice’s client don’t ask for a company', async () => {
    const { db } = portal.deps.database;
    const { companyId } = await addPractice(portal);
    const clientId = await addClient(portal, companyId, { name: 'Harlow Joinery Ltd' });
    const { browser } = await signUp(portal, 'client@tasks.example');
    const [user] = await db.select().from(users).where(eq(users.email, 'client@tasks.example'));
    await db.insert(clientPeople).values({ companyId, clientId, userId: user?.id ?? '', joinedAt: portal.deps.clock.now() });
    expect(await listTasks(browser)).toEqual([]);
  });

  it('start with the return that is ready to file, with its due date, working days left and link', async () => {
    const trader = await createConnectedTrader(portal, 'ready@tasks.example');
    const dashboardResponse = await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId });
    const deadline = dashboardResponse.body['next_deadline'] as { due_on: string; working_days_left: number; overdue: boolean };
    const [first, ...otherTasks] = await listTasks(trader.browser);
    const { due_on, working_days_left, overdue } = deadline;
    expect(first).toMatchObject({ subject: 'return', action: 'Check and file', due_on, working_days_left, overdue });
    expect(first?.path).toBe(`/v2/instant-vat/dashboard/vat-return?company_id=${trader.companyId}&obligation_id=${trader.obligation.id}`);
    // A phone number is optional (the first step of the sign-up says so), so a user without one has nothing else to do.
    expect(otherTasks).toEqual([]);
  });

  it('include the offer and its expiry after filing', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'offer@tasks.example');
    const offer = (await listTasks(trader.browser)).find(({ task_id }) => task_id.startsWith('accept_offer:'));
    const quotedAt = Date.parse(portal.deps.clock.now());
    expect(offer).toMatchObject({ subject: 'advance', action: 'See the offer' });
    // Seven days, the validity of a quote, minus the time this test took.
    expect((Date.parse(offer?.ends_at ?? '') - quotedAt) / 86_400_000).toBeCloseTo(7, 1);
  });

  it('cover every company of the user, and no one else’s', async () => {
    const trader = await createConnectedTrader(portal, 'two@tasks.example');
    const { body } = await trader.browser.get('/instant-vat/steps');
    const secondResponse = await trader.browser.post('/instant-vat/steps/company', {
      name: 'Second Harbour Ltd',
      company_number: '09482716',
      vrn: String((body['company'] as { vrn: string }).vrn),
    });
    const companies = new Set((await listTasks(trader.browser)).flatMap(({ company }) => (company ? [company.company_id] : [])));
    expect(companies).toEqual(new Set([trader.companyId, secondResponse.body['company_id']]));
    const outsider = await signUp(portal, 'stranger@tasks.example');
    expect((await listTasks(outsider.browser)).every(({ company }) => company === null)).toBe(true);
  });

  it('include renewing HMRC’s authorisation from 30 days before it ends', async () => {
    const trader = await createConnectedTrader(portal, 'renew@tasks.example');
    const { db } = portal.deps.database;
    const setEnd = async (end: string) =>
      db
        .update(hmrcConnections)
        .set({ consentEndsAt: parseInstant(end) ?? null })
        .where(eq(hmrcConnections.companyId, trader.companyId));
    await setEnd('2026-12-20T09:00:00.000Z');
    expect(getKinds(await listTasks(trader.browser))).not.toContain('renew_hmrc');
    await setEnd('2026-12-01T09:00:00.000Z');
    expect((await listTasks(trader.browser)).find(({ task_id }) => task_id.startsWith('renew_hmrc:'))).toMatchObject({
      due_on: '2026-12-01',
      path: `/v2/instant-vat/dashboard/link-hmrc-account?company_id=${trader.companyId}`,
    });
  });

  it('include the email address, and the phone number if the user gave one, until they are verified', async () => {
    const trader = await createConnectedTrader(portal, 'person@tasks.example');
    const { db } = portal.deps.database;
    const isThisUser = eq(users.email, 'person@tasks.example');
    await db.update(users).set({ emailVerifiedAt: null, phone: '+447700900123', phoneVerifiedAt: null }).where(isThisUser);
    expect(getKinds(await listTasks(trader.browser))).toEqual(expect.arrayContaining(['verify_email', 'verify_phone']));
    const now = portal.deps.clock.now();
    await db.update(users).set({ emailVerifiedAt: now, phoneVerifiedAt: now }).where(isThisUser);
    expect(getKinds(await listTasks(trader.browser)).filter((kind) => kind.startsWith('verify_'))).toEqual([]);
    await db.delete(identityChecks);
    expect(getKinds(await listTasks(trader.browser))).toContain('verify_identity');
  });
});
