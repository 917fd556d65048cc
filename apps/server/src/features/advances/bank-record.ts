/** Reads the payments provider's own record of our payouts, and tracks the last complete read. */
import type { Tx } from '@portal/db/database.ts';
import { completeReads, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { SentPayout } from '@portal/providers/truelayer/truelayer-port.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How far back the first read goes: further than any backup. */
const FIRST_LOOK_BACK_DAYS = 90;
const PAYOUT_RECORD = 'payouts';

export type BankRecord = Awaited<ReturnType<AppDeps['payments']['listPayouts']>>;

/** Reads the provider's record since the last complete read, and `marginMs` before it, because entries are added with a delay. */
export async function readBankRecord(deps: AppDeps, marginMs: number): Promise<BankRecord & { readonly readAt: Instant }> {
  const now = deps.clock.now();
  const [read] = await deps.database.db
    .select({ at: completeReads.readAt })
    .from(completeReads)
    .where(eq(completeReads.record, PAYOUT_RECORD));
  const from = read ? addMilliseconds(read.at < now ? read.at : now, -marginMs) : addMilliseconds(now, -FIRST_LOOK_BACK_DAYS * DAY_MS);
  return { ...(await deps.payments.listPayouts({ from, to: addMilliseconds(now, DAY_MS) })), readAt: now };
}

/**
 * Reads the provider's record of the time in which an order could have been submitted. The record lists a payment by the day it was created,
 * so this finds a payment of the order however much later the bank made it.
 */
export function readRecordOfOrder(
  deps: AppDeps,
  { createdAt, settledAt }: Pick<typeof payouts.$inferSelect, 'createdAt' | 'settledAt'>,
): Promise<BankRecord> {
  return deps.payments.listPayouts({ from: addMilliseconds(createdAt, -HOUR_MS), to: addMilliseconds(settledAt ?? createdAt, HOUR_MS) });
}

/** Call this after everything that the read returned has been stored. */
export async function recordCompleteRead(deps: AppDeps, readAt: Instant): Promise<void> {
  await deps.database.db
    .insert(completeReads)
    .values({ record: PAYOUT_RECORD, readAt })
    .onConflictDoUpdate({ target: completeReads.record, set: { readAt } });
}

/**
 * Returns the provider's IDs of the payouts in the record that belong to our orders. A payout that the provider reported as failed and made
 * nevertheless belongs to none, because its order has ended.
 */
export async function listRecordedPayouts(deps: AppDeps, sentPayouts: readonly SentPayout[]): Promise<ReadonlySet<string | null>> {
  const ids = sentPayouts.map(({ payoutId }) => payoutId);
  if (ids.length === 0) return new Set();
  const fields = { id: payouts.providerPayoutId, status: payouts.status };
  const rows = await deps.database.db.select(fields).from(payouts).where(inArray(payouts.providerPayoutId, ids));
  const recordedIds = new Set(rows.map(({ id }) => id));
  for (const { payoutId, status } of sentPayouts) {
    const hasFailedHere = rows.some((row) => row.id === payoutId && row.status === 'failed');
    // It may have been returned since the record was read.
    if (hasFailedHere && status === 'executed' && (await deps.payments.findPayout(payoutId))?.status === 'executed')
      recordedIds.delete(payoutId);
  }
  return recordedIds;
}

/** Call this in the transaction that stores or claims the payment of a failed order: it is recorded under one order at most. */
export async function detachFromFailedOrder(tx: Tx, providerPayoutId: string): Promise<void> {
  await tx
    .update(payouts)
    .set({ providerPayoutId: null })
    .where(and(eq(payouts.providerPayoutId, providerPayoutId), eq(payouts.status, 'failed')));
}
