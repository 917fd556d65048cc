/** Tests payments, disputes and promotion codes that arrive when a subscription has moved on, with Stripe's simulator over real HTTP. */
import { randomUUID } from 'node:crypto';
import { promotionCodes, subscriptions, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator } from '../../testing/test-trader.ts';
import { getRevenue } from '../operator-billing/get-revenue.ts';
import { createInvoiceDocument } from './invoice-document.ts';
import { getInvoice } from './invoice-files-routes.ts';
import { readSubscription } from './read-subscription.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

type JsonRow = Record<string, unknown>;
const getDb = () => portal.deps.database.db;
const getSubscription = async (practice: PayingPractice) => (await practice.read('billing')).body['subscription'] as JsonRow | null;
const listInvoices = async (practice: PayingPractice) => (await practice.read('invoices')).body['invoices'] as JsonRow[];
const getTotals = async (practice: PayingPractice) =>
  (await listInvoices(practice)).map(({ kind, total_pence, status }) => [kind, total_pence, status]);
/** Advances Stripe's clock, then reads the practice's subscription. */
const follow = async (practice: PayingPractice, at: string) => {
  portal.moveClock(at);
  portal.stripe.followClock();
  await readSubscription(portal.deps, practice.companyId);
  await portal.runJobs();
};
const waitUntil = (check: () => Promise<void>) =>
  vi.waitFor(async () => {
    await portal.runJobs();
    await check();
  }, 20_000);

async function addSubscribedPractice(): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  return practice;
}

const findStripeInvoice = async (practice: PayingPractice, number: unknown) => {
  const isIt = and(eq(vatInvoices.companyId, practice.companyId), eq(vatInvoices.number, String(number)));
  const [row] = await getDb().select({ id: vatInvoices.providerId }).from(vatInvoices).where(isIt);
  const found = portal.stripe.records.invoices.get(row?.id ?? '');
  if (!found) throw new Error('the invoice is missing at Stripe');
  return found;
};

/** Pays the invoice at Stripe with a good card, as on its hosted page. */
async function payAtStripe(practice: PayingPractice, number: unknown): Promise<void> {
  await practice.enterMethod(CARDS.pays);
  const { id, customer } = await findStripeInvoice(practice, number);
  const method = portal.stripe.records.methods.list().findLast(({ document }) => document.customer === customer)?.document.id ?? '';
  await portal.deps.billing?.provider.payInvoice({ idempotencyKey: randomUUID(), invoiceId: id, paymentMethodId: method });
}

describe('a promotion code around a renewal', () => {
  it('that is applied while the invoice is a draft counts from the next renewal, and this one is invoiced as charged', async () => {
    await getDb()
      .insert(promotionCodes)
      .values({ code: 'LATE', kind: 'percent', value: 50, months: 1, startsOn: plainDate('2026-01-01') });
    const practice = await addSubscribedPractice();
    await follow(practice, '2026-12-10T09:10:00.000Z');
    expect((await practice.write('billing/subscription/promotion-code', { promotion_code: 'late' })).status).toBe(200);
    await follow(practice, '2026-12-10T10:10:00.000Z');
    expect((await getTotals(practice))[0]).toEqual(['invoice', 87_60, 'paid']);
    expect(await listInvoices(practice)).toHaveLength(2);
    await follow(practice, '2027-01-10T10:10:00.000Z');
    expect((await getTotals(practice))[0]).toEqual(['invoice', 43_80, 'paid']);
  });

  it('that reaches Stripe only after the renewal counts from the next one', async () => {
    await getDb()
      .insert(promotionCodes)
      .values({ code: 'SLOW', kind: 'percent', value: 50, months: 1, startsOn: plainDate('2026-01-01') });
    const practice = await addSubscribedPractice();
    portal.moveClock('2026-12-10T08:59:00.000Z');
    portal.faults.set({ operation: 'stripe.change_subscription', kind: 'server_error', times: 20 });
    expect((await practice.write('billing/subscription/promotion-code', { promotion_code: 'slow' })).status).toBe(200);
    portal.faults.clear();
    portal.moveClock('2026-12-10T10:10:00.000Z');
    portal.stripe.followClock();
    await portal.runJobs();
    await follow(practice, '2026-12-10T10:20:00.000Z');
    expect((await getTotals(practice)).map(([, total]) => total)).toEqual([87_60, 87_60]);
  });
});

describe('a subscription that begins just after midnight in summer', () => {
  it('renews on the day that was shown before, as Stripe counts', async () => {
    // 1 July, 00:30 in London: 30 June in UTC, in which Stripe counts months.
    portal.moveClock('2026-06-30T23:30:00.000Z');
    const practice = await addPayingPractice(portal);
    await practice.enterMethod(CARDS.pays);
    const shown = (await practice.read('calculate-pricing')).body['renews_on'];
    await practice.subscribe();
    expect([shown, (await getSubscription(practice))?.['renews_on']]).toEqual(['2026-07-31', '2026-07-31']);
    expect((await practice.read('calculate-pricing')).body['renews_on']).toBe('2026-07-31');
  });
});

describe('an invoice that is issued after its payment, because the portal was stopped', () => {
  it('has the day of the payment as its tax point', async () => {
    const practice = await addSubscribedPractice();
    portal.moveClock('2026-12-10T10:30:00.000Z');
    portal.stripe.followClock();
    portal.moveClock('2027-01-02T08:00:00.000Z');
    const countInvoices = async () => (await getRevenue(portal.deps, 2)).months.map(({ month, invoices }) => [month, invoices] as const);
    const [january, december] = await countInvoices();
    await readSubscription(portal.deps, practice.companyId);
    const [renewal, first] = await listInvoices(practice);
    expect(renewal).toMatchObject({ issued_on: '2027-01-02', status: 'paid' });
    const readPdf = async (id: unknown) =>
      JSON.stringify(createInvoiceDocument(portal.deps.site, await getInvoice(portal.deps, practice.companyId, String(id))));
    expect(await readPdf(renewal?.['invoice_id'])).toContain('["Tax point (date of payment)","10 December 2026"]');
    expect(await readPdf(first?.['invoice_id'])).toContain('["Date of issue and tax point","10 November 2026"]');
    expect(await countInvoices()).toEqual([january, ['2026-12-01', (december?.[1] ?? 0) + 1]]);
  });
});

describe('several unpaid renewals', () => {
  it('leave the subscription past due until all are paid, oldest first', async () => {
    const practice = await addSubscribedPractice();
    await practice.enterMethod(CARDS.declines);
    await follow(practice, '2026-12-10T11:00:00.000Z');
    await follow(practice, '2027-01-10T11:00:00.000Z');
    const [january, december] = await listInvoices(practice);
    expect([january?.['status'], december?.['status']]).toEqual(['failed', 'failed']);
    // Stripe's subscription is active again once its latest invoice is paid.
    await payAtStripe(practice, january?.['number']);
    await follow(practice, '2027-01-10T11:10:00.000Z');
    expect((await getTotals(practice)).map(([, , status]) => status)).toEqual(['paid', 'failed', 'paid']);
    expect(await getSubscription(practice)).toMatchObject({ status: 'past_due', dunning: { state: 'read_only', amount_due_pence: 87_60 } });
    expect((await practice.write('billing/subscription/pay')).status).toBe(200);
    expect(await getSubscription(practice)).toMatchObject({ status: 'active', dunning: null });
    expect((await getTotals(practice)).map(([, , status]) => status)).toEqual(['paid', 'paid', 'paid']);
  });
});

describe('after the subscription has ended', () => {
  async function addEndedPractice(): Promise<PayingPractice> {
    const practice = await addSubscribedPractice();
    await practice.enterMethod(CARDS.declines);
    await follow(practice, '2026-12-10T11:00:00.000Z');
    await practice.write('billing/subscription/cancel');
    await follow(practice, '2027-01-10T11:00:00.000Z');
    expect(await getSubscription(practice)).toBeNull();
    expect((await getTotals(practice))[0]).toEqual(['invoice', 87_60, 'failed']);
    return practice;
  }

  it('a payment of its last invoice is stored, even if it starts another subscription', async () => {
    const practice = await addEndedPractice();
    await payAtStripe(practice, (await listInvoices(practice))[0]?.['number']);
    expect((await practice.subscribe()).status).toBe(200);
    await waitUntil(async () => expect((await getTotals(practice)).map(([, , status]) => status)).toEqual(['paid', 'paid', 'paid']));
  });

  it('another one starts only once its last invoice is paid', async () => {
    const practice = await addEndedPractice();
    await practice.enterMethod(CARDS.pays);
    const response = await practice.subscribe();
    expect(response).toMatchObject({ status: 422, body: { code: 'billing.earlier_unpaid' } });
    expect(await getSubscription(practice)).toBeNull();
    const page = new URL(String((response.body['details'] as { pay_url: string }).pay_url));
    expect(await (await fetch(page)).text()).toContain('£87.60');
    await fetch(page, { method: 'POST', body: new URLSearchParams({ choice: 'pay' }) });
    expect((await practice.subscribe()).status).toBe(200);
  });

  it('a payment is stored without a webhook, by the daily read', async () => {
    const practice = await addEndedPractice();
    const { id } = await findStripeInvoice(practice, (await listInvoices(practice))[0]?.['number']);
    const charge = portal.stripe.records.invoices.get(id);
    if (charge) portal.stripe.records.invoices.put(id, { ...charge, status: 'paid', paid_at: portal.stripe.records.now() });
    await getDb()
      .update(subscriptions)
      .set({ readAt: '2020-01-01T00:00:00.000Z' as never })
      .where(eq(subscriptions.companyId, practice.companyId));
    await portal.deps.enqueue(getDb(), 'billing.sweep', {});
    await waitUntil(async () => expect((await getTotals(practice))[0]).toEqual(['invoice', 87_60, 'paid']));
  });

  async function disputeFirst(practice: PayingPractice): Promise<string> {
    const first = (await listInvoices(practice)).at(-1);
    const { payment_intent: intent } = await findStripeInvoice(practice, first?.['number']);
    const charge = portal.stripe.records.intents.get(intent ?? '')?.latest_charge ?? '';
    portal.stripe.dispute(charge);
    return charge;
  }
  const waitForFirst = (practice: PayingPractice, status: string) =>
    waitUntil(async () => expect((await getTotals(practice)).at(-1)).toEqual(['invoice', 87_60, status]));

  it('a dispute of a payment is shown', async () => {
    const practice = await addEndedPractice();
    await disputeFirst(practice);
    await waitUntil(async () => expect((await getTotals(practice)).at(-1)).toEqual(['invoice', 87_60, 'disputed']));
  });

  it('another one starts only once the payer’s bank has returned a payment that it took back', async () => {
    const practice = await addSubscribedPractice();
    await practice.write('billing/subscription/cancel');
    await follow(practice, '2026-12-10T11:00:00.000Z');
    expect(await getSubscription(practice)).toBeNull();
    const number = String((await listInvoices(practice)).at(-1)?.['number']);
    const charge = await disputeFirst(practice);
    await waitForFirst(practice, 'disputed');
    const response = await practice.subscribe();
    expect(response).toMatchObject({
      status: 422,
      body: {
        code: 'billing.earlier_disputed',
        message: expect.stringMatching(new RegExp(`took back £87\\.60 .*${number}.*withdraw the dispute.*contact us`)),
      },
    });
    expect(await getSubscription(practice)).toBeNull();
    expect(await listInvoices(practice)).toHaveLength(1);
    // Stripe is read first, so the practice doesn’t wait for the webhook.
    portal.stripe.closeDispute(charge, 'won');
    expect((await practice.subscribe()).status).toBe(200);
    await waitForFirst(practice, 'paid');
  });

  it('another one starts once a lost dispute is written off', async () => {
    const practice = await addSubscribedPractice();
    await practice.write('billing/subscription/cancel');
    await follow(practice, '2026-12-10T11:00:00.000Z');
    const charge = await disputeFirst(practice);
    portal.stripe.closeDispute(charge, 'lost');
    await waitForFirst(practice, 'disputed');
    expect((await practice.subscribe()).body).toMatchObject({ code: 'billing.earlier_disputed' });
    const olga = await createOperator(portal, 'olga@late.example', ['finance']);
    const omar = await createOperator(portal, 'omar@late.example', ['finance']);
    const company_id = practice.companyId;
    const invoice_id = (await listInvoices(practice)).at(-1)?.['invoice_id'];
    const { body } = await olga.post('/operator/invoices/write-off', { company_id, invoice_id, reason: 'The dispute was lost' });
    const decision = { company_id, request_id: body['request_id'] };
    expect((await omar.post('/operator/approvals/approve', decision, createIdempotencyHeaders())).status).toBe(200);
    await waitForFirst(practice, 'written_off');
    expect((await practice.subscribe()).status).toBe(200);
  });
});
