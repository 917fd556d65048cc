/**
 * Marks an invoice as uncollectible at Stripe once two operators have written it off, and detects whether it was paid afterwards. Stripe's
 * own state shows what has been done already, so that repeating a job changes nothing.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { invoicePayments, invoiceWriteOffs, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lte, or } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { ProviderInvoice } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getBillingProvider } from './billing-records.ts';
import { updatePayment } from './issue-invoices.ts';
import { isThisWriteOff, type WriteOffRow } from './write-off-rows.ts';

export function enqueueWriteOff(deps: AppDeps, tx: Db | Tx, companyId: string, writeOffId: string): Promise<void> {
  const job = { company_id: companyId, write_off_id: writeOffId };
  return deps.enqueue(tx, 'billing.write_off', job, { singletonKey: `billing.write_off:${writeOffId}` });
}

/**
 * Returns why Stripe's invoice isn't a bad debt of this amount, or undefined if it is one. It may already be marked as uncollectible. If its
 * payer's bank took the payment back for good, Stripe still shows it as paid.
 */
export function findBadDebtProblem(invoice: ProviderInvoice, amountPence: number): string | undefined {
  if (invoice.dispute) {
    if (!invoice.dispute.isLost) return 'The payer’s bank hasn’t decided the dispute yet. Respond to it in Stripe first.';
    if (invoice.dispute.amountPence === amountPence) return undefined;
    return `The amount that the bank took back is now ${formatPounds(invoice.dispute.amountPence)}.`;
  }
  if (invoice.status === 'paid') return 'It was paid.';
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') return `Its status at Stripe is ${invoice.status}.`;
  if (invoice.isProcessing) return 'A payment is in progress. Wait for its result.';
  if (invoice.amountRemainingPence !== amountPence)
    return `The unpaid amount at Stripe is now ${formatPounds(invoice.amountRemainingPence)}.`;
  return undefined;
}

export async function sendWriteOff(deps: AppDeps, companyId: string, id: string): Promise<void> {
  const { db } = deps.database;
  const [row] = await db.select().from(invoiceWriteOffs).where(isThisWriteOff(companyId, id));
  if (row?.status !== 'sending') return;
  const { provider } = getBillingProvider(deps);
  const invoiceId = await getProviderId(deps, row);
  const providerInvoice = await provider.getInvoice(invoiceId);
  let problem = findBadDebtProblem(providerInvoice, row.amountPence);
  if (problem === undefined && providerInvoice.status === 'open') problem = await markUncollectible(deps, row, invoiceId);
  if (problem === undefined) return finishWriteOff(deps, row);
  await refuseWriteOff(deps, row, problem);
  await updatePayment(deps, companyId, row.invoiceId, await provider.getInvoice(invoiceId));
}

/** Handles an invoice that Stripe didn't mark as uncollectible, for example because it had just been paid. */
async function markUncollectible(deps: AppDeps, { id, amountPence }: WriteOffRow, invoiceId: string): Promise<string | undefined> {
  const { provider } = getBillingProvider(deps);
  try {
    await provider.markUncollectible({ idempotencyKey: id, invoiceId });
    return undefined;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'refused') throw error;
    const now = await provider.getInvoice(invoiceId);
    if (now.status === 'uncollectible') return undefined;
    return findBadDebtProblem(now, amountPence) ?? error.facts.detail ?? error.facts.code ?? '';
  }
}

async function getProviderId({ database: { db } }: AppDeps, { companyId, invoiceId }: WriteOffRow): Promise<string> {
  const isThisInvoice = and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.id, invoiceId));
  const [invoice] = await db.select({ providerId: vatInvoices.providerId }).from(vatInvoices).where(isThisInvoice);
  if (!invoice) throw new Error(`the invoice ${invoiceId} is missing`);
  return invoice.providerId;
}

async function finishWriteOff(deps: AppDeps, { companyId, id, invoiceId }: WriteOffRow): Promise<void> {
  const at = deps.clock.now();
  const writtenOffOn = deps.clock.today();
  await deps.database.db.transaction(async (tx) => {
    const isSending = and(isThisWriteOff(companyId, id), eq(invoiceWriteOffs.status, 'sending'));
    const change = { status: 'written_off' as const, writtenOffOn, readAt: at, updatedAt: at };
    const [row] = await tx.update(invoiceWriteOffs).set(change).where(isSending).returning();
    if (!row) return;
    await tx
      .update(invoicePayments)
      .set({ status: 'written_off', updatedAt: at })
      .where(and(eq(invoicePayments.companyId, companyId), eq(invoicePayments.invoiceId, invoiceId)));
    const after = { status: row.status, written_off_on: writtenOffOn, amount_pence: row.amountPence };
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'write_off.done', subject: id, after });
    // The subscription may be active again.
    await deps.enqueue(tx, 'billing.read', { company_id: companyId }, { singletonKey: `billing.read:${companyId}` });
  });
}

async function refuseWriteOff(deps: AppDeps, { companyId, id }: WriteOffRow, failure: string): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const isSending = and(isThisWriteOff(companyId, id), eq(invoiceWriteOffs.status, 'sending'));
    const refusedWriteOffs = await tx
      .update(invoiceWriteOffs)
      .set({ status: 'refused', failure, updatedAt: at })
      .where(isSending)
      .returning();
    if (refusedWriteOffs.length === 0) return;
    await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'write_off.refused', subject: id, after: { failure } });
  });
}

/** Checks whether any of a practice's bad debts has been paid, including those of a subscription that has ended. */
export async function readWriteOffs(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const isOpen = and(eq(invoiceWriteOffs.companyId, companyId), eq(invoiceWriteOffs.status, 'written_off'));
  const rows = await db.select().from(invoiceWriteOffs).where(isOpen);
  await tryEach(rows, async (row) => {
    const invoice = await getBillingProvider(deps).provider.getInvoice(await getProviderId(deps, row));
    if (invoice.status === 'paid') await updatePayment(deps, companyId, row.invoiceId, invoice);
    const change = { readAt: deps.clock.now() };
    await db.update(invoiceWriteOffs).set(change).where(isThisWriteOff(companyId, row.id));
  });
}

/** A webhook reports such a payment immediately. This covers lost webhooks. */
const LOOK_BACK_MS = 86_400_000;

/** Lists write-offs to send, and the practices whose bad debts haven't been read for a day. */
export async function listUnfinishedWriteOffs({ database: { db }, clock }: AppDeps) {
  const sendingWriteOffs = await db
    .select({ companyId: invoiceWriteOffs.companyId, id: invoiceWriteOffs.id })
    .from(invoiceWriteOffs)
    .where(eq(invoiceWriteOffs.status, 'sending'));
  const isDue = or(isNull(invoiceWriteOffs.readAt), lte(invoiceWriteOffs.readAt, addMilliseconds(clock.now(), -LOOK_BACK_MS)));
  const watchedWriteOffs = await db
    .selectDistinct({ companyId: invoiceWriteOffs.companyId })
    .from(invoiceWriteOffs)
    .where(and(eq(invoiceWriteOffs.status, 'written_off'), isDue));
  return { sending: sendingWriteOffs, watched: watchedWriteOffs };
}
