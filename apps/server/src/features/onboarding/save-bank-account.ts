import { randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { onboardingApi } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { advances, bankAccounts, type NameCheck } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, formatInstant } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';
import { checkAccountName } from '../advances/refresh-payee-facts.ts';
import { checkAccount, sealAccount } from '../advances/payout-facts.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { assertStillHasRight } from '../company-people/assert-right.ts';
import { confirmPerson, type IdentityProof } from '../security/confirm-person.ts';
import { findNewestBankAccount } from '../advances/find-newest-bank-account.ts';

type BankAccountForm = IdentityProof & { account_holder: string; sort_code: string; account_number: string };
type AccountDetails = { readonly accountHolder: string; readonly sortCode: string; readonly accountNumber: string };

/**
 * `renamed` is the same account with a different holder's name. `confirmed` is the same account, but without proof that the portal wrote
 * it, because it was saved before seals were introduced or written with SQL.
 */
type SavedAs = EndpointOutput<typeof onboardingApi.saveBankAccount>['saved_as'];
type SavedAccount = { readonly nameCheck: NameCheck; readonly savedAs: SavedAs };

/**
 * Saves the account that refunds are paid to, and asks its bank whether the name matches. Accounts are only added; the latest applies. A
 * change requires the user to reauthenticate, is emailed to every owner, and holds payouts for a day. The same applies to confirming an
 * account without a seal, because someone else may have written it.
 */
export async function saveBankAccount(
  deps: AppDeps,
  companyId: string,
  actor: Actor,
  form: BankAccountForm,
  ip: string,
): Promise<SavedAccount> {
  const account = { accountHolder: form.account_holder, sortCode: form.sort_code, accountNumber: form.account_number };
  const currentAccount = await findNewestBankAccount(deps.database.db, companyId);
  const savedAs = toSavedAs(deps, currentAccount, account);
  // Saving the same details again is not a change and must not hold a payout.
  if (currentAccount && savedAs === 'unchanged')
    return { savedAs, nameCheck: currentAccount.nameCheck ?? (await checkAccountName(deps, account)) };
  if (currentAccount) await confirmPerson(deps, actor, form);
  const nameCheck = await checkAccountName(deps, account);
  await deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    await assertStillHasRight(tx, 'company.manage', companyId, actor.userId);
    const current = await findNewestBankAccount(tx, companyId);
    // Another owner has since saved an account, so this user confirmed a change to a different one.
    if (current?.id !== currentAccount?.id)
      throw new AppError('conflict', 'bank_account.changed', 'The bank account has just been changed. Reload the page.');
    const at = deps.clock.now();
    const accountSince = current && savedAs === 'renamed' ? (current.accountSince ?? current.createdAt) : null;
    const row = { companyId, id: randomUUID(), ...account, nameCheck, createdAt: at, accountSince };
    await tx.insert(bankAccounts).values({ ...row, seal: sealAccount(deps.tokenCipher, row) });
    if (current) await enqueueChangeEmail(deps, tx, companyId, { actor, from: current, to: account, savedAs });
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
    await enqueueQuotes(deps, tx, companyId);
  });
  return { nameCheck, savedAs };
}

/** An offer that was priced before the account was known says that there is none. */
async function enqueueQuotes(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const ineligibleQuotes = await tx
    .select({ obligationId: advances.obligationId })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.state, 'quoted'), eq(advances.eligible, false)));
  for (const { obligationId } of ineligibleQuotes)
    await deps.enqueue(tx, 'advance.quote', { company_id: companyId, obligation_id: obligationId });
}

function toSavedAs(deps: AppDeps, currentAccount: typeof bankAccounts.$inferSelect | undefined, account: AccountDetails): SavedAs {
  if (!currentAccount) return 'added';
  if (currentAccount.sortCode !== account.sortCode || currentAccount.accountNumber !== account.accountNumber) return 'changed';
  if (checkAccount(deps.tokenCipher, currentAccount) !== 'sealed') return 'confirmed';
  return currentAccount.accountHolder === account.accountHolder ? 'unchanged' : 'renamed';
}

function toAuditEntry({ accountHolder, sortCode, accountNumber }: AccountDetails) {
  return { accountHolder, sortCode, accountNumber: `****${accountNumber.slice(-4)}` };
}

type BankAccountChange = { readonly actor: Actor; readonly from: AccountDetails; readonly to: AccountDetails; readonly savedAs: SavedAs };

function enqueueChangeEmail(deps: AppDeps, tx: Tx, companyId: string, { actor, from, to, savedAs }: BankAccountChange): Promise<void> {
  const holdHours = getAdvanceTerms(deps.clock.today()).bankChangeHoldHours;
  const holdEndText = formatInstant(addMilliseconds(deps.clock.now(), holdHours * 3_600_000));
  const formatAccountEnd = (account: AccountDetails) => `Ends in ${account.accountNumber.slice(-4)}`;
  return enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    ...describeChange(savedAs, { by: actor.fullName, name, until: holdEndText }),
    facts: [
      ...(savedAs === 'changed' ? [['Previous account', formatAccountEnd(from)] as const] : []),
      ...(savedAs === 'renamed' ? [['Previous account holder', from.accountHolder] as const] : []),
      [savedAs === 'changed' ? 'New account' : 'Account', `${to.accountHolder}, ${formatAccountEnd(to).toLowerCase()}`],
      [savedAs === 'changed' ? 'Changed by' : 'Saved by', `${actor.fullName} (${actor.email})`],
    ],
    action: { label: 'Check your bank account', path: `${PAGES.stepBankAccount.path}?${new URLSearchParams({ company_id: companyId })}` },
  }));
}

type NoticeFields = { readonly by: string; readonly name: string; readonly until: string };

/** A new name for the same account doesn't redirect any money, so it doesn't hold a payout. */
function describeChange(savedAs: SavedAs, { by, name, until }: NoticeFields) {
  if (savedAs === 'renamed')
    return {
      subject: `${name}: the name on your bank account was changed`,
      preheader: 'Sort code and account number are the same.',
      heading: 'The name on your bank account was changed',
      paragraphs: [
        `${by} changed the account holder’s name on the account we pay ${name}’s refunds into. Its sort code and account number are the same.`,
        'If you don’t recognise this change, contact us now.',
      ],
    };
  if (savedAs === 'confirmed')
    return {
      subject: `${name}: your bank account was confirmed`,
      preheader: `We’ll pay into it from ${until}.`,
      heading: 'Your bank account was confirmed',
      paragraphs: [
        `${by} confirmed that we should pay ${name}’s refunds into the account below. We asked for this to check that it’s yours, and won’t pay anything before ${until}.`,
        'If this isn’t your account, change it and contact us now.',
      ],
    };
  return {
    subject: `${name}: your bank account was changed`,
    preheader: `Payments are on hold until ${until}.`,
    heading: 'Your bank account was changed',
    paragraphs: [
      `${by} changed the account we pay ${name}’s refunds into. We won’t pay anything before ${until}.`,
      'If you don’t recognise this change, change the account back and contact us now.',
    ],
  };
}
