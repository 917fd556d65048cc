/**
 * Records refunds made in Stripe's dashboard. The money has already been sent, so we issue one credit note for each. A refund that exceeds
 * the remainder of its invoice gets none and waits for an operator.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceRefunds } from '@portal/db/schema/schema.ts';
import { and, arrayOverlaps, eq, inArray } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ZERO } from '@portal/domain/money.ts';
import { calculateRefund } from '@portal/domain/pricing/refund.ts';
import type { ProviderRefund } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findRefundableInvoice, type RefundableInvoice, type RefundRow } from './refund-facts.ts';
import { sealRefund } from './refund-seal.ts';
import { CREDIT_NOTE_STATUS, issueCreditNote, setCreditNoteStatus } from './send-refund.ts';

/** Longer than any portal outage. */
const LOOK_BACK_MS = 30 * 86_400_000;
const STRIPE_REFUND_REASON = 'Refund made at Stripe';

type FoundRefund = { readonly companyId: string; readonly invoiceId: string; readonly refund: ProviderRefund };

export async function recordRefundsAtStripe(deps: AppDeps): Promise<void> {
  if (!deps.billing) return;
  const { db } = deps.database;
  const providerRefunds = await deps.billing.provider.listRefundsSince(addMilliseconds(deps.clock.now(), -LOOK_BACK_MS));
  const recordedRefunds = providerRefunds.filter(({ status }) => status !== 'failed');
  const charges = [...new Set(recordedRefunds.flatMap(({ chargeId }) => chargeId ?? []))];
  if (charges.length === 0) return;
  const ids = recordedRefunds.map(({ refundId }) => refundId);
  const storedRefunds = await db
    .select({ ids: invoiceRefunds.providerRefundIds })
    .from(invoiceRefunds)
    .where(arrayOverlaps(invoiceRefunds.providerRefundIds, ids));
  const knownRefundIds = new Set(storedRefunds.flatMap((row) => row.ids));
  // A charge that isn't for one of our invoices belongs to another system that uses the same Stripe account.
  const payments = await db.select().from(invoicePayments).where(inArray(invoicePayments.chargeId, charges));
  const foundRefunds = recordedRefunds.flatMap(({ chargeId, ...refund }): FoundRefund[] => {
    const payment = payments.find((payment) => payment.chargeId === chargeId);
    return payment && !knownRefundIds.has(refund.refundId) ? [{ companyId: payment.companyId, invoiceId: payment.invoiceId, refund }] : [];
  });
  await tryEach(foundRefunds, (item) => deps.database.db.transaction((tx) => recordRefund(deps, tx, item)));
}

/**
 * The lock makes a refund that is being decided wait. The refund found may be one that is currently being sent; its job or the next read
 * will show which.
 */
async function recordRefund(deps: AppDeps, tx: Tx, { companyId, invoiceId, refund }: FoundRefund): Promise<void> {
  await lockCompany(tx, companyId);
  const foundRefundable = await findRefundableInvoice(tx, companyId, invoiceId);
  if (!foundRefundable) return;
  const rows = await tx
    .select()
    .from(invoiceRefunds)
    .where(and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.invoiceId, invoiceId)))
    .for('update');
  if (rows.some(({ status, providerRefundIds }) => status === 'sending' || providerRefundIds.includes(refund.refundId))) return;
  const owedRefund = rows.find(({ status, totalPence }) => status === 'failed' && totalPence === refund.amountPence);
  await (owedRefund ? recordPaidAtStripe(deps, tx, owedRefund, refund) : insertRefund(deps, tx, foundRefundable, refund));
}

/** Handles a returned refund that someone paid at Stripe instead of resending it here. Its credit note already exists. */
async function recordPaidAtStripe(deps: AppDeps, tx: Tx, owedRefund: RefundRow, { refundId, status }: ProviderRefund): Promise<void> {
  const { companyId, id, creditNoteId } = owedRefund;
  const at = deps.clock.now();
  await tx
    .update(invoiceRefunds)
    .set({ status, failure: null, providerRefundIds: [...owedRefund.providerRefundIds, refundId], updatedAt: at })
    .where(and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.id, id)));
  await setCreditNoteStatus(tx, { companyId, creditNoteId, status: CREDIT_NOTE_STATUS[status], at });
  const change = { before: { status: owedRefund.status }, after: { status, refund: refundId } };
  await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'refund.found', subject: id, ...change });
}

async function insertRefund(deps: AppDeps, tx: Tx, { invoice, facts }: RefundableInvoice, refund: ProviderRefund): Promise<void> {
  const { refundId, amountPence: totalPence } = refund;
  const { companyId, id: invoiceId } = invoice;
  const at = deps.clock.now();
  const calculatedRefund = calculateRefund(facts, { kind: 'amount', totalPence });
  const isExcess = typeof calculatedRefund === 'string';
  const amounts = isExcess ? { netPence: totalPence, vatPence: ZERO, totalPence, lines: [] } : calculatedRefund;
  const order = {
    companyId,
    id: randomUUID(),
    kind: 'refund' as const,
    invoiceId,
    ...amounts,
    reason: STRIPE_REFUND_REASON,
    attempt: 1,
    orderedAt: at,
  };
  const status = isExcess ? ('excess' as const) : refund.status;
  const row = { ...order, status, providerRefundIds: [refundId], updatedAt: at };
  // Seal it, so that it can be resent if the bank returns it.
  const [storedRefund] = await tx
    .insert(invoiceRefunds)
    .values({ ...row, orderSeal: isExcess ? null : sealRefund(deps, order) })
    .returning();
  const after = { status, refund: refundId, number: invoice.number, total_pence: totalPence };
  await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'refund.found', subject: order.id, after });
  if (!storedRefund || isExcess) return;
  const creditNoteId = await issueCreditNote(deps, tx, { refund: storedRefund, invoice, providerId: refundId });
  await tx
    .update(invoiceRefunds)
    .set({ creditNoteId })
    .where(and(eq(invoiceRefunds.companyId, companyId), eq(invoiceRefunds.id, order.id)));
  await setCreditNoteStatus(tx, { companyId, creditNoteId, status: CREDIT_NOTE_STATUS[refund.status], at });
}
