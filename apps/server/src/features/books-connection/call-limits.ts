/**
 * Rate limits apply per organisation, whichever job makes the call; FreeAgent's apply per client of a practice, by its subdomain. Calls
 * without an organisation count towards the practice's limit.
 */
import { createCallLimiter } from '@portal/providers/connected-books/call-limiter.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

const limiters = new Map<string, () => Promise<void>>();

type RateLimitTarget =
  | Pick<BooksConnectionRow, 'provider' | 'organisationId'>
  | { readonly provider: BooksProviderName; readonly practiceId: string };

/** Waits until the software allows another call. */
export function acquireSlotFor(target: RateLimitTarget): () => Promise<void> {
  const { provider } = target;
  const key = 'organisationId' in target ? `${provider} ${target.organisationId ?? ''}` : `${provider} of ${target.practiceId}`;
  const acquireSlot = limiters.get(key) ?? createCallLimiter(provider);
  limiters.set(key, acquireSlot);
  return acquireSlot;
}
