/** What stays of accounts that were closed, for as long as the law or the defence of claims needs it (docs/retention.md). */
import type { Role } from '@portal/domain/identity/roles.ts';
import type { Successors } from '@portal/domain/team/member-rules.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { users } from './identity.ts';

/**
 * A person who closed their account. The address is kept here and no longer in `users`, so that no sign-in, invitation or email finds the
 * person by it, and the same address can open a new account. The row goes with the person's name when their time is over.
 */
export const closedAccounts = pgTable('closed_accounts', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Null if the person never worked for a company: then nothing needs it. */
  email: text('email'),
  closedAt: instant('closed_at').notNull(),
});

/**
 * Who worked for a company, until the person was deactivated or the company or the person's account was closed. Everyone with access is in
 * `memberships`, and a person is in one of the two only. Permissions, role and groups as there.
 */
export const formerMemberships = pgTable(
  'former_memberships',
  {
    companyId: companyId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').$type<Role>().notNull(),
    permissions: text('permissions').array().$type<readonly MembershipPermission[]>().notNull().default([]),
    teamRoleId: uuid('team_role_id'),
    groups: text('groups').array().$type<readonly string[]>().notNull().default([]),
    joinedAt: instant('joined_at').notNull(),
    endedAt: instant('ended_at').notNull(),
    /** Null if the company or the person's own account was closed. */
    deactivatedBy: uuid('deactivated_by'),
    /** Who took over each duty of a member who was deactivated; null for a duty that was left open. */
    successors: jsonb('successors').$type<Successors>(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), index('former_memberships_user').on(table.userId)],
);
