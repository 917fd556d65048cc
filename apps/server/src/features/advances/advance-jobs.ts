/** Scheduled and queued work on advances: the next step, submitting payouts, and polling in case a webhook is lost. */
import { advances, bankCredits, collectionAccounts, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { enqueueProgress } from './accept-quote.ts';
import { lockAdvance, transitionAdvance } from './transition-advance.ts';
import { notifyLateRepayments } from './notify-late-repayments.ts';
import { progressAdvance } from './progress-advance.ts';
import { quoteRefund } from './quote-refund.ts';
import { receiveCredit } from './receive-credit.ts';
import { settlePayout } from './settle-payout.ts';
import { submitPayout } from './submit-payout.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 100;

type AdvanceJobs = Pick<
  PortalJobHandlers,
  'advance.quote' | 'advance.progress' | 'payout.submit' | 'payouts.poll' | 'credits.poll' | 'advances.sweep'
>;

export function advanceJobs(deps: AppDeps): AdvanceJobs {
  return {
    'advance.quote': async ({ company_id, obligation_id }) => {
      await quoteRefund(deps, company_id, obligation_id, 'rules');
    },
    'advance.progress': ({ company_id, advance_id }) => progressAdvance(deps, company_id, advance_id),
    'payout.submit': ({ company_id, payout_id }) => submitPayout(deps, company_id, payout_id),
    'payouts.poll': () => pollPayouts(deps),
    'credits.poll': () => pollCredits(deps),
    'advances.sweep': () => sweepAdvances(deps),
  };
}

async function pollPayouts(deps: AppDeps): Promise<void> {
  const pending = await deps.database.db
    .select({ companyId: payouts.companyId, id: payouts.id, providerPayoutId: payouts.providerPayoutId })
    .from(payouts)
    .where(inArray(payouts.status, ['created', 'submitted']))
    // Random order, so that no payout waits forever behind the same hundred others.
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(pending, async ({ companyId, id, providerPayoutId }) => {
    if (providerPayoutId === null) {
      // Queues the submission again when its job was abandoned. If one is still queued, the singleton key makes this a no-op.
      await deps.enqueue(
        deps.database.db,
        'payout.submit',
        { company_id: companyId, payout_id: id },
        { singletonKey: `payout.submit:${id}`, delaySeconds: 60 },
      );
      return;
    }
    const providerPayout = await deps.payments.findPayout(providerPayoutId);
    if (providerPayout?.status === 'executed') {
      await settlePayout(deps, companyId, id, { outcome: 'executed', at: providerPayout.executedAt ?? deps.clock.now() });
    } else if (providerPayout?.status === 'failed') {
      await settlePayout(deps, companyId, id, { outcome: 'failed', reason: providerPayout.failureReason ?? 'unknown' });
    }
  });
}

/** Reads new credits on the collection accounts that wait for an HMRC repayment. */
async function pollCredits(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const waiting = await db
    .select({ accountId: collectionAccounts.providerAccountId, openedAt: collectionAccounts.openedAt })
    .from(collectionAccounts)
    .innerJoin(advances, eq(advances.companyId, collectionAccounts.companyId))
    .where(eq(advances.state, 'awaiting_hmrc'))
    .groupBy(collectionAccounts.providerAccountId, collectionAccounts.openedAt)
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(waiting, async ({ accountId, openedAt }) => {
    const to = addMilliseconds(deps.clock.now(), DAY_MS);
    for (const movement of await deps.payments.listCollectionAccountTransactions({ accountId, from: openedAt, to })) {
      if (movement.kind !== 'credit' || movement.returnsPayoutId !== undefined) continue;
      const [stored] = await db
        .select({ id: bankCredits.id })
        .from(bankCredits)
        .where(eq(bankCredits.providerTransactionId, movement.transactionId));
      if (stored) continue;
      await receiveCredit(deps, {
        accountId,
        transactionId: movement.transactionId,
        amountPence: movement.amountPence,
        settledAt: movement.settledAt,
        remitter: movement.remitterName,
        reference: movement.reference ?? '',
      });
    }
  });
}

/** Expires old quotes, and resumes advances that only waited for time to pass (a bank hold) or whose job was lost with its process. */
async function sweepAdvances(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const expired = await db
    .select({ companyId: advances.companyId, id: advances.id })
    .from(advances)
    .where(and(eq(advances.state, 'quoted'), lt(advances.validUntil, now)))
    .limit(BATCH_SIZE);
  for (const { companyId, id } of expired) {
    await db.transaction(async (tx) => {
      const advance = await lockAdvance(tx, companyId, id);
      if (advance?.state !== 'quoted' || advance.validUntil >= now) return;
      await transitionAdvance(tx, advance, 'expired', { actor: 'clock', at: now }, 'The quote wasn’t accepted in time.');
    });
  }
  const idle = await db
    .select({ companyId: advances.companyId, id: advances.id })
    .from(advances)
    .where(and(inArray(advances.state, ['accepted', 'approved']), lt(advances.updatedAt, addMilliseconds(now, -5_000))))
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(idle, ({ companyId, id }) => enqueueProgress(deps, db, companyId, id));
  await notifyLateRepayments(deps);
}
