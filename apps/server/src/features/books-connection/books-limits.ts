import { createCallLimiter } from '@portal/providers/connected-books/call-limiter.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

/** Limits count for each organisation, also by jobs of different companies. */
const limiters = new Map<string, () => Promise<void>>();

type Limited = Pick<BooksConnectionRow, 'provider' | 'organisationId'>;

/** Asked before each call. A practice and a trader that read the same organisation share its limit. */
export function acquireBooksSlot(of: Limited): () => Promise<void> {
  const key = `${of.provider} ${of.organisationId ?? ''}`;
  const acquireSlot = limiters.get(key) ?? createCallLimiter(of.provider);
  limiters.set(key, acquireSlot);
  return acquireSlot;
}
