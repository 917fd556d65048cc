/**
 * Reads the payments provider's record for payouts that a bank returned after execution, in case the webhook was lost, and for payouts that
 * don't match any of our orders. Also stores money that reached the account and returns no payout.
 */
import { payouts } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { readBankRecord, recordCompleteRead } from './bank-record.ts';
import { settleFromBankRecord } from './settle-by-record.ts';
import { storeAccountCredits } from './store-account-credits.ts';
import { recordReturnedUnrecorded, storeUnrecordedPayouts } from './store-unrecorded.ts';

/** How far back to look for returned money, counted from its arrival, because it appears in the provider's record with a delay. */
const LOOK_BACK_MS = 7 * 86_400_000;

/** Reads from the last complete read onwards, so that nothing is missed after an outage of any length. */
export async function pollReturns(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const { sent, returned, otherCredits, readAt } = await readBankRecord(deps, LOOK_BACK_MS);
  const returnedIds = returned.map(({ payoutId }) => payoutId);
  const unnoticedReturns =
    returnedIds.length === 0
      ? []
      : await db
          .select({ providerPayoutId: payouts.providerPayoutId })
          .from(payouts)
          .where(and(eq(payouts.status, 'executed'), inArray(payouts.providerPayoutId, returnedIds)));
  await tryEach(unnoticedReturns, async ({ providerPayoutId }) => {
    const record = providerPayoutId === null ? undefined : await deps.payments.findPayout(providerPayoutId);
    if (record) await settleFromBankRecord(deps, record);
  });
  await recordReturnedUnrecorded(deps, returnedIds);
  await storeUnrecordedPayouts(deps, sent, new Set(returnedIds));
  await storeAccountCredits(deps, otherCredits);
  await recordCompleteRead(deps, readAt);
}
