/**
 * Money that reached the account from which we pay and that isn't the return of a payout. Two operators find out what it is, unless it came
 * from a collection account.
 */
import { randomUUID } from 'node:crypto';
import { accountCredits, collectionPayouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AccountCredit } from '@portal/providers/truelayer/truelayer-port.ts';
import { and, asc, eq, gt, isNull, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { isThisCollectionPayout } from './store-collection-payouts.ts';

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

const HOUR_MS = 3_600_000;
/** A Faster Payment arrives within minutes, but the clocks of two records may differ. */
const ARRIVES_WITHIN_MS = 24 * HOUR_MS;

/** Finds credits that are transfers from collection accounts to the account from which we pay. Each transfer explains one credit. */
export async function explainTransfers(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const isOpen = and(isNull(accountCredits.resolution), eq(accountCredits.currency, 'GBP'));
  const openCredits = await db.select().from(accountCredits).where(isOpen).orderBy(asc(accountCredits.receivedAt));
  if (openCredits.length === 0) return;
  const payingAccount = await deps.payments.readPayingAccount();
  for (const { id, amountPence, receivedAt } of openCredits) {
    await db.transaction(async (tx) => {
      const [credit] = await tx
        .select({ id: accountCredits.id })
        .from(accountCredits)
        .where(and(eq(accountCredits.id, id), isOpen))
        .for('update');
      if (!credit) return;
      const isTransfer = and(
        eq(collectionPayouts.resolution, 'to_us'),
        eq(collectionPayouts.sortCode, payingAccount.sortCode),
        eq(collectionPayouts.accountNumber, payingAccount.accountNumber),
        eq(collectionPayouts.amountPence, amountPence),
        isNull(collectionPayouts.accountCreditId),
        lt(collectionPayouts.sentAt, addMilliseconds(receivedAt, HOUR_MS)),
        gt(collectionPayouts.sentAt, addMilliseconds(receivedAt, -ARRIVES_WITHIN_MS)),
      );
      const [transfer] = await tx
        .select()
        .from(collectionPayouts)
        .where(isTransfer)
        .orderBy(asc(collectionPayouts.sentAt))
        .limit(1)
        .for('update');
      if (!transfer) return;
      const at = deps.clock.now();
      await tx.update(collectionPayouts).set({ accountCreditId: id }).where(isThisCollectionPayout(transfer));
      await tx.update(accountCredits).set({ resolution: 'own_money', resolvedAt: at }).where(eq(accountCredits.id, id));
      const after = { as: 'own_money', amount_pence: amountPence, collection_payout_id: transfer.id };
      await recordAudit(tx, { companyId: NO_COMPANY, at, actor: 'rules', action: 'account_credit.resolved', subject: id, after });
    });
  }
}
