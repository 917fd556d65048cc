/** Tests that database write access without the portal's keys isn't enough to pay anyone: an order is sent only as the portal wrote it. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { bankAccounts, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { postCredit } from '@portal/domain/ledger/ledger.ts';
import { pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTokenCipher } from '../../secrets/token-cipher.ts';
import { resealSecrets } from '../../secrets/reseal-secrets.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader, type Trader } from '../../testing/test-trader.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { screenCompany } from '../screening/screen-company.ts';
import { getOrderSealContext, orderPayout } from './payout-order.ts';
import { submitPayout } from './submit-payout.ts';

const OLD_KEY = randomBytes(32).toString('base64');
const NEW_KEY = randomBytes(32).toString('base64');
const THIEF_ACCOUNT = '66666666';
const HOUR_MS = 3_600_000;

let portal: TestPortal;
let operators: OperatorPair;
let trader: Trader;
let otherTrader: Trader;
let id: string;
let account: string;
const refusals: string[] = [];

beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
  Object.assign(portal.deps, {
    tokenCipher: createTokenCipher([OLD_KEY]),
    recordSecurityEvent: (event: string, { reason }: { reason: string }) => void refusals.push(`${event} ${reason}`),
  });
  trader = await createConnectedTrader(portal, 'tess@trader.example');
  otherTrader = await createConnectedTrader(portal, 'otto@trader.example');
  for (const { companyId } of [trader, otherTrader]) {
    await screenCompany(portal.deps, companyId);
    await owe(companyId);
  }
});
afterAll(() => portal.close());

/** Each test has an ordered payout whose job hasn't run yet. */
beforeEach(async () => {
  await getDb().delete(payouts);
  refusals.length = 0;
  ({ id, account } = await findOrder(trader));
});

const getDb = () => portal.deps.database.db;
const listPaidAccounts = () => portal.bank.listPayouts().map(({ account_number: paidAccount }) => paidAccount);
const submit = (companyId = trader.companyId) => submitPayout(portal.deps, companyId, id);
const change = (values: Partial<typeof payouts.$inferInsert>) => getDb().update(payouts).set(values).where(eq(payouts.id, id));
const REFUSED_EVENT = 'payout_refused payout.not_ordered';

async function findOrder({ companyId }: Trader) {
  const firstPayout = { id: randomUUID(), account: String(randomInt(10_000_000, 60_000_000)) };
  const facts = {
    companyId,
    id: firstPayout.id,
    advanceId: null,
    round: 1,
    amountPence: pence(4_200),
    reference: `REFUND ${firstPayout.account}`,
  };
  const payee = { accountHolder: 'Tess Exports Ltd', sortCode: '200000', accountNumber: firstPayout.account };
  const by = { request_id: randomUUID(), requested_by: 'olga', approved_by: 'omar' };
  // An order isn't sent to an account that the trader has replaced.
  await getDb()
    .insert(bankAccounts)
    .values({ companyId, id: randomUUID(), ...payee, createdAt: portal.deps.clock.now() });
  await getDb().transaction((tx) => orderPayout(portal.deps, tx, { ...facts, ...payee, createdAt: portal.deps.clock.now() }, by));
  return firstPayout;
}

/** An order of money that we don't owe isn't sent. */
function owe(companyId: string): Promise<void> {
  const posting = { companyId, idempotencyKey: 'owed', description: 'Owed to the trader', postedAt: portal.deps.clock.now() };
  return getDb().transaction((tx) => postToLedger(tx, { ...posting, lines: postCredit(pence(10_000_000)) }));
}

async function read(payoutId = id) {
  const [row] = await getDb().select().from(payouts).where(eq(payouts.id, payoutId));
  if (!row) throw new Error('there is no order');
  return row;
}

it('a payout and its job, inserted with SQL, pay no one; two operators discard it', async () => {
  const realPayout = await read();
  await change({ status: 'failed' });
  for (const orderSeal of ['invented', realPayout.orderSeal, null]) {
    const forgedPayout = { ...realPayout, id: randomUUID(), accountNumber: THIEF_ACCOUNT, orderSeal };
    await getDb().delete(payouts).where(eq(payouts.accountNumber, THIEF_ACCOUNT));
    await getDb().insert(payouts).values(forgedPayout);
    await portal.deps.enqueue(getDb(), 'payout.submit', { company_id: trader.companyId, payout_id: forgedPayout.id });
    await portal.runJobs();
    expect(refusals.filter((reason) => reason === REFUSED_EVENT).length).toBeGreaterThan(0);
    expect(await read(forgedPayout.id)).toMatchObject({ status: 'created', unknownAttempts: 0, refusedAt: expect.any(String) });
  }
  expect(listPaidAccounts()).not.toContain(THIEF_ACCOUNT);
  const [item] = (await operators.listExceptions(trader)).filter(({ kind }) => kind === 'refused_payout');
  const request = { company_id: trader.companyId, subject_id: item?.subject_id, as: 'discarded', reason: 'No one ordered this' };
  const response = await operators.olga.post('/operator/matters/resolve-payout', request);
  const approve = () => operators.approve(operators.omar, trader, response.body['request_id']);
  // The bank's record doesn't show new payouts immediately.
  expect((await approve()).body).toMatchObject({ code: 'payout.record_incomplete' });
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), HOUR_MS));
  expect((await approve()).status).toBe(200);
  expect((await read(item?.subject_id)).status).toBe('failed');
  expect((await operators.listExceptions(trader)).filter(({ kind }) => kind === 'refused_payout')).toEqual([]);
  await submitPayout(portal.deps, trader.companyId, item?.subject_id ?? '');
  expect(listPaidAccounts()).not.toContain(THIEF_ACCOUNT);
});

it('an order that was sent after its discard was requested isn’t discarded: the bank is read again at the decision', async () => {
  const correctPayout = await read();
  await change({ amountPence: pence(420_000) });
  await submit();
  const request = { company_id: trader.companyId, subject_id: id, as: 'discarded', reason: 'No one ordered this' };
  const response = await operators.olga.post('/operator/matters/resolve-payout', request);
  expect(response.status).toBe(200);
  await change(correctPayout);
  await submit();
  await change({ ...correctPayout, amountPence: pence(420_000) });
  await submit();
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), HOUR_MS));
  const approvedResponse = await operators.approve(operators.omar, trader, response.body['request_id']);
  expect(approvedResponse.body).toMatchObject({ code: 'payout.at_bank' });
  expect(listPaidAccounts().filter((paidAccount) => paidAccount === account)).toHaveLength(1);
  // Depends on whether the bank's webhook has already arrived.
  expect(['submitted', 'executed']).toContain((await read()).status);
});

it('an order whose key an instance lacks is left to another one, and held after an hour in case the key is lost', async () => {
  const before = await read();
  const depsWithoutOldKey = { ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY]) };
  await submitPayout(depsWithoutOldKey, trader.companyId, id);
  expect(await read()).toEqual(before);
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), HOUR_MS));
  await submitPayout(depsWithoutOldKey, trader.companyId, id);
  expect(await read()).toMatchObject({ status: 'created', refusedAt: expect.any(String) });
  expect(new Set(refusals)).toEqual(new Set(['key_missing payout_order']));
  await submit();
  expect(await read()).toMatchObject({ status: 'submitted', refusedAt: null });
});

it('an order whose account, amount, company, reference or authorisation was changed isn’t sent until the change is reverted', async () => {
  const { accountNumber, amountPence, companyId, reference, authorisedBy } = await read();
  const orderFacts = { accountNumber, amountPence, companyId, reference, authorisedBy };
  const wrongFields = [
    { accountNumber: THIEF_ACCOUNT },
    { amountPence: pence(420_000) },
    { companyId: otherTrader.companyId },
    { reference: 'VAT 999999999 2609' },
    { authorisedBy: null },
  ];
  for (const values of wrongFields) {
    await change(values);
    await submit(values.companyId);
    expect(await read()).toMatchObject({ status: 'created', refusedAt: expect.any(String) });
    await change(orderFacts);
  }
  expect(refusals).toHaveLength(wrongFields.length);
  expect(listPaidAccounts()).not.toContain(account);
  await submit();
  expect(listPaidAccounts()).toContain(account);
  expect(await read()).toMatchObject({ status: 'submitted', refusedAt: null, orderSeal: null });
});

it('two orders with swapped seals aren’t sent', async () => {
  const second = await findOrder(otherTrader);
  const [seal, secondSeal] = [(await read()).orderSeal, (await read(second.id)).orderSeal];
  await change({ orderSeal: secondSeal });
  await getDb().update(payouts).set({ orderSeal: seal }).where(eq(payouts.id, second.id));
  await submit();
  await submitPayout(portal.deps, otherTrader.companyId, second.id);
  expect(listPaidAccounts()).not.toContain(account);
  expect(listPaidAccounts()).not.toContain(second.account);
});

it('a paid order that is restored with its old seal isn’t paid again', async () => {
  const before = await read();
  await submit();
  await change(before);
  await submit();
  await submit();
  expect(listPaidAccounts().filter((paidAccount) => paidAccount === account)).toHaveLength(1);
});

it('an order is still sent after its key was replaced, even next to one that we never sealed', async () => {
  await getDb()
    .insert(payouts)
    .values({ ...(await read()), companyId: otherTrader.companyId, id: randomUUID(), orderSeal: `${'0'.repeat(8)}.x.y.z.bound` });
  await resealSecrets({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY, OLD_KEY]) });
  await submitPayout({ ...portal.deps, tokenCipher: createTokenCipher([NEW_KEY]) }, trader.companyId, id);
  expect(listPaidAccounts()).toContain(account);
});

it('an order of the previous version, whose seal names no authorisation, is sent', async () => {
  const row = await read();
  const { advanceId, round, amountPence, accountHolder, sortCode, accountNumber, reference, createdAt } = row;
  const facts = [advanceId, round, amountPence, accountHolder, sortCode, accountNumber, reference, createdAt];
  await change({ authorisedBy: null, orderSeal: portal.deps.tokenCipher.seal(JSON.stringify(facts), getOrderSealContext(row)) });
  await submit();
  expect(listPaidAccounts()).toContain(account);
});
