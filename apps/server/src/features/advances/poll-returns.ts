/** Payouts that a bank returned after they were made, in case the webhook was lost. */
import { completeReads, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { settleByRecord } from './settle-by-record.ts';

const DAY_MS = 86_400_000;
/** How far back returned money is looked for, counted from its arrival, because the provider's record gains it with a delay. */
const LOOK_BACK_DAYS = 7;
/** The same at the first read, which doesn't know what an earlier version has read. */
const FIRST_LOOK_BACK_DAYS = 90;
const RECORD = 'returned_payouts';

/** Goes back to the last complete read, so that an outage loses nothing however long it was. */
export async function pollReturns(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const returned = await deps.payments.listReturnedPayouts({ from: await findStart(deps, now), to: addMilliseconds(now, DAY_MS) });
  const returnedIds = returned.map(({ payoutId }) => payoutId);
  const unnoticed =
    returnedIds.length === 0
      ? []
      : await db
          .select({ providerPayoutId: payouts.providerPayoutId })
          .from(payouts)
          .where(and(eq(payouts.status, 'executed'), inArray(payouts.providerPayoutId, returnedIds)));
  await tryEach(unnoticed, async ({ providerPayoutId }) => {
    const record = providerPayoutId === null ? undefined : await deps.payments.findPayout(providerPayoutId);
    if (record) await settleByRecord(deps, record);
  });
  await db
    .insert(completeReads)
    .values({ record: RECORD, readAt: now })
    .onConflictDoUpdate({ target: completeReads.record, set: { readAt: now } });
}

async function findStart({ database }: AppDeps, now: Instant): Promise<Instant> {
  const [read] = await database.db.select({ at: completeReads.readAt }).from(completeReads).where(eq(completeReads.record, RECORD));
  if (!read) return addMilliseconds(now, -FIRST_LOOK_BACK_DAYS * DAY_MS);
  return addMilliseconds(read.at < now ? read.at : now, -LOOK_BACK_DAYS * DAY_MS);
}
