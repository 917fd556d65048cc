/** Tests payments from a collection account, which the portal never makes: each is found, and explained by the rules or by two operators. */
import { auditEntries } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pollCredits, readBank } from '../../testing/bank-polls.ts';
import { createOperatorPair, type OperatorPair } from '../../testing/operator-pair.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createPaidTrader, findAdvance, getTrialBalance, waitForState } from '../../testing/take-advance.ts';
import { createOperator, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

const THIEF = { name: 'Mallory Ltd', sortCode: '200000', accountNumber: '55779911' };

let portal: TestPortal;
let operators: OperatorPair;
beforeAll(async () => {
  portal = await openTestPortal();
  operators = await createOperatorPair(portal);
});
afterAll(() => portal.close());

/** Returns a trader whose refund HMRC has repaid, so that its money is in the collection account. */
async function createRepaidTrader(name: string, refundPounds: number): Promise<Trader> {
  const trader = await createPaidTrader(portal, `${name}@collection.example`, refundPounds);
  await operators.sendCredit(trader, refundPounds * 100, { remitterName: 'HMRC VAT' });
  await waitForState(trader, 'settled');
  return trader;
}

/** Someone pays in the provider's console. Returns the provider's ID of the payment. */
async function payInConsole(
  trader: Trader,
  amountPence: number,
  to: typeof THIEF,
  reference = 'TRANSFER',
  beneficiaryType?: 'business_account' | 'payment_source',
): Promise<string> {
  const { collection_account } = await findAdvance(trader);
  const account = portal.bank.listCollectionAccounts().find(({ account_number }) => account_number === collection_account?.account_number);
  const payment = { fromAccountId: account?.id ?? '', amountPence, to, reference, ...(beneficiaryType ? { beneficiaryType } : {}) };
  const payoutId = portal.bank.payFromConsole(payment);
  if (payoutId === undefined) throw new Error('the account doesn’t hold this much');
  await pollCredits(portal);
  return payoutId;
}

const listPayments = async (trader: Trader) => (await operators.listExceptions(trader)).filter(({ kind }) => kind === 'collection_payout');

const explain = (trader: Trader, subject_id: string | undefined, as: string) =>
  operators.olga.post('/operator/matters/resolve-collection-payout', {
    company_id: trader.companyId,
    subject_id,
    as,
    reason: 'Asked the bank',
  });

describe('a payment that no one ordered here', () => {
  it('is listed with the account that got it, and two operators record that it is lost', async () => {
    const trader = await createRepaidTrader('stolen', 4_210);
    const before = await getTrialBalance(portal, trader.companyId);
    await payInConsole(trader, 100_000, THIEF, 'CONSULTING');
    await pollCredits(portal);
    const [payment, ...others] = await listPayments(trader);
    expect(others).toEqual([]);
    expect(payment).toMatchObject({
      amount_pence: 100_000,
      remitter: 'Mallory Ltd (20-00-00, account ending 9911)',
      reference: 'CONSULTING',
      resolutions: ['to_us', 'to_trader', 'lost'],
    });
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
    await operators.resolve(trader, explain(trader, payment?.subject_id, 'lost'));
    expect(await listPayments(trader)).toEqual([]);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual({
      ...before,
      cash: (before['cash'] ?? 0) - 100_000,
      bad_debts: 100_000,
    });
    expect((await explain(trader, payment?.subject_id, 'lost')).body['code']).toBe('collection_payout.resolved');
  });

  it('needs no decision any more once the receiving bank returns it', async () => {
    const trader = await createRepaidTrader('returned', 4_220);
    const before = await getTrialBalance(portal, trader.companyId);
    const openPayment = await payInConsole(trader, 20_000, THIEF);
    const lostPayment = await payInConsole(trader, 30_000, THIEF, 'LOST');
    const [, lost] = await listPayments(trader);
    await operators.resolve(trader, explain(trader, lost?.subject_id, 'lost'));
    for (const id of [openPayment, lostPayment]) portal.bank.returnPayout(id, 'account closed');
    for (const _attempt of [1, 2]) await pollCredits(portal);
    expect(await operators.listExceptions(trader)).toEqual([]);
    expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
  });

  it.each(['lost', undefined])(
    'isn’t counted twice if the bank says only later what its return was (resolved as %s)',
    async (resolution) => {
      const trader = await createRepaidTrader(`late-${resolution}`, resolution ? 4_221 : 4_222);
      const before = await getTrialBalance(portal, trader.companyId);
      const payoutId = await payInConsole(trader, 40_000, THIEF, 'LATE');
      const [payment] = await listPayments(trader);
      if (resolution) await operators.resolve(trader, explain(trader, payment?.subject_id, resolution));
      await operators.sendCredit(trader, 40_000, { remitterName: THIEF.name, reference: 'RETURNED' });
      await operators.waitForException(trader, 'credit', 40_000);
      const isReturn = ({ amount_pence, reference }: { amount_pence: number; reference: string }) =>
        amount_pence === 40_000 && reference === 'RETURNED';
      portal.bank.returnPayout(payoutId, 'account closed', portal.bank.listCredits().findLast(isReturn)?.transaction_id);
      for (const _attempt of [1, 2]) await pollCredits(portal);
      expect(await operators.listExceptions(trader)).toEqual([]);
      expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
    },
  );

  it('can’t be recorded as the trader’s money by the two who decided that it is theirs', async () => {
    const { olga, omar, allocate, approve, resolve } = operators;
    const otis = await createOperator(portal, 'otis@operators.example');
    const trader = await createRepaidTrader('decided', 4_226);
    const { credits } = (await olga.get('/operator/credits', { company_id: trader.companyId })).body as {
      credits: { credit_id: string }[];
    };
    await resolve(trader, allocate(olga, trader, credits[0]?.credit_id ?? '', [{ advance_id: null, amount_pence: 422_600 }]));
    await payInConsole(trader, 422_600, THIEF);
    const [payment] = await listPayments(trader);
    const { body } = await explain(trader, payment?.subject_id, 'to_trader');
    expect((await approve(omar, trader, body['request_id'])).body['code']).toBe('approval.third_person');
    expect((await approve(otis, trader, body['request_id'])).status).toBe(200);
  });

  it('keeps the company open until it is explained, because the trader may owe it back', async () => {
    const trader = await createRepaidTrader('closing', 4_225);
    const listBlockers = async () => (await trader.browser.get('/v2/company/closing', { company_id: trader.companyId })).body['blockers'];
    expect(await listBlockers()).toEqual([]);
    await payInConsole(trader, 10_000, { ...THIEF, name: 'Tess Exports Ltd' });
    expect(await listBlockers()).toMatchObject([{ kind: 'undecided_payment', text: expect.stringContaining('£100.00') }]);
    const [payment] = await listPayments(trader);
    await operators.resolve(trader, explain(trader, payment?.subject_id, 'lost'));
    expect(await listBlockers()).toEqual([]);
  });

  it('is noted, and only by people with the finance role explained', async () => {
    const trader = await createRepaidTrader('roles', 4_230);
    await payInConsole(trader, 10_000, THIEF);
    const [payment] = await listPayments(trader);
    const subject = { company_id: trader.companyId, subject_id: payment?.subject_id };
    const note = { ...subject, note_id: crypto.randomUUID(), text: 'Asked the bank' };
    expect((await operators.olga.post('/operator/matters/note', note)).status).toBe(200);
    const support = await createOperator(portal, 'support@collection.example', ['support']);
    const input = { ...subject, as: 'to_us', reason: 'Ours' };
    expect((await support.post('/operator/matters/resolve-collection-payout', input)).body['code']).toBe('operator.role_missing');
    await operators.resolve(trader, explain(trader, payment?.subject_id, 'to_us'));
    expect(await listPayments(trader)).toEqual([]);
  });

  it('doesn’t keep money from being received while our own account can’t be read', async () => {
    const trader = await createRepaidTrader('unread', 4_235);
    portal.faults.set({ operation: 'truelayer.merchant_accounts', kind: 'server_error', times: 1_000 });
    await expect(payInConsole(trader, 10_000, THIEF)).rejects.toThrow(/^\d+ of \d+ failed$/);
    await operators.sendCredit(trader, 6_600, { remitterName: 'HMRC VAT' });
    await expect(pollCredits(portal)).rejects.toThrow(/^\d+ of \d+ failed$/);
    await operators.waitForException(trader, 'credit', 6_600);
    expect(await listPayments(trader)).toEqual([]);
    portal.faults.clear();
    await pollCredits(portal);
    expect(await listPayments(trader)).toHaveLength(1);
  });

  it.each(['business_account', 'payment_source'] as const)(
    'of the provider’s type “%s” is listed, and hides no other payment or credit of its account',
    async (beneficiaryType) => {
      const trader = await createRepaidTrader(`type-${beneficiaryType}`, beneficiaryType === 'payment_source' ? 4_236 : 4_237);
      await payInConsole(trader, 20_000, { ...THIEF, name: 'Our Bank Ltd' }, 'WITHDRAWAL', beneficiaryType);
      await payInConsole(trader, 30_000, THIEF, 'AFTERWARDS');
      await operators.sendCredit(trader, 7_700, { remitterName: 'HMRC VAT' });
      await pollCredits(portal);
      await operators.waitForException(trader, 'credit', 7_700);
      expect(await listPayments(trader)).toMatchObject([{ reference: 'WITHDRAWAL' }, { reference: 'AFTERWARDS' }]);
    },
  );

  it('has its webhook acknowledged once it is stored', async () => {
    const trader = await createRepaidTrader('webhook', 4_240);
    await payInConsole(trader, 10_000, THIEF);
    expect(await listPayments(trader)).toHaveLength(1);
    await vi.waitFor(() => {
      const undeliveredEvents = portal.bank.listWebhooks().filter(({ delivered_at }) => delivered_at === undefined);
      expect(undeliveredEvents).toEqual([]);
    }, WAIT_OPTIONS);
  });
});

it('is recognised as ours on its way to the account from which we pay, and when it arrives there', async () => {
  const trader = await createRepaidTrader('ours', 4_250);
  const { account_holder_name: name, sort_code: sortCode, account_number: accountNumber } = portal.bank.payingAccount();
  // The arrival can be read before the payment.
  await payInConsole(trader, 425_000, { name, sortCode, accountNumber }, 'TO PAYING');
  await readBank(portal);
  expect(await listPayments(trader)).toEqual([]);
  const { body } = await operators.olga.get('/operator/matters', { kind: 'account_credit' });
  expect((body['matters'] as { reference: string }[]).filter(({ reference }) => reference === 'TO PAYING')).toEqual([]);
  const entries = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.companyId, trader.companyId));
  expect(entries.filter(({ action }) => action.startsWith('collection_payout.')).map(({ action, actor }) => [action, actor])).toEqual([
    ['collection_payout.found', 'bank'],
    ['collection_payout.resolved', 'rules'],
  ]);
});

it('makes one recorded return of a payment to its sender, and no other payment of the same amount', async () => {
  const trader = await createRepaidTrader('sender', 4_260);
  await operators.sendCredit(trader, 7_700, { remitterName: 'Somebody Else Ltd' });
  const credit = await operators.waitForException(trader, 'credit', 7_700);
  const sender = { name: 'SOMEBODY ELSE LTD.', sortCode: '200000', accountNumber: '11112222' };
  await payInConsole(trader, 7_700, sender, 'RETURN');
  expect(await listPayments(trader)).toMatchObject([{ resolutions: ['to_us', 'to_trader', 'lost'] }]);
  const input = { company_id: trader.companyId, credit_id: credit.subject_id, reason: 'A stranger’s', return_reference: 'TL-2' };
  await operators.resolve(trader, operators.olga.post('/operator/matters/record-return', input));
  await payInConsole(trader, 7_700, THIEF, 'SECOND');
  expect(await listPayments(trader)).toMatchObject([{ reference: 'SECOND', resolutions: ['to_us', 'to_trader', 'lost'] }]);
});

it('that made a recorded return and came back makes that payment undecided again, and no later payment explains itself with it', async () => {
  const trader = await createRepaidTrader('bounced', 4_280);
  const before = await getTrialBalance(portal, trader.companyId);
  await operators.sendCredit(trader, 8_800, { remitterName: 'Somebody Else Ltd' });
  const credit = await operators.waitForException(trader, 'credit', 8_800);
  const sender = { name: 'Somebody Else Ltd', sortCode: '200000', accountNumber: '11112222' };
  const payoutId = await payInConsole(trader, 8_800, sender, 'RETURN');
  const recordReturn = () => {
    const input = { company_id: trader.companyId, credit_id: credit.subject_id, reason: 'A stranger’s', return_reference: 'TL-3' };
    return operators.resolve(trader, operators.olga.post('/operator/matters/record-return', input));
  };
  await recordReturn();
  await pollCredits(portal);
  expect(await operators.listExceptions(trader)).toEqual([]);
  portal.bank.returnPayout(payoutId, 'account closed');
  for (const _attempt of [1, 2]) await pollCredits(portal);
  expect(await operators.listExceptions(trader)).toMatchObject([{ kind: 'credit', amount_pence: 8_800 }]);
  expect(await getTrialBalance(portal, trader.companyId)).toEqual({
    ...before,
    cash: (before['cash'] ?? 0) + 8_800,
    owed_to_trader: (before['owed_to_trader'] ?? 0) - 8_800,
  });
  await payInConsole(trader, 8_800, sender, 'AGAIN');
  expect(await listPayments(trader)).toMatchObject([{ resolutions: ['to_us', 'to_trader', 'lost'] }]);
  await recordReturn();
  await pollCredits(portal);
  expect(await operators.listExceptions(trader)).toEqual([]);
  expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
});

it('whose return was sent back as a stranger’s money, before the bank said what it was, isn’t counted as back on the account', async () => {
  const trader = await createRepaidTrader('resent', 4_290);
  const before = await getTrialBalance(portal, trader.companyId);
  const sender = { name: 'Somebody Else Ltd', sortCode: '200000', accountNumber: '11112222' };
  const receiveAndReturn = async (reference: string): Promise<string> => {
    await operators.sendCredit(trader, 9_900, { remitterName: sender.name, reference });
    const { subject_id: credit_id } = await operators.waitForException(trader, 'credit', 9_900);
    const payoutId = await payInConsole(trader, 9_900, sender, 'RETURN');
    const input = { company_id: trader.companyId, credit_id, reason: 'A stranger’s', return_reference: reference };
    await operators.resolve(trader, operators.olga.post('/operator/matters/record-return', input));
    await pollCredits(portal);
    return payoutId;
  };
  const firstPayoutId = await receiveAndReturn('FIRST');
  // The first return comes back, is taken for another payment, and is sent again.
  await receiveAndReturn('BOUNCED');
  expect(await operators.listExceptions(trader)).toEqual([]);
  const bounced = portal.bank.listCredits().find(({ reference }) => reference === 'BOUNCED');
  portal.bank.returnPayout(firstPayoutId, 'account closed', bounced?.transaction_id);
  for (const _attempt of [1, 2]) await pollCredits(portal);
  expect(await operators.listExceptions(trader)).toEqual([]);
  expect(await getTrialBalance(portal, trader.companyId)).toEqual(before);
});

it('pays the trader what we owed, and is owed again after the bank has returned it', async () => {
  const trader = await createRepaidTrader('owed', 4_270);
  await operators.sendCredit(trader, 5_000, { remitterName: 'HMRC VAT' });
  const surplus = await operators.waitForException(trader, 'credit', 5_000);
  await operators.resolve(
    trader,
    operators.allocate(operators.olga, trader, surplus.subject_id, [{ advance_id: null, amount_pence: 5_000 }]),
  );
  const payoutId = await payInConsole(trader, 5_000, { name: 'Tess Exports Ltd', sortCode: '200000', accountNumber: '55779911' });
  const [payment] = await listPayments(trader);
  // Someone who didn't decide that the money is the trader's.
  const orla = await createOperator(portal, 'orla@operators.example');
  const { body } = await explain(trader, payment?.subject_id, 'to_trader');
  expect((await operators.approve(orla, trader, body['request_id'])).status).toBe(200);
  expect(await operators.listExceptions(trader)).toEqual([]);
  portal.bank.returnPayout(payoutId, 'account closed');
  await pollCredits(portal);
  await operators.waitForException(trader, 'surplus', 5_000);
});
