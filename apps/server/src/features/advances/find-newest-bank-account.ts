import type { Db, Tx } from '@portal/db/database.ts';
import { bankAccounts } from '@portal/db/schema/schema.ts';
import { desc, eq } from '@portal/db/sql.ts';

/** Returns the account that a trader's refunds are paid to, or undefined if they haven't given one. */
export async function findNewestBankAccount(db: Db | Tx, companyId: string): Promise<typeof bankAccounts.$inferSelect | undefined> {
  const [account] = await db
    .select()
    .from(bankAccounts)
    .where(eq(bankAccounts.companyId, companyId))
    .orderBy(desc(bankAccounts.createdAt))
    .limit(1);
  return account;
}
