/**
 * Tests runs of a refund's job in which a crash, a slow process or SQL could cause a repeated payment, with Stripe's simulator over real
 * HTTP.
 */
import { invoiceRefunds, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { BillingProvider } from '@portal/providers/stripe/stripe-port.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { addPriceList } from '../../testing/add-price-list.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { addPayingPractice, CARDS, type PayingPractice } from '../../testing/paying-practice.ts';
import { createIdempotencyHeaders } from '../../testing/take-advance.ts';
import { createOperator, type Browser } from '../../testing/test-trader.ts';
import { readRefunds, sendRefund } from './send-refund.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
  olga = await createOperator(portal, 'olga@send-refund.example', ['finance']);
  omar = await createOperator(portal, 'omar@send-refund.example', ['finance']);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

const reason = 'Charged twice for the same clients';
const getDb = () => portal.deps.database.db;
const getRefundRow = async ({ companyId }: PayingPractice) => {
  const [row] = await getDb().select().from(invoiceRefunds).where(eq(invoiceRefunds.companyId, companyId));
  if (!row) throw new Error('the refund is missing');
  return row;
};
const listCreditNotes = ({ companyId }: PayingPractice) =>
  getDb()
    .select({ totalPence: vatInvoices.totalPence })
    .from(vatInvoices)
    .where(and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.kind, 'credit_note')));
const listStripeRefunds = ({ companyId }: PayingPractice) => {
  const { customers, charges, refunds } = portal.stripe.records;
  const customer = customers.list().find(({ document }) => document.metadata['company_id'] === companyId)?.document.id;
  const customerCharges = charges.list().flatMap(({ document }) => (document.customer === customer ? [document.id] : []));
  return refunds.list().flatMap(({ document }) => (customerCharges.includes(document.charge) ? [document] : []));
};

/** A refund of £20 from a paid invoice of £87.60, approved by two operators and not sent yet. */
async function orderSubscription(): Promise<PayingPractice> {
  const practice = await addPayingPractice(portal);
  await practice.enterMethod(CARDS.pays);
  expect((await practice.subscribe()).status).toBe(200);
  await portal.runJobs();
  const { companyId } = practice;
  const [invoice] = await getDb().select().from(vatInvoices).where(eq(vatInvoices.companyId, companyId));
  const input = { company_id: companyId, invoice_id: invoice?.id, total_pence: 20_00, lines: null, reason };
  const response = await olga.post('/operator/refunds', input);
  const approval = { company_id: companyId, request_id: response.body['request_id'] };
  expect(await omar.post('/operator/approvals/approve', approval, createIdempotencyHeaders())).toMatchObject({ status: 200 });
  return practice;
}
async function createPaidBackRefund(): Promise<PayingPractice> {
  const practice = await orderSubscription();
  await portal.runJobs();
  expect(await getRefundRow(practice)).toMatchObject({ status: 'succeeded', attempt: 1 });
  return practice;
}
async function bounceRefund(practice: PayingPractice): Promise<void> {
  portal.stripe.failRefund(listStripeRefunds(practice).at(-1)?.id ?? '');
  await readRefunds(portal.deps, practice.companyId);
  expect(await getRefundRow(practice)).toMatchObject({ status: 'failed' });
}
async function retry(practice: PayingPractice): Promise<void> {
  const { id } = await getRefundRow(practice);
  const input = { company_id: practice.companyId, refund_id: id, reason: 'The practice has a new card' };
  expect(await olga.post('/operator/refunds/retry', input)).toMatchObject({ status: 200 });
}

type Call = 'findCreditNote' | 'listRefunds' | 'refundAgain';
/** Simulates a slow process: something else happens after Stripe has responded. */
function pauseAfter(call: Call, inBetween: () => Promise<void>): AppDeps {
  const { billing } = portal.deps;
  if (!billing) throw new Error('billing is off');
  const providerCall = billing.provider[call] as (...input: unknown[]) => Promise<unknown>;
  const callThenPause = async (...input: unknown[]) => {
    const providerResponse = await providerCall(...input);
    await inBetween();
    return providerResponse;
  };
  const provider: BillingProvider = { ...billing.provider, [call]: callThenPause };
  return { ...portal.deps, billing: { ...billing, provider } };
}

describe('a refund that Stripe has paid', () => {
  it('isn’t paid again if its row says that it is still to be sent', async () => {
    const practice = await createPaidBackRefund();
    const { id, companyId } = await getRefundRow(practice);
    await getDb().update(invoiceRefunds).set({ status: 'sending' }).where(eq(invoiceRefunds.id, id));
    await sendRefund(portal.deps, companyId, id);
    expect(listStripeRefunds(practice).map(({ amount }) => amount)).toEqual([20_00]);
    expect(await getRefundRow(practice)).toMatchObject({ status: 'succeeded', providerRefundIds: [listStripeRefunds(practice)[0]?.id] });
    expect(await listCreditNotes(practice)).toHaveLength(1);
  });

  it('isn’t paid again, and gets no second credit note, if its row has lost its stored details', async () => {
    const practice = await createPaidBackRefund();
    const { id, companyId } = await getRefundRow(practice);
    await getDb().update(invoiceRefunds).set({ status: 'sending', creditNoteId: null }).where(eq(invoiceRefunds.id, id));
    // The unique index rejects a second credit note for Stripe's.
    await expect(sendRefund(portal.deps, companyId, id)).rejects.toThrow('Failed query');
    expect(listStripeRefunds(practice)).toHaveLength(1);
    expect([await getRefundRow(practice), await listCreditNotes(practice)]).toMatchObject([
      { status: 'sending' },
      [{ totalPence: -20_00 }],
    ]);
  });

  it('isn’t paid again if it was found at Stripe, after which its row says that it is still to be sent', async () => {
    const practice = await orderSubscription();
    // Before the job runs: the portal rejects its own refund and records the one that someone made at Stripe.
    const [charge] = portal.stripe.records.charges.list().slice(-1);
    portal.stripe.refundInDashboard(charge?.document.id ?? '', 5_00);
    await portal.runJobs();
    await portal.deps.enqueue(getDb(), 'billing.refunds', {});
    await portal.runJobs();
    const matchesRefund = and(eq(invoiceRefunds.companyId, practice.companyId), eq(invoiceRefunds.totalPence, 5_00 as never));
    const [row] = await getDb().select().from(invoiceRefunds).where(matchesRefund);
    for (const creditNoteId of [row?.creditNoteId ?? null, null]) {
      await getDb().update(invoiceRefunds).set({ status: 'sending', creditNoteId }).where(matchesRefund);
      await sendRefund(portal.deps, practice.companyId, row?.id ?? '').catch(() => {});
    }
    expect(listStripeRefunds(practice).map(({ amount }) => amount)).toEqual([5_00]);
    expect(await listCreditNotes(practice)).toHaveLength(1);
  });
});

describe('a run of the job that is slower than an operator', () => {
  it('doesn’t record the first attempt’s refund as the second one’s, whose outcome isn’t known yet', async () => {
    const practice = await orderSubscription();
    const { id, companyId } = await getRefundRow(practice);
    const pausedDeps = pauseAfter('findCreditNote', async () => {
      await sendRefund(portal.deps, companyId, id);
      await bounceRefund(practice);
      await retry(practice);
    });
    await sendRefund(pausedDeps, companyId, id);
    expect(await getRefundRow(practice)).toMatchObject({ status: 'sending', attempt: 2, failure: null });
    await portal.runJobs();
    expect(await getRefundRow(practice)).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(listStripeRefunds(practice).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect((await getRefundRow(practice)).providerRefundIds).toEqual(listStripeRefunds(practice).map(({ id: refundId }) => refundId));
    expect(await listCreditNotes(practice)).toHaveLength(1);
  });

  it('doesn’t mark a later attempt as failed because Stripe refused an earlier one', async () => {
    const practice = await createPaidBackRefund();
    await bounceRefund(practice);
    await retry(practice);
    const { id, companyId } = await getRefundRow(practice);
    const pausedDeps = pauseAfter('refundAgain', async () => {
      await sendRefund(portal.deps, companyId, id);
      await bounceRefund(practice);
      await retry(practice);
      throw new ProviderError('refused', { provider: 'stripe', operation: 'create_refund', detail: 'The charge was refunded.' });
    });
    await sendRefund(pausedDeps, companyId, id);
    expect(await getRefundRow(practice)).toMatchObject({ status: 'sending', attempt: 3, failure: null });
    await portal.runJobs();
    expect(await getRefundRow(practice)).toMatchObject({ status: 'succeeded', attempt: 3 });
    expect(listStripeRefunds(practice).map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded']);
  });

  it('that was stopped between Stripe’s response and our commit finds the later attempt’s refund', async () => {
    const practice = await createPaidBackRefund();
    await bounceRefund(practice);
    await retry(practice);
    const { id, companyId } = await getRefundRow(practice);
    const killedDeps = pauseAfter('refundAgain', () => Promise.reject(new Error('the process died')));
    await expect(sendRefund(killedDeps, companyId, id)).rejects.toThrow('died');
    expect(await getRefundRow(practice)).toMatchObject({ status: 'sending', attempt: 2 });
    await portal.runJobs();
    expect(await getRefundRow(practice)).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(listStripeRefunds(practice).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await listCreditNotes(practice)).toHaveLength(1);
  });
});
