/**
 * Money that arrived on a collection account: matched to the advance that it repays, posted and settled. The same transaction received
 * twice is stored once.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { advances, bankCredits, collectionAccounts } from '@portal/db/schema/schema.ts';
import { isRefundRepayment } from '@portal/domain/advances/match-credit.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postEarlyRepayment, postRepayment, postShortfall, postUnmatchedCredit } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { applyTransfer, findAdvanceByReference } from '../shortfalls/receive-transfer.ts';
import { getOwed } from '../shortfalls/shortfall-record.ts';
import { syncShortfall } from '../shortfalls/sync-shortfall.ts';
import { enqueueRepaidEmail } from './advance-emails.ts';
import { findEarlyCredit } from './early-credit-queries.ts';
import { lockAdvance, lockCompany, transitionAdvance, type AdvanceRow } from './transition-advance.ts';

export type Credit = {
  readonly accountId: string;
  readonly transactionId: string;
  readonly amountPence: Pence;
  readonly settledAt: Instant;
  readonly remitter: string;
  readonly reference: string;
};

export async function receiveCredit(deps: AppDeps, credit: Credit): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [account] = await tx.select().from(collectionAccounts).where(eq(collectionAccounts.providerAccountId, credit.accountId));
    if (!account) {
      deps.logger.warn({ accountId: credit.accountId }, 'credit on an account that is not one of our collection accounts');
      return;
    }
    const { companyId } = account;
    // Credits of a company are handled one after another, because two at once must not repay the same advance.
    await lockCompany(tx, companyId);
    const quoted = await findAdvanceByReference(tx, companyId, credit.reference);
    const owedBefore = quoted && (await getOwed(tx, quoted));
    const awaitingAdvance = quoted ? undefined : await lockOldestAwaiting(tx, companyId);
    const advance =
      awaitingAdvance && isRefundRepayment({ amount: credit.amountPence, remitter: credit.remitter }, awaitingAdvance.refundPence)
        ? awaitingAdvance
        : undefined;
    const id = randomUUID();
    const inserted = await tx
      .insert(bankCredits)
      .values({
        companyId,
        id,
        providerTransactionId: credit.transactionId,
        amountPence: credit.amountPence,
        remitter: credit.remitter,
        reference: credit.reference,
        receivedAt: credit.settledAt,
        advanceId: (quoted ?? advance)?.id ?? null,
      })
      .onConflictDoNothing()
      .returning({ id: bankCredits.id });
    if (inserted.length === 0) return;
    if (advance) await postRefundRepayment(deps, tx, advance, credit);
    else await postUnmatched(deps, tx, companyId, credit);
    if (!quoted || owedBefore === undefined) return;
    const transfer = { amount: credit.amountPence, transactionId: credit.transactionId, owedBefore };
    await applyTransfer(deps, tx, quoted, transfer, { actor: 'bank', at: deps.clock.now() });
  });
}

/** Finds the oldest advance that waits for HMRC. HMRC repays a trader's refunds in the order of the returns. */
async function lockOldestAwaiting(tx: Tx, companyId: string): Promise<AdvanceRow | undefined> {
  const [row] = await tx
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.state, 'awaiting_hmrc')))
    .orderBy(asc(advances.paidAt))
    .limit(1);
  return row && lockAdvance(tx, companyId, row.id);
}

async function postRefundRepayment(deps: AppDeps, tx: Tx, advance: AdvanceRow, credit: Credit): Promise<void> {
  const at = deps.clock.now();
  const context = { actor: 'bank', at };
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `credit:${credit.transactionId}`,
    description: `HMRC repaid ${formatPounds(credit.amountPence)} of ${formatPounds(advance.refundPence)}`,
    postedAt: at,
    lines: postRepayment({ received: credit.amountPence, receivable: advance.refundPence }),
  });
  if (credit.amountPence >= advance.refundPence) {
    const repaidAdvance = await transitionAdvance(tx, advance, 'repaid', context, 'HMRC repaid the whole refund.', {
      repaidAt: credit.settledAt,
    });
    const settled = await transitionAdvance(tx, repaidAdvance, 'settled', context, 'Nothing is owed any more.');
    await syncShortfall(deps, tx, settled, context);
    await enqueueRepaidEmail(deps, tx, advance, credit.amountPence);
    return;
  }
  const shortfall = pence(advance.refundPence - credit.amountPence);
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `shortfall:${advance.id}`,
    description: `Shortfall of ${formatPounds(shortfall)}, due from the trader`,
    postedAt: at,
    lines: postShortfall(shortfall),
  });
  const short = await transitionAdvance(tx, advance, 'shortfall', context, `HMRC paid ${formatPounds(shortfall)} less than the refund.`, {
    repaidAt: credit.settledAt,
  });
  await syncShortfall(deps, tx, short, context);
}

/**
 * HMRC may repay before the payout is made. Until the payout, the credit belongs to the trader. Afterwards a credit that covers the refund
 * repays the advance; a smaller one is left to an operator. The caller holds the company's lock and sends the email. True if settled.
 */
export async function settleWithEarlyCredit(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<boolean> {
  const credit = await findEarlyCredit(tx, advance);
  if (!credit) return false;
  const at = deps.clock.now();
  const context = { actor: 'bank', at };
  const isThisCredit = and(eq(bankCredits.companyId, credit.companyId), eq(bankCredits.id, credit.id));
  await tx.update(bankCredits).set({ advanceId: advance.id }).where(isThisCredit);
  await postToLedger(tx, {
    companyId: advance.companyId,
    idempotencyKey: `early-credit:${credit.providerTransactionId}`,
    description: `HMRC had repaid ${formatPounds(credit.amountPence)} before the payout left`,
    postedAt: at,
    lines: postEarlyRepayment(advance.refundPence),
  });
  const repaidAdvance = await transitionAdvance(
    tx,
    advance,
    'repaid',
    context,
    'HMRC had repaid the whole refund before the payout left.',
    {
      repaidAt: credit.receivedAt,
    },
  );
  await transitionAdvance(tx, repaidAdvance, 'settled', context, 'Nothing is owed any more.');
  return true;
}

async function postUnmatched(deps: AppDeps, tx: Tx, companyId: string, credit: Credit): Promise<void> {
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `credit:${credit.transactionId}`,
    description: `Credit of ${formatPounds(credit.amountPence)} that matches no advance`,
    postedAt: deps.clock.now(),
    lines: postUnmatchedCredit(credit.amountPence),
  });
}
