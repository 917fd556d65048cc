/** The people of a practice's clients, and their invitations. See docs/decisions/0051-clients-portal.md. */
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, plainDate } from './columns.ts';
import { clients } from './clients.ts';
import { users } from './identity.ts';

/** Who of a client has access to the client's own pages. A row is access, and its absence is none. */
export const clientPeople = pgTable(
  'client_people',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    joinedAt: instant('joined_at').notNull(),
    /** When the person agreed to get papers and notices electronically instead of by post. */
    consentedAt: instant('consented_at'),
    /** How many days before something is due to remind; null for never. */
    remindDays: integer('remind_days').default(7),
    /** Whether to be notified when someone joins or leaves. */
    peopleEmails: boolean('people_emails').notNull().default(true),
    /** What the reminders have named, each as tax and key of the due item, as long as it is due. */
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
 * An invitation of a client's person. Its state follows from its times (domain/clients/invitation-state.ts). The link's token is stored as a
 * hash and works once; a draft has none.
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
    /** By the wall clock, like every emailed link. */
    expiresAt: instant('expires_at'),
    /** When the newest link was opened first. */
    openedAt: instant('opened_at'),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by').references(() => users.id),
    revokedAt: instant('revoked_at'),
    /** When the mail server refused the newest email for good. */
    bouncedAt: instant('bounced_at'),
    /** How many reminders have been sent since a person sent it. */
    reminders: integer('reminders').notNull().default(0),
    /** When the invited person asked for no more reminders. */
    remindersEndedAt: instant('reminders_ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('client_invitations_token').on(table.tokenHash),
    index('client_invitations_client').on(table.companyId, table.clientId),
    // One open invitation for each address of a client.
    uniqueIndex('client_invitations_open')
      .on(table.companyId, table.clientId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
