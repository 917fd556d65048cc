/** The ways a call to a provider can fail, shared by all clients. */

/**
 * - `refused`: the provider rejected the request (code and detail say why); nothing was done.
 * - `unauthorized`: the authorisation or key is missing, expired or revoked; the user must connect again.
 * - `throttled`: too many calls; nothing was done; retry later (`retryAfterSeconds` if the provider sent it).
 * - `unavailable`: the request couldn't be sent, or a read got 5xx or no usable response; nothing was done.
 * - `unknown`: a write was sent and got no usable response (time-out, cut connection, 5xx or garbage), so it may have been carried out.
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

/** Contains no secrets: no headers, tokens or request body. */
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
