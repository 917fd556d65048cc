/** A practice's team, apart from its memberships: invitations and custom roles. See docs/decisions/0049-team.md. */
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import type { Permission } from '@portal/domain/team/permissions.ts';
import type { PracticeRole, TraderRole } from '@portal/domain/identity/roles.ts';
import { sql } from '../sql.ts';
import { pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';
import { companies, users } from './identity.ts';

/** A custom role: a named set of permissions for team members. */
export const teamRoles = pgTable(
  'team_roles',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    permissions: text('permissions').array().$type<readonly Permission[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('team_roles_name').on(table.companyId, sql`lower(${table.name})`),
  ],
);

/** An invitation to join a practice. The link's token is stored as a hash and works once. */
export const teamInvitations = pgTable(
  'team_invitations',
  {
    companyId: companyId().references(() => companies.id),
    id: uuid('id').notNull(),
    email: text('email').notNull(),
    role: text('role').$type<PracticeRole | TraderRole>().notNull(),
    /** As in memberships. */
    permissions: text('permissions').array().$type<readonly MembershipPermission[]>().notNull(),
    teamRoleId: uuid('team_role_id'),
    groups: text('groups').array().$type<readonly string[]>().notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => users.id),
    invitedAt: instant('invited_at').notNull(),
    /** When the newest email was queued. */
    sentAt: instant('sent_at').notNull(),
    /** The expiry time by the wall clock, as for every emailed link. */
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by').references(() => users.id),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('team_invitations_token').on(table.tokenHash),
    // Allows only one open invitation per email address.
    uniqueIndex('team_invitations_open')
      .on(table.companyId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
  ],
);
