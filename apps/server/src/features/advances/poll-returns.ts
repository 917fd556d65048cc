/**
 * Reads the payments provider's record for payouts that a bank returned after execution, in case the webhook was lost, and for payouts that
 * don't match any of our orders. Also stores money that reached the account and returns no payout.
 */
import { accountCredits, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, gt, inArray, isNull, lt, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { readBankRecord, readRecordOfOrder, recordCompleteRead } from './bank-record.ts';
import { settleFromBankRecord } from './settle-by-record.ts';
import { explainTransfers, storeAccountCredits } from './store-account-credits.ts';
import { recordReturnedUnrecorded, storeUnrecordedPayouts } from './store-unrecorded.ts';

const DAY_MS = 86_400_000;
/** How far back to look for returned money, counted from its arrival, because it appears in the provider's record with a delay. */
const LOOK_BACK_MS = 7 * DAY_MS;
/** How many days after its order a failed payout may turn out to have been made. */
const FAILED_ORDER_DAYS = 90;
/** A few in turn: with hundreds of failed orders, each is read several times a day. */
const FAILED_ORDERS_PER_RUN = 5;
const PAYOUTS_PER_RUN = 5;

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
  await readFailedOrders(deps);
  await readPayoutsOfOpenCredits(deps);
  // Last, because it makes a call of its own, whose failure must not stop the rest.
  await explainTransfers(deps);
}

/**
 * Finds out whether money that operators haven't identified returns a payout. The provider may say so more than a week after the money
 * arrived, which the regular reads don't see.
 */
async function readPayoutsOfOpenCredits(deps: AppDeps): Promise<void> {
  const isOpenCredit = and(isNull(accountCredits.resolution), eq(accountCredits.currency, 'GBP'));
  const possiblePayouts = await deps.database.db
    .select({ providerPayoutId: payouts.providerPayoutId })
    .from(payouts)
    .innerJoin(accountCredits, eq(accountCredits.amountPence, payouts.amountPence))
    .where(and(eq(payouts.status, 'executed'), isOpenCredit, lt(payouts.createdAt, accountCredits.receivedAt)))
    .orderBy(sql`random()`)
    .limit(PAYOUTS_PER_RUN);
  await tryEach(possiblePayouts, async ({ providerPayoutId }) => {
    const record = providerPayoutId === null ? undefined : await deps.payments.findPayout(providerPayoutId);
    if (record) await settleFromBankRecord(deps, record);
  });
}

/** Finds payouts that the bank reported as failed and made later, after the regular reads had passed the day of their creation. */
async function readFailedOrders(deps: AppDeps): Promise<void> {
  const now = deps.clock.now();
  const failedOrders = await deps.database.db
    .select({ createdAt: payouts.createdAt, settledAt: payouts.settledAt })
    .from(payouts)
    .where(
      and(
        eq(payouts.status, 'failed'),
        gt(payouts.createdAt, addMilliseconds(now, -FAILED_ORDER_DAYS * DAY_MS)),
        lt(payouts.createdAt, addMilliseconds(now, -LOOK_BACK_MS)),
      ),
    )
    .orderBy(sql`random()`)
    .limit(FAILED_ORDERS_PER_RUN);
  await tryEach(failedOrders, async (order) => {
    const { sent, returned } = await readRecordOfOrder(deps, order);
    await storeUnrecordedPayouts(deps, sent, new Set(returned.map(({ payoutId }) => payoutId)));
  });
}
