/**
 * Before its first submission, a payout is looked up by its reference in the payments provider's record. If the money has already been
 * paid, for example before a backup was restored, that payment becomes this payout and nothing is paid.
 */
import { payouts, unrecordedPayouts } from '@portal/db/schema/schema.ts';
import { isSamePayoutReference } from '@portal/domain/advances/payout-reference.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type BankRecord, detachFromFailedOrder, listRecordedPayouts, readBankRecord, readRecordOfOrder } from './bank-record.ts';
import { IS_UNCLAIMED, toRow } from './store-unrecorded.ts';
import { lockCompany } from './transition-advance.ts';

/** A payout may take this long to appear in the provider's record. */
const RECORD_DELAY_MS = 3_600_000;

type PayoutRow = typeof payouts.$inferSelect;
type UnrecordedRow = typeof unrecordedPayouts.$inferSelect;

/**
 * Returns true if the bank had already paid this payout. Runs as the system, because the restored database may not know the payment's
 * company yet.
 */
export async function claimEarlierPayout(deps: AppDeps, payout: PayoutRow): Promise<boolean> {
  return runAsSystem('bank record', async () => {
    const [earlierPayout] = await listEarlierPayouts(deps, payout);
    return earlierPayout !== undefined && claimPayout(deps, payout, earlierPayout);
  });
}

/**
 * Returns true if the bank has made a payment with the reference of this order that isn't the order's own: it must not be submitted again.
 * Until it is, its own payment may be in the record without belonging to it here, because the response was lost.
 */
export async function hasOtherPayment(deps: AppDeps, payout: PayoutRow): Promise<boolean> {
  return runAsSystem('bank record', async () => {
    for (const { providerPayoutId } of await listEarlierPayouts(deps, payout)) {
      if ((await deps.payments.findPayout(providerPayoutId))?.idempotencyKey !== payout.id) return true;
    }
    return false;
  });
}

/**
 * Lists the payments with this payout's reference that don't belong to another order, among stored payments and those in the bank's record,
 * oldest first.
 */
async function listEarlierPayouts(deps: AppDeps, { companyId, reference }: PayoutRow): Promise<UnrecordedRow[]> {
  const { db } = deps.database;
  const records = [await readBankRecord(deps, RECORD_DELAY_MS), ...(await readRecordsOfFailedOrders(deps, companyId, reference))];
  const returned = records.flatMap((record) => record.returned);
  const sent = [...new Map(records.flatMap((record) => record.sent.map((payout) => [payout.payoutId, payout]))).values()];
  const returnedIds = new Set(returned.map(({ payoutId }) => payoutId));
  const recordedIds = await listRecordedPayouts(deps, sent);
  const storedPayouts = await db.select().from(unrecordedPayouts);
  const storedIds = new Set(storedPayouts.map(({ providerPayoutId }) => providerPayoutId));
  const unstoredPayouts = sent.filter(
    ({ payoutId, returnedByTransactionId }) =>
      returnedByTransactionId === undefined && !returnedIds.has(payoutId) && !recordedIds.has(payoutId) && !storedIds.has(payoutId),
  );
  const unclaimedPayouts = storedPayouts.filter(
    (row) => row.payoutId === null && row.resolution === null && !returnedIds.has(row.providerPayoutId),
  );
  return [...unclaimedPayouts, ...unstoredPayouts.map((item) => toRow(deps, item))]
    .filter((item) => isSamePayoutReference(item.reference, reference))
    .toSorted((a, b) => (a.sentAt < b.sentAt ? -1 : 1));
}

/** The bank may make a payout after it reported it as failed, and the regular reads don't reach back to when it was created. */
async function readRecordsOfFailedOrders(deps: AppDeps, companyId: string, reference: string): Promise<BankRecord[]> {
  const failedOrders = await deps.database.db
    .select({ reference: payouts.reference, createdAt: payouts.createdAt, settledAt: payouts.settledAt })
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), eq(payouts.status, 'failed')));
  const records: BankRecord[] = [];
  for (const order of failedOrders) {
    if (isSamePayoutReference(order.reference, reference)) records.push(await readRecordOfOrder(deps, order));
  }
  return records;
}

function claimPayout(
  deps: AppDeps,
  { companyId, id: payoutId, advanceId, amountPence }: PayoutRow,
  earlierPayout: UnrecordedRow,
): Promise<boolean> {
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));
    const [payout] = await tx.select().from(payouts).where(isThisPayout).for('update');
    // Another worker has already submitted this payout; the payment found is the result.
    if (payout?.status !== 'created' || payout.unknownAttempts > 0) return true;
    const at = deps.clock.now();
    const { id, providerPayoutId, reference } = earlierPayout;
    await detachFromFailedOrder(tx, providerPayoutId);
    await tx.insert(unrecordedPayouts).values(earlierPayout).onConflictDoNothing();
    const claimedPayouts = await tx
      .update(unrecordedPayouts)
      .set({ companyId, advanceId, payoutId })
      .where(and(eq(unrecordedPayouts.providerPayoutId, providerPayoutId), IS_UNCLAIMED))
      .returning({ id: unrecordedPayouts.id });
    if (claimedPayouts.length === 0)
      throw new Error(`the payment ${providerPayoutId} was resolved a moment ago; the payout is looked up again`);
    await tx.update(payouts).set({ status: 'submitted', providerPayoutId, submittedAt: at, orderSeal: null }).where(isThisPayout);
    const after = {
      payout_id: payoutId,
      provider_payout_id: providerPayoutId,
      paid_pence: earlierPayout.amountPence,
      amount_pence: amountPence,
      reference,
    };
    await recordAudit(tx, { companyId, at, actor: 'bank', action: 'payout.found_at_bank', subject: advanceId ?? payoutId, after });
    deps.logger.warn(
      { unrecorded_payout: id, provider_payout_id: providerPayoutId },
      'bank: the payout had already been paid, so nothing was paid this time',
    );
    return true;
  });
}
