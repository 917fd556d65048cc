/** The situations of portfolio clients and how frequent each is. */
import type { RandomGenerator } from '../companies-house/generate-companies.ts';

/**
 * - `refund_suspended`: HMRC holds a claimed refund until an older return is filed.
 * - `authority_revoked`: the client authorised the practice and later revoked it.
 * - `link_sent`: the client hasn't responded to an authorisation request yet.
 * - `no_data`: registered and authorised, but HMRC has no data yet.
 */
export const PORTFOLIO_SITUATIONS = [
  'up_to_date',
  'due_soon',
  'overdue_return',
  'overdue_payment',
  'penalty_threshold',
  'refund_coming',
  'refund_set_off',
  'refund_suspended',
  'authority_revoked',
  'never_authorised',
  'link_sent',
  'insolvent',
  'no_data',
] as const;
export type PortfolioSituation = (typeof PORTFOLIO_SITUATIONS)[number];

/** Relative frequency of each situation, in clients per hundred. */
const SHARE_BY_SITUATION: Readonly<Record<PortfolioSituation, number>> = {
  up_to_date: 44,
  due_soon: 14,
  overdue_return: 7,
  overdue_payment: 8,
  penalty_threshold: 3,
  refund_coming: 5,
  refund_set_off: 2,
  refund_suspended: 2,
  authority_revoked: 3,
  never_authorised: 4,
  link_sent: 4,
  insolvent: 1,
  no_data: 3,
};

const NEEDS_VAT: ReadonlySet<PortfolioSituation> = new Set([
  'penalty_threshold',
  'refund_coming',
  'refund_set_off',
  'refund_suspended',
  'insolvent',
]);
const NEEDS_AUTHORISATION: ReadonlySet<PortfolioSituation> = new Set(['authority_revoked', 'never_authorised', 'link_sent']);

/** Draws a client's situation. The first clients cover every situation once, so even a small portfolio has them all. */
export function drawSituation(random: RandomGenerator, index: number): PortfolioSituation {
  const first = PORTFOLIO_SITUATIONS[index];
  let remainder = random.number(100);
  if (first !== undefined) return first;
  for (const situation of PORTFOLIO_SITUATIONS) {
    remainder -= SHARE_BY_SITUATION[situation];
    if (remainder < 0) return situation;
  }
  return 'up_to_date';
}

/** Returns whether the situation can only occur with VAT. */
export function needsVat(situation: PortfolioSituation): boolean {
  return NEEDS_VAT.has(situation);
}

/** Returns whether the situation concerns the practice's authorisation, which exists for VAT and income tax only. */
export function needsAuthorisation(situation: PortfolioSituation): boolean {
  return NEEDS_AUTHORISATION.has(situation);
}
