/** Reads a collection account’s movements from the payments provider, and records the new ones. */
import { bankCredits } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { AccountCredit } from '@portal/providers/truelayer/truelayer-port.ts';
import { inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { receiveCredit } from './receive-credit.ts';
import { storeCollectionPayouts } from './store-collection-payouts.ts';

type ReadPeriod = { readonly from: Instant; readonly to: Instant };

/** Returns the IDs of all credits of the period, including those received earlier. */
export async function readCredits(deps: AppDeps, accountId: string, period: ReadPeriod): Promise<ReadonlySet<string>> {
  const movements = await deps.payments.listCollectionAccountTransactions({ accountId, ...period });
  const credits = movements.flatMap((movement) => (movement.kind === 'credit' ? [movement] : []));
  await receiveNewCredits(deps, accountId, credits);
  // Afterwards, because it may make a call of its own, whose failure must not keep money from being received.
  const sentPayouts = movements.flatMap((movement) => (movement.kind === 'payout' ? [movement] : []));
  await storeCollectionPayouts(deps, accountId, sentPayouts);
  return new Set(credits.map(({ transactionId }) => transactionId));
}

async function receiveNewCredits(deps: AppDeps, accountId: string, credits: readonly AccountCredit[]): Promise<void> {
  if (credits.length === 0) return;
  const ids = credits.map(({ transactionId }) => transactionId);
  const storedCredits = await deps.database.db
    .select({ id: bankCredits.providerTransactionId })
    .from(bankCredits)
    .where(inArray(bankCredits.providerTransactionId, ids));
  const storedIds = new Set(storedCredits.map(({ id }) => id));
  for (const credit of credits) {
    // The payout's record covers its return.
    if (storedIds.has(credit.transactionId) || credit.returnsPayoutId !== undefined) continue;
    await receiveCredit(deps, {
      accountId,
      transactionId: credit.transactionId,
      currency: credit.currency,
      amountPence: credit.amountPence,
      settledAt: credit.settledAt,
      remitter: credit.remitterName,
      reference: credit.reference ?? '',
    });
  }
}
