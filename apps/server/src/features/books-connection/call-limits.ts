/** A program's limits count for each organisation, whichever job calls it. */
import { createCallLimiter } from '@portal/providers/connected-books/call-limiter.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

const limiters = new Map<string, () => Promise<void>>();

/** Waits until the program allows another call for this organisation. */
export function acquireSlotFor({ provider, organisationId }: Pick<BooksConnectionRow, 'provider' | 'organisationId'>): () => Promise<void> {
  const key = `${provider} ${organisationId ?? ''}`;
  const acquireSlot = limiters.get(key) ?? createCallLimiter(provider);
  limiters.set(key, acquireSlot);
  return acquireSlot;
}
