/**
 * Sends a trader to GoCardless's page to set up a Direct Debit. The request is stored before the call, so a retry doesn't create a second
 * one.
 */
import { randomUUID } from 'node:crypto';
import { PAGES } from '@portal/contract/pages.ts';
import { companies, mandates, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isLiveMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findNewestBankAccount } from '../advances/find-newest-bank-account.ts';
import { findOtherHolder } from '../advances/find-other-holder.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { getDirectDebits, isThisMandate, readMandate, type MandateRow } from './read-mandate.ts';

export async function startMandate(
  deps: AppDeps,
  user: ActingUser,
  companyId: string,
  obligationId: string,
): Promise<{ authorisation_url: string }> {
  const directDebits = getDirectDebits(deps);
  await assertOwnAccount(deps, companyId);
  const mandate = await ensureRequested(deps, user, companyId);
  let billingRequestId = mandate.billingRequestId;
  if (billingRequestId === null) {
    billingRequestId = (await directDebits.requestMandate({ idempotencyKey: mandate.id })).billingRequestId;
    await deps.database.db.update(mandates).set({ billingRequestId }).where(isThisMandate(mandate));
  }
  const [payer] = await deps.database.db
    .select({ companyName: companies.name, email: users.email })
    .from(companies)
    .innerJoin(users, eq(users.id, user.actor.userId))
    .where(eq(companies.id, companyId));
  const query = new URLSearchParams({ company_id: companyId, obligation_id: obligationId });
  const page = `${deps.site.publicUrl}/portal${PAGES.advance.path}?${query}`;
  const { authorisationUrl } = await directDebits.startFlow({
    idempotencyKey: randomUUID(),
    billingRequestId,
    returnUrl: page,
    exitUrl: page,
    payer: { companyName: payer?.companyName ?? '', email: payer?.email ?? '' },
  });
  return { authorisation_url: authorisationUrl };
}

/** The Direct Debit must be on the account that we pay (read-mandate.ts), so that one must be known, and the trader's own. */
async function assertOwnAccount(deps: AppDeps, companyId: string): Promise<void> {
  const account = await findNewestBankAccount(deps.database.db, companyId);
  if (!account) {
    const message = 'Add the business’s bank account first, then set up the Direct Debit on that account.';
    throw new AppError('conflict', 'direct_debit.no_account', message);
  }
  const otherHolder = await findOtherHolder(deps.database.db, account);
  if (otherHolder === undefined) return;
  const message = `The Direct Debit must be on the account that we pay, which is in the name of ${otherHolder}. Change your bank details to an account in the company’s own name first.`;
  throw new AppError('conflict', 'direct_debit.account_of_another', message);
}

/** Returns the company's unfinished request, or a new one. */
async function ensureRequested(deps: AppDeps, { actor, caller }: ActingUser, companyId: string): Promise<MandateRow> {
  await refreshRequested(deps, companyId);
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const rows = await tx.select().from(mandates).where(eq(mandates.companyId, companyId)).orderBy(desc(mandates.requestedAt));
    const live = rows.find(({ status }) => isLiveMandate(status));
    if (live && live.status !== 'requested') {
      throw new AppError('conflict', 'direct_debit.exists', 'You’ve already set up a Direct Debit. Reload the page.');
    }
    if (live) return live;
    const at = deps.clock.now();
    const row = { companyId, id: randomUUID(), status: 'requested', requestedBy: actor.userId, requestedAt: at, updatedAt: at } as const;
    await tx.insert(mandates).values(row);
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'mandate.requested', subject: row.id, ip: caller.ip });
    return {
      ...row,
      billingRequestId: null,
      providerMandateId: null,
      reference: null,
      otherAccountEnding: null,
      nextChargeOn: null,
      activatedAt: null,
    };
  });
}

/** The payer may have just finished the page, or GoCardless may have ended the request. */
async function refreshRequested(deps: AppDeps, companyId: string): Promise<void> {
  const rows = await deps.database.db
    .select()
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.status, 'requested')));
  for (const mandate of rows) await readMandate(deps, mandate);
}
