/** Tests the real client against the simulator. If STRIPE_TEST_SECRET_KEY is set, prices are also tested against Stripe's test mode. */
import { createHmac } from 'node:crypto';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { createStripeClient } from '@portal/providers/stripe/stripe-client.ts';
import type { CouponTerms } from '@portal/providers/stripe/stripe-port.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SANDBOX_PRICING } from '../seed/sandbox-pricing.ts';
import { SANDBOX_STRIPE } from './sandbox-credentials.ts';
import { comparePrices, createRandom } from './testing/compare-prices.ts';
import { startStripe, type StartedStripe } from './testing/start-stripe.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-10T09:00:00Z');
const PAYING_CARD = '4242424242424242';
const DECLINING_CARD = '4000000000000341';
const CONFIRMING_CARD = '4000002760003184';

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(() => stripe.close());
beforeEach(() => stripe.setNow(START_MS));

const moveDaysLater = (days: number) => stripe.setNow(START_MS + days * DAY_MS);
const createKey = () => crypto.randomUUID();

/** The Practice plan costs £64.00 with 50 connections, and £0.90 for each additional one. */
const PRICE_LIST = {
  version: 1,
  mode: 'volume' as const,
  publishedOn: plainDate('2020-01-01'),
  effectiveFrom: plainDate('2020-01-01'),
  existingFrom: null,
  tiers: SANDBOX_PRICING.price_list.tiers.map(({ name, from, to, base_pence: base, unit_price_pence: unit, included }) => ({
    name,
    from,
    to,
    basePence: pence(base),
    unitPence: pence(unit),
    included,
  })),
};

type MethodKind = 'card' | 'bacs_debit';
async function createCustomerWith(number: string, kind: MethodKind = 'card') {
  const { client } = stripe;
  const customerId = await client.createCustomer({
    idempotencyKey: createKey(),
    companyId: createKey(),
    contact: { name: 'Oakline', email: 'a@b.example' },
  });
  return { customerId, paymentMethodId: await enterMethod(customerId, number, kind) };
}

/** Enters a payment method on Stripe's page. It is charged from then on. */
async function enterMethod(customerId: string, number: string, kind: MethodKind = 'card'): Promise<string> {
  const { client, controls } = stripe;
  const urls = { returnUrl: 'http://localhost/back', cancelUrl: 'http://localhost/cancelled' };
  const { setupId } = await client.startSetup({ idempotencyKey: createKey(), customerId, kind, ...urls });
  controls.completeNewestCheckout(number);
  const method = await client.findEnteredMethod(setupId);
  const paymentMethodId = method?.paymentMethodId ?? '';
  await client.setDefaultMethod({ idempotencyKey: createKey(), customerId, paymentMethodId });
  return paymentMethodId;
}

async function subscribe(
  number: string,
  options: { kind?: MethodKind; coupon?: CouponTerms; idempotencyKey?: string; customerId?: string } = {},
) {
  const { client } = stripe;
  const { customerId } = options.customerId ? { customerId: options.customerId } : await createCustomerWith(number, options.kind);
  return client.createSubscription({
    idempotencyKey: options.idempotencyKey ?? createKey(),
    customerId,
    priceId: await client.ensurePrice(PRICE_LIST),
    taxRateId: await client.ensureVatRate(2_000),
    quantity: 60,
    couponId: options.coupon && (await client.ensureCoupon(options.coupon)),
  });
}

const listInvoices = async (subscriptionId: string) =>
  (await stripe.client.listInvoices(subscriptionId)).map(({ reason, status, totalPence }) => [reason, status, totalPence]);

describe('prices, tax rates and coupons', () => {
  it('are created once and found again', async () => {
    const { client } = stripe;
    expect(await client.ensurePrice(PRICE_LIST)).toBe(await client.ensurePrice(PRICE_LIST));
    expect(await client.ensureVatRate(2_000)).toBe(await client.ensureVatRate(2_000));
    const terms = { discount: { kind: 'percent', percent: 25 }, months: 3 } as const;
    expect(await client.ensureCoupon(terms)).toBe(await client.ensureCoupon(terms));
  });
});

describe('a payment method', () => {
  it('is entered on Stripe’s page, which offers test cards and returns to us', async () => {
    const { client } = stripe;
    const customerId = await client.createCustomer({
      idempotencyKey: createKey(),
      companyId: createKey(),
      contact: { name: 'Oakline', email: '' },
    });
    const urls = { returnUrl: 'http://localhost/back', cancelUrl: 'http://localhost/cancelled' };
    const { setupId, url } = await client.startSetup({ idempotencyKey: createKey(), customerId, kind: 'card', ...urls });
    expect(await (await fetch(url)).text()).toContain('4000000000000341');
    const send = (body: Record<string, string>) => fetch(url, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' });
    expect((await send({ choice: 'cancel' })).headers.get('location')).toBe('http://localhost/cancelled');
    expect(await (await send({ choice: 'save', number: '4000000000000002' })).text()).toContain('Your card was declined');
    expect(await client.findEnteredMethod(setupId)).toBeUndefined();
    expect((await send({ choice: 'save', number: PAYING_CARD })).headers.get('location')).toBe('http://localhost/back');
    expect(await client.findEnteredMethod(setupId)).toMatchObject({ kind: 'card', label: 'Visa ending 4242, expires 12/2034' });
  });
});

describe('a subscription', () => {
  it('is created once for a key, charged at once, and renewed each month', async () => {
    const idempotencyKey = createKey();
    const createdSubscription = await subscribe(PAYING_CARD, { idempotencyKey });
    expect(createdSubscription).toMatchObject({ status: 'active', quantity: 60 });
    expect([createdSubscription.periodStart, createdSubscription.periodEnd]).toEqual([
      '2026-11-10T09:00:00.000Z',
      '2026-12-10T09:00:00.000Z',
    ]);
    // £64.00 plus ten connections at £0.90, with 20% VAT.
    expect(await listInvoices(createdSubscription.subscriptionId)).toEqual([['first', 'paid', 87_60]]);
    moveDaysLater(31);
    expect((await stripe.client.getSubscription(createdSubscription.subscriptionId)).periodEnd).toBe('2027-01-10T09:00:00.000Z');
    expect(await listInvoices(createdSubscription.subscriptionId)).toEqual([
      ['first', 'paid', 87_60],
      ['renewal', 'paid', 87_60],
    ]);
  });

  it('is found by its key, and another body with the same key is rejected', async () => {
    const { client } = stripe;
    const order = {
      idempotencyKey: createKey(),
      customerId: (await createCustomerWith(PAYING_CARD)).customerId,
      priceId: await client.ensurePrice(PRICE_LIST),
      taxRateId: await client.ensureVatRate(2_000),
      quantity: 60,
      couponId: undefined,
    };
    const createdSubscription = await client.createSubscription(order);
    expect(await client.createSubscription(order)).toEqual(createdSubscription);
    expect(await client.findSubscriptionByKey(order.customerId, order.idempotencyKey)).toEqual(createdSubscription);
    expect(await client.findSubscriptionByKey(order.customerId, 'another')).toBeUndefined();
    await expect(client.createSubscription({ ...order, quantity: 61 })).rejects.toMatchObject({ failure: 'unknown' });
  });

  it('whose response was lost is unknown, and found by its key', async () => {
    stripe.faults.set({ operation: 'stripe.create_subscription', kind: 'timeout_after_work', times: 1 });
    await expect(subscribe(PAYING_CARD)).rejects.toMatchObject({ failure: 'unknown', facts: { provider: 'stripe' } });
  });

  it('is incomplete while the first payment is declined, and active once another card pays it', async () => {
    const { client } = stripe;
    const { customerId } = await createCustomerWith(DECLINING_CARD);
    const { subscriptionId, status } = await subscribe(DECLINING_CARD, { customerId });
    expect(status).toBe('incomplete');
    const [invoice] = await client.listInvoices(subscriptionId);
    expect(invoice).toMatchObject({ status: 'open', failure: 'Your card was declined.', needsConfirmation: false });
    const paymentMethodId = await enterMethod(customerId, PAYING_CARD);
    await client.payInvoice({ idempotencyKey: createKey(), invoiceId: invoice?.invoiceId ?? '', paymentMethodId });
    expect((await client.getSubscription(subscriptionId)).status).toBe('active');
    moveDaysLater(1);
    expect(await listInvoices(subscriptionId)).toEqual([['first', 'paid', 87_60]]);
  });

  it('ends automatically when its first payment isn’t made within 23 hours', async () => {
    const { subscriptionId } = await subscribe(DECLINING_CARD);
    moveDaysLater(1);
    expect((await stripe.client.getSubscription(subscriptionId)).status).toBe('ended');
    expect(await listInvoices(subscriptionId)).toEqual([['first', 'void', 87_60]]);
  });

  it('waits for the payer to confirm the payment on Stripe’s page (3-D Secure)', async () => {
    const { subscriptionId, status } = await subscribe(CONFIRMING_CARD);
    expect(status).toBe('incomplete');
    const [invoice] = await stripe.client.listInvoices(subscriptionId);
    expect(invoice).toMatchObject({ needsConfirmation: true });
    expect(await (await fetch(invoice?.payUrl ?? '')).text()).toContain('£87.60');
    await fetch(invoice?.payUrl ?? '', { method: 'POST', body: new URLSearchParams({ choice: 'confirm' }) });
    expect((await stripe.client.getSubscription(subscriptionId)).status).toBe('active');
  });

  it('is active while a Direct Debit is pending, and past due when the bank rejects it', async () => {
    const bacsSubscription = await subscribe('00012345', { kind: 'bacs_debit' });
    const refusedSubscription = await subscribe('22222227', { kind: 'bacs_debit' });
    expect([bacsSubscription.status, refusedSubscription.status]).toEqual(['active', 'active']);
    expect(await listInvoices(bacsSubscription.subscriptionId)).toEqual([['first', 'open', 87_60]]);
    moveDaysLater(5);
    expect(await listInvoices(bacsSubscription.subscriptionId)).toEqual([['first', 'paid', 87_60]]);
    const [failedInvoice] = await stripe.client.listInvoices(refusedSubscription.subscriptionId);
    expect(failedInvoice).toMatchObject({ status: 'open', failure: 'The bank account has insufficient funds.' });
  });

  it('is past due after a declined renewal, which is retried, and active once it is paid', async () => {
    const { client, controls } = stripe;
    const { subscriptionId } = await subscribe(PAYING_CARD);
    const method = controls.records.methods.list().at(-1)?.document;
    if (method) controls.records.methods.put(method.id, { ...method, behaviour: 'declines' });
    moveDaysLater(31);
    expect((await client.getSubscription(subscriptionId)).status).toBe('past_due');
    if (method) controls.records.methods.put(method.id, method);
    moveDaysLater(35);
    expect((await client.getSubscription(subscriptionId)).status).toBe('active');
  });

  it('continues after its unpaid invoice is marked as uncollectible, which can still be paid', async () => {
    const { client, controls } = stripe;
    const { customerId } = await createCustomerWith(PAYING_CARD);
    const { subscriptionId } = await subscribe(PAYING_CARD, { customerId });
    const method = controls.records.methods.list().at(-1)?.document;
    if (method) controls.records.methods.put(method.id, { ...method, behaviour: 'declines' });
    moveDaysLater(31);
    const [paidInvoice, unpaidInvoice] = await client.listInvoices(subscriptionId);
    const createOrder = (invoiceId = '') => ({ idempotencyKey: createKey(), invoiceId });
    const refusedFailure = { failure: 'refused', facts: { status: 400 } };
    await expect(client.markUncollectible(createOrder(paidInvoice?.invoiceId))).rejects.toMatchObject(refusedFailure);
    await expect(client.markUncollectible(createOrder('in_unknown'))).rejects.toMatchObject({ failure: 'refused', facts: { status: 404 } });
    const firstOrder = createOrder(unpaidInvoice?.invoiceId);
    expect(await client.markUncollectible(firstOrder)).toMatchObject({ status: 'uncollectible', amountRemainingPence: 87_60 });
    expect(await client.markUncollectible(firstOrder)).toMatchObject({ status: 'uncollectible' });
    await expect(client.markUncollectible(createOrder(unpaidInvoice?.invoiceId))).rejects.toMatchObject(refusedFailure);
    expect((await client.getSubscription(subscriptionId)).status).toBe('active');
    // There's no retry, and a declined payment changes nothing.
    moveDaysLater(40);
    const pay = (paymentMethodId: string) => client.payInvoice({ ...createOrder(unpaidInvoice?.invoiceId), paymentMethodId });
    await pay(method?.id ?? '');
    expect(await client.getInvoice(unpaidInvoice?.invoiceId ?? '')).toMatchObject({ status: 'uncollectible', chargeId: undefined });
    await pay(await enterMethod(customerId, PAYING_CARD));
    expect(await client.getInvoice(unpaidInvoice?.invoiceId ?? '')).toMatchObject({ status: 'paid', amountRemainingPence: 0 });
  });

  it('can end at its renewal, be kept, and be ended at once', async () => {
    const { client } = stripe;
    const { subscriptionId } = await subscribe(PAYING_CARD);
    expect((await client.setEndsAtPeriodEnd({ idempotencyKey: createKey(), subscriptionId, ends: true })).endsAtPeriodEnd).toBe(true);
    expect((await client.setEndsAtPeriodEnd({ idempotencyKey: createKey(), subscriptionId, ends: false })).endsAtPeriodEnd).toBe(false);
    await client.setEndsAtPeriodEnd({ idempotencyKey: createKey(), subscriptionId, ends: true });
    moveDaysLater(31);
    expect(await client.getSubscription(subscriptionId)).toMatchObject({ status: 'ended', endedAt: '2026-12-10T09:00:00.000Z' });
    const otherSubscription = await subscribe(PAYING_CARD);
    await client.endSubscription(otherSubscription.subscriptionId);
    await client.endSubscription(otherSubscription.subscriptionId);
    expect((await client.getSubscription(otherSubscription.subscriptionId)).status).toBe('ended');
  });

  it('gets a coupon for as many renewals as it has months', async () => {
    const { client } = stripe;
    const { subscriptionId } = await subscribe(PAYING_CARD, { coupon: { discount: { kind: 'percent', percent: 50 }, months: 1 } });
    moveDaysLater(31);
    expect((await listInvoices(subscriptionId)).map(([, , total]) => total)).toEqual([43_80, 87_60]);
    const couponId = await client.ensureCoupon({ discount: { kind: 'pence', pence: pence(500) }, months: 2 });
    await client.applyCoupon({ idempotencyKey: createKey(), subscriptionId, couponId });
    moveDaysLater(31 + 31);
    expect((await listInvoices(subscriptionId)).map(([, , total]) => total)).toEqual([43_80, 87_60, 81_60]);
  });

  it('invoices a change at once; a credit reduces the next payment', async () => {
    const { client } = stripe;
    const { subscriptionId, itemId } = await subscribe(PAYING_CARD);
    moveDaysLater(15);
    const change = { subscriptionId, itemId, at: toInstant(START_MS + 15 * DAY_MS), priceId: undefined };
    await client.changeQuantity({ idempotencyKey: createKey(), ...change, quantity: 80 });
    await client.changeQuantity({ idempotencyKey: createKey(), ...change, quantity: 60 });
    moveDaysLater(31);
    const invoices = await client.listInvoices(subscriptionId);
    // Twenty connections at £0.90 for half a month, including VAT.
    expect(invoices.map(({ totalPence }) => totalPence)).toEqual([87_60, 10_80, -10_80, 87_60]);
    expect(invoices.map(({ amountDuePence }) => amountDuePence)).toEqual([87_60, 10_80, 0, 76_80]);
  });
});

describe('a later price', () => {
  it('is charged from the next renewal, without an immediate change', async () => {
    const { client } = stripe;
    const { subscriptionId, itemId, priceId } = await subscribe(PAYING_CARD);
    const higherPrice = PRICE_LIST.tiers.map((tier) => ({
      ...tier,
      basePence: pence(tier.basePence * 2),
      unitPence: pence(tier.unitPence * 2),
    }));
    const laterPriceId = await client.ensurePrice({ ...PRICE_LIST, version: 2, tiers: higherPrice });
    moveDaysLater(29);
    const movedSubscription = await client.changePrice({ idempotencyKey: createKey(), subscriptionId, itemId, priceId: laterPriceId });
    expect([movedSubscription.priceId, movedSubscription.periodEnd]).toEqual([laterPriceId, '2026-12-10T09:00:00.000Z']);
    // A change this month uses this month's price: 20 connections at £0.90 for 2 of 30 days.
    const at = toInstant(START_MS + 28 * DAY_MS);
    await client.changeQuantity({ idempotencyKey: createKey(), subscriptionId, itemId, quantity: 80, at, priceId });
    expect((await listInvoices(subscriptionId)).map(([, , total]) => total)).toEqual([87_60, 1_44]);
    await client.changePrice({ idempotencyKey: createKey(), subscriptionId, itemId, priceId: laterPriceId });
    moveDaysLater(31);
    expect((await listInvoices(subscriptionId)).map(([, , total]) => total)).toEqual([87_60, 1_44, 218_40]);
  });
});

describe('a refund', () => {
  const createOrder = (invoiceId: string, amount: number) => ({
    idempotencyKey: createKey(),
    invoiceId,
    amountPence: pence(amount),
    memo: 'Too many',
  });

  it('is found by its key, never exceeds the amount left, and is sent again after the bank returned it', async () => {
    const { client, controls } = stripe;
    const { subscriptionId } = await subscribe(PAYING_CARD);
    const [invoice] = await client.listInvoices(subscriptionId);
    const { invoiceId = '', chargeId = '' } = invoice ?? {};
    const first = createOrder(invoiceId, 60_00);
    const firstRefund = await client.refund(first);
    expect(firstRefund.refund).toMatchObject({ status: 'succeeded', amountPence: 60_00, failure: undefined });
    expect(await client.refund(first)).toEqual(firstRefund);
    expect(await client.findCreditNote(invoiceId, first.idempotencyKey)).toEqual(firstRefund);
    expect(await client.findCreditNote(invoiceId, createKey())).toBeUndefined();
    await expect(client.refund(createOrder(invoiceId, 27_61))).rejects.toMatchObject({ failure: 'refused' });
    controls.failRefund(firstRefund.refund.refundId);
    expect(await client.getRefund(firstRefund.refund.refundId)).toMatchObject({
      status: 'failed',
      failure: 'The card has expired or was cancelled.',
    });
    const repeatedRefund = { idempotencyKey: createKey(), chargeId, amountPence: pence(60_00) };
    const second = await client.refundAgain(repeatedRefund);
    expect(await client.listRefunds(chargeId)).toContainEqual({ ...second, key: repeatedRefund.idempotencyKey });
    expect(await client.listRefundsSince(toInstant(START_MS))).toContainEqual({ ...second, chargeId });
    controls.dispute(chargeId);
    await expect(client.refund(createOrder(invoiceId, 1))).rejects.toMatchObject({ facts: { code: 'charge_disputed' } });
  });

  it('to a bank account is pending for some days', async () => {
    const { client } = stripe;
    const { subscriptionId } = await subscribe('00012345', { kind: 'bacs_debit' });
    moveDaysLater(5);
    const [invoice] = await client.listInvoices(subscriptionId);
    const { refund } = await client.refund(createOrder(invoice?.invoiceId ?? '', 10_00));
    expect(refund.status).toBe('pending');
    moveDaysLater(10);
    expect((await client.getRefund(refund.refundId)).status).toBe('succeeded');
  });
});

describe('money', () => {
  it('is paid out less fees, refunds and disputes, and the movements add up', async () => {
    await stripe.close();
    stripe = await startStripe();
    const { client, controls } = stripe;
    const { subscriptionId } = await subscribe(PAYING_CARD);
    const [invoice] = await client.listInvoices(subscriptionId);
    await client.refund({
      idempotencyKey: createKey(),
      invoiceId: invoice?.invoiceId ?? '',
      amountPence: pence(12_00),
      memo: 'Too many connections',
    });
    const otherSubscription = await subscribe(PAYING_CARD);
    const [disputedInvoice] = await client.listInvoices(otherSubscription.subscriptionId);
    controls.dispute(disputedInvoice?.chargeId ?? '');
    const readDispute = async () => (await client.listInvoices(otherSubscription.subscriptionId))[0]?.dispute;
    expect(await readDispute()).toEqual({ isLost: false, amountPence: disputedInvoice?.totalPence, takenAt: toInstant(START_MS) });
    await subscribe(PAYING_CARD);
    moveDaysLater(4);
    controls.followClock();
    const [payout] = await client.listPayouts(toInstant(START_MS), toInstant(START_MS + 30 * DAY_MS));
    const movements = await client.listPayoutTransactions(payout?.payoutId ?? '');
    expect(movements.map(({ type }) => type).toSorted()).toEqual(['adjustment', 'charge', 'charge', 'charge', 'payout', 'refund']);
    const net = movements.filter(({ type }) => type !== 'payout').reduce((sum, { netPence }) => sum + netPence, 0);
    expect(net).toBe(payout?.amountPence);
    expect(movements.find(({ type }) => type === 'adjustment')?.chargeId).toBe(disputedInvoice?.chargeId);
  });
});

describe('a credit note of an unpaid invoice', () => {
  it('reduces what is left to pay, once for a key and never below zero, and marks an invoice with nothing left as paid', async () => {
    const { client } = stripe;
    const { subscriptionId } = await subscribe(DECLINING_CARD);
    const [invoice] = await client.listInvoices(subscriptionId);
    const createCredit = (amount: number) => ({
      idempotencyKey: createKey(),
      invoiceId: invoice?.invoiceId ?? '',
      amountPence: pence(amount),
      memo: 'Wrong',
    });
    const order = createCredit(27_60);
    const creditNoteId = await client.creditUnpaid(order);
    expect(await client.creditUnpaid(order)).toBe(creditNoteId);
    expect(await client.findUnpaidCredit(order.invoiceId, order.idempotencyKey)).toBe(creditNoteId);
    expect(await client.getInvoice(order.invoiceId)).toMatchObject({ status: 'open', amountRemainingPence: 60_00, creditedPence: 27_60 });
    await expect(client.creditUnpaid(createCredit(60_01))).rejects.toMatchObject({ failure: 'refused' });
    await client.creditUnpaid(createCredit(60_00));
    const settled = await client.getInvoice(order.invoiceId);
    expect(settled).toMatchObject({ status: 'paid', amountRemainingPence: 0, creditedPence: 87_60, chargeId: undefined });
  });
});

describe('a dispute', () => {
  it.each([
    ['lost', { isLost: true, amountPence: 87_60, takenAt: expect.any(String) }],
    ['won', undefined],
  ] as const)('that is %s has this outcome, and its charge stays disputed', async (outcome, expected) => {
    const { client, controls } = stripe;
    const { subscriptionId } = await subscribe(PAYING_CARD);
    const [invoice] = await client.listInvoices(subscriptionId);
    controls.dispute(invoice?.chargeId ?? '');
    controls.closeDispute(invoice?.chargeId ?? '', outcome);
    expect(controls.records.charges.get(invoice?.chargeId ?? '')?.disputed).toBe(true);
    expect((await client.getInvoice(invoice?.invoiceId ?? '')).dispute).toEqual(expected);
  });
});

describe('an expanded field', () => {
  it('at more than four levels is rejected, as Stripe does', async () => {
    const url = `${stripe.apiUrl}/v1/invoices?expand[]=data.payments.data.payment.payment_intent`;
    const headers = { authorization: `Bearer ${SANDBOX_STRIPE.secretKey}`, 'stripe-version': '2026-10-28.endive' };
    const response = await fetch(url, { headers });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'property_expansion_max_depth' } }]);
  });
});

describe('a webhook', () => {
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { object: 'invoice', id: 'in_1', customer: 'cus_1' } },
  };
  const rawBody = Buffer.from(JSON.stringify(event));
  const now = toInstant(START_MS);
  const sign = (secret: string, seconds: number) =>
    `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${rawBody.toString()}`).digest('hex')}`;
  const seconds = START_MS / 1_000;

  it.each(['whsec_new', SANDBOX_STRIPE.webhookSecret])('is accepted when signed with a current secret (%s)', (secret) => {
    const read = stripe.client.verifyWebhook({ rawBody, signature: sign(secret, seconds), now });
    expect(read).toEqual({ eventId: 'evt_1', type: 'invoice.paid', customerId: 'cus_1', chargeId: undefined });
  });

  it.each([undefined, '', 't=1,v1=00', sign('another', seconds), sign(SANDBOX_STRIPE.webhookSecret, seconds - 301)])(
    'is rejected with the signature %j',
    (signature) => {
      expect(() => stripe.client.verifyWebhook({ rawBody, signature, now })).toThrow(/signature/);
    },
  );
});

describe('prices', () => {
  it('agree with the simulator’s invoice preview to the penny (240 random cases; npm run bench -- prices compares 5,000)', async () => {
    // Uses a separate simulator, because these cases move the clock.
    const ownStripe = await startStripe();
    const random = createRandom(20_261_127);
    const comparison = await comparePrices({ provider: ownStripe.client, random, cases: 240, version: 1_000, setNow: ownStripe.setNow });
    await ownStripe.close();
    expect(comparison.differences).toEqual([]);
    expect(comparison.changes).toBe(80);
  }, 600_000);

  const testKey = process.env['STRIPE_TEST_SECRET_KEY'];
  it.skipIf(testKey === undefined)('agree with Stripe’s test mode (skipped without STRIPE_TEST_SECRET_KEY)', async () => {
    if (!testKey?.startsWith('sk_test_') && !testKey?.startsWith('rk_test_')) throw new Error('STRIPE_TEST_SECRET_KEY must be a test key');
    const provider = createStripeClient({ apiUrl: 'https://api.stripe.com', secretKey: testKey, webhookSecrets: [], fetch });
    const version = Math.floor(Date.now() / 1_000);
    // Stripe's test card, which always pays.
    const addMethod = async (customerId: string) => {
      const response = await fetch('https://api.stripe.com/v1/payment_methods/pm_card_visa/attach', {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: new URLSearchParams({ customer: customerId }),
      });
      const { id: paymentMethodId } = (await response.json()) as { id: string };
      await provider.setDefaultMethod({ idempotencyKey: createKey(), customerId, paymentMethodId });
    };
    const comparison = await comparePrices({ provider, random: createRandom(version), cases: 60, version, addMethod });
    expect(comparison.differences).toEqual([]);
    expect(comparison.changes).toBe(20);
  });

  it('of changes are also compared when the provider’s clock can’t be moved, as in Stripe’s test mode', async () => {
    const comparison = await comparePrices({ provider: stripe.client, random: createRandom(19), cases: 24, version: 5_000 });
    expect(comparison).toEqual({ cases: 24, changes: 8, differences: [] });
  });

  it('with a wrong key are rejected', async () => {
    const client = createStripeClient({ apiUrl: stripe.apiUrl, secretKey: 'sk_wrong', webhookSecrets: [], fetch });
    await expect(client.ensurePrice(PRICE_LIST)).rejects.toMatchObject({ failure: 'unauthorized' });
  });
});
