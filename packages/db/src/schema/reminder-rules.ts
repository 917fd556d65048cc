/** A practice's own message templates, and the rules that remind its clients of deadlines. See docs/decisions/0061-notifications.md. */
import type { RemindedItem } from '@portal/domain/reminder-rules/reminder-rule.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { boolean, foreignKey, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** Templates for writing new messages. */
export const messageTemplates = pgTable(
  'message_templates',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    /** Counts changes, so that a change based on an outdated version is rejected. */
    version: integer('version').notNull().default(1),
    updatedAt: instant('updated_at').notNull(),
    updatedBy: uuid('updated_by')
      .notNull()
      .references(() => users.id),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);

/** A rule that reminds clients some days before an item is due, unless it has been done. */
export const reminderRules = pgTable(
  'reminder_rules',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    item: text('item').$type<RemindedItem>().notNull(),
    daysBefore: integer('days_before').notNull(),
    /** The number of days before the due date on which the responsible member is notified; null for never. */
    escalateDays: integer('escalate_days'),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    isOn: boolean('is_on').notNull().default(false),
    version: integer('version').notNull().default(1),
    /** The user who last switched on or changed the rule. They are the author of its messages and receive the replies. */
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    updatedAt: instant('updated_at').notNull(),
    removedAt: instant('removed_at'),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);

/** An item that a rule has reminded a client about, so that it does so only once. */
export const ruleReminders = pgTable(
  'rule_reminders',
  {
    companyId: companyId(),
    ruleId: uuid('rule_id').notNull(),
    clientId: uuid('client_id').notNull(),
    tax: text('tax').$type<Tax>().notNull(),
    key: text('key').notNull(),
    dueOn: plainDate('due_on').notNull(),
    messageId: uuid('message_id').notNull(),
    remindedAt: instant('reminded_at').notNull(),
    /** When the responsible member was notified that the item hasn't been done. */
    escalatedAt: instant('escalated_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.ruleId, table.clientId, table.tax, table.key] }),
    foreignKey({ columns: [table.companyId, table.ruleId], foreignColumns: [reminderRules.companyId, reminderRules.id] }).onDelete(
      'cascade',
    ),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);
