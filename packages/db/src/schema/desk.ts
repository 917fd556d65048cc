/** The operators' desk: assignments, messages from the contact page, exposure limits and the health of providers. */
import type { ContactTopic, MessageState } from '@portal/domain/operators/contact-messages.ts';
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence } from './columns.ts';
import { users } from './identity.ts';

/** The operator assigned to an advance. Without a row, the advance is unassigned. */
export const advanceAssignments = pgTable(
  'advance_assignments',
  {
    companyId: companyId(),
    advanceId: uuid('advance_id').notNull(),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => users.id),
    assignedBy: uuid('assigned_by').notNull(),
    assignedAt: instant('assigned_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.advanceId] }),
    index('advance_assignments_operator').on(table.operatorId, table.advanceId),
  ],
);

/** A message from the contact page. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey(),
    /** The reference that the sender quotes. */
    reference: text('reference').notNull(),
    /** Null if the sender wasn't signed in, in which case the email address isn't verified. */
    userId: uuid('user_id').references(() => users.id),
    name: text('name').notNull(),
    email: text('email').notNull(),
    topic: text('topic').$type<ContactTopic>().notNull(),
    message: text('message').notNull(),
    receivedAt: instant('received_at').notNull(),
    state: text('state').$type<MessageState>().notNull(),
    assignedTo: uuid('assigned_to').references(() => users.id),
    /** When the first reply was sent. */
    answeredAt: instant('answered_at'),
    closedAt: instant('closed_at'),
  },
  (table) => [
    uniqueIndex('contact_messages_reference').on(table.reference),
    index('contact_messages_state').on(table.state, table.receivedAt),
  ],
);

/** Replies and internal notes on a message. Append-only by convention. */
export const contactEntries = pgTable(
  'contact_entries',
  {
    messageId: uuid('message_id')
      .notNull()
      .references(() => contactMessages.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    kind: text('kind').$type<'reply' | 'note'>().notNull(),
    text: text('text').notNull(),
    by: uuid('by').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.id] })],
);

/**
 * Limits on the amount that HMRC may owe us, set by two operators. The newest row of a scope applies; without one, the advance terms do.
 */
export const exposureLimits = pgTable(
  'exposure_limits',
  {
    id: uuid('id').primaryKey(),
    /** Null for the limit across all companies. */
    companyId: uuid('company_id'),
    limitPence: pence('limit_pence').notNull(),
    reason: text('reason').notNull(),
    requestedBy: uuid('requested_by').notNull(),
    decidedBy: uuid('decided_by').notNull(),
    setAt: instant('set_at').notNull(),
  },
  (table) => [index('exposure_limits_scope').on(table.companyId, table.setAt)],
);

/** The latest result of our own requests to a provider, across all instances. */
export const providerHealth = pgTable('provider_health', {
  provider: text('provider').primaryKey(),
  lastSuccessAt: instant('last_success_at'),
  lastFailureAt: instant('last_failure_at'),
  /** Host, method and status or network error; no query, body or headers. */
  lastFailure: text('last_failure'),
  failuresInARow: integer('failures_in_a_row').notNull().default(0),
});

/** When a provider's record was last read completely. The next read starts from there, so that a failed read leaves no gap. */
export const completeReads = pgTable('complete_reads', {
  record: text('record', { enum: ['returned_payouts', 'payouts'] }).primaryKey(),
  readAt: instant('read_at').notNull(),
});
