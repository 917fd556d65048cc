/** Messages to a practice's clients, and the practice's own mailbox. See docs/decisions/0053-messages-and-mailboxes.md. */
import type { MailboxEndReason } from '@portal/domain/messages/mailbox-end-reasons.ts';
import type { RecipientStatus } from '@portal/domain/messages/message-status.ts';
import type { MailboxProvider, MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { clients } from './clients.ts';
import { companies, users } from './identity.ts';

/** The practice's own mailbox. Disconnecting deletes the row. */
export const mailboxes = pgTable('mailboxes', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  provider: text('provider').$type<MailboxProvider>().notNull(),
  status: text('status').$type<'connected' | 'lost'>().notNull(),
  /** The email address that clients see as the sender. */
  address: text('address').notNull(),
  /** Encrypted; null once the mailbox connection is lost. */
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  accessExpiresAt: instant('access_expires_at'),
  connectedBy: uuid('connected_by')
    .notNull()
    .references(() => users.id),
  /** Identifies this connection. Changes on reconnecting. */
  connectedAt: instant('connected_at').notNull(),
  lostAt: instant('lost_at'),
  lostReason: text('lost_reason').$type<MailboxEndReason>(),
});

/** A mailbox connection in progress. The state token is stored as a hash and works once, in the browser that started it. */
export const mailboxStates = pgTable(
  'mailbox_states',
  {
    companyId: companyId().references(() => companies.id),
    stateHash: text('state_hash').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').$type<MailboxProvider>().notNull(),
    browserHash: text('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.stateHash] })],
);

/** One message written for any number of clients. The browser chooses the ID, so that a repeated request sends the message only once. */
export const clientMessages = pgTable(
  'client_messages',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    /** The text as written, with its fields in braces. */
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    /** When the message is sent. This is when it was written, unless it was scheduled. */
    sendAt: instant('send_at').notNull(),
    /** True for a test sent to its author, which doesn't appear on any client's timeline. */
    isTest: boolean('is_test').notNull().default(false),
    /** Number of selected clients that were left out because they lack an email address or a fact that the text needs. */
    leftOut: integer('left_out').notNull(),
    cancelledAt: instant('cancelled_at'),
    cancelledBy: uuid('cancelled_by').references(() => users.id),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_messages_created').on(table.companyId, table.createdAt, table.id),
  ],
);

/** One recipient of a message, with the text sent to this client. */
export const clientMessageRecipients = pgTable(
  'client_message_recipients',
  {
    companyId: companyId(),
    messageId: uuid('message_id').notNull(),
    clientId: uuid('client_id').notNull(),
    /** The recipient's position within the message. */
    position: integer('position').notNull(),
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    status: text('status').$type<RecipientStatus>().notNull(),
    /** The route of the last attempt. */
    route: text('route').$type<MessageRoute>(),
    /** The sender's email address in the last attempt. */
    sentFrom: text('sent_from'),
    attemptId: uuid('attempt_id'),
    /** The time of the last attempt by the wall clock, because the provider sets the limits. */
    attemptedAt: instant('attempted_at'),
    /** Earliest time of the next attempt (wall clock), set when the provider asks us to wait. */
    notBefore: instant('not_before'),
    /** When the outcome became known, or was recorded as unknown. */
    endedAt: instant('ended_at'),
    /** Why sending failed, in the provider's words. */
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.messageId, table.clientId] }),
    foreignKey({ columns: [table.companyId, table.messageId], foreignColumns: [clientMessages.companyId, clientMessages.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    index('client_message_recipients_client').on(table.companyId, table.clientId, table.endedAt),
    index('client_message_recipients_attempted').on(table.companyId, table.attemptedAt),
    index('client_message_recipients_open')
      .on(table.companyId, table.messageId, table.position)
      .where(sql`status in ('queued', 'sending')`),
  ],
);
