/**
 * Handles money that arrived on a collection account: stores it once, posts it as held for the trader, and matches it to the advance it
 * repays. Credits that can't be matched or posted wait for an operator (reconciliation exceptions).
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { bankCredits, collectionAccounts } from '@portal/db/schema/schema.ts';
import { findCreditProblem, isHmrcRemitter, matchCredit } from '@portal/domain/advances/match-credit.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postCredit } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { findReplacedRepayment } from '../reconciliation-exceptions/third-party-money.ts';
import { cancelCoveredDirectDebits } from '../shortfalls/cancel-direct-debit.ts';
import { syncShortfall } from '../shortfalls/sync-shortfall.ts';
import { enqueueRepaidEmail } from './advance-emails.ts';
import { allocateToAdvance, allocateToTrader } from './allocate-credit.ts';
import { listEarlyCredits, listHeldCredits, listMatchCandidates, listUnpaidCandidates, type CreditRow } from './credit-facts.ts';
import { lockAdvance, lockCompany, type AdvanceRow } from './transition-advance.ts';
import { listWrittenOffRefunds, sumWrittenOffAmounts } from './written-off.ts';

export type Credit = {
  readonly accountId: string;
  readonly transactionId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** In hundredths of the currency. */
  readonly amountPence: Pence;
  readonly settledAt: Instant;
  readonly remitter: string;
  readonly reference: string;
};

export async function receiveCredit(deps: AppDeps, credit: Credit): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [account] = await tx.select().from(collectionAccounts).where(eq(collectionAccounts.providerAccountId, credit.accountId));
    if (!account) {
      deps.logger.warn({ accountId: credit.accountId }, 'credit on an account that isn’t one of our collection accounts');
      return;
    }
    // Handle a company's credits one after another, because two concurrent credits must not repay the same advance.
    await lockCompany(tx, account.companyId);
    const row: CreditRow = {
      companyId: account.companyId,
      id: randomUUID(),
      providerTransactionId: credit.transactionId,
      currency: credit.currency,
      amountPence: credit.amountPence,
      remitter: credit.remitter,
      reference: credit.reference,
      receivedAt: credit.settledAt,
      returnedAt: null,
      returnReference: null,
    };
    const heldCredits = await listHeldCredits(tx, account.companyId);
    const insertedCredits = await tx.insert(bankCredits).values(row).onConflictDoNothing().returning({ id: bankCredits.id });
    if (insertedCredits.length === 0) return;
    const problem = findCreditProblem({ amount: row.amountPence, currency: row.currency });
    await recordReceivedCredit(deps, tx, row, problem);
    if (problem !== undefined) return;
    const candidates = await listMatchCandidates(tx, row.companyId);
    const heldAmounts = heldCredits.map(({ amountPence }) => amountPence);
    const writtenOff = await listWrittenOffRefunds(tx, row.companyId);
    // HMRC may pay a refund before we do. Its payment must not be taken for that of another refund, with the rest as the trader's.
    const unpaidCandidates = isHmrcRemitter(row.remitter) ? await listUnpaidCandidates(tx, row.companyId) : [];
    const match = matchCredit({ ...row, amount: row.amountPence }, [...candidates, ...unpaidCandidates], heldAmounts, writtenOff);
    if (!('advanceId' in match) || unpaidCandidates.some(({ id }) => id === match.advanceId))
      return cancelCoveredDirectDebits(deps, tx, row.companyId);
    await settleMatchedCredit(deps, tx, row, match.advanceId);
  });
}

/** Holds pounds for the trader until they are matched. Other currencies never reach the ledger. */
async function recordReceivedCredit(deps: AppDeps, tx: Tx, credit: CreditRow, problem: string | undefined): Promise<void> {
  const { companyId, id, currency, amountPence, remitter, reference } = credit;
  const at = deps.clock.now();
  const after = { currency, amount_pence: amountPence, remitter, reference, ...(problem === undefined ? {} : { problem }) };
  await recordAudit(tx, { companyId, at, actor: 'bank', action: 'credit.received', subject: id, after });
  if (problem !== undefined) return;
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `credit:${credit.providerTransactionId}`,
    description: `Credit of ${formatPounds(amountPence)} from ${remitter}`,
    postedAt: at,
    lines: postCredit(amountPence),
  });
}

async function settleMatchedCredit(deps: AppDeps, tx: Tx, credit: CreditRow, advanceId: string): Promise<void> {
  const advance = await lockAdvance(tx, credit.companyId, advanceId);
  if (!advance) return;
  const isFromHmrc = advance.state === 'awaiting_hmrc';
  const { to, applied } = await allocateWithSurplus(deps, tx, credit, advance, describeMatch(credit, advance));
  if (isFromHmrc && to === 'settled') await enqueueRepaidEmail(deps, tx, advance, credit.amountPence);
  const settledAdvance = await lockAdvance(tx, credit.companyId, advanceId);
  if (settledAdvance)
    await syncShortfall(deps, tx, settledAdvance, { actor: 'bank', at: deps.clock.now() }, isFromHmrc ? pence(0) : applied);
}

function describeMatch({ amountPence }: CreditRow, { state, refundPence: refund }: AdvanceRow): string {
  if (state !== 'awaiting_hmrc') return `${formatPounds(amountPence)} was paid towards the shortfall.`;
  const missingAmount = pence(Math.max(0, refund - amountPence));
  return missingAmount === 0 ? 'HMRC repaid the whole refund.' : `HMRC paid ${formatPounds(missingAmount)} less than the refund.`;
}

/**
 * Repays the advance up to the amount outstanding. The rest belongs to the trader, unless it may be ours: then two operators decide.
 */
async function allocateWithSurplus(deps: AppDeps, tx: Tx, credit: CreditRow, advance: AdvanceRow, reason: string) {
  const outstanding = (await listMatchCandidates(tx, advance.companyId)).find(({ id }) => id === advance.id)?.outstanding ?? pence(0);
  const appliedAmount = pence(Math.min(credit.amountPence, outstanding));
  const surplus = pence(credit.amountPence - appliedAmount);
  const context = { actor: 'bank', at: deps.clock.now(), requestId: null, reason };
  const { to } = await allocateToAdvance(tx, credit, advance, appliedAmount, context);
  if (surplus > 0 && !(await maySurplusBeOurs(tx, credit))) await allocateToTrader(tx, credit, surplus, context);
  return { to, applied: appliedAmount };
}

/** It may be for a refund that we wrote off, or HMRC's repayment of one for which a third party has paid us. */
async function maySurplusBeOurs(tx: Tx, credit: CreditRow): Promise<boolean> {
  if ((await sumWrittenOffAmounts(tx, credit.companyId)) > 0) return true;
  return isHmrcRemitter(credit.remitter) && (await findReplacedRepayment(tx, credit)) !== undefined;
}

/**
 * HMRC may repay before the payout, and until the payout the credit belongs to the trader. Afterwards a credit that covers the refund
 * repays the advance; a smaller one, or one of several that match, is left to an operator. The caller holds the company's lock and sends
 * the email. Returns true if settled.
 */
export async function settleWithEarlyCredit(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<boolean> {
  const earlyCredits = await listEarlyCredits(tx, advance);
  const candidates = await listMatchCandidates(tx, advance.companyId);
  const writtenOff = await listWrittenOffRefunds(tx, advance.companyId);
  const matchingCredits = earlyCredits.filter((credit) => {
    const otherAmounts = earlyCredits.filter(({ id }) => id !== credit.id).map(({ amountPence }) => amountPence);
    const match = matchCredit({ ...credit, amount: credit.amountPence }, candidates, otherAmounts, writtenOff);
    return 'advanceId' in match && match.advanceId === advance.id;
  });
  const [credit] = matchingCredits;
  if (!credit || matchingCredits.length > 1) return false;
  await allocateWithSurplus(deps, tx, credit, advance, 'HMRC had repaid the whole refund before the payout was sent.');
  return true;
}
