/** Money that reached the account from which we pay and that isn't the return of a payout, for example our own funding. */
import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, pence } from './columns.ts';

/**
 * What two operators found it to be. `own_money`: we paid it in. `sent_back`: it was returned to its sender. `payout_return`: the return of
 * a payout, which the bank named only later.
 */
export const ACCOUNT_CREDIT_RESOLUTIONS = ['own_money', 'sent_back', 'payout_return'] as const;

export const accountCredits = pgTable(
  'account_credits',
  {
    id: uuid('id').primaryKey(),
    providerTransactionId: text('provider_transaction_id').notNull(),
    /** ISO 4217. */
    currency: text('currency').notNull(),
    /** In hundredths of the currency. Zero or negative if the provider reports a correction. */
    amountPence: pence('amount_pence').notNull(),
    remitter: text('remitter').notNull(),
    reference: text('reference').notNull(),
    receivedAt: instant('received_at').notNull(),
    foundAt: instant('found_at').notNull(),
    resolution: text('resolution').$type<(typeof ACCOUNT_CREDIT_RESOLUTIONS)[number]>(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [uniqueIndex('account_credits_provider').on(table.providerTransactionId)],
);
