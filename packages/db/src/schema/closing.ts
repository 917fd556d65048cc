/** What stays of accounts that were closed, for as long as the law or the defence of claims needs it (docs/retention.md). */
import type { Role } from '@portal/domain/identity/roles.ts';
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
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

/** Who worked for a company and in which role, until the company or the person's account was closed. */
export const formerMemberships = pgTable(
  'former_memberships',
  {
    companyId: companyId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').$type<Role>().notNull(),
    joinedAt: instant('joined_at').notNull(),
    endedAt: instant('ended_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] }), index('former_memberships_user').on(table.userId)],
);
