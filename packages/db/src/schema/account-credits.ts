/** Money that reached the account from which we pay and that isn't the return of a payout, for example our own funding. */
import type { AccountCreditKind } from '@portal/domain/advances/account-credit-kinds.ts';
import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, pence } from './columns.ts';

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
    resolution: text('resolution').$type<AccountCreditKind>(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [uniqueIndex('account_credits_provider').on(table.providerTransactionId)],
);
