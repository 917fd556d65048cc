/** Tests Direct Debits from the mandate to the charge-back, over real HTTP against the GoCardless simulator. */
import { directDebits, mandates, obligations, shortfallRecoveries } from '@portal/db/schema/schema.ts';
import { signGoCardlessWebhook } from '@portal/providers/gocardless/gocardless-client.ts';
import { SANDBOX_GOCARDLESS } from '@portal/sandbox/gocardless/sandbox-credentials.ts';
import { and, eq, gt, isNotNull } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  createShortRepaidTrader,
  findCase,
  pollDirectDebitsAt,
  runTick,
  setUpDirectDebit,
  transfer,
  waitForReceivedAmount,
} from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  confirmFacts,
  createIdempotencyHeaders,
  createTraderWithFiledReturn,
  findAdvance,
  getTrialBalance as readTrialBalance,
  postRelease,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

const START_TIME = '2026-11-10T09:00:00Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let orla: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
  orla = await createOperator(portal, 'orla@operators.example');
});
afterEach(() => {
  portal.faults.clear();
  portal.moveClock(START_TIME);
});
afterAll(() => portal.close());

const moveTo = (at: string): Promise<void> => pollDirectDebitsAt(portal, at);

/** Returns the latest return. */
async function findNextObligation(trader: Trader): Promise<string | undefined> {
  const [row] = await portal.deps.database.db
    .select({ id: obligations.id })
    .from(obligations)
    .where(
      and(
        eq(obligations.companyId, trader.companyId),
        gt(obligations.periodEnd, trader.obligation.periodEnd),
        isNotNull(obligations.receivedOn),
      ),
    );
  return row?.id;
}

const listDebits = (trader: Trader) =>
  portal.deps.database.db.select().from(directDebits).where(eq(directDebits.companyId, trader.companyId));
const listTraderPayments = async (trader: Trader) => {
  const ids = new Set((await listDebits(trader)).map(({ id }) => id));
  return portal.directDebits.listPayments().filter(({ metadata }) => ids.has(metadata['order_id'] ?? ''));
};
/** GoCardless pays the money out to our bank on a later day (direct-debit-payouts.test.ts). */
async function loadTrialBalance(portal: TestPortal, companyId: string): Promise<Record<string, number>> {
  const { cash = 0, bank = 0, direct_debits = 0, direct_debit_fees = 0, ...rest } = await readTrialBalance(portal, companyId);
  return { cash: cash + bank + direct_debits + direct_debit_fees, ...rest };
}
const waitForStatus = (trader: Trader, status: string) =>
  vi.waitFor(async () => expect((await findCase(trader)).direct_debits[0]?.status).toBe(status), WAIT_OPTIONS);

/** Creates a trader with a difference of £1,000 and a Direct Debit ordered for the due day. */
async function createTraderWithDebit(email: string, refundPounds: number): Promise<Trader> {
  const trader = await createShortRepaidTrader(portal, email, refundPounds, refundPounds - 1_000);
  await setUpDirectDebit(portal, trader);
  await moveTo('2026-11-14T09:00:00Z');
  return trader;
}

describe('a difference collected by Direct Debit', () => {
  it('is announced, charged once, paid out to us, and due again after a charge-back', async () => {
    const trader = await createTraderWithDebit('whole@trader.example', 4_301);
    const orderedCase = await findCase(trader);
    expect(orderedCase).toMatchObject({
      mandate: { status: 'active' },
      direct_debits: [{ status: 'pending_submission', amount_pence: 100_000, charge_on: '2026-11-24' }],
    });
    expect(orderedCase.next_action).toMatchObject({ by: 'bank', text: 'Collect £1,000.00 by Direct Debit' });
    expect(orderedCase.letters[0]?.heading).toBe('We’ll collect £1,000.00 by Direct Debit');
    // Another sweep doesn't order again.
    await moveTo('2026-11-15T09:00:00Z');
    expect(await listTraderPayments(trader)).toHaveLength(1);

    await moveTo('2026-11-25T09:00:00Z');
    await waitForStatus(trader, 'confirmed');
    expect((await findAdvance(trader)).state).toBe('settled');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_301, fee_income: -4_301 });
    await moveTo('2026-11-27T09:00:00Z');
    await waitForStatus(trader, 'paid_out');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_301, fee_income: -4_301 });
    const [payment] = await listTraderPayments(trader);
    portal.directDebits.movePayment(payment?.id ?? '', 'charged_back', 'disputed by the payer');
    await waitForStatus(trader, 'charged_back');
    const reopenedCase = await findCase(trader);
    expect(reopenedCase).toMatchObject({ status: 'due', owed_pence: 100_000, direct_debits: [{ failure: 'disputed by the payer' }] });
    expect(reopenedCase.letters.map(({ heading }) => heading)).toContain('Your bank reversed the Direct Debit of £1,000.00');
    expect((await findAdvance(trader)).state).toBe('collecting');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({
      cash: 4_301 - 100_000,
      due_from_trader: 100_000,
      fee_income: -4_301,
    });
    // A charged-back payment isn't collected again automatically; an operator decides.
    await moveTo('2026-12-20T09:00:00Z');
    expect(await listTraderPayments(trader)).toHaveLength(1);
    await transfer(portal, trader, 100_000, reopenedCase.reference);
    await waitForState(trader, 'settled');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_301, fee_income: -4_301 });
  });

  it('stays due when the bank doesn’t pay', async () => {
    const trader = await createTraderWithDebit('fails@trader.example', 4_302);
    await moveTo('2026-11-23T09:00:00Z');
    const [payment] = await listTraderPayments(trader);
    portal.directDebits.movePayment(payment?.id ?? '', 'failed', 'refer to payer');
    await waitForStatus(trader, 'failed');
    await moveTo('2026-11-25T09:00:00Z');
    expect(await findCase(trader)).toMatchObject({ status: 'due', owed_pence: 100_000, next_action: { by: 'us' } });
    expect((await findCase(trader)).letters[0]?.heading).toBe('The Direct Debit of £1,000.00 failed');
    expect(await loadTrialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 100_000 });
  });

  it('is collected again when an operator retries a failed one, with new notice, and later instalments follow', async () => {
    const trader = await createShortRepaidTrader(portal, 'retried@trader.example', 4_309, 3_309);
    await setUpDirectDebit(portal, trader);
    const { shortfall_id } = await findCase(trader);
    const key = { company_id: trader.companyId, shortfall_id };
    await trader.browser.post('/instant-vat/shortfall/plan', { ...key, count: 2 }, createIdempotencyHeaders());
    await moveTo('2026-11-14T09:00:00Z');
    const retry = (amount_pence: number, idempotencyKey = createIdempotencyHeaders()) =>
      olga.post('/operator/shortfall/retry-direct-debit', { ...key, amount_pence }, idempotencyKey);
    expect((await retry(50_000)).body).toMatchObject({ code: 'shortfall.nothing_to_retry' });
    await moveTo('2026-11-23T09:00:00Z');
    const [first] = await listTraderPayments(trader);
    portal.directDebits.movePayment(first?.id ?? '', 'failed', 'refer to payer');
    await waitForStatus(trader, 'failed');
    await moveTo('2026-11-25T09:00:00Z');
    expect(await listTraderPayments(trader)).toHaveLength(1);

    const { body } = await olga.get('/operator/shortfall', key);
    expect(body['retry']).toEqual({ amount_pence: 50_000, charge_on: '2026-11-30' });
    expect((await retry(49_999)).body).toMatchObject({ code: 'shortfall.amount_changed' });
    // If one operator clicks twice and another clicks at the same time, the amount is collected only once.
    const sameKey = createIdempotencyHeaders();
    const responses = await Promise.all([retry(50_000, sameKey), retry(50_000, sameKey), retry(50_000)]);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await moveTo('2026-11-25T10:00:00Z');
    expect(await findCase(trader)).toMatchObject({
      direct_debits: [{ status: 'pending_submission', amount_pence: 50_000, charge_on: '2026-11-30' }, { status: 'failed' }],
      next_action: { by: 'bank' },
    });
    expect((await findCase(trader)).letters[0]?.heading).toBe('We’ll collect £500.00 by Direct Debit');
    for (const day of ['2026-12-03', '2026-12-15', '2026-12-30']) await moveTo(`${day}T09:00:00Z`);
    await waitForReceivedAmount(trader, 430_900);
    expect((await listTraderPayments(trader)).map(({ amount, status }) => [amount, status])).toEqual([
      [50_000, 'failed'],
      [50_000, 'paid_out'],
      [50_000, 'paid_out'],
    ]);
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_309, fee_income: -4_309 });
  });

  it.each(['timeout_after_work', 'cut_before_work', 'server_error', 'too_many', 'malformed_body'] as const)(
    'is charged once when the order ends in %s',
    async (kind) => {
      const trader = await createShortRepaidTrader(portal, `${kind.replaceAll('_', '-')}@trader.example`, 4_303, 3_303);
      await setUpDirectDebit(portal, trader);
      portal.faults.set({ operation: 'gocardless.create_payment', kind, times: 2 });
      await moveTo('2026-11-14T09:00:00Z');
      await moveTo('2026-11-14T10:00:00Z');
      await waitForStatus(trader, 'pending_submission');
      expect(await listTraderPayments(trader)).toHaveLength(1);
    },
  );

  it('is cancelled when the trader pays first', async () => {
    const payer = await createTraderWithDebit('pays-first@trader.example', 4_304);
    await transfer(portal, payer, 100_000, (await findCase(payer)).reference);
    await waitForState(payer, 'settled');
    await portal.runJobs();
    await waitForStatus(payer, 'cancelled');
    expect(await loadTrialBalance(portal, payer.companyId)).toEqual({ cash: 4_304, fee_income: -4_304 });
  });

  it('is cancelled when the trader disputes it', async () => {
    const disputer = await createTraderWithDebit('disputes@trader.example', 4_305);
    const { shortfall_id } = await findCase(disputer);
    await disputer.browser.post('/instant-vat/shortfall/dispute', {
      company_id: disputer.companyId,
      shortfall_id,
      reason: 'HMRC was wrong',
    });
    await portal.runJobs();
    await waitForStatus(disputer, 'cancelled');
    await moveTo('2026-12-20T09:00:00Z');
    expect(await listTraderPayments(disputer)).toMatchObject([{ status: 'cancelled' }]);
  });

  it('is credited to the trader for any excess, if the bank already has it', async () => {
    const trader = await createTraderWithDebit('twice@trader.example', 4_306);
    await moveTo('2026-11-23T09:00:00Z');
    await waitForStatus(trader, 'submitted');
    await transfer(portal, trader, 100_000, (await findCase(trader)).reference);
    await waitForState(trader, 'settled');
    await moveTo('2026-11-27T09:00:00Z');
    await waitForStatus(trader, 'paid_out');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash: 104_306, fee_income: -4_306, owed_to_trader: -100_000 });
    // If we paid it out and the payer also reclaimed it through their bank, it would be paid twice.
    const requestPayout = () =>
      olga.post('/operator/matters/pay-surplus', { company_id: trader.companyId, amount_pence: 100_000, reason: 'Collected twice' });
    expect((await requestPayout()).body['code']).toBe('surplus.on_hold');
    await portal.runJobs();
    expect((await requestPayout()).body['code']).toBe('surplus.reclaimable');
    const [payment] = await listTraderPayments(trader);
    portal.directDebits.movePayment(payment?.id ?? '', 'charged_back', 'disputed by the payer');
    await waitForStatus(trader, 'charged_back');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash: 4_306, fee_income: -4_306 });
    expect((await findAdvance(trader)).state).toBe('settled');
  });

  it('is credited to the trader in full, if the difference turned out not to exist', async () => {
    const trader = await createTraderWithDebit('unfounded@trader.example', 4_312);
    await moveTo('2026-11-23T09:00:00Z');
    await waitForStatus(trader, 'submitted');
    // The payment that looked like HMRC’s came from someone else, so HMRC’s is outstanding again and the trader owes nothing.
    const { body } = await olga.get('/operator/credits', { company_id: trader.companyId });
    const [credit] = body['credits'] as { credit_id: string }[];
    const reversal = { company_id: trader.companyId, credit_id: credit?.credit_id, allocations: [], reason: 'Someone else paid it' };
    const request = await olga.post('/operator/matters/allocate', reversal);
    const approval = { company_id: trader.companyId, request_id: request.body['request_id'] };
    expect((await omar.post('/operator/approvals/approve', approval, createIdempotencyHeaders())).status).toBe(200);
    expect((await findAdvance(trader)).state).toBe('awaiting_hmrc');
    await moveTo('2026-11-27T09:00:00Z');
    await waitForStatus(trader, 'paid_out');
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({
      // The payout has been sent, and the two payments of £3,312 and £1,000 are held.
      cash: 4_312,
      fee_income: -4_312,
      refunds_receivable: 431_200,
      owed_to_trader: -431_200,
    });
    expect(await findAdvance(trader)).toMatchObject({ state: 'awaiting_hmrc', received_pence: 0 });
  });

  it('collects each instalment on its day', async () => {
    const trader = await createShortRepaidTrader(portal, 'instalments@trader.example', 4_307, 3_307);
    await setUpDirectDebit(portal, trader);
    const { shortfall_id } = await findCase(trader);
    const planResponse = await trader.browser.post(
      '/instant-vat/shortfall/plan',
      { company_id: trader.companyId, shortfall_id, count: 2 },
      createIdempotencyHeaders(),
    );
    expect(planResponse.body).toEqual({ done: true });
    const readExposure = async () => {
      const { body } = await olga.get('/operator/companies', { q: trader.vrn });
      const { body: page } = await olga.get('/operator/company', { company_id: trader.companyId });
      const { body: desk } = await olga.get('/operator/desk', { queue: 'all', q: trader.vrn });
      return [
        (body['companies'] as { exposure_pence: number }[])[0]?.exposure_pence,
        (page['exposure'] as { exposure_pence: number }).exposure_pence,
        (page['advances'] as { outstanding_pence: number }[])[0]?.outstanding_pence,
        (desk['advances'] as { outstanding_pence: number }[])[0]?.outstanding_pence,
      ];
    };
    expect(await readExposure()).toEqual([100_000, 100_000, 100_000, 100_000]);
    for (const day of ['2026-11-14', '2026-11-27']) await moveTo(`${day}T09:00:00Z`);
    await waitForReceivedAmount(trader, 380_700);
    expect(await readExposure()).toEqual([50_000, 50_000, 50_000, 50_000]);
    for (const day of ['2026-12-15', '2026-12-30']) await moveTo(`${day}T09:00:00Z`);
    await waitForReceivedAmount(trader, 430_700);
    expect((await listTraderPayments(trader)).map(({ amount, charge_date }) => [amount, charge_date])).toEqual([
      [50_000, '2026-11-24'],
      [50_000, '2026-12-24'],
    ]);
    expect((await findAdvance(trader)).state).toBe('settled');
  });
});

describe('GoCardless’s webhooks', () => {
  it('are rejected with 498 unless signed, and change nothing by themselves', async () => {
    const trader = await createTraderWithDebit('webhook@trader.example', 4_308);
    const [payment] = await listTraderPayments(trader);
    const event = {
      id: 'EV_FORGED',
      created_at: START_TIME,
      resource_type: 'payments',
      action: 'paid_out',
      links: { payment: payment?.id },
    };
    const payload = JSON.stringify({ events: [event] });
    const send = (signature: string) =>
      portal.app.inject({
        method: 'POST',
        url: '/portal/webhooks/gocardless',
        headers: { 'webhook-signature': signature, 'content-type': 'application/json' },
        payload,
      });
    expect((await send('f'.repeat(64))).statusCode).toBe(498);
    const signedWebhook = signGoCardlessWebhook(SANDBOX_GOCARDLESS.webhookSecret, payload);
    expect((await send(signedWebhook)).statusCode).toBe(204);
    expect((await send(signedWebhook)).statusCode).toBe(204);
    // According to the payment's own record, it is still pending.
    expect((await findCase(trader)).direct_debits[0]?.status).toBe('pending_submission');
    const recoveries = portal.deps.database.db
      .select()
      .from(shortfallRecoveries)
      .where(eq(shortfallRecoveries.companyId, trader.companyId));
    expect(await recoveries).toEqual([]);
  });
});

describe('a payout for a large refund', () => {
  it('waits for a submitted mandate, and a mandate that fails before it is active opens a case', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'large@trader.example', 60_000);
    const { advance_id } = await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const target = { company_id: trader.companyId, advance_id };
    await olga.post('/operator/advance/decide', { ...target, decision: 'approve', reason: 'Looks right' });
    for (const operator of [omar, orla]) expect((await postRelease(operator, trader, advance_id)).status).toBe(200);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({
      state: 'approved',
      waiting_for: expect.stringContaining('Set up a Direct Debit'),
      mandate: { status: null },
    });
    const mandateId = await setUpDirectDebit(portal, trader);
    await portal.runJobs();
    expect((await findAdvance(trader)).state).toBe('approved');
    await moveTo('2026-11-11T12:00:00Z');
    // The bank took a day, so HMRC's figures are checked again.
    await vi.waitFor(async () => {
      // The bank's webhook may arrive after the jobs started by moving the clock have run.
      await portal.runJobs();
      expect((await findAdvance(trader)).waiting_for).toContain('HMRC’s figures are more than 24 hours old');
    }, WAIT_OPTIONS);
    await confirmFacts(portal, trader);
    await vi.waitFor(async () => {
      await portal.runJobs();
      expect(await findAdvance(trader)).toMatchObject({ state: 'awaiting_hmrc', waiting_for: null });
    }, WAIT_OPTIONS);
    portal.directDebits.moveMandate(mandateId, 'failed', 'bank account closed');
    await vi.waitFor(
      async () => expect(await findCase(trader)).toMatchObject({ status: 'watching', cause: 'mandate_failed' }),
      WAIT_OPTIONS,
    );
    expect((await findCase(trader)).next_action).toMatchObject({ by: 'trader', text: 'Set up the Direct Debit again' });
    const rows = await portal.deps.database.db.select().from(mandates).where(eq(mandates.companyId, trader.companyId));
    expect(rows).toMatchObject([{ status: 'failed', activatedAt: null }]);
    // The mandate can be set up again and is monitored until HMRC has repaid, because a payer can cancel it as soon as they have been paid.
    const secondMandate = await setUpDirectDebit(portal, trader);
    await moveTo('2026-11-20T09:00:00Z');
    const key = { company_id: trader.companyId, shortfall_id: (await findCase(trader)).shortfall_id };
    expect((await olga.post('/operator/shortfall/close', { ...key, reason: 'Set up again' })).status).toBe(200);
    portal.directDebits.moveMandate(secondMandate, 'cancelled', 'cancelled by the payer');
    await vi.waitFor(
      async () => expect(await findCase(trader)).toMatchObject({ status: 'watching', cause: 'mandate_failed' }),
      WAIT_OPTIONS,
    );
  });
});

describe('the next advance of a trader who owes a difference', () => {
  it('needs a mandate, and the difference is deducted from its payout once', async () => {
    const trader = await createShortRepaidTrader(portal, 'next@trader.example', 4_309, 3_309);
    const first = await findAdvance(trader);
    portal.moveClock('2027-02-03T09:00:00Z');
    portal.hmrc.fileElsewhere(trader.vrn, { refundPence: 410_000, daysAgo: 1 });
    await trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
    await trader.browser.post('/instant-vat/advance/quote', {
      company_id: trader.companyId,
      obligation_id: await findNextObligation(trader),
    });
    const offer = await findAdvance(trader);
    expect(offer).toMatchObject({ state: 'quoted', net_pence: 405_900, netted_pence: 100_000 });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const target = { company_id: trader.companyId, advance_id: offer.advance_id };
    await olga.post('/operator/advance/decide', { ...target, decision: 'approve', reason: 'Looks right' });
    await postRelease(omar, trader, offer.advance_id);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('Set up a Direct Debit') });
    await setUpDirectDebit(portal, trader);
    portal.moveClock('2027-02-04T09:00:00Z');
    portal.directDebits.followClock();
    await runTick(portal, 'direct-debits.poll');
    await portal.runJobs();
    await confirmFacts(portal, trader);
    await vi.waitFor(async () => {
      await portal.runJobs();
      expect(await findAdvance(trader)).toMatchObject({ state: 'awaiting_hmrc', waiting_for: null });
    }, WAIT_OPTIONS);
    expect(portal.bank.listPayouts().filter(({ amount_pence }) => amount_pence === 305_900)).toHaveLength(1);
    const nettedCase = await findCase(trader, first.advance_id);
    expect(nettedCase).toMatchObject({ status: 'settled', owed_pence: 0 });
    expect(nettedCase.letters[0]?.heading).toBe('We’ve deducted £1,000.00 from your latest payment');
    // Therefore no credit can be matched to it any more.
    const { body: credits } = await olga.get('/operator/credits', { company_id: trader.companyId });
    expect(credits['targets']).toContainEqual(expect.objectContaining({ advance_id: first.advance_id, outstanding_pence: 0 }));
    const cash = 330_900 - 426_591 - 305_900;
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({ cash, refunds_receivable: 410_000, fee_income: -4_309 - 4_100 });

    // The bank returns the payout, so the difference is unpaid again.
    const payout = portal.bank.listPayouts().find(({ amount_pence }) => amount_pence === 305_900);
    portal.bank.returnPayout(payout?.id ?? '', 'account closed');
    await waitForState(trader, 'payout_failed');
    expect(await findCase(trader, first.advance_id)).toMatchObject({ status: 'due', owed_pence: 100_000 });
    expect(await loadTrialBalance(portal, trader.companyId)).toEqual({
      cash: 330_900 - 426_591,
      due_from_trader: 100_000,
      fee_income: -4_309,
    });
  });
});
