import { bankAccounts, companies, payouts } from '@portal/db/schema/schema.ts';
import { desc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealAccounts } from '../../testing/seal-accounts.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  confirmFacts,
  createTraderWithFiledReturn,
  findAdvance,
  postAccept,
  postApproval,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
afterAll(() => portal.close());

const findRule = async (trader: Trader, rule: string) => (await findAdvance(trader)).rules.find((found) => found.rule === rule);
const requote = async (trader: Trader) =>
  trader.browser.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id: trader.obligation.id });
const approve = async (trader: Trader) => {
  const target = { company_id: trader.companyId, advance_id: (await findAdvance(trader)).advance_id };
  await postApproval(olga, trader, target.advance_id);
  await portal.runJobs();
  return target;
};
const countPayouts = async (trader: Trader) =>
  (await portal.deps.database.db.select().from(payouts).where(eq(payouts.companyId, trader.companyId))).length;

describe('HMRC’s figures', () => {
  it('are read on acceptance, with the trader’s own headers, even for a return filed here', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'fresh@trader.example', 4_101);
    const from = portal.deps.clock.now();
    await acceptAdvance(portal, trader);
    const calls = portal.hmrc.listCalls(200).filter(({ at, path }) => at >= from && path.includes(trader.vrn));
    for (const part of ['obligations', 'liabilities', 'payments']) {
      const call = calls.find(({ path }) => path.includes(part));
      expect(call?.status).toBe(200);
      expect(
        Object.keys(call?.fraudHeaders ?? {})
          .join(' ')
          .toLowerCase(),
      ).toContain('gov-client-user-ids');
    }
    expect((await findAdvance(trader)).facts).toMatchObject({ read_at: expect.any(String), is_stale: false });
  });

  it('that can’t be read block the acceptance, and the reason is shown', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'unread@trader.example', 4_102);
    portal.faults.set({ operation: 'hmrc.payments', kind: 'server_error', times: 5 });
    const response = await postAccept(trader);
    portal.faults.clear();
    expect(response.body).toMatchObject({ code: 'advance.facts_unreadable', message: expect.stringContaining('nothing has been agreed') });
    expect((await findAdvance(trader)).state).toBe('quoted');
  });

  it('older than 24 hours hold the payout until the trader confirms again', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'aged@trader.example', 12_103);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    portal.moveClock('2026-11-11T11:00:00.000Z');
    const target = await approve(trader);
    expect(await findAdvance(trader)).toMatchObject({ facts: { is_stale: true }, waiting_for: expect.stringContaining('Confirm again') });
    const emails = portal.sentEmails.filter(({ to, subject }) => to === 'aged@trader.example' && subject.includes('confirm again'));
    expect(emails).toHaveLength(1);
    const { body } = await trader.browser.get('/instant-vat/dashboard', { company_id: trader.companyId });
    expect(body['tasks']).toContainEqual(expect.objectContaining({ kind: 'confirm_again' }));
    expect((await postRelease(omar, trader, target.advance_id)).body['code']).toBe('advance.facts_stale');
    expect((await confirmFacts(portal, trader)).status).toBe(200);
    expect((await findAdvance(trader)).facts.is_stale).toBe(false);
    expect((await postRelease(omar, trader, target.advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });
});

describe('the company', () => {
  it('must be the one that HMRC knows: another company’s VAT number gets no offer', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'kestrel@trader.example', 4_104);
    portal.hmrc.setOrganisationName(trader.vrn, 'Kestrel Textiles Ltd');
    expect((await postAccept(trader)).body).toMatchObject({
      code: 'advance.not_eligible',
      message: expect.stringContaining('At HMRC, the VAT number is registered to Kestrel Textiles Ltd'),
    });
    await requote(trader);
    expect((await findAdvance(trader)).rules).toContainEqual(expect.objectContaining({ rule: 'company_name', outcome: 'fail' }));
  });

  it('goes to review with every name shown if the names are only similar', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'close@trader.example', 4_105);
    portal.hmrc.setOrganisationName(trader.vrn, 'Tess Export Ltd');
    await acceptAdvance(portal, trader);
    const rule = await findRule(trader, 'company_name');
    expect(rule).toMatchObject({ outcome: 'review', finding: expect.stringContaining('Tess Export Ltd') });
    expect(rule?.finding).toContain('Tess Exports Ltd');
    await confirmCollection(portal, trader);
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect(await countPayouts(trader)).toBe(0);
  });
});

/** Adds an account of someone else as the trader's newest one. */
async function replaceAccount(trader: Trader, accountNumber: string): Promise<void> {
  const account = { sort_code: '400000', account_number: accountNumber, name: 'Harbour Foods Ltd', answer: 'compares' } as const;
  portal.identity.accountNames.setAccount(account);
  const { db } = portal.deps.database;
  const [newest] = await db
    .select()
    .from(bankAccounts)
    .where(eq(bankAccounts.companyId, trader.companyId))
    .orderBy(desc(bankAccounts.createdAt));
  if (!newest) throw new Error('no account');
  const changes = { id: crypto.randomUUID(), sortCode: '400000', accountNumber, nameCheck: null, createdAt: portal.deps.clock.now() };
  await db.insert(bankAccounts).values({ ...newest, ...changes });
  await sealAccounts(portal, trader.companyId);
}

describe('the bank account', () => {
  it('is checked again while its bank doesn’t respond, and is reviewed manually until then', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'silent@trader.example', 4_106);
    await portal.deps.database.db.update(bankAccounts).set({ nameCheck: null }).where(eq(bankAccounts.companyId, trader.companyId));
    await sealAccounts(portal, trader.companyId);
    portal.faults.set({ operation: 'modulr.account_name_check', kind: 'server_error', times: 10 });
    await acceptAdvance(portal, trader);
    expect(await findRule(trader, 'bank_name_check')).toMatchObject({ outcome: 'not_judged' });
    portal.faults.clear();
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
  });

  it('goes back to review if it turns out, after the approval, to belong to someone else', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'swap@trader.example', 12_107);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const target = await approve(trader);
    expect((await findAdvance(trader)).state).toBe('approved');
    await replaceAccount(trader, '11112222');
    await postRelease(omar, trader, target.advance_id);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect(await findRule(trader, 'bank_name_check')).toMatchObject({
      outcome: 'review',
      finding: expect.stringContaining('doesn’t belong'),
    });
    await approve(trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved' });
    expect(await countPayouts(trader)).toBe(0);
    // Who accepted this account hasn't accepted any other.
    await replaceAccount(trader, '33334444');
    await postRelease(omar, trader, target.advance_id);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('in_review');
  });
});

describe('the owner', () => {
  it('who isn’t verified is paid only after the check, even when an operator approved the refund', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'unverified@trader.example', 4_108, { isVerified: false });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'in_review', identity_needed: true });
    await approve(trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('Verify your identity') });
    expect(await countPayouts(trader)).toBe(0);
  });

  it('is verified by an operator if the provider can’t check them, with the evidence kept on record', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'byhand@trader.example', 4_112, { isVerified: false });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const { body } = await olga.get('/operator/identity', { company_id: trader.companyId });
    const [owner] = body['owners'] as { user_id: string; status: string }[];
    expect(owner).toMatchObject({ status: 'not_started' });
    const check = { company_id: trader.companyId, user_id: owner?.user_id ?? '', full_name: trader.fullName };
    expect((await olga.post('/operator/identity/verify', { ...check, evidence: 'Seen' })).status).toBe(400);
    const evidence = 'Passport seen on a video call, copy filed as T-112';
    expect((await trader.browser.post('/operator/identity/verify', { ...check, evidence })).status).toBe(404);
    expect((await olga.post('/operator/identity/verify', { ...check, evidence })).status).toBe(200);
    await portal.runJobs();
    // Verification by an operator doesn't replace the review: two operators still approve and release.
    expect(await findAdvance(trader)).toMatchObject({ state: 'in_review', identity_needed: false });
    const afterResponse = await olga.get('/operator/identity', { company_id: trader.companyId });
    expect(afterResponse.body['owners']).toMatchObject([{ status: 'passed', evidence }]);
  });

  it('who is verified after the acceptance needs no review for it', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'later@trader.example', 4_109, { isVerified: false });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const { body } = await trader.browser.post('/instant-vat/identity-check/begin', {});
    const check = portal.identity.checks.listChecks().find(({ reference }) => reference === body['check_id']);
    portal.identity.checks.chooseOutcome(check?.id ?? '', 'fine');
    await trader.browser.get('/instant-vat/identity-check');
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect((await findAdvance(trader)).identity_needed).toBe(false);
  });

  it.each([
    ['other_birth_date', 'review', 'a different month of birth'],
    ['no_birth_date', 'not_judged', 'may be someone else'],
  ] as const)('who has an officer’s name and %s needs manual review', async (outcome, expected, finding) => {
    const trader = await createTraderWithFiledReturn(portal, `${outcome.replaceAll('_', '-')}@trader.example`, 4_112, {
      isVerified: false,
    });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const { body } = await trader.browser.post('/instant-vat/identity-check/begin', {});
    const check = portal.identity.checks.listChecks().find(({ reference }) => reference === body['check_id']);
    portal.identity.checks.chooseOutcome(check?.id ?? '', outcome);
    expect((await trader.browser.get('/instant-vat/identity-check')).body['status']).toBe('passed');
    await portal.runJobs();
    await waitForState(trader, 'in_review');
    expect(await findRule(trader, 'identity_of_officer')).toMatchObject({ outcome: expected, finding: expect.stringContaining(finding) });
    expect(await countPayouts(trader)).toBe(0);
  });

  it('who isn’t an officer needs a review', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'stranger@trader.example', 4_110);
    const { db } = portal.deps.database;
    const [company] = await db.select({ register: companies.register }).from(companies).where(eq(companies.id, trader.companyId));
    if (!company?.register) throw new Error('no register facts');
    const people = { officers: ['LANE, Marcus'], controllers: [] };
    await db
      .update(companies)
      .set({ register: { ...company.register, people } })
      .where(eq(companies.id, trader.companyId));
    await acceptAdvance(portal, trader);
    expect(await findRule(trader, 'identity_of_officer')).toMatchObject({
      outcome: 'review',
      finding: expect.stringContaining(trader.fullName),
    });
    await confirmCollection(portal, trader);
    expect((await findAdvance(trader)).state).toBe('in_review');
  });
});

describe('the statement that HMRC has the account', () => {
  it('is dated and can be withdrawn until the payment is sent', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'revoked@trader.example', 12_111);
    const { advance_id } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    expect((await findAdvance(trader)).collection_account).toMatchObject({ confirmed_at: expect.any(String) });
    const target = { company_id: trader.companyId, advance_id };
    const response = await trader.browser.post('/instant-vat/advance/revoke-collection-account', target);
    expect(response.body).toMatchObject({ collection_account: { confirmed_at: null }, waiting_for: expect.stringContaining('Ask HMRC') });
    await approve(trader);
    await postRelease(omar, trader, target.advance_id);
    await portal.runJobs();
    expect(await countPayouts(trader)).toBe(0);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect((await trader.browser.post('/instant-vat/advance/revoke-collection-account', target)).status).toBe(409);
  });
});
