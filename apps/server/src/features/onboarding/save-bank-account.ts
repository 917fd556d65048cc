import { randomUUID } from 'node:crypto';
import { PAGES } from '@portal/contract/pages.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { bankAccounts, type NameCheck } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, formatInstant } from '@portal/domain/clock.ts';
import { desc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';
import { checkAccountName } from '../advances/refresh-payee-facts.ts';
import { isAccountSealed, sealAccount } from '../advances/payout-facts.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { confirmPerson, type Proof } from '../security/confirm-person.ts';

type BankAccountForm = Proof & { account_holder: string; sort_code: string; account_number: string };
type Account = { readonly accountHolder: string; readonly sortCode: string; readonly accountNumber: string };

/**
 * Saves the account that refunds are paid to, and asks its bank whether it belongs to the name. Accounts are only added; the newest counts.
 * A change needs a fresh factor of the person, is emailed to every owner, and holds payouts for a day.
 */
export async function saveBankAccount(
  deps: AppDeps,
  companyId: string,
  actor: Actor,
  form: BankAccountForm,
  ip: string,
): Promise<NameCheck> {
  const account = { accountHolder: form.account_holder, sortCode: form.sort_code, accountNumber: form.account_number };
  const known = await findCurrent(deps.database.db, companyId);
  // Saving the same details again is not a change and must not hold a payout.
  const isKnown = known !== undefined && isSameAccount(known, account);
  if (isKnown && isAccountSealed(deps.tokenCipher, known)) return known.nameCheck ?? checkAccountName(deps, account);
  if (known) await confirmPerson(deps, actor, form);
  const nameCheck = await checkAccountName(deps, account);
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const current = await findCurrent(tx, companyId);
    // Another owner has saved an account since: this person confirmed a change of a different one.
    if (current?.id !== known?.id)
      throw new AppError('conflict', 'bank_account.changed', 'The bank account has just been changed. Reload the page.');
    const at = deps.clock.now();
    const row = { companyId, id: randomUUID(), ...account, nameCheck, createdAt: at };
    await tx.insert(bankAccounts).values({ ...row, seal: sealAccount(deps.tokenCipher, row) });
    if (current) await enqueueChangeEmail(deps, tx, companyId, { actor, from: current, to: account });
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'bank_account.saved',
      subject: companyId,
      ...(current ? { before: toAuditEntry(current) } : {}),
      after: { ...toAuditEntry(account), nameCheck: nameCheck.result },
      ip,
    });
  });
  return nameCheck;
}

async function findCurrent(db: Db | Tx, companyId: string): Promise<typeof bankAccounts.$inferSelect | undefined> {
  const [current] = await db
    .select()
    .from(bankAccounts)
    .where(eq(bankAccounts.companyId, companyId))
    .orderBy(desc(bankAccounts.createdAt))
    .limit(1);
  return current;
}

function isSameAccount(a: Account, b: Account): boolean {
  return a.sortCode === b.sortCode && a.accountNumber === b.accountNumber && a.accountHolder === b.accountHolder;
}

function toAuditEntry({ accountHolder, sortCode, accountNumber }: Account) {
  return { accountHolder, sortCode, accountNumber: `****${accountNumber.slice(-4)}` };
}

type Change = { readonly actor: Actor; readonly from: Account; readonly to: Account };

function enqueueChangeEmail(deps: AppDeps, tx: Tx, companyId: string, { actor, from, to }: Change): Promise<void> {
  const holdHours = getAdvanceTerms(deps.clock.today()).bankChangeHoldHours;
  const until = formatInstant(addMilliseconds(deps.clock.now(), holdHours * 3_600_000));
  return enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: your bank account was changed`,
    preheader: `Payments are on hold until ${until}.`,
    heading: 'Your bank account was changed',
    paragraphs: [
      `${actor.fullName} changed the account into which we pay ${name}’s refunds. We won’t pay anything before ${until}.`,
      'If you don’t recognise this change, change the account back and contact us now.',
    ],
    facts: [
      ['Account before', `Ends in ${from.accountNumber.slice(-4)}`],
      ['Account now', `${to.accountHolder}, ends in ${to.accountNumber.slice(-4)}`],
      ['Changed by', `${actor.fullName} (${actor.email})`],
    ],
    action: { label: 'Check your bank account', path: `${PAGES.stepBankAccount.path}?${new URLSearchParams({ company_id: companyId })}` },
  }));
}
