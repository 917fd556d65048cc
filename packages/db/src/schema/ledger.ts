/**
 * Double-entry ledger: append-only, in pence, and every posting sums to zero (checked by the database at commit). Balances are sums, never
 * columns.
 */
import { bigserial, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { companyId, instant, pence, plainDate } from './columns.ts';

export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    companyId: companyId(),
    id: uuid('id').notNull(),
    position: bigserial('position', { mode: 'number' }).notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    description: text('description').notNull(),
    onDate: plainDate('on_date').notNull(),
    postedAt: instant('posted_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('ledger_postings_once').on(table.companyId, table.idempotencyKey),
    index('ledger_postings_position').on(table.position),
  ],
);

/** One line of a posting. Positive = debit, negative = credit. */
export const ledgerLines = pgTable(
  'ledger_lines',
  {
    companyId: companyId(),
    postingId: uuid('posting_id').notNull(),
    account: text('account').notNull(),
    amountPence: pence('amount_pence').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.postingId, table.account] }),
    // Serves balances of one account across companies: the amounts we owe to traders, and the amounts they owe us.
    index('ledger_lines_account').on(table.account, table.companyId, table.amountPence),
  ],
);
