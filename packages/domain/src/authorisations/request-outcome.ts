/** Authorisation requests for many clients: which clients are selected, and the results. */
import type { Authorisation } from './describe-authorisation.ts';

/** Reasons for not sending a client a request. `in_vat_group`: its VAT is its representative member's. */
export const SKIP_REASONS = [
  'in_vat_group',
  'no_tax',
  'not_current',
  'authorised',
  'pending',
  'insolvent',
  'no_reference',
  'no_fact',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** `created` and `pending` have a link for the client; `authorised` doesn't need one. The rest say which detail is missing. */
export const REQUEST_OUTCOMES = [
  'created',
  'pending',
  'authorised',
  'insolvent',
  'no_reference',
  'no_fact',
  'wrong_fact',
  'refused',
  'failed',
] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** The facts that decide whether to create a request for a client and tax. */
export type RequestFacts = {
  readonly hasTax: boolean;
  /** True if the tax is VAT, and the client is a member of a VAT group that another company represents. */
  readonly isGroupMember: boolean;
  /** True if the client is neither inactive nor closed. */
  readonly isCurrent: boolean;
  readonly status: Authorisation;
  /** True if a request is pending and we have its link for the client. */
  readonly hasLink: boolean;
  readonly hasReference: boolean;
  readonly hasFact: boolean;
};

/** Decides whether to create a request. A pending request without a link is created again, because HMRC then responds with its link. */
export function planRequest(facts: RequestFacts): 'ready' | SkipReason {
  if (facts.isGroupMember) return 'in_vat_group';
  if (!facts.hasTax) return 'no_tax';
  if (!facts.isCurrent) return 'not_current';
  if (facts.status === 'authorised' || facts.status === 'expiring') return 'authorised';
  if (facts.status === 'suspended') return 'insolvent';
  if (facts.status === 'link_sent' && facts.hasLink) return 'pending';
  if (!facts.hasReference) return 'no_reference';
  return facts.hasFact ? 'ready' : 'no_fact';
}

/** Why a run of requests ended before its last client. */
export const REQUEST_RUN_END_REASONS = ['connection_ended', 'cancelled', 'internal'] as const;
export type RequestRunEndReason = (typeof REQUEST_RUN_END_REASONS)[number];
