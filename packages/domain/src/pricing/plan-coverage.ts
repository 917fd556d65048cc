/** How many connections a practice's plan covers: after its trial, as many as it pays for or as the free tier has. */
import { addDays, type PlainDate } from '../plain-date.ts';
import { getTier, type PriceList } from './price-list.ts';
import type { SubscriptionStatus } from './subscription.ts';

/** About a VAT quarter, so that a practice sees a return from the end of its period to HMRC. A trial covers every connection. */
export const TRIAL_DAYS = 90;
/** Days before the end of the trial from which the practice is reminded. */
export const TRIAL_NOTICE_DAYS = 14;

export const getTrialEnd = (createdOn: PlainDate): PlainDate => addDays(createdOn, TRIAL_DAYS);

/** Returns true from 14 days before the end, also afterwards. */
export const isTrialEnding = (trialEndsOn: PlainDate, today: PlainDate): boolean => today >= addDays(trialEndsOn, -TRIAL_NOTICE_DAYS);

export type PlanFacts = {
  /** The first day after the trial. Null for a practice without a limit. */
  readonly trialEndsOn: PlainDate | null;
  readonly subscription: { readonly status: SubscriptionStatus; readonly connections: number } | null;
  /** The list that applies to the practice, or null if none is published. */
  readonly list: Pick<PriceList, 'tiers'> | null;
};

/**
 * Returns how many connections are covered on the given day: those selected first, then others. Null means every connection: during the
 * trial, and where a practice couldn't subscribe.
 */
export function countCovered({ trialEndsOn, subscription, list }: PlanFacts, on: PlainDate): number | null {
  if (trialEndsOn === null || on < trialEndsOn || list === null) return null;
  const isPaid = subscription?.status === 'active' || subscription?.status === 'past_due';
  return Math.max(isPaid ? subscription.connections : 0, getTier(list, 0).to ?? 0);
}
