/** Tests that the portal doesn't order a payout based on facts that were written with SQL, if they decide who is paid and how much. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  advances,
  advanceTransitions,
  approvalRequests,
  bankAccounts,
  operators as operatorRows,
  payoutReleases,
} from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { eq, type AnyColumn } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
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
import { requestApproval } from '../approvals/request-approval.ts';
import { isRequestSealed } from '../approvals/request-seal.ts';
import { PAY_SURPLUS } from '../reconciliation-exceptions/pay-surplus-action.ts';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { listKeyUses } from '../../secrets/sealed-values.ts';
import { createTokenCipher } from '../../secrets/token-cipher.ts';
import { changeBankAccount, createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

const [OLD_KEY, NEW_KEY] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
/** The current key of the instance under test. */
let presentKey = OLD_KEY;
const DAY_MS = 86_400_000;
const THIEF_ACCOUNT = '66666666';

let portal: TestPortal;
let operators: OperatorPair;
let otis: Browser;
const refusals = new Set<string>();
beforeAll(async () => {
  portal = await openTestPortal();
  Object.assign(portal.deps, { tokenCipher: createTokenCipher([OLD_KEY]) });
  operators = await createOperatorPair(portal);
  otis = await createOperator(portal, 'otis@operators.example');
  const record = portal.deps.recordSecurityEvent;
  const recordSecurityEvent: typeof record = (event, facts) => {
    if (event === 'payout_refused') refusals.add(facts.reason);
    if (event === 'key_missing') refusals.add(`${event} ${facts.reason}`);
    record(event, facts);
  };
  Object.assign(portal.deps, { recordSecurityEvent });
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const isOfTrader = (table: { readonly companyId: AnyColumn }, { companyId }: Trader) => eq(table.companyId, companyId);
const countPaidPayouts = (amountPence: number) =>
  portal.bank.listPayouts().filter(({ amount_pence }) => amount_pence === amountPence).length;
const sweep = async () => {
  const run = { id: 'sweep', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), 10_000));
  await jobHandlers(portal.deps)['advances.sweep']({}, run);
  await portal.runJobs();
};

/** Creates a trader whose advance is accepted and confirmed. Above £10,000, it is in review until an operator approves it. */
async function createReviewedTrader(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
  await acceptAdvance(portal, trader);
  await confirmCollection(portal, trader);
  return trader;
}

async function insertTransition(trader: Trader, fromState: string, toState: string, actor: string): Promise<void> {
  const { advance_id: advanceId } = await findAdvance(trader);
  const at = portal.deps.clock.now();
  const row = { companyId: trader.companyId, advanceId, sequence: 90, fromState, toState, at, actor, reason: 'Looks right' };
  await getDb().insert(advanceTransitions).values(row);
  await getDb().update(advances).set({ state: toState }).where(isOfTrader(advances, trader));
}

async function insertRelease(trader: Trader, operatorId: string): Promise<void> {
  const [advance] = await getDb().select().from(advances).where(isOfTrader(advances, trader));
  const [account] = await getDb().select().from(bankAccounts).where(isOfTrader(bankAccounts, trader));
  if (!advance || !account) throw new Error('there is no advance');
  const releasedTerms = { amountPence: advance.netPence, quoteVersion: advance.version, bankAccountId: account.id };
  const release = {
    companyId: trader.companyId,
    advanceId: advance.id,
    operatorId,
    round: 1,
    releasedAt: portal.deps.clock.now(),
    ...releasedTerms,
  };
  await getDb().insert(payoutReleases).values(release);
}

describe('the portal makes no payment because of', () => {
  it('a bank account that was changed with SQL; the trader saves theirs again and is paid a day later', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'account@forged.example', 4_501);
    await acceptAdvance(portal, trader);
    await getDb().update(bankAccounts).set({ accountNumber: THIEF_ACCOUNT }).where(isOfTrader(bankAccounts, trader));
    await confirmCollection(portal, trader);
    const heldAdvance = await findAdvance(trader);
    expect(heldAdvance).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('Save your bank account again') });
    expect(refusals).toContain('payout.account_not_sealed');
    expect(countPaidPayouts(heldAdvance.net_pence)).toBe(0);
    expect((await changeBankAccount(portal, trader, { sort_code: '20-00-00', account_number: '55779911' })).status).toBe(200);
    portal.moveClock(addMilliseconds(portal.deps.clock.now(), DAY_MS + 1_000));
    await confirmFacts(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(portal.bank.listPayouts().map(({ account_number }) => account_number)).not.toContain(THIEF_ACCOUNT);
  });

  it('releases that no one made; it is paid once when operators release it', async () => {
    const trader = await createReviewedTrader('release@forged.example', 12_502);
    const { advance_id, net_pence } = await findAdvance(trader);
    await postApproval(operators.olga, trader, advance_id);
    await insertRelease(trader, randomUUID());
    await sweep();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('needs to release') });
    expect(refusals).toContain('payout.release_not_sealed');
    expect(await getDb().select().from(payoutReleases).where(isOfTrader(payoutReleases, trader))).toEqual([]);
    expect(countPaidPayouts(net_pence)).toBe(0);
    expect((await postRelease(operators.omar, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
    expect(countPaidPayouts(net_pence)).toBe(1);
  });

  it('an approval that no one made: it is reviewed again', async () => {
    const trader = await createReviewedTrader('approval@forged.example', 12_503);
    const { advance_id, net_pence } = await findAdvance(trader);
    await insertTransition(trader, 'in_review', 'approved', randomUUID());
    expect((await postRelease(operators.omar, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect(refusals).toContain('payout.approval_not_sealed');
    expect(countPaidPayouts(net_pence)).toBe(0);
    // The forged row is older than the next approval, so normal approval works again.
    await postApproval(operators.olga, trader, advance_id);
    expect((await postRelease(otis, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });

  it('a second payout that no one requested, after the first was paid', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'round@forged.example', 4_504);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    const { net_pence } = await findAdvance(trader);
    await getDb().execute(`update payouts set status = 'failed' where company_id = '${trader.companyId}'`);
    await insertTransition(trader, 'payout_failed', 'approved', randomUUID());
    await sweep();
    expect((await findAdvance(trader)).state).toBe('in_review');
    expect(countPaidPayouts(net_pence)).toBe(1);
  });

  it('amounts that were changed after the acceptance: the advance can only be declined', async () => {
    const trader = await createReviewedTrader('amount@forged.example', 12_505);
    const { advance_id } = await findAdvance(trader);
    await getDb()
      .update(advances)
      .set({ netPence: pence(9_900_000) })
      .where(isOfTrader(advances, trader));
    const response = await postApproval(operators.olga, trader, advance_id);
    expect(response.body).toMatchObject({ code: 'advance.terms_not_sealed', message: expect.stringContaining('Decline it') });
    const target = { company_id: trader.companyId, advance_id, decision: 'decline', reason: 'Not what was accepted' };
    expect((await operators.olga.post('/operator/advance/decide', target)).status).toBe(200);
    const quote = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { body } = await trader.browser.post('/instant-vat/advance/quote', quote);
    expect(body['advance']).toMatchObject({ state: 'quoted', refund_pence: 1_250_500 });
    expect(countPaidPayouts(9_900_000)).toBe(0);
  });

  it('an offer that was changed before its acceptance: the trader gets the original one', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'offer@forged.example', 4_506);
    const { net_pence, version } = await findAdvance(trader);
    await getDb()
      .update(advances)
      .set({ netPence: pence(9_900_100) })
      .where(isOfTrader(advances, trader));
    expect((await postAccept(trader)).body['code']).toBe('advance.quote_changed');
    expect(await findAdvance(trader)).toMatchObject({ state: 'quoted', net_pence, version: version + 1 });
    expect((await postAccept(trader)).status).toBe(200);
  });

  it('a two-person request that its requester never made', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'request@forged.example', 4_507);
    const [operator] = await getDb().select({ id: operatorRows.userId }).from(operatorRows);
    const request = { companyId: trader.companyId, id: randomUUID(), action: 'surplus.pay', subject: trader.companyId, reason: 'Owed' };
    const details = { amount_pence: 1, bank_account_id: '', account_holder: '', sort_code: '', account_number: '', due_pence: 0 };
    await getDb()
      .insert(approvalRequests)
      .values({ ...request, details, requestedBy: operator?.id ?? '', requestedAt: portal.deps.clock.now() });
    const response = await operators.approve(otis, trader, request.id);
    expect(response.body['code']).toBe('approval.not_sealed');
  });
});

it('a replaced key: everything that it sealed is still valid', async () => {
  const trader = await createReviewedTrader('rotated@forged.example', 25_508);
  const { advance_id, net_pence } = await findAdvance(trader);
  await postApproval(operators.olga, trader, advance_id);
  expect((await postRelease(operators.omar, trader, advance_id)).status).toBe(200);
  const details = { amount_pence: 1, bank_account_id: '', account_holder: '', sort_code: '', account_number: '', due_pence: 0 };
  const request = { companyId: trader.companyId, subject: trader.companyId, details, reason: 'Owed', requestedBy: trader.companyId };
  await getDb().transaction((tx) =>
    requestApproval(portal.deps, tx, PAY_SURPLUS, {
      ...request,
      details: { ...details, written_off_pence: 0, is_name_confirmed: true, deciders: [] },
      at: portal.deps.clock.now(),
      ip: '',
    }),
  );
  await resealSecrets({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY, OLD_KEY]) });
  const tokenCipher = createTokenCipher([NEW_KEY]);
  const [openRequest] = await getDb().select().from(approvalRequests).where(isOfTrader(approvalRequests, trader));
  expect(openRequest && isRequestSealed(tokenCipher, openRequest)).toBe(true);
  expect((await listKeyUses(getDb(), tokenCipher)).map(({ keyId }) => keyId)).toEqual(tokenCipher.keyIds);
  Object.assign(portal.deps, { tokenCipher });
  presentKey = NEW_KEY;
  expect((await postRelease(otis, trader, advance_id)).status).toBe(200);
  await portal.runJobs();
  await waitForState(trader, 'awaiting_hmrc');
  expect(countPaidPayouts(net_pence)).toBe(1);
});

it('an instance that lacks the newest key leaves an advance with its releases unchanged; one that has the key pays', async () => {
  const trader = await createReviewedTrader('missing@forged.example', 25_509);
  const { advance_id, net_pence } = await findAdvance(trader);
  const newestKey = randomBytes(32).toString('base64');
  const [oldCipher, newCipher] = [portal.deps.tokenCipher, createTokenCipher([newestKey, presentKey])];
  Object.assign(portal.deps, { tokenCipher: newCipher });
  await postApproval(operators.olga, trader, advance_id);
  expect((await postRelease(operators.omar, trader, advance_id)).status).toBe(200);
  const read = () =>
    Promise.all([
      getDb().select().from(advances).where(isOfTrader(advances, trader)),
      getDb().select().from(advanceTransitions).where(isOfTrader(advanceTransitions, trader)),
      getDb().select().from(payoutReleases).where(isOfTrader(payoutReleases, trader)),
    ]);
  const before = await read();
  refusals.clear();
  Object.assign(portal.deps, { tokenCipher: oldCipher });
  await sweep();
  expect(await read()).toEqual(before);
  expect([...refusals]).toEqual(['key_missing payout_release']);
  // Another operator releases the payout on this instance. The first release counts again on an instance that has its key.
  expect((await postRelease(otis, trader, advance_id)).status).toBe(200);
  await sweep();
  expect([countPaidPayouts(net_pence), (await findAdvance(trader)).state]).toEqual([0, 'approved']);
  Object.assign(portal.deps, { tokenCipher: newCipher });
  await sweep();
  await waitForState(trader, 'awaiting_hmrc');
  expect(countPaidPayouts(net_pence)).toBe(1);
  // Restores the key for the other tests, which may run in any order.
  await resealSecrets({ ...portal.deps, tokenCipher: createTokenCipher([presentKey, newestKey]) });
  Object.assign(portal.deps, { tokenCipher: oldCipher });
});
