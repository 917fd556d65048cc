/** Tests bad debts: unpaid invoices that two operators write off, with Stripe's simulator over real HTTP. */
import { randomUUID } from 'node:crypto';
import { auditEntries, invoicePayments, invoiceWriteOffs, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, createOperatorAccount, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { readSubscription } from '../billing/read-subscription.ts';
import { readWriteOffs, sendWriteOff } from '../billing/send-write-off.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
/** By then, the renewal on 10 December has failed. */
const AFTER_SIX_MONTHS = '2026-12-12T09:00:00.000Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@bad-debts.example', ['finance']);
  omar = await createOperator(portal, 'omar@bad-debts.example', ['finance']);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

type JsonRow = Record<string, unknown>;
const getDb = () => portal.deps.database.db;
const reason = 'The practice is in liquidation; the liquidator expects no dividend';
const waitUntil = (check: () => Promise<void>) =>
  vi.waitFor(async () => {
    await portal.runJobs();
    await check();
  }, 20_000);
const listInvoices = async (practice: PayingPractice) => (await practice.read('invoices')).body['invoices'] as JsonRow[];
const findNewestInvoice = async (practice: PayingPractice) => (await listInvoices(practice))[0] ?? {};
const findListedInvoice = async (practice: PayingPractice) => {
  const { number } = await findNewestInvoice(practice);
  return ((await olga.get('/operator/invoices', { q: String(number) })).body['invoices'] as JsonRow[])[0] ?? {};
};
const readNotice = async (practice: PayingPractice) => (await practice.read('billing/notice')).body['notice'];
const follow = async (practice: PayingPractice, at: string) => {
  portal.moveClock(at);
  portal.stripe.followClock();
  await readSubscription(portal.deps, practice.companyId);
  await portal.runJobs();
};

/** The first month is paid; the card then used for the renewal is declined, so £87.60 is unpaid. */
async function addUnpaidPractice(number: string = CARDS.declines, kind: 'card' | 'bacs_debit' = 'card'): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  await practice.enterMethod(number, kind);
  await follow(practice, AFTER_SIX_MONTHS);
  expect(await listInvoices(practice)).toHaveLength(2);
  return practice;
}
const ask = async (practice: PayingPractice, browser = olga, input: object = {}) =>
  browser.post('/operator/invoices/write-off', {
    company_id: practice.companyId,
    invoice_id: (await findNewestInvoice(practice))['invoice_id'],
    reason,
    ...input,
  });
const approve = ({ companyId }: PayingPractice, requestResponse: ApiResponse, browser = omar) =>
  browser.post(
    '/operator/approvals/approve',
    { company_id: companyId, request_id: requestResponse.body['request_id'] },
    createIdempotencyHeaders(),
  );
async function writeOff(practice: PayingPractice): Promise<string> {
  const response = await ask(practice);
  expect(response).toMatchObject({ status: 200 });
  expect(await approve(practice, response)).toMatchObject({ status: 200 });
  await portal.runJobs();
  return String(response.body['request_id']);
}
const getStripeInvoice = async (practice: PayingPractice) => {
  const isThisInvoice = and(
    eq(vatInvoices.companyId, practice.companyId),
    eq(vatInvoices.number, String((await findNewestInvoice(practice))['number'])),
  );
  const [row] = await getDb().select({ id: vatInvoices.providerId }).from(vatInvoices).where(isThisInvoice);
  const stripeInvoice = portal.stripe.records.invoices.get(row?.id ?? '');
  if (!stripeInvoice) throw new Error('the invoice is missing at Stripe');
  return stripeInvoice;
};
/** Pays the invoice at Stripe with another card. */
async function payAfterAll(practice: PayingPractice): Promise<void> {
  await practice.enterMethod(CARDS.pays);
  const { id, customer } = await getStripeInvoice(practice);
  const method = portal.stripe.records.methods.list().findLast(({ document }) => document.customer === customer)?.document.id ?? '';
  await portal.deps.billing?.provider.payInvoice({ idempotencyKey: randomUUID(), invoiceId: id, paymentMethodId: method });
}

describe('a bad debt', () => {
  it('is written off by two operators: the invoice stays without a credit note, Stripe stops, and dunning ends', async () => {
    const practice = await addUnpaidPractice();
    expect(await readNotice(practice)).toMatchObject({ state: 'past_due' });
    const before = await findNewestInvoice(practice);
    expect(before).toMatchObject({ status: 'failed', written_off_on: null });
    const response = await ask(practice);
    const requests = (await omar.get('/operator/approvals')).body['requests'] as JsonRow[];
    expect(requests.find(({ request_id }) => request_id === response.body['request_id'])).toMatchObject({
      description: expect.stringMatching(
        /Writes off £87\.60 of VAT invoice INV-\d+ as a bad debt, including £14\.60 VAT.*box 4 from 12 June 2027 to 11 June 2031/,
      ),
      reason,
    });
    expect((await approve(practice, response, olga)).body).toMatchObject({ code: 'approval.wrong_person' });
    expect(await getStripeInvoice(practice)).toMatchObject({ status: 'open' });
    await approve(practice, response);
    await portal.runJobs();
    expect(await getStripeInvoice(practice)).toMatchObject({ status: 'uncollectible', next_payment_attempt: null });
    const after = await findNewestInvoice(practice);
    expect(after).toEqual({ ...before, status: 'written_off', written_off_on: '2026-12-12' });
    expect(await listInvoices(practice)).toHaveLength(2);
    expect(await readNotice(practice)).toBeNull();
    expect(await findListedInvoice(practice)).toMatchObject({
      status: 'written_off',
      write_off: {
        status: 'written_off',
        amount_pence: 87_60,
        vat_pence: 14_60,
        relief_from: '2027-06-12',
        relief_until: '2031-06-11',
        reason,
      },
    });
    // Neither a retry at Stripe nor a late read from Stripe changes the status.
    const [payment] = await getDb()
      .select()
      .from(invoicePayments)
      .where(eq(invoicePayments.invoiceId, String(after['invoice_id'])));
    await follow(practice, '2026-12-20T09:00:00.000Z');
    expect(await getStripeInvoice(practice)).toMatchObject({ status: 'uncollectible' });
    expect(await findNewestInvoice(practice)).toMatchObject({ status: 'written_off' });
    expect(payment?.status).toBe('written_off');
    const entries = await getDb()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, String(response.body['request_id'])));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['approval.requested', 'approval.approved', 'write_off.ordered', 'write_off.done']),
    );
  });

  it('is written off once, even if it is requested twice, lost or run at the same time', async () => {
    const practice = await addUnpaidPractice();
    const response = await ask(practice);
    expect((await ask(practice, omar)).body).toMatchObject({ code: 'approval.already_requested' });
    portal.faults.set({ operation: 'stripe.mark_uncollectible', kind: 'timeout_after_work', times: 1 });
    const responses = await Promise.all([approve(practice, response), approve(practice, response), approve(practice, response)]);
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    const id = String(response.body['request_id']);
    await Promise.allSettled([1, 2, 3].map(() => sendWriteOff(portal.deps, practice.companyId, id)));
    await waitUntil(async () => expect(await findNewestInvoice(practice)).toMatchObject({ status: 'written_off' }));
    expect((await ask(practice)).body).toMatchObject({ code: 'write_off.not_unpaid' });
    const [row] = await getDb().select().from(invoiceWriteOffs).where(eq(invoiceWriteOffs.companyId, practice.companyId));
    if (!row) throw new Error('the write-off is missing');
    const repeatedWriteOff = { ...row, id: randomUUID(), status: 'sending' as const, writtenOffOn: null };
    await expect(getDb().insert(invoiceWriteOffs).values(repeatedWriteOff)).rejects.toThrow('Failed query');
    await expect(
      getDb()
        .update(invoiceWriteOffs)
        .set({ amountPence: pence(1) })
        .where(eq(invoiceWriteOffs.id, id)),
    ).rejects.toThrow('Failed query');
    await expect(getDb().update(invoiceWriteOffs).set({ status: 'sending' }).where(eq(invoiceWriteOffs.id, id))).rejects.toThrow(
      'Failed query',
    );
    const doneWriteOffs = await getDb()
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.subject, id), eq(auditEntries.action, 'write_off.done')));
    expect(doneWriteOffs).toHaveLength(1);
  });

  it('requires an invoice that is also unpaid at Stripe, and the finance role', async () => {
    const practice = await addUnpaidPractice();
    const support = await createOperator(portal, 'support@bad-debts.example', ['support']);
    expect((await ask(practice, support)).status).toBe(403);
    const otherPractice = await addPayingPractice(portal);
    expect((await ask(practice, olga, { company_id: otherPractice.companyId })).status).toBe(404);
    expect((await ask(practice, olga, { reason: ' ' })).status).toBe(400);
    const paidInvoiceId = (await listInvoices(practice)).at(-1)?.['invoice_id'];
    expect((await ask(practice, olga, { invoice_id: paidInvoiceId })).body).toMatchObject({ code: 'write_off.not_unpaid' });
    // The invoice is paid between request and approval, and we haven't read the payment yet.
    const response = await ask(practice);
    await payAfterAll(practice);
    expect((await approve(practice, response)).body).toMatchObject({ code: expect.stringMatching(/write_off\.not_/) });
    expect(await findNewestInvoice(practice)).toMatchObject({ status: 'paid' });
    expect(await getDb().select().from(invoiceWriteOffs).where(eq(invoiceWriteOffs.companyId, practice.companyId))).toEqual([]);
  });

  it('can’t be written off while a Direct Debit is pending', async () => {
    const practice = await addUnpaidPractice('00012345', 'bacs_debit');
    expect(await findNewestInvoice(practice)).toMatchObject({ status: 'open' });
    expect((await ask(practice)).body).toMatchObject({
      code: 'write_off.not_bad_debt',
      message: expect.stringContaining('A payment is in progress'),
    });
  });

  it('that is paid between the approval and the job is rejected, and the payment is stored', async () => {
    const practice = await addUnpaidPractice();
    const response = await ask(practice);
    await approve(practice, response);
    await payAfterAll(practice);
    await waitUntil(async () =>
      expect(await findListedInvoice(practice)).toMatchObject({
        status: 'paid',
        write_off: { status: 'refused', failure: 'It was paid.' },
      }),
    );
  });
});

describe('a bad debt that is paid after all', () => {
  it('is reversed once, even after the subscription has ended, and without a webhook', async () => {
    const practice = await addUnpaidPractice();
    const id = await writeOff(practice);
    await practice.write('billing/subscription/cancel');
    await follow(practice, '2027-01-11T09:00:00.000Z');
    await payAfterAll(practice);
    await Promise.all([1, 2].map(() => readWriteOffs(portal.deps, practice.companyId)));
    expect(await findListedInvoice(practice)).toMatchObject({
      status: 'paid',
      write_off: { status: 'reversed', written_off_on: '2026-12-12', reversed_on: '2027-01-11' },
    });
    expect(await findNewestInvoice(practice)).toMatchObject({ status: 'paid', written_off_on: null });
    const reversalRows = await getDb()
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.subject, id), eq(auditEntries.action, 'write_off.reversed')));
    expect(reversalRows).toHaveLength(1);
    expect((await ask(practice)).body).toMatchObject({ code: 'write_off.not_unpaid' });
  });
});

describe('a payment that the payer’s bank took back', () => {
  async function addDisputedPractice(): Promise<{ practice: PayingPractice; charge: string }> {
    const practice = await addPayingPractice(portal);
    await practice.enterMethod(CARDS.pays);
    expect((await practice.subscribe()).status).toBe(200);
    await portal.runJobs();
    const { payment_intent: intent } = await getStripeInvoice(practice);
    const charge = portal.stripe.records.intents.get(intent ?? '')?.latest_charge ?? '';
    portal.stripe.dispute(charge);
    await waitUntil(async () => expect(await findNewestInvoice(practice)).toMatchObject({ status: 'disputed' }));
    return { practice, charge };
  }

  it('is written off once the dispute is lost, and stays so', async () => {
    const { practice, charge } = await addDisputedPractice();
    expect((await ask(practice)).body).toMatchObject({
      code: 'write_off.not_bad_debt',
      message: expect.stringContaining('hasn’t decided the dispute yet'),
    });
    portal.stripe.closeDispute(charge, 'lost');
    const response = await ask(practice);
    const requests = (await omar.get('/operator/approvals')).body['requests'] as JsonRow[];
    expect(requests.find(({ request_id }) => request_id === response.body['request_id'])).toMatchObject({
      description: expect.stringMatching(/Writes off £87\.60 of VAT invoice INV-\d+.*£14\.60 VAT.*lost the dispute/),
    });
    expect(await approve(practice, response)).toMatchObject({ status: 200 });
    await portal.runJobs();
    await follow(practice, '2026-11-12T09:00:00.000Z');
    await readWriteOffs(portal.deps, practice.companyId);
    expect(await findNewestInvoice(practice)).toMatchObject({ status: 'written_off', written_off_on: '2026-11-10' });
    expect(await getStripeInvoice(practice)).toMatchObject({ status: 'paid' });
    expect((await ask(practice)).body).toMatchObject({ code: 'write_off.not_unpaid' });
    // The bank may still change its decision. The money comes back on that day, not on the day of the first payment.
    const dispute = portal.stripe.records.disputes.list().findLast(({ document }) => document.charge === charge)?.document;
    if (dispute) portal.stripe.records.disputes.put(dispute.id, { ...dispute, status: 'won' });
    await follow(practice, '2026-11-20T09:00:00.000Z');
    expect(await findListedInvoice(practice)).toMatchObject({
      status: 'paid',
      write_off: { status: 'reversed', written_off_on: '2026-11-10', reversed_on: '2026-11-20' },
    });
  });

  it('is paid again if we win, even if that happens before the approval', async () => {
    const { practice, charge } = await addDisputedPractice();
    portal.stripe.closeDispute(charge, 'won');
    await waitUntil(async () => expect(await findNewestInvoice(practice)).toMatchObject({ status: 'paid' }));
    expect((await ask(practice)).body).toMatchObject({ code: 'write_off.not_unpaid' });
    const other = await addDisputedPractice();
    portal.stripe.closeDispute(other.charge, 'lost');
    const response = await ask(other.practice);
    const dispute = portal.stripe.records.disputes.list().findLast(({ document }) => document.charge === other.charge)?.document;
    if (dispute) portal.stripe.records.disputes.put(dispute.id, { ...dispute, status: 'won' });
    expect((await approve(other.practice, response)).body).toMatchObject({ code: expect.stringMatching(/write_off\.not_/) });
    expect(await getDb().select().from(invoiceWriteOffs).where(eq(invoiceWriteOffs.companyId, other.practice.companyId))).toEqual([]);
  });
});

describe('the exports', () => {
  it('show the write-off and its reversal as entries of their months, and still reconcile with Stripe’s payouts', async () => {
    const practice = await addUnpaidPractice();
    await writeOff(practice);
    const { number } = await findNewestInvoice(practice);
    await follow(practice, '2027-01-05T09:00:00.000Z');
    await payAfterAll(practice);
    await readWriteOffs(portal.deps, practice.companyId);
    for (const day of ['08', '12']) await follow(practice, `2027-01-${day}T09:00:00.000Z`);
    const cookie = await createOperatorAccount(portal, `${randomUUID()}@tidewater.example`);
    const read = async (file: string, month: string): Promise<Record<string, string>[]> => {
      const query = { file, month };
      const response = await portal.app.inject({ url: '/portal/operator/billing/export', query, headers: { cookie } });
      expect(response.statusCode).toBe(200);
      const [titles = '', ...rows] = response.body.replace('\uFEFF', '').trim().split('\r\n');
      return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [titles.split(',')[index] ?? '', cell])));
    };
    const filterOwnRows = (rows: Record<string, string>[]) => rows.filter((row) => row['Invoice'] === number);
    const [writtenOffRow] = filterOwnRows(await read('write_offs', '2026-12-01'));
    expect(writtenOffRow).toMatchObject({
      Entry: 'write_off',
      Date: '2026-12-12',
      'Excluding VAT': '73.00',
      VAT: '14.60',
      Total: '87.60',
      'VAT relief from': '2027-06-12',
      'VAT relief until': '2031-06-11',
      Charge: '',
    });
    const [reversal, ...more] = filterOwnRows(await read('write_offs', '2027-01-01'));
    expect(more).toEqual([]);
    expect(reversal).toMatchObject({ Entry: 'reversal', Date: '2027-01-05', VAT: '-14.60', Total: '-87.60' });
    const [paymentRows, payouts] = [await read('payments', '2027-01-01'), await read('payouts', '2027-01-01')];
    const [payment] = filterOwnRows(paymentRows);
    expect(payment).toMatchObject({ Type: 'charge', Amount: '87.60', Charge: reversal?.['Charge'] });
    const parsePence = (text = '') => Math.round(Number(text) * 100);
    expect(payouts.length).toBeGreaterThan(0);
    for (const { Payout, Amount } of payouts) {
      const parts = paymentRows.filter((row) => row['Payout'] === Payout).map((row) => parsePence(row['Net']));
      expect(parts.reduce((sum, net) => sum + net, 0)).toBe(parsePence(Amount));
    }
    // The invoice is still listed in its own month, unchanged.
    const invoicedRow = (await read('invoices', '2026-12-01')).find((row) => row['Number'] === number);
    expect(invoicedRow).toMatchObject({ Kind: 'invoice', Total: '87.60', Status: 'paid' });
  });
});
