/** Requests from practices to their clients, and each client's conversation with the practice. See docs/decisions/0062-clients-files.md. */
import type { RequestItemKind, RequestItemState } from '@portal/domain/client-requests/client-request.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { users } from './identity.ts';

export const clientRequests = pgTable(
  'client_requests',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    title: text('title').notNull(),
    dueOn: plainDate('due_on').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    /** When the practice accepted the last open item. */
    completedAt: instant('completed_at'),
    cancelledAt: instant('cancelled_at'),
    /** The number of reminder days that have passed (domain/client-requests). */
    reminders: integer('reminders').notNull().default(0),
    /** When the practice was emailed that every item has been answered. Reset to null when it asks again. */
    notifiedAt: instant('notified_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_requests_client').on(table.companyId, table.clientId, table.createdAt),
    index('client_requests_due')
      .on(table.companyId, table.dueOn)
      .where(sql`completed_at is null and cancelled_at is null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

export const clientRequestItems = pgTable(
  'client_request_items',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    requestId: uuid('request_id').notNull(),
    position: integer('position').notNull(),
    kind: text('kind').$type<RequestItemKind>().notNull(),
    text: text('text').notNull(),
    state: text('state').$type<RequestItemState>().notNull().default('open'),
    /** The client's answer as text; empty if the client only sent files. */
    answer: text('answer').notNull().default(''),
    answeredBy: uuid('answered_by').references(() => users.id),
    answeredAt: instant('answered_at'),
    /** Why the practice asked again. */
    note: text('note').notNull().default(''),
    decidedBy: uuid('decided_by').references(() => users.id),
    decidedAt: instant('decided_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_request_items_request').on(table.companyId, table.requestId, table.position),
    foreignKey({ columns: [table.companyId, table.requestId], foreignColumns: [clientRequests.companyId, clientRequests.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** Messages between a practice and a client's users. */
export const clientPosts = pgTable(
  'client_posts',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    clientId: uuid('client_id').notNull(),
    isFromClient: boolean('is_from_client').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    writtenAt: instant('written_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('client_posts_client').on(table.companyId, table.clientId, table.writtenAt),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
