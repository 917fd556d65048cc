/**
 * Tests a practice's subscription from set-up to end, with Stripe's simulator over real HTTP. The arithmetic is tested in domain/pricing.
 */
import { randomUUID } from 'node:crypto';
import {
  billingAccounts,
  companies,
  connectionCountChanges,
  promotionCodes,
  promotionRedemptions,
  subscriptionChanges,
  subscriptions,
  vatInvoiceLines,
  vatInvoices,
} from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { pence } from '@portal/domain/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createOperatorAccount } from '../../testing/test-trader.ts';
import { preparePracticePrices } from '../pricing/practice-prices.ts';
import { orderSubscription } from './order-subscription.ts';
import { readSubscription } from './read-subscription.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

const getDb = () => portal.deps.database.db;
const get = (apiResponse: { body: Record<string, unknown> }, name: string) => apiResponse.body[name] as Record<string, unknown> | null;
const getSubscription = async (practice: PayingPractice) => get(await practice.read('billing'), 'subscription');
const listInvoices = async (practice: PayingPractice) => (await practice.read('invoices')).body['invoices'] as Record<string, unknown>[];
const getTotals = async (practice: PayingPractice) =>
  (await listInvoices(practice)).map(({ kind, total_pence, status }) => [kind, total_pence, status]);
/** Advances Stripe's clock, then runs our jobs. */
const moveTo = async (at: string) => {
  portal.moveClock(at);
  portal.stripe.followClock();
  await portal.runJobs();
  const rows = await getDb().select().from(subscriptions);
  for (const { companyId } of rows) await portal.deps.enqueue(getDb(), 'billing.read', { company_id: companyId });
  await portal.runJobs();
};
async function createSubscribedPractice(number: string = CARDS.pays, connections = 60): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal, connections);
  await practice.enterMethod(number, number.length < 10 ? 'bacs_debit' : 'card');
  expect((await practice.subscribe()).status).toBe(200);
  return practice;
}
const listEmailsTo = ({ companyId }: PayingPractice) =>
  portal.sentEmails.filter(({ to }) => to === `${companyId}@oakline.example`).map(({ subject }) => subject);
const download = (practice: PayingPractice, id: unknown, format: string, companyId = practice.companyId) =>
  portal.app.inject({
    url: '/portal/open-tax/invoices/file',
    query: { company_id: companyId, invoice_id: String(id), format },
    headers: { cookie: practice.cookies.admin },
  });

describe('setting up', () => {
  it('is saved, priced, paid and invoiced once, even when steps are repeated', async () => {
    const practice = await addPayingPractice(portal);
    expect((await practice.write('billing/subscription', { expected_total_pence: 87_60 })).body).toMatchObject({
      code: 'billing.payment_method_missing',
    });
    const enteredResponse = await practice.enterMethod(CARDS.pays);
    expect(enteredResponse.body).toEqual({ payment_method: { kind: 'card', label: 'Visa ending 4242, expires 12/2034' } });
    const changedResponse = await practice.write('billing/subscription', { expected_total_pence: 1_00 });
    expect(changedResponse).toMatchObject({ status: 409, body: { code: 'billing.price_changed' } });
    expect(get(await practice.subscribe(), 'subscription')).toEqual({
      status: 'active',
      tier_name: 'Practice',
      no_connections: 60,
      price_list_version: 1,
      subscribed_on: '2026-11-10',
      renews_on: '2026-12-10',
      renewal_total_pence: 87_60,
      promotion: null,
      ends_at_renewal: false,
      dunning: null,
      confirmation_url: null,
      price_move: null,
    });
    expect((await practice.subscribe()).body).toMatchObject({ code: 'billing.already_subscribed' });
    await portal.runJobs();
    const [invoice, ...otherInvoices] = await listInvoices(practice);
    expect(otherInvoices).toEqual([]);
    expect(invoice).toMatchObject({
      kind: 'invoice',
      issued_on: '2026-11-10',
      period_start: '2026-11-10',
      period_end: '2026-12-09',
      lines: [
        { description: 'OpenTax Practice, with 50 connections included', quantity: 1, amount_pence: 64_00 },
        { description: 'Extra connections', quantity: 10, amount_pence: 9_00 },
      ],
      net_pence: 73_00,
      vat_pence: 14_60,
      total_pence: 87_60,
      status: 'paid',
    });
    expect(listEmailsTo(practice)).toEqual([`VAT invoice ${String(invoice?.['number'])} from Tidewater`]);
  });

  it('rejects subscribing to the free tier, and what only an admin of the practice may do', async () => {
    const practice = await addPayingPractice(portal, 10);
    await practice.enterMethod(CARDS.pays);
    expect((await practice.write('billing/subscription', { expected_total_pence: 0 })).body).toMatchObject({
      code: 'billing.nothing_to_pay',
    });
    const path = '/open-tax/billing/subscription/cancel';
    const memberResponse = await practice.member.post(path, { company_id: practice.companyId }, { 'idempotency-key': randomUUID() });
    expect(memberResponse.status).toBe(404);
  });

  it('survives a lost response from Stripe: one subscription, one charge', async () => {
    const practice = await addPayingPractice(portal);
    await practice.enterMethod(CARDS.pays);
    portal.faults.set({ operation: 'stripe.create_subscription', kind: 'timeout_after_work', times: 1 });
    expect(get(await practice.subscribe(), 'subscription')).toMatchObject({ status: 'starting' });
    await portal.runJobs();
    expect(await getSubscription(practice)).toMatchObject({ status: 'active' });
    const [account] = await getDb().select().from(billingAccounts).where(eq(billingAccounts.companyId, practice.companyId));
    const subscriptionsAtStripe = portal.stripe.records.subscriptions
      .list()
      .filter(({ document }) => document.customer === account?.providerCustomerId);
    expect(subscriptionsAtStripe).toHaveLength(1);
    expect(await getTotals(practice)).toEqual([['invoice', 87_60, 'paid']]);
  });

  it('waits for a confirmation (3-D Secure), and for another card when one is declined', async () => {
    const confirming = await createSubscribedPractice(CARDS.confirms);
    const waitingSubscription = await getSubscription(confirming);
    expect(waitingSubscription).toMatchObject({ status: 'incomplete', dunning: { reason: 'Your bank needs you to confirm the payment.' } });
    expect(await listInvoices(confirming)).toEqual([]);
    await fetch(String(waitingSubscription?.['confirmation_url']), { method: 'POST', body: new URLSearchParams({ choice: 'confirm' }) });
    await vi.waitFor(async () => {
      await portal.runJobs();
      expect(await getSubscription(confirming)).toMatchObject({ status: 'active', dunning: null, confirmation_url: null });
    }, 20_000);
    const decliningPractice = await createSubscribedPractice(CARDS.declines);
    expect(await getSubscription(decliningPractice)).toMatchObject({
      status: 'incomplete',
      dunning: { reason: 'Your card was declined.', amount_due_pence: 87_60 },
    });
    await decliningPractice.enterMethod(CARDS.pays);
    expect(get(await decliningPractice.write('billing/subscription/pay'), 'subscription')).toMatchObject({ status: 'active' });
    expect(await getTotals(decliningPractice)).toEqual([['invoice', 87_60, 'paid']]);
  });
});

describe('promotion codes', () => {
  it('are used up by the subscription, and restored when its first payment is never made', async () => {
    await getDb()
      .insert(promotionCodes)
      .values({ code: 'HALF', kind: 'percent', value: 50, months: 1, startsOn: plainDate('2026-01-01') });
    const readUses = async () => (await getDb().select().from(promotionCodes).where(eq(promotionCodes.code, 'HALF')))[0]?.uses;
    const practice = await addPayingPractice(portal);
    await practice.enterMethod(CARDS.pays);
    const details = { billing_name: 'Olivia', billing_email: 'olivia@oakline.example', billing_address: 'Leeds', promotion_code: ' half ' };
    await practice.write('billing/details', details);
    expect(await readUses()).toBe(0);
    await practice.subscribe();
    expect(await readUses()).toBe(1);
    expect(await getSubscription(practice)).toMatchObject({
      renewal_total_pence: 87_60,
      promotion: { promotion_code: 'HALF', ends_on: '2026-12-10' },
    });
    const failingPractice = await addPayingPractice(portal);
    await failingPractice.enterMethod(CARDS.declines);
    await failingPractice.write('billing/details', details);
    await failingPractice.subscribe();
    expect(await readUses()).toBe(2);
    await moveTo('2026-11-11T09:00:00.000Z');
    expect([await getSubscription(failingPractice), await readUses()]).toEqual([null, 1]);
    await moveTo('2026-12-10T11:00:00.000Z');
    expect((await getTotals(practice)).map(([, total]) => total)).toEqual([87_60, 43_80]);
  });

  it('for one tier end when the practice changes to another', async () => {
    const terms = { kind: 'percent', value: 100, months: 12, tiers: ['Practice'], startsOn: plainDate('2026-01-01') } as const;
    await getDb()
      .insert(promotionCodes)
      .values({ code: 'YEAR', ...terms });
    const practice = await addPayingPractice(portal);
    await practice.enterMethod(CARDS.pays);
    const details = { billing_name: 'Olivia', billing_email: 'olivia@oakline.example', billing_address: 'Leeds', promotion_code: 'YEAR' };
    await practice.write('billing/details', details);
    await practice.subscribe();
    await practice.select(10);
    expect((await practice.read('calculate-pricing')).body).toMatchObject({ total_pence: 0, ends_promotion_code: null });
    await practice.write('billing/subscription/connections', { expected_total_pence: 0 });
    expect(await getSubscription(practice)).toMatchObject({ renewal_total_pence: 0, promotion: { promotion_code: 'YEAR' } });
    // 15 of 30 days are left.
    portal.moveClock('2026-11-25T09:00:00.000Z');
    await practice.select(1_930);
    const shownResponse = await practice.read('calculate-pricing');
    const total = Number(shownResponse.body['total_pence']);
    expect(shownResponse.body).toMatchObject({ tier_name: 'Firm', ends_promotion_code: 'YEAR' });
    expect(total).toBeGreaterThan(1_000_00);
    const change = (amount: number) => practice.write('billing/subscription/connections', { expected_total_pence: amount });
    expect((await change(0)).body).toMatchObject({ code: 'billing.price_changed' });
    portal.faults.set({ operation: 'stripe.change_subscription', kind: 'timeout_after_work', times: 1 });
    expect((await change(total)).status).toBe(200);
    await moveTo('2026-11-25T09:30:00.000Z');
    expect(await getSubscription(practice)).toMatchObject({ no_connections: 2_000, renewal_total_pence: total, promotion: null });
    await moveTo('2026-12-10T11:00:00.000Z');
    expect((await getTotals(practice)).map(([, amount]) => amount)).toEqual([total, total / 2, 0]);
  });

  it('with 5 uses are used exactly 5 times by 200 practices at the same moment', async () => {
    await getDb()
      .insert(promotionCodes)
      .values({ code: 'FIVE', kind: 'percent', value: 10, maxUses: 5, startsOn: plainDate('2026-01-01') });
    const at = portal.deps.clock.now();
    const ids = Array.from({ length: 200 }, () => randomUUID());
    await getDb()
      .insert(companies)
      .values(ids.map((id) => ({ id, kind: 'practice' as const, name: id, createdAt: at })));
    const contact = {
      billingName: 'Olivia',
      billingEmail: 'o@oakline.example',
      billingAddress: 'Leeds',
      promotionCode: 'FIVE',
      paymentMethodId: 'pm',
    };
    await getDb()
      .insert(billingAccounts)
      .values(ids.map((companyId) => ({ companyId, ...contact, updatedAt: at })));
    await getDb()
      .insert(connectionCountChanges)
      .values(ids.map((companyId) => ({ companyId, id: randomUUID(), connections: 60 })));
    const prices = await preparePracticePrices(portal.deps)(ids[0] ?? '');
    const order = { userId: randomUUID(), ip: '', expectedTotalPence: pence(78_84) };
    // On a busy machine, some wait too long for a connection, and try again as a person would.
    const tryOrder = async (companyId: string): Promise<unknown> => {
      try {
        return await getDb().transaction((tx) => orderSubscription(portal.deps, tx, prices, { ...order, companyId }));
      } catch (error) {
        if (error instanceof AppError) throw error;
        return tryOrder(companyId);
      }
    };
    const results = await Promise.allSettled(ids.map(tryOrder));
    const refusalCodes = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code?: string }).code] : []));
    expect([results.length - refusalCodes.length, new Set(refusalCodes)]).toEqual([5, new Set(['promotion.used_up'])]);
    expect(await getDb().select().from(promotionRedemptions).where(eq(promotionRedemptions.code, 'FIVE'))).toHaveLength(5);
    // These customers exist only for this test.
    await getDb().execute(sql`delete from subscription_changes where ordered_by = ${order.userId}`);
    await getDb().execute(sql`delete from subscriptions where ordered_by = ${order.userId}`);
  });
});

describe('changes', () => {
  it('are shown, then charged or credited for the rest of the month, and renewed at the new number', async () => {
    const practice = await createSubscribedPractice();
    // Half of 30 days.
    portal.moveClock('2026-11-25T09:00:00.000Z');
    await practice.select(20);
    const shownResponse = await practice.read('calculate-pricing');
    expect(shownResponse.body['total_pence']).toBe(109_20);
    expect(get(shownResponse, 'change')).toMatchObject({ total_pence: 10_80 });
    const change = (total: number) => practice.write('billing/subscription/connections', { expected_total_pence: total });
    expect((await change(87_60)).body).toMatchObject({ code: 'billing.price_changed' });
    expect(get(await change(109_20), 'subscription')).toMatchObject({ no_connections: 80, renewal_total_pence: 109_20 });
    portal.moveClock('2026-12-03T09:00:00.000Z');
    await practice.select(-20);
    expect(get(await change(87_60), 'subscription')).toMatchObject({ no_connections: 60 });
    expect((await change(87_60)).body).toMatchObject({ code: 'billing.no_change' });
    const [credit, charge, first] = await listInvoices(practice);
    expect([first, charge].map((invoice) => [invoice?.['kind'], invoice?.['total_pence'], invoice?.['status']])).toEqual([
      ['invoice', 87_60, 'paid'],
      ['invoice', 10_80, 'paid'],
    ]);
    expect(credit).toMatchObject({ kind: 'credit_note', status: 'credited', corrects_number: charge?.['number'] });
    expect(credit?.['total_pence']).toBeLessThan(0);
    await moveTo('2026-12-10T11:00:00.000Z');
    expect((await getTotals(practice))[0]).toEqual(['invoice', 87_60, 'paid']);
  });

  it('credit nothing for a payment that hasn’t reached us', async () => {
    // Both Direct Debits are pending for four days, and the bank then rejects one of them.
    const practices = [await createSubscribedPractice('22222227', 2_000), await createSubscribedPractice('00012345', 2_000)] as const;
    const change = (practice: PayingPractice, total: number) =>
      practice.write('billing/subscription/connections', { expected_total_pence: total });
    for (const practice of practices) {
      await practice.select(-1_940);
      expect((await change(practice, 87_60)).body).toMatchObject({ code: 'billing.not_paid_yet' });
      expect((await getTotals(practice)).map(([kind, , status]) => [kind, status])).toEqual([['invoice', 'open']]);
    }
    await moveTo('2026-11-15T09:00:00.000Z');
    const [failing, paying] = practices;
    expect((await change(failing, 87_60)).body).toMatchObject({ code: 'billing.payment_due' });
    expect((await change(paying, 87_60)).status).toBe(200);
    expect((await getTotals(paying))[0]?.[0]).toBe('credit_note');
  });

  it('end the subscription at its renewal, unless it is kept', async () => {
    const practice = await createSubscribedPractice();
    expect(get(await practice.write('billing/subscription/cancel'), 'subscription')).toMatchObject({
      ends_at_renewal: true,
      status: 'active',
    });
    expect(get(await practice.write('billing/subscription/resume'), 'subscription')).toMatchObject({ ends_at_renewal: false });
    await practice.write('billing/subscription/cancel');
    await moveTo('2026-12-10T11:00:00.000Z');
    expect(await getSubscription(practice)).toBeNull();
    expect(await getTotals(practice)).toHaveLength(1);
    await practice.select(0);
    expect((await practice.subscribe()).status).toBe(200);
  });
});

describe('a payment that fails', () => {
  it('leads to a banner, then to figures that aren’t refreshed, and is cleared when it is paid', async () => {
    const practice = await createSubscribedPractice();
    const method = portal.stripe.records.methods.list().at(-1)?.document;
    if (method) portal.stripe.records.methods.put(method.id, { ...method, behaviour: 'declines' });
    await moveTo('2026-12-10T11:00:00.000Z');
    const readNotice = async () => get(await practice.read('billing/notice'), 'notice');
    expect(await readNotice()).toEqual({ state: 'past_due', read_only_from: '2026-12-24' });
    expect(await getSubscription(practice)).toMatchObject({ status: 'past_due', dunning: { amount_due_pence: 87_60 } });
    expect((await getTotals(practice))[0]).toEqual(['invoice', 87_60, 'failed']);
    expect(listEmailsTo(practice)).toContain('We couldn’t collect your payment to Tidewater');
    const refresh = () => practice.admin.post('/open-tax/sync', { company_id: practice.companyId, tax_type: 'vat' });
    expect((await refresh()).body['code']).not.toBe('billing.read_only');
    portal.moveClock('2026-12-24T09:00:00.000Z');
    expect(await readNotice()).toMatchObject({ state: 'read_only' });
    expect((await refresh()).body).toMatchObject({ code: 'billing.read_only' });
    await practice.enterMethod(CARDS.pays);
    expect(get(await practice.write('billing/subscription/pay'), 'subscription')).toMatchObject({ status: 'active', dunning: null });
    expect([await readNotice(), (await getTotals(practice))[0]]).toEqual([null, ['invoice', 87_60, 'paid']]);
  });
});

describe('invoices', () => {
  it('wait until they match what was charged, and a missing payment is still shown', async () => {
    const practice = await createSubscribedPractice();
    const isOwnChange = eq(subscriptionChanges.companyId, practice.companyId);
    await getDb().update(subscriptionChanges).set({ connections: 61 }).where(isOwnChange);
    try {
      const method = portal.stripe.records.methods.list().at(-1)?.document;
      if (method) portal.stripe.records.methods.put(method.id, { ...method, behaviour: 'declines' });
      portal.moveClock('2026-12-10T11:00:00.000Z');
      portal.stripe.followClock();
      await expect(readSubscription(portal.deps, practice.companyId)).rejects.toThrow('was charged');
      expect(await getSubscription(practice)).toMatchObject({ status: 'past_due', dunning: { amount_due_pence: 87_60 } });
      expect(await getTotals(practice)).toHaveLength(1);
    } finally {
      await getDb().update(subscriptionChanges).set({ connections: 60 }).where(isOwnChange);
    }
    await readSubscription(portal.deps, practice.companyId);
    expect((await getTotals(practice))[0]).toEqual(['invoice', 87_60, 'failed']);
  });

  it('are files of their practice’s only, and never change', async () => {
    const practice = await createSubscribedPractice();
    const [invoice] = await listInvoices(practice);
    const pdfResponse = await download(practice, invoice?.['invoice_id'], 'pdf');
    expect([pdfResponse.statusCode, pdfResponse.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    const csvResponse = await download(practice, invoice?.['invoice_id'], 'csv');
    expect(csvResponse.body).toContain(`Total including VAT,,,87.60`);
    const otherPractice = await createSubscribedPractice();
    expect((await download(otherPractice, invoice?.['invoice_id'], 'pdf')).statusCode).toBe(404);
    expect((await download(otherPractice, invoice?.['invoice_id'], 'pdf', practice.companyId)).statusCode).toBe(404);
    const isThisInvoice = eq(vatInvoices.id, String(invoice?.['invoice_id']));
    await expect(
      getDb()
        .update(vatInvoices)
        .set({ totalPence: pence(0) })
        .where(isThisInvoice),
    ).rejects.toThrow(/Failed query|append-only/);
    await expect(
      getDb()
        .delete(vatInvoiceLines)
        .where(eq(vatInvoiceLines.invoiceId, String(invoice?.['invoice_id']))),
    ).rejects.toThrow(/Failed query|append-only/);
  });

  it('have numbers without gaps over all practices, even when one of them fails', async () => {
    const practices: PayingPractice[] = [];
    for (let count = 0; count < 3; count++) {
      const practice = await addPayingPractice(portal);
      await practice.enterMethod(CARDS.pays);
      practices.push(practice);
    }
    const responses = await Promise.all(practices.map((practice) => practice.subscribe()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await getDb().select({ sequence: vatInvoices.sequence }).from(vatInvoices).orderBy(vatInvoices.sequence);
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_row, index) => index + 1));
  });

  it('reconcile with Stripe’s payouts from the exports alone', async () => {
    const practice = await createSubscribedPractice(CARDS.pays, 80);
    const disputedPractice = await createSubscribedPractice(CARDS.pays, 100);
    const byBank = await createSubscribedPractice('00012345');
    const charge = portal.stripe.records.charges.list().findLast(({ document }) => document.amount === 130_80)?.document;
    portal.stripe.dispute(charge?.id ?? '');
    for (const day of ['14', '18', '30']) await moveTo(`2026-11-${day}T09:00:00.000Z`);
    await vi.waitFor(async () => {
      await portal.runJobs();
      expect(await getTotals(disputedPractice)).toEqual([['invoice', 130_80, 'disputed']]);
    }, 20_000);
    expect(await getTotals(practice)).toEqual([['invoice', 109_20, 'paid']]);
    const cookie = await createOperatorAccount(portal, `${randomUUID()}@tidewater.example`);
    const read = async (file: string): Promise<Record<string, string>[]> => {
      const response = await portal.app.inject({
        url: '/portal/operator/billing/export',
        query: { file, month: '2026-11-01' },
        headers: { cookie },
      });
      const [titles = '', ...rows] = response.body.replace('\uFEFF', '').trim().split('\r\n');
      const names = titles.split(',');
      return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [names[index] ?? '', cell])));
    };
    const [invoiceRows, paymentRows, payouts] = [await read('invoices'), await read('payments'), await read('payouts')];
    const parsePence = (text = '') => Math.round(Number(text) * 100);
    const sum = (rows: readonly Record<string, string>[], name: string) => rows.reduce((total, row) => total + parsePence(row[name]), 0);
    // Each collected invoice has one payment for the amount due. Practices in other tests may have paid in another month.
    const numbers = (await Promise.all([practice, disputedPractice, byBank].map(listInvoices))).flat().map(({ number }) => number);
    const chargedInvoices = invoiceRows.filter(({ Number: number, Charge = '' }) => Charge !== '' && numbers.includes(number));
    expect(chargedInvoices).toHaveLength(3);
    for (const { Charge, Number: number, 'Amount due': due } of chargedInvoices) {
      const payment = paymentRows.find((row) => row['Charge'] === Charge && (row['Type'] === 'charge' || row['Type'] === 'payment'));
      expect([payment?.['Invoice'], payment?.['Amount']]).toEqual([number, due]);
    }
    // Each payout is the sum of its payments, refunds and disputes, less fees.
    expect(payouts.length).toBeGreaterThan(0);
    for (const { Payout, Amount } of payouts) {
      const ownRows = paymentRows.filter((row) => row['Payout'] === Payout);
      expect(sum(ownRows, 'Net')).toBe(parsePence(Amount));
      expect(sum(ownRows, 'Amount') - sum(ownRows, 'Fee')).toBe(parsePence(Amount));
    }
    expect(paymentRows.filter(({ Type }) => Type === 'adjustment').map(({ Charge }) => Charge)).toContain(charge?.id);
  });
});
