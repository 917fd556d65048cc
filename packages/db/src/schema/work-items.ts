/** A practice's tasks, their comments and templates. See docs/decisions/0059-work.md. */
import type { ItemKind } from '@portal/domain/positions/position.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { ChecklistLine, WorkService, WorkStatus } from '@portal/domain/work-items/work-item.ts';
import type { TemplateStep, WorkTrigger } from '@portal/domain/work-items/work-template.ts';
import { sql } from '../sql.ts';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant, plainDate } from './columns.ts';
import { companies, users } from './identity.ts';

/** A practice's task. A deleted task is kept, so that its obligation doesn't create it again. */
export const workItems = pgTable(
  'work_items',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    /** Null for a task that doesn't concern a client. */
    clientId: uuid('client_id'),
    title: text('title').notNull(),
    notes: text('notes').notNull().default(''),
    service: text('service').$type<WorkService>().notNull(),
    status: text('status').$type<WorkStatus>().notNull().default('todo'),
    /** NEVER_DUE for a task without a due date, so that lists can read a single index in order. */
    dueOn: plainDate('due_on').notNull(),
    ownerId: uuid('owner_id').references(() => users.id),
    checklist: jsonb('checklist').$type<readonly ChecklistLine[]>().notNull().default([]),
    /** Null if an obligation created the task. */
    createdBy: uuid('created_by').references(() => users.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Counts changes, so that a change based on an outdated version is rejected. */
    version: integer('version').notNull().default(1),
    doneAt: instant('done_at'),
    /** Null if HMRC's record of the return completed it. */
    doneBy: uuid('done_by').references(() => users.id),
    removedAt: instant('removed_at'),
    /** The template and step of a task that an obligation created. */
    templateKey: text('template_key'),
    step: integer('step'),
    tax: text('tax').$type<Tax>(),
    kind: text('kind').$type<ItemKind>(),
    periodEnd: plainDate('period_end'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('work_items_due')
      .on(table.companyId, table.dueOn, table.id)
      .where(sql`status <> 'done' and removed_at is null`),
    index('work_items_owner')
      .on(table.companyId, table.ownerId, table.dueOn, table.id)
      .where(sql`status <> 'done' and removed_at is null`),
    index('work_items_client').on(table.companyId, table.clientId, table.dueOn, table.id),
    index('work_items_status')
      .on(table.companyId, table.status, table.dueOn, table.id)
      .where(sql`removed_at is null`),
    // An obligation creates each step of a template only once, no matter how often its figures are read.
    uniqueIndex('work_items_obligation')
      .on(table.companyId, table.clientId, table.templateKey, table.tax, table.kind, table.periodEnd, table.step)
      .where(sql`template_key is not null`),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
  ],
);

export const workItemComments = pgTable(
  'work_item_comments',
  {
    companyId: companyId(),
    workItemId: uuid('work_item_id').notNull(),
    id: uuid('id').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    writtenAt: instant('written_at').notNull(),
    /** The number of colleagues emailed about the comment. */
    emailed: integer('emailed').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.workItemId, table.id] }),
    index('work_item_comments_author').on(table.companyId, table.authorId, table.writtenAt),
    foreignKey({ columns: [table.companyId, table.workItemId], foreignColumns: [workItems.companyId, workItems.id] }).onDelete('cascade'),
  ],
);

/** A practice's own templates, and its changes to the built-in ones (domain/work-items/work-template.ts). */
export const workTemplates = pgTable(
  'work_templates',
  {
    companyId: companyId().references(() => companies.id),
    /** The key of a built-in template, or an ID. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    service: text('service').$type<WorkService>().notNull(),
    steps: jsonb('steps').$type<readonly TemplateStep[]>().notNull(),
    trigger: jsonb('trigger').$type<WorkTrigger | null>(),
    /** True if the template's obligations create tasks. */
    isOn: boolean('is_on').notNull().default(false),
    /** Limits the template to clients with this tag; null for all clients with the tax. */
    clientTag: text('client_tag'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.key] })],
);
