/** Tests credit notes for unpaid invoices that are wrong, by two operators, with Stripe's simulator over real HTTP. */
import { randomUUID } from 'node:crypto';
import { invoiceRefunds, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, createOperatorAccount, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { createInvoiceDocument } from '../billing/invoice-document.ts';
import { getInvoice } from '../billing/invoice-files-routes.ts';
import { readSubscription } from '../billing/read-subscription.ts';
import { sendRefund } from '../billing/send-refund.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
/** By then, the renewal on 10 December has failed. */
const AFTER_RENEWAL = '2026-12-12T09:00:00.000Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@credits.example', ['finance']);
  omar = await createOperator(portal, 'omar@credits.example', ['finance']);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

type JsonRow = Record<string, unknown>;
const getDb = () => portal.deps.database.db;
const reason = 'The practice had left before the renewal';
const listInvoices = async (practice: PayingPractice) => (await practice.read('invoices')).body['invoices'] as JsonRow[];
const getSubscription = async (practice: PayingPractice) => (await practice.read('billing')).body['subscription'];
const follow = async (practice: PayingPractice, at: string) => {
  portal.moveClock(at);
  portal.stripe.followClock();
  await readSubscription(portal.deps, practice.companyId);
  await portal.runJobs();
};

type Unpaid = { readonly practice: PayingPractice; readonly invoiceId: string; readonly number: string };

/** The first month is paid; the card then used for the renewal is declined, so £87.60 is unpaid. */
async function addUnpaidPractice(): Promise<Unpaid> {
  portal.moveClock(START_TIME);
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  await practice.enterMethod(CARDS.declines);
  await follow(practice, AFTER_RENEWAL);
  const [newest] = await listInvoices(practice);
  expect(newest).toMatchObject({ status: 'failed', total_pence: 87_60 });
  return { practice, invoiceId: String(newest?.['invoice_id']), number: String(newest?.['number']) };
}
const ask = ({ practice, invoiceId }: Unpaid, choice: object = {}, browser = olga) =>
  browser.post('/operator/refunds', {
    company_id: practice.companyId,
    invoice_id: invoiceId,
    total_pence: null,
    lines: null,
    reason,
    ...choice,
  });
const approve = ({ practice }: Unpaid, requestResponse: ApiResponse, browser = omar) =>
  browser.post(
    '/operator/approvals/approve',
    { company_id: practice.companyId, request_id: requestResponse.body['request_id'] },
    createIdempotencyHeaders(),
  );
async function credit(unpaid: Unpaid, choice: object = {}): Promise<void> {
  const response = await ask(unpaid, choice);
  expect(response).toMatchObject({ status: 200 });
  expect(await approve(unpaid, response)).toMatchObject({ status: 200 });
  await portal.runJobs();
}
const readView = async ({ practice, invoiceId }: Unpaid) =>
  (await olga.get('/operator/invoice', { company_id: practice.companyId, invoice_id: invoiceId })).body;
async function getStripeInvoice({ practice, invoiceId }: Unpaid) {
  const isIt = and(eq(vatInvoices.companyId, practice.companyId), eq(vatInvoices.id, invoiceId));
  const [row] = await getDb().select({ id: vatInvoices.providerId }).from(vatInvoices).where(isIt);
  const found = portal.stripe.records.invoices.get(row?.id ?? '');
  if (!found) throw new Error('the invoice is missing at Stripe');
  return found;
}
/** Pays the invoice at Stripe with another card. */
async function pay(unpaid: Unpaid): Promise<void> {
  await unpaid.practice.enterMethod(CARDS.pays);
  const { id, customer } = await getStripeInvoice(unpaid);
  const method = portal.stripe.records.methods.list().findLast(({ document }) => document.customer === customer)?.document.id ?? '';
  await portal.deps.billing?.provider.payInvoice({ idempotencyKey: randomUUID(), invoiceId: id, paymentMethodId: method });
}

describe('an unpaid invoice that is wrong', () => {
  it('is credited in full by two people: a credit note, nothing to pay, no refund, and dunning ends', async () => {
    const unpaid = await addUnpaidPractice();
    const { practice, number } = unpaid;
    const refundsBefore = portal.stripe.records.refunds.list().length;
    expect(await readView(unpaid)).toMatchObject({ status: 'failed', paid_pence: 0, left_pence: 87_60, problem: null });
    const response = await ask(unpaid);
    const requests = (await omar.get('/operator/approvals')).body['requests'] as JsonRow[];
    expect(requests.find(({ request_id }) => request_id === response.body['request_id'])).toMatchObject({
      description: expect.stringMatching(
        /^Credits £87\.60 of the unpaid VAT invoice INV-\d+ \(£73\.00 and £14\.60 VAT: .*No money moves. £0\.00 will remain to be paid/,
      ),
    });
    expect((await approve(unpaid, response, olga)).body).toMatchObject({ code: 'approval.wrong_person' });
    await approve(unpaid, response);
    await portal.runJobs();
    const [note, invoice] = await listInvoices(practice);
    expect(invoice).toMatchObject({ number, kind: 'invoice', total_pence: 87_60, status: 'credited' });
    expect(note).toMatchObject({
      kind: 'credit_note',
      status: 'credited',
      corrects_number: number,
      reason,
      lines: [
        { description: 'Credit for: OpenTax Practice, with 50 connections included', quantity: null, amount_pence: -64_00 },
        { description: 'Credit for: Extra connections', quantity: null, amount_pence: -9_00 },
      ],
      total_pence: -87_60,
    });
    const facts = await getInvoice(portal.deps, practice.companyId, String(note?.['invoice_id']));
    expect(JSON.stringify(createInvoiceDocument(portal.deps.site, facts))).toContain('reduces what you owe for it');
    expect(await getStripeInvoice(unpaid)).toMatchObject({ status: 'paid', amount_due: 0, amount_paid: 0 });
    expect(portal.stripe.records.refunds.list()).toHaveLength(refundsBefore);
    expect(await getSubscription(practice)).toMatchObject({ status: 'active', dunning: null });
    expect((await ask(unpaid)).body).toMatchObject({ code: 'refund.unpaid' });
    const writeOff = { company_id: practice.companyId, invoice_id: unpaid.invoiceId, reason };
    expect((await olga.post('/operator/invoices/write-off', writeOff)).body).toMatchObject({ code: 'write_off.not_unpaid' });
  });

  it('is credited in part, once, whatever is lost or repeated, and the rest is paid and can be refunded', async () => {
    const unpaid = await addUnpaidPractice();
    const { practice } = unpaid;
    const response = await ask(unpaid, { lines: [{ position: 1, amount_pence: 9_00 }] });
    portal.faults.set({ operation: 'stripe.refund', kind: 'timeout_after_work', times: 1 });
    expect(await approve(unpaid, response)).toMatchObject({ status: 200 });
    const id = String(response.body['request_id']);
    await Promise.allSettled([1, 2, 3].map(() => sendRefund(portal.deps, practice.companyId, id)));
    await portal.runJobs();
    await sendRefund(portal.deps, practice.companyId, id);
    expect(await getStripeInvoice(unpaid)).toMatchObject({ status: 'open', amount_due: 76_80 });
    expect((await listInvoices(practice)).map(({ kind, total_pence }) => [kind, total_pence])).toEqual([
      ['credit_note', -10_80],
      ['invoice', 87_60],
      ['invoice', 87_60],
    ]);
    expect(await readView(unpaid)).toMatchObject({ left_pence: 76_80, refunds: [{ kind: 'reduction', status: 'succeeded' }] });
    expect(await getSubscription(practice)).toMatchObject({ status: 'past_due', dunning: { amount_due_pence: 76_80 } });
    await pay(unpaid);
    await follow(practice, '2026-12-12T10:00:00.000Z');
    expect(await getStripeInvoice(unpaid)).toMatchObject({ status: 'paid', amount_paid: 76_80 });
    expect(await readView(unpaid)).toMatchObject({ status: 'paid', paid_pence: 76_80, left_pence: 76_80 });
    await credit(unpaid);
    const all = (await listInvoices(practice)).filter(
      ({ number, corrects_number: corrects }) => number === unpaid.number || corrects === unpaid.number,
    );
    const sum = (name: string) => all.reduce((total, row) => total + Number(row[name]), 0);
    expect([all.length, sum('net_pence'), sum('vat_pence'), sum('total_pence')]).toEqual([3, 0, 0, 0]);
    expect(portal.stripe.records.refunds.list().map(({ document }) => document.amount)).toEqual([76_80]);
    const sequences = await getDb().select({ sequence: vatInvoices.sequence }).from(vatInvoices).orderBy(vatInvoices.sequence);
    expect(sequences.map(({ sequence }) => sequence)).toEqual(sequences.map((_row, index) => index + 1));
  });

  it('isn’t refused by a run that reads the invoice after another one has credited it', async () => {
    const unpaid = await addUnpaidPractice();
    const { practice } = unpaid;
    const response = await ask(unpaid, { lines: [{ position: 1, amount_pence: 9_00 }] });
    expect(await approve(unpaid, response)).toMatchObject({ status: 200 });
    const id = String(response.body['request_id']);
    // The first run finds no credit, and its second read takes long.
    portal.faults.set({ operation: 'stripe.read', kind: 'slow', times: 1, every: 2 });
    const slowRun = sendRefund(portal.deps, practice.companyId, id);
    await vi.waitFor(() => expect(portal.faults.list()).toEqual([]), WAIT_OPTIONS);
    portal.faults.set({ operation: 'stripe.refund', kind: 'timeout_after_work', times: 1 });
    await Promise.allSettled([sendRefund(portal.deps, practice.companyId, id), slowRun]);
    await sendRefund(portal.deps, practice.companyId, id);
    expect(await getStripeInvoice(unpaid)).toMatchObject({ status: 'open', amount_due: 76_80 });
    expect(await readView(unpaid)).toMatchObject({ left_pence: 76_80, refunds: [{ kind: 'reduction', status: 'succeeded' }] });
    expect((await listInvoices(practice)).filter(({ kind }) => kind === 'credit_note')).toHaveLength(1);
  });

  it('that is paid before the approval, or before the job, isn’t credited', async () => {
    const before = await addUnpaidPractice();
    const request = await ask(before);
    await pay(before);
    expect((await approve(before, request)).body).toMatchObject({ code: expect.stringMatching(/^refund\.(not_unpaid|changed)$/) });
    const late = await addUnpaidPractice();
    const lateRequest = await ask(late);
    await approve(late, lateRequest);
    await pay(late);
    await portal.runJobs();
    const [row] = await getDb().select().from(invoiceRefunds).where(eq(invoiceRefunds.companyId, late.practice.companyId));
    expect(row).toMatchObject({ kind: 'reduction', status: 'refused', failure: 'It was paid.', creditNoteId: null });
    expect((await listInvoices(late.practice)).map(({ kind }) => kind)).toEqual(['invoice', 'invoice']);
  });

  it('is written off for what is left after a credit, and the month’s exports still add up', async () => {
    const unpaid = await addUnpaidPractice();
    const { practice, number } = unpaid;
    await credit(unpaid, { total_pence: 27_60 });
    const request = await olga.post('/operator/invoices/write-off', {
      company_id: practice.companyId,
      invoice_id: unpaid.invoiceId,
      reason,
    });
    expect(request).toMatchObject({ status: 200 });
    expect(await approve(unpaid, request)).toMatchObject({ status: 200 });
    await portal.runJobs();
    const cookie = await createOperatorAccount(portal, `${randomUUID()}@tidewater.example`);
    const read = async (file: string): Promise<Record<string, string>[]> => {
      const query = { file, month: '2026-12-01' };
      const response = await portal.app.inject({ url: '/portal/operator/billing/export', query, headers: { cookie } });
      const [titles = '', ...rows] = response.body.replace('\uFEFF', '').trim().split('\r\n');
      return rows.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [titles.split(',')[index] ?? '', cell])));
    };
    const invoiceRows = await read('invoices');
    expect(invoiceRows.find((row) => row['Number'] === number)).toMatchObject({
      Total: '87.60',
      'Amount due': '60.00',
      Status: 'written_off',
    });
    const [, note] = (await listInvoices(practice)).toReversed().slice(1);
    expect(invoiceRows.find((row) => row['Number'] === note?.['number'])).toMatchObject({ Total: '-27.60', 'Amount due': '0.00' });
    expect((await read('write_offs')).find((row) => row['Invoice'] === number)).toMatchObject({ Total: '60.00', VAT: '10.00' });
  });
});
