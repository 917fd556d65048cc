/** Live chat identification as the portal uses it. Implemented by `hubspot-client.ts`. */
import type { Instant } from '@portal/domain/clock.ts';

/**
 * Tells the chat who is writing. It identifies but does not authenticate: the chat takes anyone with the token for `email`, so create it
 * only for the address of the signed-in user. Failures are ProviderErrors; `refused` with status 403 means that the HubSpot plan has no
 * identification.
 */
export type ChatIdentification = {
  /** Valid until `expiresAt`, twelve hours later. Creating another token does no harm. */
  createVisitorToken(visitor: { email: string; firstName?: string; lastName?: string }): Promise<{ token: string; expiresAt: Instant }>;
};
