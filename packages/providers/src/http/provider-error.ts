/** How a call to a provider can fail, in words that every provider's client shares. */

/**
 * - `refused`: the provider answered and said no (its code and detail say why); the work was not done.
 * - `unauthorized`: the grant or key is missing, expired beyond refresh, or revoked; the person must connect again.
 * - `throttled`: too many calls; the work was not done; try later (`retryAfterSeconds` where it was told).
 * - `unavailable`: the provider could not be reached before the request left, or said 5xx to a read; nothing was done.
 * - `unknown`: the request left and no usable answer came back (time-out, cut connection, 5xx or garbage to a write): the work may have been done.
 */
export type ProviderFailure = 'refused' | 'unauthorized' | 'throttled' | 'unavailable' | 'unknown';

export type ProviderErrorFacts = {
  readonly provider: string;
  readonly operation: string;
  readonly status?: number;
  readonly code?: string;
  readonly detail?: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
};

/** Carries no secrets: no headers, no tokens, no request body. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure;
  readonly facts: ProviderErrorFacts;

  constructor(failure: ProviderFailure, facts: ProviderErrorFacts, cause?: unknown) {
    super(
      `${facts.provider} ${facts.operation}: ${failure}${facts.status ? ` (${facts.status}${facts.code ? ` ${facts.code}` : ''})` : ''}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ProviderError';
    this.failure = failure;
    this.facts = facts;
  }
}
