/**
 * GoCardless's payouts to our bank account. They belong to us, not to a tenant, because one payout can contain Direct Debits from several
 * companies.
 */
import type { DirectDebitPayoutStatus } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, pence, plainDate } from './columns.ts';

export const directDebitPayouts = pgTable(
  'direct_debit_payouts',
  {
    id: uuid('id').primaryKey(),
    providerPayoutId: text('provider_payout_id').notNull(),
    status: text('status').$type<DirectDebitPayoutStatus>().notNull(),
    /** The reference on our bank statement. */
    reference: text('reference').notNull(),
    currency: text('currency').notNull(),
    /** The amount that arrives. The fee is `gross_pence` less this amount. */
    netPence: pence('net_pence').notNull(),
    grossPence: pence('gross_pence').notNull(),
    createdAt: instant('created_at').notNull(),
    arrivesOn: plainDate('arrives_on'),
    /** Why the payout isn't in the ledger although it was paid; null if there's no problem. */
    problem: text('problem'),
    /** True if the ledger shows the payout in our bank account, and the number of times that this has changed. */
    isPosted: boolean('is_posted').notNull(),
    moves: integer('moves').notNull().default(0),
    /** The amount that an operator found on the bank statement; null until then. */
    statementPence: pence('statement_pence'),
    statementOn: plainDate('statement_on'),
    checkedBy: uuid('checked_by'),
    checkedAt: instant('checked_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('direct_debit_payouts_provider').on(table.providerPayoutId),
    index('direct_debit_payouts_created').on(table.createdAt),
  ],
);

/** The items of a payout, as listed by GoCardless. */
export const directDebitPayoutItems = pgTable(
  'direct_debit_payout_items',
  {
    payoutId: uuid('payout_id')
      .notNull()
      .references(() => directDebitPayouts.id),
    number: integer('number').notNull(),
    type: text('type').notNull(),
    providerPaymentId: text('provider_payment_id'),
    /** In tenths of a penny; positive means in our favour. */
    tenths: integer('tenths').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payoutId, table.number] })],
);
