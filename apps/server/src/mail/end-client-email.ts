/** Stores an email's outcome on its client's timeline. */
import type { Db, Tx } from '@portal/db/database.ts';
import { clientEmails } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { Clock } from '@portal/domain/clock.ts';
import type { ClientEmailStatus } from '@portal/domain/messages/client-email-status.ts';
import type { SentFor } from './mailer.ts';

type Deps = { readonly database: { readonly db: Db | Tx }; readonly clock: Clock };

/**
 * `from`: the statuses that this one may replace. A report of a bounce may arrive before the mail server's reply is stored, and then takes
 * precedence.
 */
export async function endClientEmail(
  { database, clock }: Deps,
  sentFor: SentFor | undefined,
  status: Exclude<ClientEmailStatus, 'queued' | 'bounced'>,
  reason: string | null,
  from: readonly ClientEmailStatus[] = ['queued', 'not_sent', 'unknown'],
): Promise<void> {
  if (sentFor?.clientEmailId === undefined) return;
  const isThis = and(eq(clientEmails.companyId, sentFor.companyId), eq(clientEmails.id, sentFor.clientEmailId));
  await database.db
    .update(clientEmails)
    .set({ status, reason, endedAt: clock.now() })
    .where(and(isThis, inArray(clientEmails.status, from)));
}
