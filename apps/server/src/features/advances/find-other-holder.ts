import type { Db, Tx } from '@portal/db/database.ts';
import type { bankAccounts } from '@portal/db/schema/schema.ts';
import { compareCompanyNames } from '@portal/domain/advances/compare-names.ts';
import { listTraderNames } from '../reconciliation-exceptions/third-party-money.ts';

type Account = Pick<typeof bankAccounts.$inferSelect, 'companyId' | 'accountHolder' | 'nameCheck'>;

/**
 * Describes in whose name an account is if it isn't the trader's own, as far as the registers and its bank say. Undefined if it may be
 * theirs: a similar name, or one that the bank couldn't check.
 */
export async function findOtherHolder(db: Db | Tx, { companyId, accountHolder, nameCheck }: Account): Promise<string | undefined> {
  const names = await listTraderNames(db, companyId);
  if (names.every((name) => compareCompanyNames(accountHolder, name) === 'none')) return accountHolder;
  return nameCheck?.result === 'no_match' ? `${accountHolder}, which the bank hasn’t confirmed` : undefined;
}
