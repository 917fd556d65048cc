/** Scheduled and queued jobs for advances: the next step, payout submission, and polling in case a webhook is lost. */
import { advances, collectionAccounts, payouts } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, exists, gt, inArray, lt, not, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { runIfFactsOpen } from '../../secrets/sealed-facts.ts';
import { enqueueProgress } from './enqueue-progress.ts';
import { lockAdvance, transitionAdvance } from './transition-advance.ts';
import { notifyLateRepayments } from './notify-late-repayments.ts';
import { pollReturns } from './poll-returns.ts';
import { progressAdvance } from './progress-advance.ts';
import { quoteRefund } from './quote-refund.ts';
import { readCredits } from './read-credits.ts';
import { settleFromBankRecord } from './settle-by-record.ts';
import { submitPayout } from './submit-payout.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 100;
/** Delay before retrying an advance whose facts this instance can't open. Another instance may be able to. */
const MISSING_KEY_DELAY_SECONDS = 60;
/** An advance that has ended can still receive money: a second credit from HMRC, or a trader's payment. */
const SETTLED_WITHIN_DAYS = 60;
/** Reads a few of the remaining accounts in turn, so that a credit is noticed without its webhook, even years later. */
const QUIET_ACCOUNTS_PER_RUN = 5;

type AdvanceJobs = Pick<
  PortalJobHandlers,
  'advance.quote' | 'advance.progress' | 'payout.submit' | 'payouts.poll' | 'returns.poll' | 'credits.poll' | 'advances.sweep'
>;

export function advanceJobs(deps: AppDeps): AdvanceJobs {
  return {
    'advance.quote': async ({ company_id, obligation_id }) => {
      await quoteRefund(deps, company_id, obligation_id, 'rules');
    },
    'advance.progress': ({ company_id, advance_id }) =>
      runIfFactsOpen(
        deps,
        () => progressAdvance(deps, company_id, advance_id),
        () => scheduleReview(deps, company_id, advance_id),
      ),
    'payout.submit': ({ company_id, payout_id }) => submitPayout(deps, company_id, payout_id),
    'payouts.poll': () => pollPayouts(deps),
    'returns.poll': () => pollReturns(deps),
    'credits.poll': () => pollCredits(deps),
    'advances.sweep': () => sweepAdvances(deps),
  };
}

/** Retries an advance in review later, because the sweep resumes only advances in other states. */
async function scheduleReview(deps: AppDeps, companyId: string, advanceId: string): Promise<void> {
  const { db } = deps.database;
  const isInReview = and(eq(advances.companyId, companyId), eq(advances.id, advanceId), eq(advances.state, 'in_review'));
  const reviewedAdvances = await db.select({ id: advances.id }).from(advances).where(isInReview);
  if (reviewedAdvances.length > 0) await enqueueProgress(deps, db, companyId, advanceId, MISSING_KEY_DELAY_SECONDS);
}

async function pollPayouts(deps: AppDeps): Promise<void> {
  const pendingPayouts = await deps.database.db
    .select({ companyId: payouts.companyId, id: payouts.id, providerPayoutId: payouts.providerPayoutId })
    .from(payouts)
    .where(inArray(payouts.status, ['created', 'submitted']))
    // Random order, so that no payout waits forever behind the same hundred others.
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(pendingPayouts, async ({ companyId, id, providerPayoutId }) => {
    if (providerPayoutId === null) {
      // Requeues the submission if its job was abandoned. If one is still queued, the singleton key makes this a no-op.
      await deps.enqueue(
        deps.database.db,
        'payout.submit',
        { company_id: companyId, payout_id: id },
        { singletonKey: `payout.submit:${id}`, delaySeconds: 60 },
      );
      return;
    }
    const record = await deps.payments.findPayout(providerPayoutId);
    if (record) await settleFromBankRecord(deps, record);
  });
}

/** Reads new credits to the collection accounts that may still receive money from HMRC, even before the payout, or from a trader. */
async function pollCredits(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const isOpen = inArray(advances.state, [...EXPOSED_STATES]);
  const recentlyEnded = gt(advances.updatedAt, addMilliseconds(now, -SETTLED_WITHIN_DAYS * DAY_MS));
  const columns = { accountId: collectionAccounts.providerAccountId, openedAt: collectionAccounts.openedAt };
  const isActive = exists(
    db
      .select({ id: advances.id })
      .from(advances)
      .where(and(eq(advances.companyId, collectionAccounts.companyId), or(isOpen, recentlyEnded))),
  );
  const activeAdvances = await db
    .select(columns)
    .from(collectionAccounts)
    .where(isActive)
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  const quietAccounts = await db
    .select(columns)
    .from(collectionAccounts)
    .where(not(isActive))
    .orderBy(sql`random()`)
    .limit(QUIET_ACCOUNTS_PER_RUN);
  const accounts = [...activeAdvances, ...quietAccounts];
  const to = addMilliseconds(now, DAY_MS);
  await tryEach(accounts, async ({ accountId, openedAt }) => void (await readCredits(deps, accountId, { from: openedAt, to })));
}

/** Expires old quotes, and resumes advances that were only waiting (bank hold) or whose job was lost with its process. */
async function sweepAdvances(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const expiredAdvances = await db
    .select({ companyId: advances.companyId, id: advances.id })
    .from(advances)
    .where(and(eq(advances.state, 'quoted'), lt(advances.validUntil, now)))
    .limit(BATCH_SIZE);
  for (const { companyId, id } of expiredAdvances) {
    await db.transaction(async (tx) => {
      const advance = await lockAdvance(tx, companyId, id);
      if (advance?.state !== 'quoted' || advance.validUntil >= now) return;
      await transitionAdvance(tx, advance, 'expired', { actor: 'clock', at: now }, 'The quote wasn’t accepted in time.');
    });
  }
  const idleAdvances = await db
    .select({ companyId: advances.companyId, id: advances.id })
    .from(advances)
    .where(and(inArray(advances.state, ['accepted', 'approved']), lt(advances.updatedAt, addMilliseconds(now, -5_000))))
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(idleAdvances, ({ companyId, id }) => enqueueProgress(deps, db, companyId, id));
  await notifyLateRepayments(deps);
}
