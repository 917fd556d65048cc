/**
 * Decides whether an order that the payments provider didn't take at once may still be sent. It was decided on the facts of its time, and an
 * outage can last for days: until it is sent, HMRC may pay elsewhere, the trader may change the account or cancel the mandate, or the
 * screening find something.
 */
import type { Tx } from '@portal/db/database.ts';
import { mandates, type payouts } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { findChangedRules } from '@portal/domain/advances/find-changed-rules.ts';
import { areFactsStale } from '@portal/domain/advances/payout-gate.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { isSubmittedMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findSurplusHold } from '../reconciliation-exceptions/find-surplus-hold.ts';
import { findScreeningHold } from '../screening/find-screening-hold.ts';
import { EARLY_CREDIT_HOLD_REASON } from './early-credits.ts';
import { findNewestBankAccount } from './find-newest-bank-account.ts';
import { findPayoutHold } from './recheck-refund.ts';
import { evaluateAdvance } from './review-rules.ts';
import type { AdvanceRow } from './transition-advance.ts';

/** Facts may become this much older between the order and the call, so that an order isn't held by the minutes that sending it takes. */
const SENDING_MARGIN_MS = 3_600_000;

type PayoutRow = typeof payouts.$inferSelect;

/** `text` is the sentence for the trader, `failure` the reason on the failed order, for operators. */
export type OrderHold = { readonly text: string; readonly failure: string };

const CHANGED_ACCOUNT: OrderHold = {
  text: 'The bank account was changed before the payment could be sent. We’re checking the payment before we send it again.',
  failure: 'the bank account was changed before it could be sent',
};
const NO_MANDATE: OrderHold = {
  text: 'The Direct Debit that this payment needs has ended. Set it up again, and we’ll check the payment before we send it.',
  failure: 'the Direct Debit mandate that it needs has ended',
};
const OUTDATED: OrderHold = {
  text: 'The payment couldn’t be sent in time, and its checks are out of date. We’re checking it before we send it again.',
  failure: 'it couldn’t be sent before its checks were out of date',
};

/**
 * Returns why the order must not be sent, or null. The caller holds the locks of the company and the advance. `advance` is undefined for
 * money that we owe to a trader.
 */
export async function findOrderHold(deps: AppDeps, tx: Tx, payout: PayoutRow, advance: AdvanceRow | undefined): Promise<OrderHold | null> {
  const validUntil = addMilliseconds(deps.clock.now(), -SENDING_MARGIN_MS);
  if (await hasChangedAccount(tx, payout)) return CHANGED_ACCOUNT;
  if (advance?.mandateRequired && !(await hasSubmittedMandate(tx, advance))) return NO_MANDATE;
  const refundHold = advance ? await findPayoutHold(tx, advance, deps.clock.today()) : null;
  if (refundHold === EARLY_CREDIT_HOLD_REASON) return { text: refundHold, failure: 'money from HMRC reached the collection account first' };
  if (refundHold !== null) return { text: refundHold, failure: 'HMRC’s figures no longer allowed it' };
  const screeningHold = await findScreeningHold(tx, payout.companyId, validUntil);
  // The same words whether a screening is missing or found something.
  if (screeningHold) return { text: screeningHold.text, failure: 'its checks weren’t complete' };
  if (!advance) {
    const failure = await findSurplusHold(tx, payout, deps.clock.now());
    return failure === null ? null : { text: 'We’re checking this payment before we send it.', failure };
  }
  const isOutdated = areFactsStale(advance.factsReadAt, getAdvanceTerms(toLondonDate(advance.quotedAt)), validUntil);
  return isOutdated || (await hasChangedRules(deps, tx, advance, payout.createdAt, validUntil)) ? OUTDATED : null;
}

/** A new name for the same account redirects no money. */
async function hasChangedAccount(tx: Tx, { companyId, sortCode, accountNumber }: PayoutRow): Promise<boolean> {
  const newest = await findNewestBankAccount(tx, companyId);
  return newest !== undefined && (newest.sortCode !== sortCode || newest.accountNumber !== accountNumber);
}

async function hasSubmittedMandate(tx: Tx, { companyId }: AdvanceRow): Promise<boolean> {
  const rows = await tx.select({ status: mandates.status }).from(mandates).where(eq(mandates.companyId, companyId));
  return rows.some(({ status }) => isSubmittedMandate(status));
}

/** The rules were evaluated when the payment was ordered, so they are evaluated again only for an order that has waited. */
async function hasChangedRules(deps: AppDeps, tx: Tx, advance: AdvanceRow, orderedAt: Instant, waitedSince: Instant): Promise<boolean> {
  if (orderedAt > waitedSince) return false;
  const { failed, unreviewedRule } = findChangedRules(advance.rules, await evaluateAdvance(deps, tx, advance));
  return failed !== undefined || unreviewedRule !== undefined;
}
