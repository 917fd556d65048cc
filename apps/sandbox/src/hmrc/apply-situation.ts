/** Trader situations that the control page can set, with the records that HMRC would then hold. */
import { AppError } from '@portal/domain/app-error.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { RepaymentRecord, TraderRecord } from './hmrc-records.ts';
import { withStage } from './move-repayment.ts';
import { listObligationStates, listOverdueReturns } from './obligation-states.ts';
import { applyClock } from './trader-books.ts';
import { writeObligation } from './trader-history.ts';
import { ASSESSMENT_DEBIT } from './past-figures.ts';
import { getDueDateAfter, getPreviousPeriod } from './vat-periods.ts';

export const SITUATIONS = ['normal', 'overdue_return', 'query', 'adjustment', 'set_off', 'suspended', 'insolvent', 'debt'] as const;
export type Situation = (typeof SITUATIONS)[number];

/** An adjustment reduces a claim of 100 to 60; a set-off takes 40 of it. */
const ADJUSTED_PERCENT = 60;
const SET_OFF_PERCENT = 40;
const DEBT_PENCE = 275_000;

/** Applies the situation to the trader. A situation that affects a claim waits for the next claim if none is unpaid. */
export async function applySituation(context: HmrcContext, vrn: string, situation: Situation): Promise<void> {
  const trader = context.records.traders.get(vrn);
  if (!trader) throw new AppError('notFound', 'hmrc.no_trader', `No test organisation has the VAT number ${vrn}.`);
  await applyClock(context, trader);
  context.store.atomically(() => {
    switch (situation) {
      case 'normal':
        return clearSituation(context, trader);
      case 'insolvent':
        return context.records.traders.put(vrn, { ...trader, insolvent: true });
      case 'debt':
        return addDebt(context, trader, 'debt', DEBT_PENCE);
      case 'overdue_return':
        return addOverdueReturn(context, trader);
      case 'suspended':
        addOverdueReturn(context, trader);
        return suspendClaims(context, vrn);
      case 'query':
      case 'adjustment':
      case 'set_off': {
        const claim = findLatestUnpaid(context, vrn);
        if (claim) applyToClaim(context, trader, claim, situation);
        else context.records.traders.put(vrn, { ...trader, nextSituation: situation });
      }
    }
  });
}

/** Suspends a new claim while a return is outstanding; otherwise applies the situation chosen for the next claim. */
export function applyToNewClaim(context: HmrcContext, trader: TraderRecord, claim: RepaymentRecord): void {
  if (listOverdueReturns(context, trader.vrn).length > 0) suspendClaims(context, trader.vrn);
  else if (trader.nextSituation) {
    applyToClaim(context, trader, claim, trader.nextSituation);
    const { nextSituation: _nextSituation, ...rest } = trader;
    context.records.traders.put(trader.vrn, rest);
  }
}

/** Resumes suspended claims, as HMRC does when the last outstanding return is filed. */
export function resumeClaims(context: HmrcContext, vrn: string): void {
  if (listOverdueReturns(context, vrn).length > 0) return;
  const today = context.clock.today();
  for (const { key, document: claim } of context.records.repayments(vrn).list()) {
    if (claim.stage === 'REPAYMENT_SUSPENDED') context.records.repayments(vrn).put(key, withStage(claim, 'INITIAL', today));
  }
}

function applyToClaim(
  context: HmrcContext,
  trader: TraderRecord,
  claim: RepaymentRecord,
  situation: 'query' | 'adjustment' | 'set_off',
): void {
  const repayments = context.records.repayments(trader.vrn);
  const today = context.clock.today();
  if (situation === 'query') {
    repayments.put(claim.periodKey, withStage(withStage(claim, 'SENT_FOR_RISKING', today), 'CLAIM_QUERIED', today));
    return;
  }
  if (situation === 'adjustment') {
    const hmrcPence = Math.floor((claim.claimedPence * ADJUSTED_PERCENT) / 100);
    const charge = context.records.charges(trader.vrn).get(claim.chargeId);
    if (charge) {
      context.records.charges(trader.vrn).put(charge.chargeId, { ...charge, originalPence: -hmrcPence, outstandingPence: -hmrcPence });
    }
    repayments.put(claim.periodKey, { ...withStage(claim, 'REPAYMENT_ADJUSTED', today), hmrcPence });
    return;
  }
  const setOffTargetPence = Math.floor((claim.claimedPence * SET_OFF_PERCENT) / 100);
  if (getOutstandingDebtPence(context, trader.vrn) === 0) addDebt(context, trader, 'set off', setOffTargetPence);
  const setOffPence = Math.min(getOutstandingDebtPence(context, trader.vrn), claim.hmrcPence ?? claim.claimedPence);
  repayments.put(claim.periodKey, { ...claim, setOffPence });
}

/** Adds an overdue obligation before the oldest one, so that filed returns do not change. */
function addOverdueReturn(context: HmrcContext, trader: TraderRecord): void {
  if (listOverdueReturns(context, trader.vrn).length > 0) return;
  const oldestObligation = listObligationStates(context, trader.vrn)[0];
  if (!oldestObligation) throw new AppError('conflict', 'hmrc.no_obligations', 'The trader has no obligations yet.');
  writeObligation(context, trader, getPreviousPeriod(trader.stagger, oldestObligation));
}

function suspendClaims(context: HmrcContext, vrn: string): void {
  const repayments = context.records.repayments(vrn);
  for (const { key, document: claim } of repayments.list()) {
    const isOpen = claim.stage !== 'PAID' && claim.stage !== 'ADJUSMENT_TO_TAX_DUE' && claim.stage !== 'REPAYMENT_SUSPENDED';
    if (isOpen) repayments.put(key, withStage(claim, 'REPAYMENT_SUSPENDED', context.clock.today()));
  }
}

/** Adds an overdue assessment by an officer for an earlier period. */
function addDebt(context: HmrcContext, trader: TraderRecord, chargeId: string, amountPence: number): void {
  const today = context.clock.today();
  const endedPeriod = listObligationStates(context, trader.vrn).findLast(({ end, due }) => end < today && due < today);
  context.records.charges(trader.vrn).put(chargeId, {
    chargeId,
    ...(endedPeriod ? { period: { from: endedPeriod.start, to: endedPeriod.end } } : {}),
    type: ASSESSMENT_DEBIT,
    originalPence: amountPence,
    outstandingPence: amountPence,
    due: endedPeriod ? getDueDateAfter(endedPeriod.end) : addDays(today, -30),
  });
}

function clearSituation(context: HmrcContext, trader: TraderRecord): void {
  const { nextSituation: _nextSituation, ...rest } = trader;
  context.records.traders.put(trader.vrn, { ...rest, insolvent: false });
  for (const { periodKey } of listOverdueReturns(context, trader.vrn)) context.records.obligations(trader.vrn).delete(periodKey);
  for (const { key, document: charge } of context.records.charges(trader.vrn).list()) {
    if (charge.type === ASSESSMENT_DEBIT) context.records.charges(trader.vrn).delete(key);
  }
  for (const { key, document: claim } of context.records.repayments(trader.vrn).list()) {
    if (claim.stage !== 'PAID') context.records.repayments(trader.vrn).put(key, { ...claim, setOffPence: 0 });
  }
  resumeClaims(context, trader.vrn);
}

function getOutstandingDebtPence(context: HmrcContext, vrn: string): number {
  return context.records
    .charges(vrn)
    .list()
    .reduce((sum, { document }) => sum + Math.max(document.outstandingPence, 0), 0);
}

function findLatestUnpaid(context: HmrcContext, vrn: string): RepaymentRecord | undefined {
  return context.records
    .repayments(vrn)
    .list()
    .map(({ document }) => document)
    .findLast(({ stage }) => stage !== 'PAID' && stage !== 'ADJUSMENT_TO_TAX_DUE');
}
