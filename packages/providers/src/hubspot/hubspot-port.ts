/** What the product asks of its live chat, in its own words; `hubspot-client.ts` answers it. */
import type { Instant } from '@portal/domain/clock.ts';

/**
 * Tells the chat who is writing. It identifies and does not authenticate: whoever holds the token is taken for `email`, so it may be made only for
 * the address of the person who is signed in. Failures are ProviderError; `refused` with status 403 means that the plan has no identification.
 */
export type ChatIdentification = {
  /** Good until `expiresAt`, twelve hours later; making another does no harm. */
  createVisitorToken(visitor: { email: string; firstName?: string; lastName?: string }): Promise<{ token: string; expiresAt: Instant }>;
};
