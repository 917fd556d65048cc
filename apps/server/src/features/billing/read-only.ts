/** The effect of a persistently unpaid invoice: figures are no longer refreshed. Everything else works, and nothing is deleted. */
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { getDunningState } from '@portal/domain/pricing/subscription.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findSubscription } from './billing-records.ts';

export async function isReadOnly({ database: { db }, clock }: AppDeps, companyId: string): Promise<boolean> {
  const subscription = await findSubscription(db, companyId);
  if (subscription?.status !== 'past_due' || subscription.unpaidSince === null) return false;
  return getDunningState(toLondonDate(subscription.unpaidSince), clock.today()) === 'read_only';
}

export async function assertRefreshable(deps: AppDeps, companyId: string): Promise<void> {
  if (!(await isReadOnly(deps, companyId))) return;
  const message =
    'You have an unpaid invoice, so figures aren’t being refreshed. Your existing figures are still available. Check your payment in Settings.';
  throw new AppError('conflict', 'billing.read_only', message);
}
