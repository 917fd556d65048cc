/** A practice's client groups, and its rules for assigning imported clients. See docs/decisions/0052-groups-and-rules.md. */
import type { RuleCondition } from '@portal/domain/team/assignment-rules.ts';
import type { Duty } from '@portal/domain/clients/client.ts';
import { sql } from '../sql.ts';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { clients } from './clients.ts';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** Clients that belong together: a family, or companies under one owner. */
export const clientGroups = pgTable(
  'client_groups',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('client_groups_name').on(table.companyId, sql`lower(${table.name})`),
  ],
);

/** The clients of a group. The primary key allows each client only one group. */
export const clientGroupMembers = pgTable(
  'client_group_members',
  {
    companyId: companyId(),
    clientId: uuid('client_id').notNull(),
    groupId: uuid('group_id').notNull(),
    addedAt: instant('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId] }),
    index('client_group_members_group').on(table.companyId, table.groupId, table.clientId),
    foreignKey({ columns: [table.companyId, table.clientId], foreignColumns: [clients.companyId, clients.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.companyId, table.groupId], foreignColumns: [clientGroups.companyId, clientGroups.id] }).onDelete(
      'cascade',
    ),
  ],
);

/** Assigns duties for the clients that an import creates. The practice orders its rules, and the first match applies for each duty. */
export const assignmentRules = pgTable(
  'assignment_rules',
  {
    companyId: companyId().references(() => companies.id),
    /** The rule's position in the practice's order, starting from 0. */
    position: integer('position').notNull(),
    condition: jsonb('condition').$type<RuleCondition>().notNull(),
    duty: text('duty').$type<Duty>().notNull(),
    /** The user may have left the practice, in which case the rule has no effect. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.position] })],
);
