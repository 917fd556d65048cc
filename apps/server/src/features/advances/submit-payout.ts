/**
 * Submits a payout to the payments provider. Our payout ID is the idempotency key, so submitting again after a crash or a lost response
 * creates no second payout.
 */
import { payouts } from '@portal/db/schema/schema.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { settlePayout } from './settle-payout.ts';

export async function submitPayout(deps: AppDeps, companyId: string, payoutId: string): Promise<void> {
  const { db } = deps.database;
  const isThisPayout = and(eq(payouts.companyId, companyId), eq(payouts.id, payoutId));
  const [payout] = await db.select().from(payouts).where(isThisPayout);
  if (payout?.status !== 'created') return;
  try {
    const { payoutId: providerPayoutId } = await deps.payments.createPayout({
      idempotencyKey: payout.id,
      amountPence: payout.amountPence,
      beneficiary: { name: payout.accountHolder, sortCode: payout.sortCode, accountNumber: payout.accountNumber },
      reference: payout.reference,
    });
    await db
      .update(payouts)
      .set({ status: 'submitted', providerPayoutId, submittedAt: deps.clock.now() })
      .where(and(isThisPayout, eq(payouts.status, 'created')));
  } catch (error) {
    // Only an explicit rejection means that nothing will be paid. After any other error the same payout is submitted again.
    if (!(error instanceof ProviderError) || error.failure !== 'refused') throw error;
    await settlePayout(deps, companyId, payoutId, { outcome: 'failed', reason: error.facts.code ?? 'rejected by the payments provider' });
  }
}
