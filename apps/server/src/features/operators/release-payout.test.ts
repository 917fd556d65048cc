/**
 * Tests who may release which payout: an operator other than the approver, without a private interest, and only the payout as they saw it.
 */
import { bankAccounts, companies, memberships, operators, payoutReleases, users } from '@portal/db/schema/schema.ts';
import type { Role } from '@portal/domain/identity/roles.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let otis: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
  otis = await createOperator(portal, 'otis@operators.example');
});
afterAll(() => portal.close());

const findUserId = async (email: string): Promise<string> => {
  const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return user?.id ?? '';
};

/** Creates a trader whose refund Olga has approved and whose collection account is confirmed. */
async function createApprovedTrader(email: string, refundPounds: number): Promise<{ trader: Trader; advanceId: string }> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  const { advance_id: advanceId } = await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  expect((await postApproval(olga, trader, advanceId)).status).toBe(200);
  await portal.runJobs();
  return { trader, advanceId };
}

const join = async (email: string, companyId: string, role: Role = 'trader_owner') => {
  const row = { companyId, userId: await findUserId(email), role, createdAt: portal.deps.clock.now() };
  await portal.deps.database.db.insert(memberships).values(row);
};

describe('a release', () => {
  it('comes from another operator than the approval, and between two limits one is enough', async () => {
    const { trader, advanceId } = await createApprovedTrader('one@trader.example', 12_100);
    const ownResponse = await postRelease(olga, trader, advanceId);
    expect([ownResponse.status, ownResponse.body['code']]).toEqual([403, 'advance.own_approval']);
    expect((await findAdvance(trader)).state).toBe('approved');
    expect((await postRelease(omar, trader, advanceId)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });

  it.each([
    ['net_pence', 1, 'amount'],
    ['version', 99, 'quote'],
    ['bank_account_id', crypto.randomUUID(), 'bank account'],
  ])('that names another %s is rejected and says what changed', async (field, value, expectedText) => {
    const { trader, advanceId } = await createApprovedTrader(`${field.replaceAll('_', '-')}@trader.example`, 12_200);
    const target = { company_id: trader.companyId, advance_id: advanceId };
    const { body } = await omar.get('/operator/advance', target);
    const { net_pence, version } = body['advance'] as { net_pence: number; version: number };
    const seenTerms = { net_pence, version, bank_account_id: body['bank_account_id'], [field]: value };
    const response = await omar.post('/operator/advance/release', { ...target, ...seenTerms }, createIdempotencyHeaders());
    expect(response).toMatchObject({
      status: 409,
      body: { code: 'advance.release_changed', message: expect.stringContaining(expectedText) },
    });
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('approved');
  });

  it('at the same moment as another counts as two operators, and twice from one operator as one', async () => {
    const { trader, advanceId } = await createApprovedTrader('race@trader.example', 40_100);
    await Promise.all([postRelease(omar, trader, advanceId), postRelease(omar, trader, advanceId)]);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('approved');
    await Promise.all([postRelease(omar, trader, advanceId), postRelease(otis, trader, advanceId)]);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    const rows = await portal.deps.database.db.select().from(payoutReleases).where(eq(payoutReleases.advanceId, advanceId));
    expect(rows).toHaveLength(2);
    expect(portal.bank.listPayouts().filter(({ amount_pence }) => amount_pence === 3_969_900)).toHaveLength(1);
  });

  it('ends with the access of the operator who gave it, so that a stolen account’s release pays nothing', async () => {
    const { trader, advanceId } = await createApprovedTrader('stolen@trader.example', 26_100);
    const oona = await createOperator(portal, 'oona@operators.example');
    expect((await postRelease(oona, trader, advanceId)).status).toBe(200);
    expect((await olga.post('/operator/people/disable', { user_id: await findUserId('oona@operators.example') })).status).toBe(200);
    expect((await postRelease(omar, trader, advanceId)).status).toBe(200);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({
      state: 'approved',
      waiting_for: 'One of our team needs to release the £25,839.00 payment.',
    });
    expect((await postRelease(otis, trader, advanceId)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });
});

describe('an approval', () => {
  it('ends with the access of the operator who gave it, so that a stolen account isn’t one of the two people who pay', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'forged@trader.example', 12_600);
    const { advance_id: advanceId } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const stolen = await createOperator(portal, 'stolen@operators.example');
    expect((await postApproval(stolen, trader, advanceId)).status).toBe(200);
    await portal.runJobs();
    const target = { user_id: await findUserId('stolen@operators.example') };
    expect((await olga.post('/operator/people/disable', target)).status).toBe(200);
    expect((await postRelease(omar, trader, advanceId)).body).toMatchObject({ code: 'advance.not_approved' });
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect((await postApproval(olga, trader, advanceId)).status).toBe(200);
    expect((await postRelease(omar, trader, advanceId)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });
});

describe('an approval at the moment in which access ends', () => {
  it('either ends with it or isn’t stored', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'moment@trader.example', 12_601);
    const { advance_id: advanceId } = await acceptAdvance(portal, trader);
    const ending = await createOperator(portal, 'ending@operators.example');
    const target = { user_id: await findUserId('ending@operators.example') };
    await Promise.all([postApproval(ending, trader, advanceId), olga.post('/operator/people/disable', target)]);
    expect((await findAdvance(trader)).state).toBe('in_review');
  });
});

describe('no operator can decide about a company', () => {
  const conflict = 'operator.conflict_of_interest';

  it('that they belong to', async () => {
    const member = await createOperator(portal, 'member@operators.example');
    const { trader, advanceId } = await createApprovedTrader('joined@trader.example', 12_300);
    await join('member@operators.example', trader.companyId);
    expect((await postApproval(member, trader, advanceId)).body['code']).toBe(conflict);
    expect((await postRelease(member, trader, advanceId)).body['code']).toBe(conflict);
  });

  it('whose bank account a company of theirs has', async () => {
    const relatedOperator = await createOperator(portal, 'cousin@operators.example');
    const { trader, advanceId } = await createApprovedTrader('account@trader.example', 12_400);
    const [companyId, createdAt] = [crypto.randomUUID(), portal.deps.clock.now()];
    const { db } = portal.deps.database;
    await db.insert(companies).values({ id: companyId, kind: 'trader', name: 'Cousin Ltd', createdAt });
    await join('cousin@operators.example', companyId);
    const accounts = await db.select().from(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId));
    await db.insert(bankAccounts).values(accounts.map((account) => ({ ...account, companyId, id: crypto.randomUUID() })));
    expect((await postRelease(relatedOperator, trader, advanceId)).body['code']).toBe(conflict);
  });

  it('whose people use their private email address', async () => {
    const spouseOperator = await createOperator(portal, 'spouse@operators.example');
    const { trader, advanceId } = await createApprovedTrader('private@trader.example', 12_500);
    await portal.deps.database.db
      .update(operators)
      .set({ privateEmail: 'Private+shop@trader.example' })
      .where(eq(operators.userId, await findUserId('spouse@operators.example')));
    expect((await postRelease(spouseOperator, trader, advanceId)).body['code']).toBe(conflict);
    const { body } = await spouseOperator.get('/operator/advance', { company_id: trader.companyId, advance_id: advanceId });
    expect(body['conflict_of_interest']).toContain('email address');
  });

  it('of which someone with their name is a director or the owner, who may be the same person with another account', async () => {
    const namesake = await createOperator(portal, 'namesake@operators.example');
    const { trader, advanceId } = await createApprovedTrader('own-second-account@trader.example', 12_700);
    await portal.deps.database.db
      .update(users)
      .set({ fullName: trader.fullName })
      .where(eq(users.id, await findUserId('namesake@operators.example')));
    expect((await postRelease(namesake, trader, advanceId)).body['code']).toBe(conflict);
    expect((await findAdvance(trader)).state).toBe('approved');
  });
});
