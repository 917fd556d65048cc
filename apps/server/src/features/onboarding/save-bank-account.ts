import { randomUUID } from 'node:crypto';
import { bankAccounts } from '@portal/db/schema/schema.ts';
import { desc, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { checkAccountName } from '../advances/refresh-payee-facts.ts';
import { recordAudit } from '../audit/record-audit.ts';

type BankAccountForm = { account_holder: string; sort_code: string; account_number: string };

/** Saves the account that refunds are paid to. Accounts are only added; the newest counts, and a change holds payouts for a day. */
export async function saveBankAccount(deps: AppDeps, companyId: string, actor: Actor, form: BankAccountForm, ip: string): Promise<void> {
  const account = { accountHolder: form.account_holder, sortCode: form.sort_code, accountNumber: form.account_number };
  const nameCheck = await checkAccountName(deps, account);
  await deps.database.db.transaction(async (tx) => {
    const [current] = await tx
      .select()
      .from(bankAccounts)
      .where(eq(bankAccounts.companyId, companyId))
      .orderBy(desc(bankAccounts.createdAt))
      .limit(1);
    // Saving the same details again is not a change and must not hold a payout.
    if (
      current?.sortCode === account.sortCode &&
      current.accountNumber === account.accountNumber &&
      current.accountHolder === account.accountHolder
    ) {
      return;
    }
    const at = deps.clock.now();
    await tx.insert(bankAccounts).values({ companyId, id: randomUUID(), ...account, nameCheck, createdAt: at });
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'bank_account.saved',
      subject: companyId,
      after: { ...account, accountNumber: `****${account.accountNumber.slice(-4)}`, nameCheck: nameCheck.result },
      ip,
    });
  });
}
