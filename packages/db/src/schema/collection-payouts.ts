/** Payments from collection accounts. They are made at the payments provider, never by the portal. */
import type { CollectionPayoutKind } from '@portal/domain/advances/collection-payout-kinds.ts';
import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence } from './columns.ts';

export const collectionPayouts = pgTable(
  'collection_payouts',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    providerPayoutId: text('provider_payout_id').notNull(),
    amountPence: pence('amount_pence').notNull(),
    reference: text('reference').notNull(),
    accountHolder: text('account_holder').notNull(),
    /** Empty for an account outside the UK. */
    sortCode: text('sort_code').notNull(),
    accountNumber: text('account_number').notNull(),
    sentAt: instant('sent_at').notNull(),
    foundAt: instant('found_at').notNull(),
    /** `returned`: the receiving bank returned it. Null until it is explained. */
    resolution: text('resolution').$type<CollectionPayoutKind | 'returned'>(),
    resolvedAt: instant('resolved_at'),
    /** The recorded return of a credit that it made. */
    creditReturnId: uuid('credit_return_id'),
    /** Its arrival on the account from which we pay. */
    accountCreditId: uuid('account_credit_id'),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('collection_payouts_provider').on(table.providerPayoutId),
    // One payment made a recorded return, or is an arrival on our account.
    uniqueIndex('collection_payouts_return').on(table.creditReturnId),
    uniqueIndex('collection_payouts_arrival').on(table.accountCreditId),
    index('collection_payouts_open')
      .on(table.companyId)
      .where(sql`${table.resolution} is null`),
  ],
);
