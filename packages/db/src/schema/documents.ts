/** A trader's choices for its documents. The documents themselves are generated on request. */
import type { JournalAccountNames, JournalSoftware } from '@portal/domain/ledger/journal-files.ts';
import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { companyId, instant } from './columns.ts';

/** The accounts in the trader's books that its journals use, for each bookkeeping product. */
export const journalAccounts = pgTable(
  'journal_accounts',
  {
    companyId: companyId(),
    software: text('software').$type<JournalSoftware>().notNull(),
    accounts: jsonb('accounts').$type<JournalAccountNames>().notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.software] })],
);
