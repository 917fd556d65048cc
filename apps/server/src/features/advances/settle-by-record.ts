/** Applies the payments provider's own record of a payout. Webhooks only trigger the read. */
import { payouts } from '@portal/db/schema/schema.ts';
import { describePayoutFailure } from '@portal/providers/truelayer/payout-failure.ts';
import type { Payout } from '@portal/providers/truelayer/truelayer-port.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { settlePayout } from './settle-payout.ts';

const NO_REASON = describePayoutFailure('unknown');

/** The keys of our orders are the IDs of their rows. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns false if the record doesn't belong to any of our payouts. */
export async function settleFromBankRecord(deps: AppDeps, record: Payout): Promise<boolean> {
  const payout = await findPayoutForRecord(deps, record);
  if (!payout) return false;
  if (record.status === 'executed') {
    await settlePayout(deps, payout.companyId, payout.id, { outcome: 'executed', at: record.executedAt ?? deps.clock.now() });
  } else if (record.status === 'failed') {
    await settlePayout(deps, payout.companyId, payout.id, { outcome: 'failed', reason: record.failureReason ?? NO_REASON });
  }
  return true;
}

async function findPayoutForRecord(deps: AppDeps, record: Payout): Promise<{ companyId: string; id: string } | undefined> {
  const { db } = deps.database;
  const fields = { companyId: payouts.companyId, id: payouts.id };
  const [knownPayout] = await db.select(fields).from(payouts).where(eq(payouts.providerPayoutId, record.payoutId));
  if (knownPayout || !UUID.test(record.idempotencyKey ?? '')) return knownPayout;
  // The response with the provider's ID was lost.
  const [submittedPayout] = await db
    .update(payouts)
    .set({ status: 'submitted', providerPayoutId: record.payoutId, submittedAt: deps.clock.now() })
    .where(and(eq(payouts.id, record.idempotencyKey ?? ''), eq(payouts.status, 'created')))
    .returning(fields);
  return submittedPayout;
}
