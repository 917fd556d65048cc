/**
 * Call limits apply to each organisation, whichever job makes the call; FreeAgent's to each client of a practice, by its subdomain. Calls
 * that name no organisation count for the practice.
 */
import { createCallLimiter } from '@portal/providers/connected-books/call-limiter.ts';
import type { BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

const limiters = new Map<string, () => Promise<void>>();

type Called =
  | Pick<BooksConnectionRow, 'provider' | 'organisationId'>
  | { readonly provider: BooksProgramName; readonly practiceId: string };

/** Waits until the software allows another call. */
export function acquireSlotFor(called: Called): () => Promise<void> {
  const { provider } = called;
  const key = 'organisationId' in called ? `${provider} ${called.organisationId ?? ''}` : `${provider} of ${called.practiceId}`;
  const acquireSlot = limiters.get(key) ?? createCallLimiter(provider);
  limiters.set(key, acquireSlot);
  return acquireSlot;
}
