/** Authorisation requests for many clients: which clients get one, and the results. */
import type { Authorisation } from './describe-authorisation.ts';

/** Why a client gets no request. */
export const SKIP_REASONS = ['no_tax', 'not_current', 'authorised', 'pending', 'insolvent', 'no_reference', 'no_fact'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** `created` and `pending` have a link for the client; `authorised` needs none. The others name what is missing. */
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

/** What decides about a request for one client and tax. */
export type RequestFacts = {
  readonly hasTax: boolean;
  /** Neither inactive nor closed. */
  readonly isCurrent: boolean;
  readonly status: Authorisation;
  /** Whether we have a link for the client, if a request is pending. */
  readonly hasLink: boolean;
  readonly hasReference: boolean;
  readonly hasFact: boolean;
};

/** Whether to create a request, or why not. A pending request without a link is created again: HMRC then answers with its link. */
export function planRequest(facts: RequestFacts): 'ready' | SkipReason {
  if (!facts.hasTax) return 'no_tax';
  if (!facts.isCurrent) return 'not_current';
  if (facts.status === 'authorised' || facts.status === 'expiring') return 'authorised';
  if (facts.status === 'suspended') return 'insolvent';
  if (facts.status === 'link_sent' && facts.hasLink) return 'pending';
  if (!facts.hasReference) return 'no_reference';
  return facts.hasFact ? 'ready' : 'no_fact';
}
