/** Reads the payments provider's own record of our payouts, and tracks the last complete read. */
import type { Db } from '@portal/db/database.ts';
import { completeReads, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { SentPayout } from '@portal/providers/truelayer/truelayer-port.ts';
import { eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

const DAY_MS = 86_400_000;
/** How far back the first read goes: further than any backup. */
const FIRST_LOOK_BACK_DAYS = 90;
const PAYOUT_RECORD = 'payouts';

type BankRecord = Awaited<ReturnType<AppDeps['payments']['listPayouts']>>;

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

/** Call this after everything that the read returned has been stored. */
export async function recordCompleteRead(deps: AppDeps, readAt: Instant): Promise<void> {
  await deps.database.db
    .insert(completeReads)
    .values({ record: PAYOUT_RECORD, readAt })
    .onConflictDoUpdate({ target: completeReads.record, set: { readAt } });
}

/** Returns the provider's IDs of the payouts in the record that belong to our orders. */
export async function listRecordedPayouts(db: Db, sentPayouts: readonly SentPayout[]): Promise<ReadonlySet<string | null>> {
  const ids = sentPayouts.map(({ payoutId }) => payoutId);
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: payouts.providerPayoutId }).from(payouts).where(inArray(payouts.providerPayoutId, ids));
  return new Set(rows.map(({ id }) => id));
}
