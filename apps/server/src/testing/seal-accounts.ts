/** Seals bank accounts that tests write with SQL, as if the portal had written them. */
import { bankAccounts } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { sealAccount } from '../features/advances/payout-facts.ts';
import type { TestPortal } from './open-test-portal.ts';

export async function sealAccounts({ deps }: Pick<TestPortal, 'deps'>, companyId: string): Promise<void> {
  const { db } = deps.database;
  for (const account of await db.select().from(bankAccounts).where(eq(bankAccounts.companyId, companyId))) {
    await db
      .update(bankAccounts)
      .set({ seal: sealAccount(deps.tokenCipher, account) })
      .where(eq(bankAccounts.id, account.id));
  }
}
