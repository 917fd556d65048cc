/** Emails that the portal sends to clients for a practice, other than messages. See docs/decisions/0083-emails-for-a-practice.md. */
import type { ClientEmailStatus } from '@portal/domain/messages/client-email-status.ts';
import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** One email to one person, with its text as sent and without its links. */
export const clientEmails = pgTable(
  'client_emails',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    /** Who caused it; null for what the portal sends by itself. */
    sentBy: uuid('sent_by').references(() => users.id),
    replyTo: text('reply_to').notNull(),
    status: text('status').$type<ClientEmailStatus>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** When its outcome was known. */
    endedAt: instant('ended_at'),
    /** Why it wasn't sent, or came back. */
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    index('client_emails_client').on(table.companyId, table.clientId, table.createdAt),
  ],
);
