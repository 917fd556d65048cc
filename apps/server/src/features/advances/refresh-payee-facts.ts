/** Refreshes facts about the payee that don't come from HMRC: Companies House, and the bank's check of the account name. */
import { bankAccounts, type NameCheck } from '@portal/db/schema/schema.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findNewestBankAccount } from './find-newest-bank-account.ts';
import { refreshRegisterFacts } from '../company-look-up/refresh-register-facts.ts';
import { checkAccount, sealAccount } from './payout-facts.ts';

type PayeeAccount = { readonly accountHolder: string; readonly sortCode: string; readonly accountNumber: string };

/** Call it before the rules are evaluated. Facts that can't be read stay unknown, and someone must then review them. */
export async function refreshPayeeFacts(deps: AppDeps, companyId: string): Promise<void> {
  await refreshRegisterFacts(deps, companyId);
  const { db } = deps.database;
  const account = await findNewestBankAccount(db, companyId);
  if (!account || (account.nameCheck !== null && account.nameCheck.result !== 'unavailable')) return;
  // Storing the bank's response would seal an account that someone else wrote, or may have written.
  if (checkAccount(deps.tokenCipher, account) !== 'sealed') return;
  const nameCheck = await checkAccountName(deps, account);
  await db
    .update(bankAccounts)
    .set({ nameCheck, seal: sealAccount(deps.tokenCipher, { ...account, nameCheck }) })
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.id, account.id), isUnchanged(account)));
}

/**
 * Returns true if the details haven't changed since the bank's check. Otherwise the seal wouldn't match the row, and the account would be
 * unusable.
 */
const isUnchanged = ({ accountHolder, sortCode, accountNumber }: PayeeAccount) =>
  and(eq(bankAccounts.accountHolder, accountHolder), eq(bankAccounts.sortCode, sortCode), eq(bankAccounts.accountNumber, accountNumber));

/** Checks with the bank whether the account belongs to the name. A failure counts as the result "unavailable". */
export async function checkAccountName(deps: AppDeps, { accountHolder, sortCode, accountNumber }: PayeeAccount): Promise<NameCheck> {
  const checkedAt = deps.clock.now();
  const createUnavailableCheck = (reason: string): NameCheck => ({ result: 'unavailable', check_id: null, reason, checked_at: checkedAt });
  if (!deps.accountNameCheck) return createUnavailableCheck('not set up');
  try {
    const { result, name, checkId, reason } = await deps.accountNameCheck.checkBusinessAccount({
      name: accountHolder,
      sortCode,
      accountNumber,
    });
    return { result, ...(name === undefined ? {} : { name }), check_id: checkId, reason, checked_at: checkedAt };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'the name on a bank account could not be checked');
    return createUnavailableCheck(error.failure);
  }
}
