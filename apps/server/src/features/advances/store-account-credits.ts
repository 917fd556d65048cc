/** Stores money that reached the account from which we pay and that isn't the return of a payout. Two operators find out what it is. */
import { randomUUID } from 'node:crypto';
import { accountCredits } from '@portal/db/schema/schema.ts';
import type { AccountCredit } from '@portal/providers/truelayer/truelayer-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

/** Storing a credit again has no effect. */
export async function storeAccountCredits(deps: AppDeps, credits: readonly AccountCredit[]): Promise<void> {
  for (const credit of credits) await storeCredit(deps, credit);
}

async function storeCredit(deps: AppDeps, credit: AccountCredit): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [stored] = await tx
      .insert(accountCredits)
      .values({
        id: randomUUID(),
        providerTransactionId: credit.transactionId,
        currency: credit.currency,
        amountPence: credit.amountPence,
        remitter: credit.remitterName,
        reference: credit.reference ?? '',
        receivedAt: credit.settledAt,
        foundAt: at,
      })
      .onConflictDoNothing()
      .returning({ id: accountCredits.id });
    if (!stored) return;
    const after = { provider_transaction_id: credit.transactionId, amount_pence: credit.amountPence, currency: credit.currency };
    await recordAudit(tx, { companyId: NO_COMPANY, at, actor: 'bank', action: 'account_credit.received', subject: stored.id, after });
  });
}
