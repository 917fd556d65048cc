/**
 * Tests a refund that fails on every card and is paid from our bank account, and refunds made in Stripe's dashboard, with its simulator
 * over real HTTP.
 */
import { randomUUID } from 'node:crypto';
import { auditEntries, invoiceRefunds } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, createOperatorAccount, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { getInvoice } from '../billing/invoice-files-routes.ts';
import { createInvoiceDocument } from '../billing/invoice-document.ts';
import { recordRefundsAtStripe } from '../billing/refunds-at-stripe.ts';
import { createDatabaseReader } from '../monitoring/database-figures.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@transfers.example', ['finance']);
  omar = await createOperator(portal, 'omar@transfers.example', ['finance']);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

type JsonRow = Record<string, unknown>;
const getDb = () => portal.deps.database.db;
const waitUntil = (check: () => Promise<void>) =>
  vi.waitFor(async () => {
    await portal.runJobs();
    await check();
  }, 20_000);
const listInvoices = async (practice: PayingPractice) => (await practice.read('invoices')).body['invoices'] as JsonRow[];
const listPracticeRefunds = async ({ companyId }: PayingPractice) =>
  ((await olga.get('/operator/refunds')).body['refunds'] as JsonRow[]).filter(({ company_id }) => company_id === companyId);
const listExceptions = async ({ companyId }: PayingPractice) =>
  ((await olga.get('/operator/matters', { kind: 'failed_refund' })).body['matters'] as JsonRow[]).filter(
    ({ company_id }) => company_id === companyId,
  );
const listEmailsTo = ({ companyId }: PayingPractice) =>
  portal.sentEmails.filter(({ to }) => to === `${companyId}@oakline.example`).map(({ subject }) => subject);
const approve = ({ companyId }: PayingPractice, requestResponse: ApiResponse, browser = omar) =>
  browser.post(
    '/operator/approvals/approve',
    { company_id: companyId, request_id: requestResponse.body['request_id'] },
    createIdempotencyHeaders(),
  );
async function countFailed(): Promise<number> {
  const { database: gauges, registry } = createMetrics();
  await createDatabaseReader(portal.deps, gauges)();
  return Number(/portal_refunds_failed\{state="failed"\} (\d+)/.exec(await registry.metrics())?.[1]);
}

/** Pays £87.60. */
async function addSubscribedPractice(): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  return practice;
}
const findCharge = ({ companyId }: PayingPractice) => {
  const customers = portal.stripe.records.customers.list().map(({ document }) => document);
  const ownCustomer = customers.find(({ metadata }) => metadata['company_id'] === companyId);
  const charges = portal.stripe.records.charges.list().map(({ document }) => document);
  return charges.findLast(({ customer }) => customer === ownCustomer?.id)?.id ?? '';
};
const listStripeRefunds = (practice: PayingPractice) =>
  portal.stripe.records.refunds.list().flatMap(({ document }) => (document.charge === findCharge(practice) ? [document] : []));

async function refund(practice: PayingPractice, total: number | null): Promise<void> {
  const invoice = (await listInvoices(practice)).at(-1);
  const input = { company_id: practice.companyId, invoice_id: invoice?.['invoice_id'], total_pence: total, lines: null };
  const response = await olga.post('/operator/refunds', { ...input, reason: 'Charged twice for the same clients' });
  expect(await approve(practice, response)).toMatchObject({ status: 200 });
  await portal.runJobs();
}
/** Returns a practice with a failed refund of £87.60. */
async function createOwedRefund(): Promise<{ practice: PayingPractice; refundId: string }> {
  const practice = await addSubscribedPractice();
  await refund(practice, null);
  portal.stripe.failRefund(listStripeRefunds(practice)[0]?.id ?? '');
  await waitUntil(async () => expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'failed' }]));
  return { practice, refundId: String((await listPracticeRefunds(practice))[0]?.['refund_id']) };
}
const requestTransfer = ({ companyId }: PayingPractice, refundId: string, changes: object = {}, browser = olga) =>
  browser.post('/operator/refunds/transfer', {
    company_id: companyId,
    refund_id: refundId,
    amount_pence: 87_60,
    transferred_on: '2026-11-10',
    reference: 'OAKLINE REFUND 1',
    evidence: 'Statement of the client account, line 14',
    ...changes,
  });
const retry = ({ companyId }: PayingPractice, refundId: string) =>
  omar.post('/operator/refunds/retry', { company_id: companyId, refund_id: refundId, reason: 'A new card' });

describe('a refund that was returned', () => {
  it('is recorded as paid from our bank account by two operators, and everyone sees how', async () => {
    const { practice, refundId } = await createOwedRefund();
    expect(listEmailsTo(practice)).toContain('Your refund from Tidewater was returned to us');
    const before = await countFailed();
    portal.moveClock('2026-11-12T09:00:00.000Z');
    const response = await requestTransfer(practice, refundId, { transferred_on: '2026-11-11' });
    const listedRequests = (await omar.get('/operator/approvals')).body['requests'] as JsonRow[];
    expect(listedRequests.find(({ request_id }) => request_id === response.body['request_id'])).toMatchObject({
      description: expect.stringMatching(
        /£87\.60 of VAT invoice INV-\d+ was paid .* on 11 November 2026 with reference “OAKLINE REFUND 1”/,
      ),
      reason: 'Statement of the client account, line 14',
    });
    expect((await approve(practice, response, olga)).body).toMatchObject({ code: 'approval.wrong_person' });
    expect(await listExceptions(practice)).toHaveLength(1);
    expect(await approve(practice, response)).toMatchObject({ status: 200 });
    await portal.runJobs();
    const transfer = { transferred_on: '2026-11-11', reference: 'OAKLINE REFUND 1' };
    expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'transferred', transfer }]);
    const [note, invoice] = await listInvoices(practice);
    expect([note, invoice]).toMatchObject([
      { kind: 'credit_note', status: 'transferred', transfer, total_pence: -87_60 },
      { status: 'paid', transfer: null },
    ]);
    expect(
      JSON.stringify(
        createInvoiceDocument(portal.deps.site, await getInvoice(portal.deps, practice.companyId, String(note?.['invoice_id']))),
      ),
    ).toContain('Paid by bank transfer on 11 November 2026, with reference “OAKLINE REFUND 1”.');
    expect(await listExceptions(practice)).toEqual([]);
    expect(await countFailed()).toBe(before - 1);
    const email = portal.sentEmails.findLast(({ to }) => to === `${practice.companyId}@oakline.example`);
    expect(email).toMatchObject({ subject: 'We’ve paid your refund from Tidewater by bank transfer' });
    expect(email?.text).toContain('OAKLINE REFUND 1');
    const isEntry = and(eq(auditEntries.subject, refundId), eq(auditEntries.action, 'refund.transferred'));
    expect(await getDb().select().from(auditEntries).where(isEntry)).toMatchObject([
      { after: { evidence: 'Statement of the client account, line 14', amount_pence: 87_60, ...transfer } },
    ]);
    // Stripe got no further request, and nothing resends the refund.
    expect(listStripeRefunds(practice).map(({ status }) => status)).toEqual(['failed']);
    expect((await retry(practice, refundId)).body).toMatchObject({ code: 'refund.not_failed' });
    const isThisRefund = eq(invoiceRefunds.id, refundId);
    await expect(getDb().update(invoiceRefunds).set({ status: 'sending' }).where(isThisRefund)).rejects.toThrow('invoice_refunds');
    const cookie = await createOperatorAccount(portal, `${randomUUID()}@tidewater.example`);
    const query = { file: 'invoices', month: '2026-11-01' };
    const exportedResponse = await portal.app.inject({ url: '/portal/operator/billing/export', query, headers: { cookie } });
    expect(exportedResponse.body.split('\r\n').find((line) => line.startsWith(String(note?.['number'])))).toContain(
      ',transferred,,,OAKLINE REFUND 1,2026-11-11,',
    );
  });

  it('is paid once, even with repeated or simultaneous clicks', async () => {
    const { practice, refundId } = await createOwedRefund();
    const response = await requestTransfer(practice, refundId);
    // A double click makes one request, and a different reference is a conflict.
    expect((await requestTransfer(practice, refundId)).body).toEqual(response.body);
    expect((await requestTransfer(practice, refundId, { reference: 'OTHER 2' })).body).toMatchObject({
      code: 'approval.already_requested',
    });
    // The money may have left our account, so it mustn't also be refunded to a card.
    expect((await retry(practice, refundId)).body).toMatchObject({ code: 'refund.transfer_open' });
    const responses = await Promise.all([approve(practice, response), approve(practice, response)]);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await portal.runJobs();
    expect((await requestTransfer(practice, refundId)).body).toMatchObject({ code: 'refund.not_failed' });
    expect(listEmailsTo(practice).filter((subject) => subject.includes('by bank transfer'))).toHaveLength(1);
  });

  it('that was sent again, or that Stripe has paid, isn’t recorded as paid from our account', async () => {
    const { practice, refundId } = await createOwedRefund();
    const response = await requestTransfer(practice, refundId);
    // Someone refunds it in Stripe's dashboard before the second operator decides.
    portal.stripe.refundInDashboard(findCharge(practice), 87_60);
    expect((await approve(practice, response)).body).toMatchObject({ code: 'refund.paid_at_stripe' });
    expect(await listPracticeRefunds(practice)).not.toContainEqual(expect.objectContaining({ status: 'transferred' }));
    const owingPractice = await createOwedRefund();
    await retry(owingPractice.practice, owingPractice.refundId);
    await waitUntil(async () =>
      expect(await listPracticeRefunds(owingPractice.practice)).toMatchObject([{ status: 'succeeded', attempt: 2 }]),
    );
    expect((await requestTransfer(owingPractice.practice, owingPractice.refundId)).body).toMatchObject({ code: 'refund.paid_at_stripe' });
  });

  it('and that an operator then paid in Stripe’s dashboard is paid, and gets no second credit note', async () => {
    const { practice } = await createOwedRefund();
    portal.stripe.refundInDashboard(findCharge(practice), 87_60);
    await waitUntil(async () => expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'succeeded', total_pence: 87_60 }]));
    expect((await listInvoices(practice)).map(({ status }) => status)).toEqual(['refunded', 'paid']);
    expect(await listExceptions(practice)).toEqual([]);
  });

  it('needs the right amount, a day and a reference, and two operators with the finance role', async () => {
    const { practice, refundId } = await createOwedRefund();
    const expectRefusal = async (changes: object, code: string, field: string) =>
      expect((await requestTransfer(practice, refundId, changes)).body).toMatchObject({ code, details: { field } });
    await expectRefusal({ amount_pence: 87_59 }, 'refund.other_amount', 'amount_pence');
    await expectRefusal({ transferred_on: '2026-11-11' }, 'refund.in_future', 'transferred_on');
    await expectRefusal({ transferred_on: '2026-11-09' }, 'refund.before_refund', 'transferred_on');
    expect((await requestTransfer(practice, refundId, { evidence: '' })).status).toBe(400);
    const support = await createOperator(portal, `${randomUUID()}@transfers.example`, ['support']);
    expect((await requestTransfer(practice, refundId, {}, support)).status).toBe(403);
    const otherPractice = await addSubscribedPractice();
    expect((await requestTransfer(otherPractice, refundId)).status).toBe(404);
  });
});

describe('a refund that was returned, and whose payment the payer’s bank then took back', () => {
  const dispute = async (practice: PayingPractice) => {
    portal.stripe.dispute(findCharge(practice));
    await waitUntil(async () => expect((await listInvoices(practice)).at(-1)).toMatchObject({ status: 'disputed' }));
  };
  const writeOff = async (practice: PayingPractice) => {
    portal.stripe.closeDispute(findCharge(practice), 'lost');
    const { companyId: company_id } = practice;
    const invoice_id = (await listInvoices(practice)).at(-1)?.['invoice_id'];
    const response = await olga.post('/operator/invoices/write-off', { company_id, invoice_id, reason: 'The dispute was lost' });
    expect(await approve(practice, response)).toMatchObject({ status: 200 });
    await waitUntil(async () => expect((await listInvoices(practice)).at(-1)).toMatchObject({ status: 'written_off' }));
  };
  const note = async (practice: PayingPractice, subject_id: string) => {
    const body = { company_id: practice.companyId, subject_id, note_id: randomUUID(), text: 'We responded at Stripe' };
    expect((await olga.post('/operator/matters/note', body)).status).toBe(200);
  };

  it('isn’t paid as well, and operators see why', async () => {
    const { practice, refundId } = await createOwedRefund();
    const before = await countFailed();
    await dispute(practice);
    expect((await retry(practice, refundId)).body).toMatchObject({ code: 'refund.charged_back' });
    expect((await requestTransfer(practice, refundId)).body).toMatchObject({ code: 'refund.charged_back' });
    const [listedRefund] = await listPracticeRefunds(practice);
    expect(listedRefund).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('has since charged back the payment of INV-'),
    });
    expect(await listExceptions(practice)).toMatchObject([
      { problem: expect.stringMatching(/has since charged back .* Respond to the dispute at Stripe/) },
    ]);
    expect(JSON.stringify(await listExceptions(practice))).not.toContain('we owe it this amount');
    // A note ends it until the dispute has an outcome.
    await note(practice, refundId);
    expect(await listExceptions(practice)).toEqual([]);
    expect(await countFailed()).toBe(before - 1);
    portal.moveClock('2026-11-20T09:00:00.000Z');
    await writeOff(practice);
    expect((await retry(practice, refundId)).body).toMatchObject({ code: 'refund.charged_back' });
    expect((await requestTransfer(practice, refundId, { transferred_on: '2026-11-19' })).body).toMatchObject({
      code: 'refund.charged_back',
    });
    expect(await listExceptions(practice)).toMatchObject([{ problem: expect.stringContaining('for good, so we don’t owe') }]);
    await note(practice, refundId);
    expect(await listExceptions(practice)).toEqual([]);
    expect(listStripeRefunds(practice).map(({ status }) => status)).toEqual(['failed']);
  });

  it('isn’t recorded as paid if that happens before the approval, even if we haven’t heard of it', async () => {
    const { practice, refundId } = await createOwedRefund();
    const response = await requestTransfer(practice, refundId);
    portal.stripe.dispute(findCharge(practice));
    expect((await approve(practice, response)).body).toMatchObject({ code: 'refund.charged_back' });
    await waitUntil(async () => expect((await listInvoices(practice)).at(-1)).toMatchObject({ status: 'disputed' }));
    expect((await approve(practice, response)).body).toMatchObject({ code: 'refund.charged_back' });
    expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'failed' }]);
    // We win, so the invoice is paid and the refund is owed again.
    portal.stripe.closeDispute(findCharge(practice), 'won');
    await waitUntil(async () => expect((await listInvoices(practice)).at(-1)).toMatchObject({ status: 'paid' }));
    expect(await approve(practice, response)).toMatchObject({ status: 200 });
  });

  it('is recorded as paid if it had left our account on an earlier day', async () => {
    const { practice, refundId } = await createOwedRefund();
    portal.moveClock('2026-11-12T09:00:00.000Z');
    portal.stripe.followClock();
    await dispute(practice);
    await writeOff(practice);
    expect((await requestTransfer(practice, refundId, { transferred_on: '2026-11-12' })).body).toMatchObject({
      code: 'refund.charged_back',
      message: expect.stringContaining('left our bank account before 12 November 2026'),
    });
    const response = await requestTransfer(practice, refundId, { transferred_on: '2026-11-11' });
    expect(await approve(practice, response)).toMatchObject({ status: 200 });
    expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'transferred' }]);
  });

  it('is still owed if the bank took back only the rest of the payment', async () => {
    const practice = await addSubscribedPractice();
    await refund(practice, 12_00);
    await dispute(practice);
    portal.stripe.failRefund(listStripeRefunds(practice)[0]?.id ?? '');
    await waitUntil(async () => expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'failed' }]));
    const refundId = String((await listPracticeRefunds(practice))[0]?.['refund_id']);
    expect((await requestTransfer(practice, refundId, { amount_pence: 12_00 })).body).toMatchObject({ code: 'refund.charged_back' });
    await writeOff(practice);
    expect(await listExceptions(practice)).toMatchObject([{ problem: expect.stringContaining('we owe it this amount') }]);
    const response = await requestTransfer(practice, refundId, { amount_pence: 12_00 });
    expect(await approve(practice, response)).toMatchObject({ status: 200 });
  });
});

describe('a refund made in Stripe’s dashboard', () => {
  it('gets our credit note once, however often it is read, and reduces what is left', async () => {
    const practice = await addSubscribedPractice();
    portal.stripe.refundInDashboard(findCharge(practice), 12_00);
    await waitUntil(async () =>
      expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'succeeded', reason: 'Refund made at Stripe' }]),
    );
    await Promise.all([1, 2, 3].map(() => recordRefundsAtStripe(portal.deps)));
    await portal.runJobs();
    const [note, invoice, ...otherInvoices] = await listInvoices(practice);
    expect(otherInvoices).toEqual([]);
    expect(note).toMatchObject({
      kind: 'credit_note',
      status: 'refunded',
      corrects_number: invoice?.['number'],
      reason: 'Refund made at Stripe',
      net_pence: -10_00,
      vat_pence: -2_00,
      total_pence: -12_00,
    });
    expect(listEmailsTo(practice).filter((subject) => subject.startsWith('Credit note'))).toHaveLength(1);
    // We send it again if it fails.
    portal.stripe.failRefund(listStripeRefunds(practice)[0]?.id ?? '');
    await waitUntil(async () => expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'failed' }]));
    expect(await retry(practice, String((await listPracticeRefunds(practice))[0]?.['refund_id']))).toMatchObject({ status: 200 });
    await waitUntil(async () => expect(await listPracticeRefunds(practice)).toMatchObject([{ status: 'succeeded', attempt: 2 }]));
    await refund(practice, null);
    expect((await listInvoices(practice)).map(({ total_pence }) => total_pence)).toEqual([-75_60, -12_00, 87_60]);
  });

  it('beyond what is left of the invoice is an exception without a credit note, until an operator notes the outcome', async () => {
    const { practice, refundId } = await createOwedRefund();
    expect(await approve(practice, await requestTransfer(practice, refundId))).toMatchObject({ status: 200 });
    portal.stripe.refundInDashboard(findCharge(practice), 87_60);
    await waitUntil(async () =>
      expect(await listExceptions(practice)).toMatchObject([
        { problem: expect.stringContaining('more than was left'), amount_pence: 87_60 },
      ]),
    );
    expect((await listInvoices(practice)).map(({ status }) => status)).toEqual(['transferred', 'paid']);
    const [exception] = await listExceptions(practice);
    const note = { company_id: practice.companyId, subject_id: exception?.['subject_id'], note_id: randomUUID(), text: 'Returned to us' };
    expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
    expect(await listExceptions(practice)).toEqual([]);
  });
});
