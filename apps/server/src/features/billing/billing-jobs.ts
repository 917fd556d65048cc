/** Queued and scheduled work on subscriptions. */
import { subscriptionChanges, subscriptions } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueSend, sendChange } from './send-change.ts';
import { readSubscription } from './read-subscription.ts';

export function billingJobs(deps: AppDeps): Pick<PortalJobHandlers, 'billing.send' | 'billing.read' | 'billing.end' | 'billing.sweep'> {
  return {
    'billing.send': ({ company_id, change_id }) => sendChange(deps, company_id, change_id),
    'billing.read': ({ company_id }) => readSubscription(deps, company_id),
    'billing.end': async ({ subscription_id }) => deps.billing?.provider.endSubscription(subscription_id),
    'billing.sweep': () => sweep(deps),
  };
}

export function enqueueRead(deps: AppDeps, companyId: string): Promise<void> {
  return deps.enqueue(deps.database.db, 'billing.read', { company_id: companyId }, { singletonKey: `billing.read:${companyId}` });
}

/** In case a webhook or a job is lost. */
async function sweep(deps: AppDeps): Promise<void> {
  if (!deps.billing) return;
  const { db } = deps.database;
  const live = await db
    .select({ companyId: subscriptions.companyId })
    .from(subscriptions)
    .where(and(ne(subscriptions.status, 'ended'), isNotNull(subscriptions.providerSubscriptionId)));
  await tryEach(live, ({ companyId }) => enqueueRead(deps, companyId));
  const sending = await db.select().from(subscriptionChanges).where(eq(subscriptionChanges.status, 'sending'));
  await tryEach(sending, ({ companyId, id }) => enqueueSend(deps, db, companyId, id));
}
