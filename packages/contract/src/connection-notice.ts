/** The notice above every page about a connection that needs attention. It has its own file because the login page uses it too. */
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { MAILBOX_PROVIDERS } from '@portal/domain/messages/sending-limits.ts';
import { z } from 'zod/mini';
import { idScalar, instantScalar } from './scalars.ts';

/** A connection that has ended, or ends within 30 days. `at` is the time of this, if known. */
export const connectionNotice = z.object({
  company_id: idScalar,
  name: z.string(),
  kind: z.enum(['company', 'practice']),
  /**
   * HMRC, the practice’s mailbox, or the trader’s bookkeeping software. During an upgrade, a portal on an earlier version doesn’t send
   * this.
   */
  service: z._default(z.enum(['hmrc', ...MAILBOX_PROVIDERS, ...BOOKS_PROVIDERS]), 'hmrc'),
  state: z.enum(['ended', 'ending']),
  at: z.nullable(instantScalar),
  /** Whether this user may reconnect it. */
  may_connect: z.boolean(),
  /** The page where they can reconnect. */
  path: z.string(),
});
export type ConnectionNotice = z.output<typeof connectionNotice>;
