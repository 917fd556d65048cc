/**
 * Emails, other than messages, that the portal sends to clients on a practice's behalf. See docs/decisions/0083-emails-for-a-practice.md.
 */
import type { ClientEmailNeed, ClientEmailStatus } from '@portal/domain/messages/client-email-status.ts';
import type { MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import { isNotNull, sql } from '../sql.ts';
import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** One email to one person, with its text as sent but without its links. */
export const clientEmails = pgTable(
  'client_emails',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    /** The user who caused the email; null for emails that the portal sends automatically. */
    sentBy: uuid('sent_by').references(() => users.id),
    replyTo: text('reply_to').notNull(),
    status: text('status').$type<ClientEmailStatus>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** When the outcome became known. */
    endedAt: instant('ended_at'),
    /** Why the email wasn't sent, or why it bounced. */
    reason: text('reason'),
    /** The complete email, encrypted, while the practice's mailbox may still have to send it. */
    sealed: text('sealed'),
    /** What the client has to answer, and the last day on which the email is useful. If either has passed, it isn't sent. */
    neededFor: text('needed_for').$type<ClientEmailNeed>(),
    neededForId: uuid('needed_for_id'),
    neededUntil: plainDate('needed_until'),
    /** The last attempt through the practice's mailbox, as for a recipient of a message. */
    route: text('route').$type<MessageRoute>(),
    sentFrom: text('sent_from'),
    attemptId: uuid('attempt_id'),
    attemptedAt: instant('attempted_at'),
    notBefore: instant('not_before'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    index('client_emails_client').on(table.companyId, table.clientId, table.createdAt),
    index('client_emails_open')
      .on(table.companyId, table.createdAt, table.id)
      .where(sql`sealed is not null and status in ('queued', 'sending')`),
    index('client_emails_attempted').on(table.companyId, table.attemptedAt).where(isNotNull(table.attemptedAt)),
  ],
);
