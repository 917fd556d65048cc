/** Identifies the signed-in user to the live chat with a HubSpot visitor token. */
import { AppError } from '@portal/domain/app-error.ts';
import { createBoundedCache } from '@portal/providers/companies-house/bounded-cache.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';

/** HubSpot tokens are valid for twelve hours. A cached token must outlive the visit. */
const TOKEN_TTL_MS = 8 * 3_600_000;
const MAX_CACHED_TOKENS = 2_000;

/** Tokens are cached only in this process, by user and email address. Another instance requests its own, which is harmless. */
export function createVisitorTokens(deps: AppDeps): (actor: Pick<Actor, 'userId' | 'email'>) => Promise<string> {
  const tokenCache = createBoundedCache<string>(deps.clock, { maxEntries: MAX_CACHED_TOKENS, ttlMs: () => TOKEN_TTL_MS });
  return async ({ userId, email }) => {
    const { chat } = deps;
    if (!chat) throw new AppError('upstream', 'chat.not_set_up', 'Chat isn’t available. Send us a message instead.');
    return tokenCache.getOrLoad(`${userId} ${email}`, async () => (await chat.createVisitorToken({ email })).token);
  };
}
