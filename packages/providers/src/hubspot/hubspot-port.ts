/** Live chat identification as the portal uses it. Implemented by `hubspot-client.ts`. */
import type { Instant } from '@portal/domain/clock.ts';

/**
 * Identifies the chat's visitor without authenticating them. The chat accepts anyone with the token for `email`, so create it only for the
 * signed-in user's email address. Failures are ProviderErrors; `refused` with status 403 means that the HubSpot plan doesn't include
 * identification.
 */
export type ChatIdentification = {
  /** Valid until `expiresAt`, twelve hours later. Creating another token is harmless. */
  createVisitorToken(visitor: { email: string; firstName?: string; lastName?: string }): Promise<{ token: string; expiresAt: Instant }>;
};
