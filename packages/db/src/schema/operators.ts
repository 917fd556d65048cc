/** Our own staff: who may use the operators' pages, in which roles. */
import type { OperatorRole } from '@portal/domain/identity/operator-roles.ts';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { users } from './identity.ts';

/**
 * A person who is or was an operator. They act as one only while enabled, enrolled and signed in with a second factor. Rows are never
 * deleted, because decisions name them.
 */
export const operators = pgTable('operators', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  roles: jsonb('roles').$type<OperatorRole[]>().notNull(),
  /** A private address, to recognise companies whose people share it. */
  privateEmail: text('private_email'),
  /** Null if the person was added with `npm run operator`. */
  invitedBy: uuid('invited_by').references(() => users.id),
  invitedAt: instant('invited_at').notNull(),
  /** When the person used the enrolment link and set up a second factor; null until then, and after a new link was made. */
  enrolledAt: instant('enrolled_at'),
  disabledAt: instant('disabled_at'),
});

/** An operator's own bank accounts, to recognise companies that share one. Rows are never deleted: a removed one would hide a past interest. */
export const operatorBankAccounts = pgTable(
  'operator_bank_accounts',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => operators.userId),
    /** Sort code and account number, encrypted. */
    sealed: text('sealed').notNull(),
    /** The last four digits, which the operator sees. */
    accountEnd: text('account_end').notNull(),
    recordedAt: instant('recorded_at').notNull(),
  },
  (table) => [index('operator_bank_accounts_user').on(table.userId)],
);
