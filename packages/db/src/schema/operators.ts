/** Our own staff: their roles and access to the operators' pages. */
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { users } from './identity.ts';

/**
 * A user who is or was an operator. They can act as one only while enabled, enrolled and signed in with a second factor. Rows are never
 * deleted, because decisions refer to them.
 */
export const operators = pgTable('operators', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  roles: jsonb('roles').$type<OperatorRole[]>().notNull(),
  /** A private email address, used to detect companies with a user who has the same address. */
  privateEmail: text('private_email'),
  /** Null if the operator was added with `npm run operator`. */
  invitedBy: uuid('invited_by').references(() => users.id),
  invitedAt: instant('invited_at').notNull(),
  /** When the operator used the enrolment link and set up a second factor. Null until then, and again once a new link has been created. */
  enrolledAt: instant('enrolled_at'),
  disabledAt: instant('disabled_at'),
});

/**
 * An operator's own bank accounts, used to detect companies that share one. Rows are never deleted, because removing one would hide a past
 * interest.
 */
export const operatorBankAccounts = pgTable(
  'operator_bank_accounts',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => operators.userId),
    /** Sort code and account number, encrypted. */
    sealed: text('sealed').notNull(),
    /** The last four digits, shown to the operator. */
    accountEnd: text('account_end').notNull(),
    recordedAt: instant('recorded_at').notNull(),
  },
  (table) => [index('operator_bank_accounts_user').on(table.userId)],
);
