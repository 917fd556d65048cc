/**
 * Sends Stripe a refund that two operators approved. The refund's ID is the idempotency key, and Stripe's own record shows what was already
 * done. Our credit note is issued once Stripe has accepted the refund, because a rejected refund reduces no price (VAT Regulations 1995,
 * regulation 15C).
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceRefunds } from '@portal/db/schema/schema.ts';
import { and, eq, gte, inArray, or, sql } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence, ZERO, type Pence } from '@portal/domain/money.ts';
import type { InvoiceStatus, RefundStatus } from '@portal/domain/pricing/subscription.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { ProviderRefund } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueInvoiceEmail, enqueueRefundReturnedEmail } from './billing-emails.ts';
import { getBillingProvider, type VatInvoice } from './billing-records.ts';
import { creditUnpaidInvoice } from './credit-unpaid-invoice.ts';
import { insertInvoice, updatePayment } from './issue-invoices.ts';
import { isRefundSealed } from './refund-seal.ts';
import { findRefundableInvoice, type RefundableInvoice, type RefundRow } from './refund-facts.ts';

/**
 * `creditNoteId` is the ID of the provider's credit note, or of its refund if it has no credit note. Undefined if our credit note already
 * exists.
 */
type SentRefund = { readonly creditNoteId: string | undefined; readonly refund: ProviderRefund };

export function enqueueRefund(deps: AppDeps, tx: Db | Tx, companyId: string, refundId: string): Promise<void> {
  return deps.enqueue(tx, 'billing.refund', { company_id: companyId, refund_id: refundId }, { singletonKey: `billing.refund:${refundId}` });
}

export async function sendRefund(deps: AppDeps, companyId: string, refundId: string): Promise<void> {
  // The sweep sends it after the pause.
  if (deps.paused.has('payouts')) return;
  const { db } = deps.database;
  const [refund] = await db.select().from(invoiceRefunds).where(isThisRefund(companyId, refundId));
  if (refund?.status !== 'sending') return;
  const foundRefundable = await findRefundableInvoice(db, companyId, refund.invoiceId);
  if (!foundRefundable) throw new Error(`the invoice of the refund ${refundId} is missing`);
  if (!isRefundSealed(deps, refund)) {
    deps.recordSecurityEvent('payout_refused', { reason: 'refund.not_ordered' });
    return refuseRefund(deps, refund, 'This refund has been changed outside the portal. Nothing was refunded. Contact the person on call.');
  }
  if (refund.kind === 'reduction') return sendReduction(deps, refund, foundRefundable);
  let sentRefund: SentRefund | string;
  try {
    sentRefund = await sendToStripe(deps, refund, foundRefundable);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'refused') throw error;
    sentRefund = error.facts.detail ?? error.facts.code ?? '';
  }
  if (typeof sentRefund === 'string') return refuseRefund(deps, refund, sentRefund);
  await finishRefund(deps, refund, foundRefundable, sentRefund);
}

const isThisRefund = (companyId: string, id: string) => and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.id, id));

/** Returns the reason if nothing was sent. A refund already sent by an earlier run of this attempt isn't sent again. */
async function sendToStripe(deps: AppDeps, refund: RefundRow, { invoice, chargeId }: RefundableInvoice): Promise<SentRefund | string> {
  const { provider } = getBillingProvider(deps);
  const { totalPence: amountPence, reason: memo, creditNoteId } = refund;
  const stripeRefunds = chargeId === null ? [] : await provider.listRefunds(chargeId);
  const paidRefund = findPaidRefund(refund, stripeRefunds);
  if (paidRefund) {
    const note = creditNoteId === null ? await provider.findCreditNote(invoice.providerId, refund.id) : undefined;
    return { creditNoteId: note?.creditNoteId ?? paidRefund.refundId, refund: paidRefund };
  }
  if (creditNoteId === null) {
    const order = { idempotencyKey: refund.id, invoiceId: invoice.providerId, amountPence, memo };
    const existingNote = await provider.findCreditNote(order.invoiceId, refund.id);
    return existingNote ?? (await findUnrecordedRefund(deps, refund, stripeRefunds)) ?? provider.refund(order);
  }
  if (chargeId === null) throw new Error(`the invoice ${invoice.number} has no charge`);
  const idempotencyKey = `${refund.id}:${refund.attempt}`;
  const matchingRefund = stripeRefunds.find(({ key }) => key === idempotencyKey);
  if (matchingRefund) return { creditNoteId: undefined, refund: matchingRefund };
  const unrecordedRefund = await findUnrecordedRefund(deps, refund, stripeRefunds);
  return unrecordedRefund ?? { creditNoteId: undefined, refund: await provider.refundAgain({ idempotencyKey, chargeId, amountPence }) };
}

/**
 * Finds a refund for this row that wasn't returned. Another is sent only after all of them were returned, whatever the row's status and
 * attempt say: the seal doesn't cover these columns, so someone could have changed them with SQL.
 */
function findPaidRefund({ id, providerRefundIds }: RefundRow, atStripe: readonly ProviderRefund[]): ProviderRefund | undefined {
  const knownRefunds = atStripe.filter(({ refundId }) => providerRefundIds.includes(refundId));
  if (knownRefunds.length < providerRefundIds.length) throw new Error(`Stripe's list lacks a refund that is stored of ${id}`);
  return knownRefunds.find(({ status }) => status !== 'failed');
}

/**
 * Finds refunds of this invoice at Stripe that aren't recorded here, for example after a restored backup or from its dashboard. The rows
 * are read after Stripe's list, so that refunds stored in the meantime count.
 */
async function findUnrecordedRefund(deps: AppDeps, refund: RefundRow, atStripe: readonly ProviderRefund[]): Promise<string | undefined> {
  const rows = await deps.database.db
    .select()
    .from(invoiceRefunds)
    .where(and(eq(invoiceRefunds.companyId, refund.companyId), eq(invoiceRefunds.invoiceId, refund.invoiceId)));
  const knownRefundIds = new Set(rows.flatMap(({ providerRefundIds }) => providerRefundIds));
  const unknownRefunds = atStripe.filter(({ refundId, status }) => status !== 'failed' && !knownRefundIds.has(refundId));
  if (unknownRefunds.length === 0) return undefined;
  // Another refund of the invoice is currently being sent and will be stored soon.
  if (rows.some(({ id, status }) => id !== refund.id && status === 'sending'))
    throw new Error('another refund of the invoice is being sent');
  const ids = unknownRefunds.map(({ refundId }) => refundId).join(', ');
  return `Stripe has refunded part of this invoice, but it isn’t recorded here (${ids}). Nothing more was refunded. Compare the invoice with Stripe first.`;
}

/** A slow run may end after a later attempt was ordered, and must not change that attempt's outcome. */
const isSame = (now: RefundRow | undefined, attempt: number): now is RefundRow => now?.status === 'sending' && now.attempt === attempt;

async function finishRefund(
  deps: AppDeps,
  { companyId, id, attempt }: RefundRow,
  { invoice }: RefundableInvoice,
  sentRefund: SentRefund,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [refund] = await tx.select().from(invoiceRefunds).where(isThisRefund(companyId, id)).for('update');
    if (!isSame(refund, attempt)) return;
    const creditNoteId =
      refund.creditNoteId ?? (await issueCreditNote(deps, tx, { refund, invoice, providerId: sentRefund.creditNoteId ?? '' }));
    const providerRefundIds = [...new Set([...refund.providerRefundIds, sentRefund.refund.refundId])];
    await tx.update(invoiceRefunds).set({ creditNoteId, providerRefundIds }).where(isThisRefund(companyId, id));
    await setStatus(deps, tx, { ...refund, creditNoteId }, sentRefund.refund);
  });
}

export type CreditNoteFacts = Pick<RefundableInvoice, 'invoice'> & { readonly refund: RefundRow; readonly providerId: string };

export async function issueCreditNote(deps: AppDeps, tx: Tx, { refund, invoice, providerId }: CreditNoteFacts): Promise<string> {
  const { companyId, reason, netPence, vatPence, totalPence } = refund;
  const negate = (amount: Pence): Pence => pence(0 - amount);
  const foundRefundable = await findRefundableInvoice(tx, companyId, invoice.id);
  const describe = (position: number) => foundRefundable?.facts.invoice.lines[position]?.description ?? '';
  const { subscriptionId, periodStart, periodEnd } = invoice;
  const row = await insertInvoice(deps, tx, companyId, {
    subscriptionId,
    periodStart,
    periodEnd,
    kind: 'credit_note',
    providerId,
    correctsId: invoice.id,
    reason,
    corrected: invoice,
    netPence: negate(netPence),
    vatPence: negate(vatPence),
    totalPence: negate(totalPence),
    lines: refund.lines.map(({ position, amountPence }) => ({
      description: `${refund.kind === 'refund' ? 'Refund of' : 'Credit for'}: ${describe(position)}`,
      quantity: null,
      amountPence: negate(amountPence),
    })),
  });
  // A reduction is in its invoice's amount due, and no money moves.
  const payment =
    refund.kind === 'refund'
      ? { status: 'refunding' as const, amountDuePence: negate(totalPence) }
      : { status: 'credited' as const, amountDuePence: ZERO };
  await tx.insert(invoicePayments).values({ companyId, invoiceId: row.id, chargeId: null, updatedAt: row.issuedAt, ...payment });
  await enqueueInvoiceEmail(deps, tx, row);
  return row.id;
}

export const CREDIT_NOTE_STATUS: Readonly<Record<ProviderRefund['status'], InvoiceStatus>> = {
  pending: 'refunding',
  succeeded: 'refunded',
  failed: 'refund_failed',
};

async function setStatus(deps: AppDeps, tx: Tx, previous: RefundRow, { status, failure, refundId }: ProviderRefund): Promise<void> {
  const { companyId, id, creditNoteId } = previous;
  const at = deps.clock.now();
  await tx
    .update(invoiceRefunds)
    .set({ status, failure: failure ?? null, updatedAt: at })
    .where(isThisRefund(companyId, id));
  await setCreditNoteStatus(tx, { companyId, creditNoteId, status: CREDIT_NOTE_STATUS[status], at });
  const change = {
    before: { status: previous.status },
    after: { status, refund: refundId, ...(failure === undefined ? {} : { failure }) },
  };
  await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'refund.status', subject: id, ...change });
  if (status === 'failed') await enqueueRefundReturnedEmail(deps, tx, previous, failure ?? '');
}

type CreditNoteChange = Pick<RefundRow, 'companyId' | 'creditNoteId'> & {
  readonly status: InvoiceStatus;
  readonly at: RefundRow['updatedAt'];
};

export async function setCreditNoteStatus(tx: Tx, { companyId, creditNoteId, status, at }: CreditNoteChange): Promise<void> {
  if (creditNoteId === null) return;
  await tx
    .update(invoicePayments)
    .set({ status, updatedAt: at })
    .where(and(eq(invoicePayments.companyId, companyId), eq(invoicePayments.invoiceId, creditNoteId)));
}

/** Reduces an unpaid invoice at Stripe, then issues our credit note. Stripe collects what is left. */
async function sendReduction(deps: AppDeps, refund: RefundRow, refundable: RefundableInvoice): Promise<void> {
  const { invoice } = refundable;
  const credit = await creditUnpaidInvoice(deps, refund, refundable);
  if ('problem' in credit) return refuseRefund(deps, refund, credit.problem);
  await finishReduction(deps, refund, invoice, credit.creditNoteId);
  const read = await getBillingProvider(deps).provider.getInvoice(invoice.providerId);
  await updatePayment(deps, refund.companyId, invoice.id, read);
}

async function finishReduction(deps: AppDeps, { companyId, id }: RefundRow, invoice: VatInvoice, providerId: string): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [refund] = await tx.select().from(invoiceRefunds).where(isThisRefund(companyId, id)).for('update');
    if (refund?.status !== 'sending') return;
    const creditNoteId = await issueCreditNote(deps, tx, { refund, invoice, providerId });
    await tx.update(invoiceRefunds).set({ status: 'succeeded', creditNoteId, updatedAt: at }).where(isThisRefund(companyId, id));
    await tx
      .update(invoicePayments)
      .set({ amountDuePence: sql`${invoicePayments.amountDuePence} - ${refund.totalPence}`, updatedAt: at })
      .where(and(eq(invoicePayments.companyId, companyId), eq(invoicePayments.invoiceId, invoice.id)));
    const change = { before: { status: refund.status }, after: { status: 'succeeded', credit_note: providerId } };
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'refund.status', subject: id, ...change });
    // The subscription may be active again.
    await deps.enqueue(tx, 'billing.read', { company_id: companyId }, { singletonKey: `billing.read:${companyId}` });
  });
}

/** Handles a refund that Stripe didn't make. A first attempt leaves the invoice unchanged; a later one leaves the refund failed. */
async function refuseRefund(deps: AppDeps, { companyId, id, creditNoteId, attempt }: RefundRow, failure: string): Promise<void> {
  const at = deps.clock.now();
  const status: RefundStatus = creditNoteId === null ? 'refused' : 'failed';
  await deps.database.db.transaction(async (tx) => {
    const refusedRefunds = await tx
      .update(invoiceRefunds)
      .set({ status, failure, updatedAt: at })
      .where(and(isThisRefund(companyId, id), eq(invoiceRefunds.status, 'sending'), eq(invoiceRefunds.attempt, attempt)))
      .returning({ id: invoiceRefunds.id });
    if (refusedRefunds.length === 0) return;
    await setCreditNoteStatus(tx, { companyId, creditNoteId, status: 'refund_failed', at });
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'refund.refused', subject: id, after: { failure } });
  });
}

/** For about this long, a bank can return a refund (docs.stripe.com, Refunds: failed refunds). */
const WATCH_PERIOD_MS = 45 * 86_400_000;

const isWatched = (deps: AppDeps) =>
  or(
    eq(invoiceRefunds.status, 'pending'),
    and(
      eq(invoiceRefunds.kind, 'refund'),
      eq(invoiceRefunds.status, 'succeeded'),
      gte(invoiceRefunds.updatedAt, addMilliseconds(deps.clock.now(), -WATCH_PERIOD_MS)),
    ),
  );

/** Reads what the payers' banks have done with the practice's refunds. */
export async function readRefunds(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const watchedRefunds = await db
    .select()
    .from(invoiceRefunds)
    .where(and(eq(invoiceRefunds.companyId, companyId), isWatched(deps)));
  for (const { id, providerRefundIds, attempt } of watchedRefunds) {
    const refundId = providerRefundIds.at(-1);
    if (refundId === undefined) continue;
    const providerRefund = await getBillingProvider(deps).provider.getRefund(refundId);
    await db.transaction(async (tx) => {
      const [lockedRefund] = await tx.select().from(invoiceRefunds).where(isThisRefund(companyId, id)).for('update');
      // An operator may since have resent the refund, which this read doesn't cover.
      if (lockedRefund && lockedRefund.attempt === attempt && lockedRefund.status !== providerRefund.status)
        await setStatus(deps, tx, lockedRefund, providerRefund);
    });
  }
}

/** Lists the refunds to send, and the practices whose refunds the bank may still return. */
export async function listUnfinishedRefunds(deps: AppDeps) {
  const { db } = deps.database;
  const sendingRefunds = await db
    .select({ companyId: invoiceRefunds.companyId, id: invoiceRefunds.id })
    .from(invoiceRefunds)
    .where(inArray(invoiceRefunds.status, ['sending']));
  const watchedRefunds = await db.selectDistinct({ companyId: invoiceRefunds.companyId }).from(invoiceRefunds).where(isWatched(deps));
  return { sending: sendingRefunds, watched: watchedRefunds };
}
