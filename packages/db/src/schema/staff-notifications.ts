/** Notifications of a practice's members, and their settings. See docs/decisions/0061-notifications.md. */
import type { Channels, Digest, EmailChoice, NotificationKind } from '@portal/domain/staff-notifications/notification-kinds.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** A notification of one event to one user. */
export const staffNotifications = pgTable(
  'staff_notifications',
  {
    companyId: companyId().references(() => companies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    id: uuid('id').notNull(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    /** Identifies the event, so that a user is notified of it only once. */
    key: text('key').notNull(),
    clientId: uuid('client_id'),
    title: text('title').notNull(),
    /** The page that the notification opens, below /portal. */
    path: text('path').notNull(),
    createdAt: instant('created_at').notNull(),
    isInPortal: boolean('is_in_portal').notNull(),
    readAt: instant('read_at'),
    /** `now`: sent at `email_at`, which is later than the event during quiet hours. */
    email: text('email').$type<EmailChoice>().notNull(),
    emailAt: instant('email_at'),
    emailedAt: instant('emailed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.userId, table.id] }),
    uniqueIndex('staff_notifications_event').on(table.companyId, table.userId, table.kind, table.key),
    index('staff_notifications_newest').on(table.companyId, table.userId, table.createdAt, table.id),
    index('staff_notifications_unread')
      .on(table.companyId, table.userId)
      .where(sql`is_in_portal and read_at is null`),
    index('staff_notifications_to_email')
      .on(table.companyId, table.userId, table.emailAt)
      .where(sql`email <> 'off' and emailed_at is null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** A user's choices in a practice. Without a row, the role's defaults apply. */
export const staffNotificationChoices = pgTable(
  'staff_notification_choices',
  {
    companyId: companyId().references(() => companies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    channels: jsonb('channels').$type<Readonly<Partial<Record<NotificationKind, Channels>>>>().notNull().default({}),
    digest: text('digest').$type<Digest>().notNull().default('daily'),
    /** Quiet hours, in London time. Both are null without quiet hours. */
    quietFrom: integer('quiet_from'),
    quietTo: integer('quiet_to'),
    /** The day of the last digest, so that only one is sent per day. */
    digestOn: plainDate('digest_on'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] })],
);

/** Clients that a user doesn't receive notifications about. */
export const mutedClients = pgTable(
  'muted_clients',
  {
    companyId: companyId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    clientId: uuid('client_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.userId, table.clientId] }),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

/** Unsubscribe links in emails, each for one kind of notification and one user (RFC 8058). Only the hash is stored. */
export const unsubscribeLinks = pgTable(
  'unsubscribe_links',
  {
    companyId: companyId().references(() => companies.id),
    tokenHash: text('token_hash').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<NotificationKind | 'digest'>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.tokenHash] }), uniqueIndex('unsubscribe_links_token').on(table.tokenHash)],
);

/** How far a practice's figures have been checked for events. */
export const figureEventMarks = pgTable('figure_event_marks', {
  companyId: uuid('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** Users have been notified of changes in figures up to this time. */
  changesSeenAt: instant('changes_seen_at').notNull(),
  /** Users have been notified of items due before this day. */
  overdueSeenOn: plainDate('overdue_seen_on').notNull(),
});
