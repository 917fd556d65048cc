/** The users of a practice's clients, and their invitations. See docs/decisions/0051-clients-portal.md. */
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, plainDate } from './columns.ts';
import { clients } from './clients.ts';
import { users } from './identity.ts';

/** A client's users with access to the client's own pages. A user without a row has no access. */
export const clientPeople = pgTable(
  'client_people',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    joinedAt: instant('joined_at').notNull(),
    /** When the user agreed to receive documents and notices electronically instead of by post. */
    consentedAt: instant('consented_at'),
    /** The number of days before a due date to send a reminder; null for never. */
    remindDays: integer('remind_days').default(7),
    /** Whether to notify the user when someone joins or leaves. */
    peopleEmails: boolean('people_emails').notNull().default(true),
    /** Items already named in reminders, each as tax and key, as long as they are due. */
    remindedItems: text('reminded_items')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The day of the last reminder. */
    remindedOn: plainDate('reminded_on'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.userId] }),
    index('client_people_user').on(table.userId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/**
 * An invitation of a client's user. Its state is derived from its times (domain/clients/invitation-state.ts). The link's token is stored as
 * a hash and can be used once; a draft doesn't have a token.
 */
export const clientInvitations = pgTable(
  'client_invitations',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    email: text('email').notNull(),
    tokenHash: text('token_hash'),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => users.id),
    invitedAt: instant('invited_at').notNull(),
    /** When the newest email was queued. */
    sentAt: instant('sent_at'),
    /** The expiry time by the wall clock, as for every emailed link. */
    expiresAt: instant('expires_at'),
    /** When the newest link was first opened. */
    openedAt: instant('opened_at'),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by').references(() => users.id),
    revokedAt: instant('revoked_at'),
    /** When the newest email bounced permanently. */
    bouncedAt: instant('bounced_at'),
    /** The number of reminders since the invitation was last sent manually. */
    reminders: integer('reminders').notNull().default(0),
    /** When the invited user unsubscribed from reminders. */
    remindersEndedAt: instant('reminders_ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('client_invitations_token').on(table.tokenHash),
    index('client_invitations_client').on(table.companyId, table.clientId),
    // Serves the pages of the practice's list.
    index('client_invitations_newest').on(table.companyId, table.invitedAt, table.id),
    // Allows only one open invitation per email address for a client.
    uniqueIndex('client_invitations_open')
      .on(table.companyId, table.clientId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
