/** Tests refunds by two operators, with Stripe's simulator over real HTTP. The arithmetic is tested in domain/pricing. */
import { randomUUID } from 'node:crypto';
import { auditEntries, invoiceRefunds, vatInvoices } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import type { PausableWork } from '../../paused-work.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, createOperatorAccount, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { getInvoice } from '../billing/invoice-files-routes.ts';
import { createInvoiceDocument } from '../billing/invoice-document.ts';
import { readSubscription } from '../billing/read-subscription.ts';
import { recordRefundsAtStripe } from '../billing/refunds-at-stripe.ts';
import { sendRefund } from '../billing/send-refund.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { createDatabaseReader } from '../monitoring/database-figures.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@refunds.example', ['finance']);
  omar = await createOperator(portal, 'omar@refunds.example', ['finance']);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

type JsonRow = Record<string, unknown>;
const getDb = () => portal.deps.database.db;
const reason = 'Charged twice for the same clients';

/** £64.00 and £9.00 with 20% VAT: £87.60, paid. */
async function createSubscribedPractice(number: string = CARDS.pays): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(number, number.length < 10 ? 'bacs_debit' : 'card');
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  return practice;
}
const listInvoices = async (practice: PayingPractice) => (await practice.read('invoices')).body['invoices'] as JsonRow[];
const getFirstInvoice = async (practice: PayingPractice) => (await listInvoices(practice)).at(-1) ?? {};
const ask = async (practice: PayingPractice, choice: object = {}, browser = olga, companyId = practice.companyId) =>
  browser.post('/operator/refunds', {
    company_id: companyId,
    invoice_id: (await getFirstInvoice(practice))['invoice_id'],
    total_pence: null,
    lines: null,
    reason,
    ...choice,
  });
const approve = (practice: PayingPractice, requestResponse: ApiResponse, browser = omar) =>
  browser.post(
    '/operator/approvals/approve',
    { company_id: practice.companyId, request_id: requestResponse.body['request_id'] },
    createIdempotencyHeaders(),
  );
async function refund(practice: PayingPractice, choice: object = {}): Promise<void> {
  const response = await ask(practice, choice);
  expect(response).toMatchObject({ status: 200 });
  expect(await approve(practice, response)).toMatchObject({ status: 200 });
  await portal.runJobs();
}
const readView = async (practice: PayingPractice) =>
  (
    await olga.get('/operator/invoice', {
      company_id: practice.companyId,
      invoice_id: String((await getFirstInvoice(practice))['invoice_id']),
    })
  ).body;
const listRefundsOf = async (practice: PayingPractice) => (await readView(practice))['refunds'] as JsonRow[];
const atStripe = (practice: PayingPractice) => {
  const notes = portal.stripe.records.creditNotes.list().map(({ document }) => document);
  const customers = portal.stripe.records.customers.list().map(({ document }) => document);
  const ownCustomer = customers.find(({ metadata }) => metadata['company_id'] === practice.companyId);
  return notes.filter(({ customer }) => customer === ownCustomer?.id);
};
const listStripeRefunds = (practice: PayingPractice) => {
  const customer = atStripe(practice)[0]?.customer;
  const charges = portal.stripe.records.charges.list().flatMap(({ document }) => (document.customer === customer ? [document.id] : []));
  return portal.stripe.records.refunds.list().flatMap(({ document }) => (charges.includes(document.charge) ? [document] : []));
};
const listExceptions = async ({ companyId }: PayingPractice) =>
  ((await olga.get('/operator/matters', { kind: 'failed_refund' })).body['matters'] as JsonRow[]).filter(
    ({ company_id }) => company_id === companyId,
  );
/** Returns the current text of the credit note's PDF. */
const readInvoiceText = async ({ companyId }: PayingPractice, id: string) =>
  JSON.stringify(createInvoiceDocument(portal.deps.site, await getInvoice(portal.deps, companyId, id)));
/** Reads the number as Prometheus does. */
async function countFailed(state: string): Promise<number> {
  const { database: gauges, registry } = createMetrics();
  await createDatabaseReader(portal.deps, gauges)();
  return Number(new RegExp(`portal_refunds_failed\\{state="${state}"\\} (\\d+)`).exec(await registry.metrics())?.[1]);
}
const waitUntil = (check: () => Promise<void>) =>
  vi.waitFor(async () => {
    await portal.runJobs();
    await check();
  }, 20_000);

it('lets any operator read a practice’s invoice as a file, which the practice’s trail shows', async () => {
  const practice = await createSubscribedPractice();
  const invoice = await getFirstInvoice(practice);
  const cookie = await createOperatorAccount(portal, 'reader@refunds.example', ['support']);
  const read = (companyId: string) =>
    portal.app.inject({
      url: '/portal/operator/invoices/file',
      query: { company_id: companyId, invoice_id: String(invoice['invoice_id']) },
      headers: { cookie },
    });
  const file = await read(practice.companyId);
  expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(file.headers['content-disposition']).toBe(`attachment; filename="VAT-invoice-${String(invoice['number'])}.pdf"`);
  expect((await read(randomUUID())).statusCode).toBe(404);
  const entries = await getDb().select().from(auditEntries).where(eq(auditEntries.companyId, practice.companyId));
  expect(entries.filter(({ action }) => action === 'document.read_by_operator')).toHaveLength(1);
});

describe('a refund', () => {
  it('isn’t sent while payouts are paused, and once by the first sweep afterwards', async () => {
    const practice = await createSubscribedPractice();
    const paused = portal.deps.paused as Set<PausableWork>;
    paused.add('payouts');
    await refund(practice);
    expect(atStripe(practice)).toEqual([]);
    expect(await listRefundsOf(practice)).toMatchObject([{ status: 'sending' }]);
    paused.clear();
    await portal.deps.enqueue(getDb(), 'billing.sweep', {});
    await portal.runJobs();
    expect(atStripe(practice)).toHaveLength(1);
    expect(listStripeRefunds(practice)).toHaveLength(1);
  });

  it('in full is requested by one and approved by another, then paid back at Stripe, and the practice gets a credit note', async () => {
    const practice = await createSubscribedPractice();
    const response = await ask(practice);
    const listedRequests = (await omar.get('/operator/approvals')).body['requests'] as JsonRow[];
    expect(listedRequests.find(({ request_id }) => request_id === response.body['request_id'])).toMatchObject({
      description: expect.stringMatching(
        /Refunds £87\.60 of VAT invoice INV-\d+ \(£73\.00 and £14\.60 VAT: £64\.00 of .*£0\.00 will remain/,
      ),
      reason,
    });
    expect((await approve(practice, response, olga)).body).toMatchObject({ code: 'approval.wrong_person' });
    expect(atStripe(practice)).toEqual([]);
    await approve(practice, response);
    await portal.runJobs();
    expect(atStripe(practice)).toMatchObject([{ amount: 87_60, memo: reason }]);
    const [note, invoice, ...otherInvoices] = await listInvoices(practice);
    expect(otherInvoices).toEqual([]);
    expect(invoice).toMatchObject({ kind: 'invoice', status: 'paid', total_pence: 87_60 });
    expect(note).toMatchObject({
      kind: 'credit_note',
      status: 'refunded',
      corrects_number: invoice?.['number'],
      reason,
      lines: [
        { description: 'Refund of: OpenTax Practice, with 50 connections included', quantity: null, amount_pence: -64_00 },
        { description: 'Refund of: Extra connections', quantity: null, amount_pence: -9_00 },
      ],
      net_pence: -73_00,
      vat_pence: -14_60,
      total_pence: -87_60,
    });
    const emails = portal.sentEmails.filter(({ to }) => to === `${practice.companyId}@oakline.example`).map(({ subject }) => subject);
    expect(emails.at(-1)).toBe(`Credit note ${String(note?.['number'])} from Tidewater`);
    const read = (format: string) =>
      portal.app.inject({
        url: '/portal/open-tax/invoices/file',
        query: { company_id: practice.companyId, invoice_id: String(note?.['invoice_id']), format },
        headers: { cookie: practice.cookies.admin },
      });
    const csv = (await read('csv')).body;
    expect(csv).toContain(`${String(invoice?.['number'])},${reason},Refund of: Extra connections,,20%,-9.00`);
    expect(csv).toContain('Total including VAT,,,-87.60');
    expect((await read('pdf')).rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await ask(practice)).body).toMatchObject({ code: 'refund.nothing_left' });
    const entries = await getDb()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, String(response.body['request_id'])));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['approval.requested', 'approval.approved', 'refund.ordered', 'refund.status']),
    );
  });

  it('of a line, an amount and the rest adds up to exactly the invoice, with its VAT', async () => {
    const practice = await createSubscribedPractice();
    await refund(practice, { lines: [{ position: 1, amount_pence: 4_50 }] });
    await refund(practice, { total_pence: 10_01 });
    expect(await readView(practice)).toMatchObject({ left_pence: 72_19, problem: null });
    expect((await ask(practice, { total_pence: 72_20 })).body).toMatchObject({ code: 'refund.more_than_left' });
    expect((await ask(practice, { lines: [{ position: 1, amount_pence: 4_50 }] })).body).toMatchObject({ code: 'refund.more_than_line' });
    await refund(practice);
    const all = await listInvoices(practice);
    const sum = (name: string) => all.reduce((total, row) => total + Number(row[name]), 0);
    expect([all.length, sum('net_pence'), sum('vat_pence'), sum('total_pence')]).toEqual([4, 0, 0, 0]);
    const sequences = await getDb().select({ sequence: vatInvoices.sequence }).from(vatInvoices).orderBy(vatInvoices.sequence);
    expect(sequences.map(({ sequence }) => sequence)).toEqual(sequences.map((_row, index) => index + 1));
  });

  it('is never more than the invoice when many are approved at once, in the application and in the database', async () => {
    const practice = await createSubscribedPractice();
    const response = await ask(practice, { total_pence: 50_00 });
    expect((await ask(practice, { total_pence: 40_00 }, omar)).body).toMatchObject({ code: 'approval.already_requested' });
    const responses = await Promise.all([approve(practice, response), approve(practice, response), approve(practice, response)]);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await portal.runJobs();
    expect(atStripe(practice).map(({ amount }) => amount)).toEqual([50_00]);
    const [row] = await getDb().select().from(invoiceRefunds).where(eq(invoiceRefunds.companyId, practice.companyId));
    if (!row) throw new Error('the refund is missing');
    const more = { ...row, id: randomUUID(), creditNoteId: null, netPence: pence(37_61), vatPence: pence(0), totalPence: pence(37_61) };
    await expect(getDb().insert(invoiceRefunds).values(more)).rejects.toThrow(/Failed query|exceed/);
    expect(await listRefundsOf(practice)).toHaveLength(1);
  });

  it('is void if the refundable amount has changed since the request', async () => {
    const practice = await createSubscribedPractice();
    const response = await ask(practice);
    // A credit for the next payment.
    portal.moveClock('2026-11-25T09:00:00.000Z');
    await practice.select(-10);
    const expected = (await practice.read('calculate-pricing')).body['total_pence'];
    expect((await practice.write('billing/subscription/connections', { expected_total_pence: expected })).status).toBe(200);
    const credit = Number((await listInvoices(practice))[0]?.['total_pence']);
    expect(credit).toBeLessThan(0);
    expect((await approve(practice, response)).body).toMatchObject({ code: 'refund.changed' });
    await omar.post('/operator/approvals/reject', { company_id: practice.companyId, request_id: response.body['request_id'], reason });
    expect(await readView(practice)).toMatchObject({ left_pence: 87_60 + credit });
  });

  it('and a reduction of connections don’t both refund the same month', async () => {
    const practice = await createSubscribedPractice();
    await refund(practice, { total_pence: 50_00 });
    portal.moveClock('2026-11-25T09:00:00.000Z');
    await practice.select(-10);
    const expected = (await practice.read('calculate-pricing')).body['total_pence'];
    const changedResponse = await practice.write('billing/subscription/connections', { expected_total_pence: expected });
    expect(changedResponse).toMatchObject({
      status: 409,
      body: { code: 'billing.paid_back', message: expect.stringContaining('10 December 2026') },
    });
  });

  it('is for finance only, of a paid invoice, and not for another practice or one’s own', async () => {
    const practice = await createSubscribedPractice();
    const otherPractice = await createSubscribedPractice();
    const support = await createOperator(portal, 'support@refunds.example', ['support']);
    expect((await ask(practice, {}, support)).status).toBe(403);
    expect((await ask(practice, {}, olga, otherPractice.companyId)).status).toBe(404);
    expect((await ask(practice, { total_pence: 1, lines: [] })).body).toMatchObject({ code: 'refund.two_amounts' });
    expect((await ask(practice, { reason: ' ' })).status).toBe(400);
    const waitingPractice = await createSubscribedPractice('00012345');
    expect((await ask(waitingPractice)).body).toMatchObject({ code: 'refund.not_unpaid' });
  });
});

describe('a refund at Stripe', () => {
  it('whose response is lost is made once, with one credit note', async () => {
    const practice = await createSubscribedPractice();
    portal.faults.set({ operation: 'stripe.refund', kind: 'timeout_after_work', times: 1 });
    await refund(practice);
    await waitUntil(async () => expect(await listRefundsOf(practice)).toMatchObject([{ status: 'succeeded' }]));
    expect(atStripe(practice)).toHaveLength(1);
    expect((await listInvoices(practice)).map(({ total_pence }) => total_pence)).toEqual([-87_60, 87_60]);
  });

  it('survives a crash between Stripe’s response and our commit, and the same job running several times', async () => {
    const practice = await createSubscribedPractice();
    const response = await ask(practice, { total_pence: 20_00 });
    await approve(practice, response);
    const idempotencyKey = String(response.body['request_id']);
    const [invoice] = await getDb().select().from(vatInvoices).where(eq(vatInvoices.companyId, practice.companyId));
    const order = { idempotencyKey, invoiceId: invoice?.providerId ?? '', amountPence: pence(20_00), memo: reason };
    await portal.deps.billing?.provider.refund(order);
    await Promise.all([1, 2, 3].map(() => sendRefund(portal.deps, practice.companyId, idempotencyKey)));
    await portal.runJobs();
    expect([atStripe(practice).length, listStripeRefunds(practice).length]).toEqual([1, 1]);
    expect((await listInvoices(practice)).map(({ total_pence }) => total_pence)).toEqual([-20_00, 87_60]);
  });

  it('that someone wrote or changed with SQL isn’t sent', async () => {
    const practice = await createSubscribedPractice();
    await approve(practice, await ask(practice, { total_pence: 20_00 }));
    const isOwn = eq(invoiceRefunds.companyId, practice.companyId);
    const [row] = await getDb().select().from(invoiceRefunds).where(isOwn);
    if (!row) throw new Error('the refund is missing');
    const largerAmounts = { netPence: pence(30_00), vatPence: pence(6_00), totalPence: pence(36_00) };
    await getDb().update(invoiceRefunds).set(largerAmounts).where(isOwn);
    const forgedRow = { ...row, id: randomUUID() };
    await getDb().insert(invoiceRefunds).values(forgedRow);
    await portal.runJobs();
    await sendRefund(portal.deps, practice.companyId, forgedRow.id);
    expect([atStripe(practice), await listRefundsOf(practice)]).toMatchObject([[], [{ status: 'refused' }, { status: 'refused' }]]);
  });

  it('isn’t sent after one that isn’t recorded here, as after a restored backup', async () => {
    const practice = await createSubscribedPractice();
    const charge = portal.stripe.records.charges.list().findLast(({ document }) => document.amount === 87_60)?.document;
    await approve(practice, await ask(practice, { total_pence: 30_00 }));
    const dashboardRefundId = portal.stripe.refundInDashboard(charge?.id ?? '', 30_00) ?? 'no refund';
    const refusedRefund = { status: 'refused', failure: expect.stringContaining(dashboardRefundId) };
    // Then it gets its credit note.
    await waitUntil(async () => {
      await recordRefundsAtStripe(portal.deps);
      expect(await listRefundsOf(practice)).toEqual(
        expect.arrayContaining([
          expect.objectContaining(refusedRefund),
          expect.objectContaining({ status: 'succeeded', total_pence: 30_00 }),
        ]),
      );
    });
    expect(atStripe(practice)).toEqual([]);
  });

  it('that was sent and not stored is stored, even if someone has refunded more in Stripe’s dashboard since', async () => {
    const practice = await createSubscribedPractice();
    const response = await ask(practice, { total_pence: 20_00 });
    await approve(practice, response);
    const [invoice] = await getDb().select().from(vatInvoices).where(eq(vatInvoices.companyId, practice.companyId));
    const idempotencyKey = String(response.body['request_id']);
    const order = { idempotencyKey, invoiceId: invoice?.providerId ?? '', amountPence: pence(20_00), memo: reason };
    await portal.deps.billing?.provider.refund(order);
    const charge = portal.stripe.records.charges.list().findLast(({ document }) => document.amount === 87_60)?.document;
    portal.stripe.refundInDashboard(charge?.id ?? '', 10_00);
    await waitUntil(async () => {
      await recordRefundsAtStripe(portal.deps);
      const storedRefunds = (await listRefundsOf(practice)).map(({ status, total_pence }) => [status, total_pence]);
      expect(storedRefunds.toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual([
        ['succeeded', 10_00],
        ['succeeded', 20_00],
      ]);
    });
    expect(atStripe(practice)).toHaveLength(1);
  });

  it('that Stripe rejects uses no number, pays nothing back and leaves the invoice unchanged', async () => {
    const practice = await createSubscribedPractice();
    const response = await ask(practice);
    // The bank reverses the payment before we learn of it.
    const [charge] = portal.stripe.records.charges
      .list()
      .flatMap(({ document }) => (document.amount === 87_60 ? [document] : []))
      .toReversed();
    if (!charge) throw new Error('the charge is missing');
    const dispute = {
      id: 'du_unread',
      charge: charge.id,
      amount: charge.amount,
      created: charge.created,
      status: 'needs_response' as const,
    };
    portal.stripe.records.disputes.put(dispute.id, dispute);
    portal.stripe.records.charges.put(charge.id, { ...charge, disputed: true });
    await approve(practice, response);
    await portal.runJobs();
    expect(await listRefundsOf(practice)).toMatchObject([
      { status: 'refused', failure: expect.stringContaining('charged back'), credit_note_number: null },
    ]);
    expect(await listInvoices(practice)).toHaveLength(1);
    await readSubscription(portal.deps, practice.companyId);
    expect((await ask(practice)).body).toMatchObject({ code: 'refund.disputed' });
    expect((await readView(practice))['problem']).toContain('bank charged back the payment');
    const [exception] = await listExceptions(practice);
    expect(exception).toMatchObject({ kind: 'failed_refund', problem: expect.stringContaining('Stripe rejected it') });
    expect(await countFailed('refused')).toBeGreaterThan(0);
    // An operator notes the outcome.
    const note = { company_id: practice.companyId, subject_id: exception?.['subject_id'], note_id: randomUUID(), text: 'Disputed' };
    expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
    expect(await listExceptions(practice)).toEqual([]);
  });

  it('that the bank returns is shown, and sent again by an operator, once', async () => {
    const practice = await createSubscribedPractice();
    await refund(practice);
    const [first] = listStripeRefunds(practice);
    portal.stripe.failRefund(first?.id ?? '');
    await waitUntil(async () =>
      expect(await listRefundsOf(practice)).toMatchObject([{ status: 'failed', failure: 'The card has expired or was cancelled.' }]),
    );
    expect((await listInvoices(practice))[0]).toMatchObject({ kind: 'credit_note', status: 'refund_failed' });
    const listedRefunds = (await olga.get('/operator/refunds')).body['refunds'] as JsonRow[];
    expect(listedRefunds[0]).toMatchObject({ company_id: practice.companyId, status: 'failed' });
    const noteId = String((await listInvoices(practice))[0]?.['invoice_id']);
    expect(await readInvoiceText(practice, noteId)).toContain('On 10 November 2026: not refunded yet');
    expect(await listExceptions(practice)).toMatchObject([
      { kind: 'failed_refund', amount_pence: 87_60, problem: expect.stringContaining('The card has expired') },
    ]);
    expect(await countFailed('failed')).toBeGreaterThan(0);
    // It is still owed, so that part can't be refunded again.
    expect((await ask(practice)).body).toMatchObject({ code: 'refund.nothing_left' });
    const input = { company_id: practice.companyId, refund_id: listedRefunds[0]?.['refund_id'], reason: 'The practice has a new card' };
    portal.faults.set({ operation: 'stripe.refund', kind: 'timeout_after_work', times: 1 });
    const responses = await Promise.all([olga.post('/operator/refunds/retry', input), omar.post('/operator/refunds/retry', input)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await waitUntil(async () => expect(await listRefundsOf(practice)).toMatchObject([{ status: 'succeeded', attempt: 2, failure: null }]));
    expect(listStripeRefunds(practice).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect((await listInvoices(practice)).map(({ status }) => status)).toEqual(['refunded', 'paid']);
    expect(await readInvoiceText(practice, noteId)).toContain('On 10 November 2026: refunded to the payment method');
    expect(await listExceptions(practice)).toEqual([]);
  });

  it('to a bank account is pending until the bank has it, even without a webhook or a live subscription', async () => {
    const practice = await createSubscribedPractice('00012345');
    portal.moveClock('2026-11-15T09:00:00.000Z');
    portal.stripe.followClock();
    await readSubscription(portal.deps, practice.companyId);
    await refund(practice, { total_pence: 12_00 });
    expect((await listInvoices(practice))[0]).toMatchObject({ status: 'refunding', total_pence: -12_00 });
    await practice.write('billing/subscription/cancel');
    portal.moveClock('2026-12-20T09:00:00.000Z');
    portal.stripe.followClock();
    await portal.deps.enqueue(getDb(), 'billing.sweep', {});
    await waitUntil(async () => expect((await listInvoices(practice))[0]).toMatchObject({ status: 'refunded' }));
  });
});

describe('the exports', () => {
  it('reconcile refunds, including one that was returned and sent again, with Stripe’s payouts', async () => {
    const practice = await createSubscribedPractice();
    await refund(practice, { total_pence: 30_00 });
    portal.stripe.failRefund(listStripeRefunds(practice)[0]?.id ?? '');
    await waitUntil(async () => expect(await listRefundsOf(practice)).toMatchObject([{ status: 'failed' }]));
    const [failedRefund] = await listRefundsOf(practice);
    await olga.post('/operator/refunds/retry', { company_id: practice.companyId, refund_id: failedRefund?.['refund_id'], reason });
    await portal.runJobs();
    await createSubscribedPractice();
    for (const day of ['14', '18']) {
      portal.moveClock(`2026-11-${day}T09:00:00.000Z`);
      portal.stripe.followClock();
    }
    const cookie = await createOperatorAccount(portal, `${randomUUID()}@tidewater.example`);
    const read = async (file: string): Promise<Record<string, string>[]> => {
      const query = { file, month: '2026-11-01' };
      const response = await portal.app.inject({ url: '/portal/operator/billing/export', query, headers: { cookie } });
      const [titles = '', ...rows] = response.body.replace('\uFEFF', '').trim().split('\r\n');
      return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [titles.split(',')[index] ?? '', cell])));
    };
    const [invoiceRows, paymentRows, payouts] = [await read('invoices'), await read('payments'), await read('payouts')];
    const note = (await listInvoices(practice))[0]?.['number'];
    const exportedRow = invoiceRows.find((row) => row['Number'] === note);
    expect(exportedRow).toMatchObject({ Kind: 'credit_note', Total: '-30.00', 'Amount due': '-30.00', Status: 'refunded', Charge: '' });
    const ownRows = paymentRows.filter((row) => row['Invoice'] === note);
    expect(ownRows.map(({ Type, Amount }) => `${Type} ${Amount}`).toSorted()).toEqual([
      'refund -30.00',
      'refund -30.00',
      'refund_failure 30.00',
    ]);
    expect(ownRows.map((row) => row['Refund'])).toContain(exportedRow?.['Refund']);
    const parsePence = (text = '') => Math.round(Number(text) * 100);
    for (const { Payout, Amount } of payouts) {
      const parts = paymentRows.filter((row) => row['Payout'] === Payout).map((row) => parsePence(row['Net']));
      expect(parts.reduce((sum, net) => sum + net, 0)).toBe(parsePence(Amount));
    }
  });
});

describe('subscriptions and revenue', () => {
  it('are listed with what is paid, credited and refunded by month', async () => {
    const { months } = (await olga.get('/operator/revenue', { months: '2' })).body as { months: Record<string, number>[] };
    const before = months[0] ?? {};
    const practice = await createSubscribedPractice();
    await refund(practice, { total_pence: 12_00 });
    const after = ((await olga.get('/operator/revenue', { months: '2' })).body as { months: Record<string, number>[] }).months;
    expect(after).toHaveLength(2);
    const change = (name: string) => (after[0]?.[name] ?? 0) - (before[name] ?? 0);
    expect([change('invoices'), change('practices'), change('invoiced_net_pence'), change('refunded_net_pence')]).toEqual([
      1, 1, 73_00, -10_00,
    ]);
    expect([change('net_pence'), change('vat_pence'), change('total_pence')]).toEqual([63_00, 12_60, 75_60]);
    const name = (await readView(practice))['practice'];
    const listedSubscriptions = (await olga.get('/operator/subscriptions', { q: String(name) })).body as {
      subscriptions: JsonRow[];
      totals: JsonRow;
    };
    expect(listedSubscriptions.subscriptions.find(({ company_id }) => company_id === practice.companyId)).toMatchObject({
      status: 'active',
      tier_name: 'Practice',
      no_connections: 60,
      monthly_net_pence: 73_00,
      renews_on: '2026-12-10',
      unpaid_since: null,
    });
    expect(listedSubscriptions.totals['practices']).toBeGreaterThan(0);
    const foundInvoices = (await olga.get('/operator/invoices', { q: String((await getFirstInvoice(practice))['number']) })).body[
      'invoices'
    ] as JsonRow[];
    expect(foundInvoices).toMatchObject([{ kind: 'invoice', total_pence: 87_60, refunded_pence: 12_00 }]);
  });
});
