/** A program's limits count for each organisation, whichever job calls it. FreeAgent's count for each user: for all clients of a practice together. */
import { createCallLimiter } from '@portal/providers/connected-books/call-limiter.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

const limiters = new Map<string, () => Promise<void>>();

type Called = Pick<BooksConnectionRow, 'provider' | 'organisationId'> & {
  /** The practice whose authorisation is used. Null: the organisation's own. */
  readonly practiceId: string | null;
};

/** Waits until the program allows another call. */
export function acquireSlotFor({ provider, organisationId, practiceId }: Called): () => Promise<void> {
  const isPerUser = provider === 'freeagent' && practiceId !== null;
  const key = isPerUser ? `${provider} of ${practiceId}` : `${provider} ${organisationId ?? ''}`;
  const acquireSlot = limiters.get(key) ?? createCallLimiter(provider);
  limiters.set(key, acquireSlot);
  return acquireSlot;
}
