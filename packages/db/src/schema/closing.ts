/** Data kept from closed accounts for as long as the law or the defence of claims requires (docs/retention.md). */
import type { Role } from '@portal/domain/identity/roles.ts';
import type { Duty } from '@portal/domain/clients/client.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { users } from './identity.ts';

/**
 * A user who closed their account. The email address moves here from `users`, so that sign-ins, invitations and emails don't find it, and
 * it can be used for a new account. The row is deleted together with the user's name at the end of the retention period.
 */
export const closedAccounts = pgTable('closed_accounts', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Null if the user never worked for a company, because the address isn't needed in that case. */
  email: text('email'),
  closedAt: instant('closed_at').notNull(),
});

/**
 * Users who worked for a company until they were deactivated, or until the company or their account was closed. Everyone with access is in
 * `memberships`, and a user is in only one of the two tables. The permissions, role and groups are as in `memberships`.
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
    /** Null if the company or the user's own account was closed. */
    deactivatedBy: uuid('deactivated_by'),
    /** The member who took over each duty of a deactivated member, or those who shared it; null for a duty left open. */
    successors: jsonb('successors').$type<{ readonly [Name in Duty]?: string | null | readonly string[] | undefined }>(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), index('former_memberships_user').on(table.userId)],
);
