/** Reads a mandate from GoCardless and stores its state, after a webhook or by polling. */
import type { Tx } from '@portal/db/database.ts';
import { advances, mandates } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { ZERO } from '@portal/domain/money.ts';
import { isLiveMandate, isSubmittedMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import type { DirectDebitProvider, Mandate } from '@portal/providers/gocardless/gocardless-port.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueProgress } from '../advances/enqueue-progress.ts';
import { findNewestBankAccount } from '../advances/find-newest-bank-account.ts';
import { findOtherHolder } from '../advances/find-other-holder.ts';
import { lockAdvance, lockCompany } from '../advances/transition-advance.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { sendMandateFailed } from '../shortfalls/shortfall-letters.ts';
import { watchShortfall } from '../shortfalls/sync-shortfall.ts';

export type MandateRow = typeof mandates.$inferSelect;

export const isThisMandate = ({ companyId, id }: Pick<MandateRow, 'companyId' | 'id'>) =>
  and(eq(mandates.companyId, companyId), eq(mandates.id, id));

export function getDirectDebits(deps: AppDeps): DirectDebitProvider {
  if (!deps.directDebits) throw new AppError('notFound', 'direct_debit.not_set_up', 'Direct Debit isn’t available. Pay by bank transfer.');
  return deps.directDebits;
}

type FoundMandate = Pick<MandateRow, 'status'> &
  Partial<Pick<MandateRow, 'providerMandateId' | 'reference' | 'nextChargeOn' | 'otherAccountEnding'>>;

export async function readMandate(deps: AppDeps, mandate: MandateRow): Promise<void> {
  const { db } = deps.database;
  const foundMandate = await findAtProvider(deps, mandate);
  if (!foundMandate || (await db.transaction((tx) => storeMandate(deps, tx, mandate, foundMandate)))) return;
  const [changedMandate] = await db.select().from(mandates).where(isThisMandate(mandate));
  if (changedMandate) await readMandate(deps, changedMandate);
}

async function findAtProvider(deps: AppDeps, mandate: MandateRow): Promise<FoundMandate | undefined> {
  const directDebits = getDirectDebits(deps);
  let { providerMandateId } = mandate;
  if (providerMandateId === null) {
    const request = mandate.billingRequestId === null ? undefined : await directDebits.findMandateRequest(mandate.billingRequestId);
    if (request?.status === 'cancelled') return { status: 'abandoned' };
    providerMandateId = request?.mandateId ?? null;
    if (providerMandateId === null) return undefined;
  }
  const foundMandate = await directDebits.findMandate(providerMandateId);
  if (!foundMandate) return undefined;
  const { status, reference, nextChargeOn } = foundMandate;
  const terms = { providerMandateId, reference: reference ?? null };
  const isFirst = mandate.providerMandateId === null;
  // A mandate that has been cancelled can come back: its bank can reinstate it (developer.gocardless.com, "Mandate actions").
  const otherAccountEnding = isFirst ? await findOtherAccount(deps, mandate.companyId, foundMandate) : mandate.otherAccountEnding;
  if (otherAccountEnding === null) return { ...terms, status, nextChargeOn: nextChargeOn ?? null };
  if (isLiveMandate(status)) await directDebits.cancelMandate(providerMandateId);
  return { ...terms, status: 'cancelled', nextChargeOn: null, otherAccountEnding };
}

/**
 * Returns the last digits of the account that a new mandate was set up on, if it isn't the account that we pay, or that one isn't the
 * trader's own. Otherwise a trader could enter a stranger's account, here or there: we would collect from the stranger, whose bank takes it
 * back.
 */
async function findOtherAccount(deps: AppDeps, companyId: string, { payerAccountId }: Mandate): Promise<string | null> {
  const { db } = deps.database;
  const account = await findNewestBankAccount(db, companyId);
  const ending = await getDirectDebits(deps).findAccountEnding(payerAccountId);
  const isOwn = account?.accountNumber.endsWith(ending) && (await findOtherHolder(db, account)) === undefined;
  return isOwn ? null : ending;
}

/**
 * `knownMandate` is the row as it was before GoCardless was asked. If its status has changed since, this answer may be older than the one
 * that changed it: returns false and changes nothing.
 */
async function storeMandate(deps: AppDeps, tx: Tx, knownMandate: MandateRow, foundMandate: FoundMandate): Promise<boolean> {
  const { companyId, id } = knownMandate;
  await lockCompany(tx, companyId);
  const [existing] = await tx.select().from(mandates).where(isThisMandate({ companyId, id })).for('update');
  if (!existing) return true;
  if (existing.status !== knownMandate.status) return false;
  const at = deps.clock.now();
  const activatedAt = existing.activatedAt ?? (foundMandate.status === 'active' ? at : null);
  const hasChanged = existing.status !== foundMandate.status;
  if (!hasChanged && existing.nextChargeOn === (foundMandate.nextChargeOn ?? null)) return true;
  await tx
    .update(mandates)
    .set({ ...foundMandate, activatedAt, updatedAt: at })
    .where(isThisMandate(existing));
  if (!hasChanged) return true;
  const { otherAccountEnding } = foundMandate;
  const reason = otherAccountEnding ? { reason: `set up on another account, which ends in ${otherAccountEnding}` } : {};
  const change = { before: { status: existing.status }, after: { status: foundMandate.status, ...reason } };
  await recordAudit(tx, { companyId, at, actor: 'bank', action: `mandate.${foundMandate.status}`, subject: id, ...change });
  if (isSubmittedMandate(foundMandate.status)) await resumePayouts(deps, tx, companyId);
  if (!isLiveMandate(foundMandate.status)) await watchSecuredAdvances(deps, tx, existing);
  return true;
}

/** A payout may have been waiting for the mandate. */
async function resumePayouts(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const waitingAdvances = await listAdvances(tx, companyId, STATES_BEFORE_PAYOUT);
  for (const { id } of waitingAdvances) await enqueueProgress(deps, tx, companyId, id);
}

/** Watches paid advances whose mandate has ended: the bank rejected it, or the payer cancelled it after being paid. */
async function watchSecuredAdvances(deps: AppDeps, tx: Tx, { companyId, status, reference }: MandateRow): Promise<void> {
  if (!isSubmittedMandate(status)) return;
  for (const { id } of await listAdvances(tx, companyId, ['paying', 'paid', 'awaiting_hmrc'])) {
    const advance = await lockAdvance(tx, companyId, id);
    if (!advance) continue;
    // Includes the reference, because a case that was closed for an earlier mandate opens again for this one.
    const causeText = `The Direct Debit${reference === null ? '' : ` ${reference}`} that this payout needed has ended.`;
    const context = { actor: 'bank', at: deps.clock.now() };
    const watchedShortfall = await watchShortfall(deps, tx, advance, context, { cause: 'mandate_failed', causeText, suspected: ZERO });
    if (watchedShortfall) await sendMandateFailed(deps, tx, advance, watchedShortfall);
  }
}

function listAdvances(tx: Tx, companyId: string, states: readonly string[]): Promise<{ id: string }[]> {
  return tx
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.mandateRequired, true), inArray(advances.state, states)));
}
