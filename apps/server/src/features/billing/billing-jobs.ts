/** Queued and scheduled work on subscriptions. */
import { subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueUnfinishedNotices, sendPriceMoveNotices } from './notice-price-move.ts';
import { noticeTrialEnds } from './notice-trial-end.ts';
import { orderDueMoves } from './order-move.ts';
import { runIfFactsOpen } from '../../secrets/sealed-facts.ts';
import { recordRefundsAtStripe } from './refunds-at-stripe.ts';
import { enqueueSend, sendChange } from './send-change.ts';
import { enqueueRefund, listUnfinishedRefunds, readRefunds, sendRefund } from './send-refund.ts';
import { enqueueWriteOff, listUnfinishedWriteOffs, readWriteOffs, sendWriteOff } from './send-write-off.ts';
import { listUnreadEnded, readEndedSubscriptions, readSubscription } from './read-subscription.ts';
import { finishStoppedMoves } from './stop-price-move.ts';

type BillingJob =
  | 'billing.send'
  | 'billing.read'
  | 'billing.end'
  | 'billing.refund'
  | 'billing.refunds'
  | 'billing.write_off'
  | 'billing.notice'
  | 'billing.sweep';

export function billingJobs(deps: AppDeps): Pick<PortalJobHandlers, BillingJob> {
  return {
    'billing.send': ({ company_id, change_id }) => sendChange(deps, company_id, change_id),
    'billing.read': async ({ company_id }) => {
      await readRefunds(deps, company_id);
      await readWriteOffs(deps, company_id);
      await readSubscription(deps, company_id);
      await readEndedSubscriptions(deps, company_id);
    },
    // If this fails, the sweep retries it.
    'billing.refund': ({ company_id, refund_id }) =>
      runIfFactsOpen(
        deps,
        () => sendRefund(deps, company_id, refund_id),
        async () => {},
      ),
    'billing.write_off': ({ company_id, write_off_id }) => sendWriteOff(deps, company_id, write_off_id),
    'billing.refunds': () => recordRefundsAtStripe(deps),
    'billing.notice': ({ move_id }) => sendPriceMoveNotices(deps, move_id),
    'billing.end': async ({ subscription_id }) => deps.billing?.provider.endSubscription(subscription_id),
    'billing.sweep': () => sweep(deps),
  };
}

export function enqueueSubscriptionRead(deps: AppDeps, companyId: string): Promise<void> {
  return deps.enqueue(deps.database.db, 'billing.read', { company_id: companyId }, { singletonKey: `billing.read:${companyId}` });
}

export function enqueueRefundsRead(deps: AppDeps): Promise<void> {
  return deps.enqueue(deps.database.db, 'billing.refunds', {}, { singletonKey: 'billing.refunds' });
}

/** Covers lost webhooks and jobs. */
async function sweep(deps: AppDeps): Promise<void> {
  if (!deps.billing) return;
  const { db } = deps.database;
  const live = await db
    .select({ companyId: subscriptions.companyId })
    .from(subscriptions)
    .where(and(ne(subscriptions.status, 'ended'), isNotNull(subscriptions.providerSubscriptionId)));
  await tryEach(live, ({ companyId }) => enqueueSubscriptionRead(deps, companyId));
  const changesSending = await db.select().from(subscriptionChanges).where(eq(subscriptionChanges.status, 'sending'));
  await tryEach(changesSending, ({ companyId, id }) => enqueueSend(deps, db, companyId, id));
  const refunds = await listUnfinishedRefunds(deps);
  await tryEach(refunds.sending, ({ companyId, id }) => enqueueRefund(deps, db, companyId, id));
  const writeOffs = await listUnfinishedWriteOffs(deps);
  await tryEach(writeOffs.sending, ({ companyId, id }) => enqueueWriteOff(deps, db, companyId, id));
  // A practice without a live subscription may still receive a refund, pay an invoice or dispute a payment.
  const readCompanyIds = new Set(live.map(({ companyId }) => companyId));
  const watchedCompanyIds = [...refunds.watched, ...writeOffs.watched].map(({ companyId }) => companyId);
  const unreadCompanyIds = [...new Set([...watchedCompanyIds, ...(await listUnreadEnded(deps))])].filter(
    (companyId) => !readCompanyIds.has(companyId),
  );
  await tryEach(unreadCompanyIds, (companyId) => enqueueSubscriptionRead(deps, companyId));
  await enqueueUnfinishedNotices(deps);
  await finishStoppedMoves(deps);
  await orderDueMoves(deps);
  await noticeTrialEnds(deps);
}
