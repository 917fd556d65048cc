/**
 * Payments from our account at the payments provider that don't match any of our payout orders, for example after an earlier backup was
 * restored.
 */
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence } from './columns.ts';

/**
 * How the payment was resolved. `confirmed`: it automatically became a payout, and operators agree. `advance`: operators recorded it as an
 * advance's payout. `overpayment`: the trader owes it to us. `other`: it isn't a trader's. `returned`: the bank returned it.
 */
export type UnrecordedPayoutResolution = 'confirmed' | 'advance' | 'overpayment' | 'other' | 'returned';

export const unrecordedPayouts = pgTable(
  'unrecorded_payouts',
  {
    /** The company identified by the payment's reference or bank account; the nil UUID if neither identifies one. */
    companyId: companyId(),
    id: uuid('id').notNull(),
    providerPayoutId: text('provider_payout_id').notNull(),
    /** The advance identified by the payment's reference. */
    advanceId: uuid('advance_id'),
    /** The payout that the payment became. */
    payoutId: uuid('payout_id'),
    amountPence: pence('amount_pence').notNull(),
    reference: text('reference').notNull(),
    accountHolder: text('account_holder').notNull(),
    /** Empty for an account outside the UK. */
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    /** When the provider created the payment. */
    sentAt: instant('sent_at').notNull(),
    foundAt: instant('found_at').notNull(),
    resolution: text('resolution').$type<UnrecordedPayoutResolution>(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('unrecorded_payouts_provider').on(table.providerPayoutId),
    index('unrecorded_payouts_payout').on(table.companyId, table.payoutId),
  ],
);
