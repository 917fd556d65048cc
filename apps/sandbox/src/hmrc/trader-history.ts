/** The history of a generated trader: returns that HMRC already holds, with matching charges, payments and repayments. */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { ChargeRecord, ObligationRecord, PaymentRecord, RepaymentRecord, ReturnRecord, TraderRecord } from './hmrc-records.ts';
import { addWeekdays } from './london-time.ts';
import { getDueDateAfter, getNextPeriod, getPeriodContaining, toPeriodKey, getPreviousPeriod, type Period } from './vat-periods.ts';
import { createPastBoxes, getVariation, toReturnCharge, getRepaymentReference, CORRECTION_DEBIT } from './past-figures.ts';

/**
 * Writes a trader with obligations up to the current period. The last one that has ended is open; earlier ones are fulfilled according to
 * the history.
 */
export function writeTraderWithHistory(context: HmrcContext, trader: TraderRecord): void {
  const { records, clock } = context;
  const today = clock.today();
  records.traders.put(trader.vrn, trader);
  const current = getPeriodContaining(trader.stagger, today);
  const endedPeriod = getPreviousPeriod(trader.stagger, current);
  const pastPeriods: Period[] = [];
  for (let period = endedPeriod; pastPeriods.length < trader.history.fulfilledPeriods;) {
    period = getPreviousPeriod(trader.stagger, period);
    pastPeriods.unshift(period);
  }
  for (const period of [...pastPeriods, endedPeriod, current]) writeObligation(context, trader, period);
  for (const [index, period] of pastPeriods.entries()) writePastReturn(context, trader, period, pastPeriods.length - index, today);
  if (trader.history.kind === 'exporter' && pastPeriods[1]) writePaidCorrection(context, trader, pastPeriods[1]);
}

/** An obligation is created on the first day of its period, whether or not the previous one is fulfilled. */
export function addObligationsUntil(context: HmrcContext, trader: TraderRecord, today: PlainDate): void {
  const obligations = context.records.obligations(trader.vrn);
  let last = obligations
    .list()
    .map(({ document }) => document)
    .reduce<ObligationRecord | undefined>((latest, record) => (latest && latest.end > record.end ? latest : record), undefined);
  while (last && last.end < today) last = writeObligation(context, trader, getNextPeriod(trader.stagger, last));
}

export function writeObligation(context: HmrcContext, trader: TraderRecord, period: Period): ObligationRecord {
  const periodKey = toPeriodKey(trader.vrn, trader.stagger, period);
  const obligation: ObligationRecord = { periodKey, start: period.start, end: period.end, due: getDueDateAfter(period.end) };
  context.records.obligations(trader.vrn).put(periodKey, obligation);
  return obligation;
}

/** Deletes the generated history. The caller must have checked that no return was filed. */
export function deleteTraderRecords(context: HmrcContext, vrn: string): void {
  const { records } = context;
  for (const collection of [
    records.obligations(vrn),
    records.returns(vrn),
    records.charges(vrn),
    records.payments(vrn),
    records.repayments(vrn),
  ]) {
    for (const { key } of collection.list()) collection.delete(key);
  }
}

function writePastReturn(context: HmrcContext, trader: TraderRecord, period: Period, periodsAgo: number, today: PlainDate): void {
  const { records } = context;
  const periodKey = toPeriodKey(trader.vrn, trader.stagger, period);
  const boxes = createPastBoxes(trader, periodsAgo);
  const yesterday = addDays(today, -1);
  const receivedOn = getEarlierDate(addDays(period.end, 10 + Math.floor(getVariation(trader.vrn, periodsAgo) * 20)), yesterday);
  const fulfilledOn = getEarlierDate(addDays(receivedOn, 1), today);
  records.returns(trader.vrn).put(periodKey, { periodKey, boxes, receivedOn, fulfilledOn, source: 'history' } satisfies ReturnRecord);
  const charge = toReturnCharge(periodKey, period, boxes);
  if (!charge) return;
  if (charge.originalPence > 0) {
    const payment: PaymentRecord = {
      chargeId: charge.chargeId,
      amountPence: charge.originalPence,
      receivedOn: getEarlierDate(addDays(charge.due, -2), yesterday),
    };
    records.charges(trader.vrn).put(charge.chargeId, { ...charge, outstandingPence: 0 });
    records.payments(trader.vrn).put(charge.chargeId, payment);
    return;
  }
  const approvedOn = getEarlierDate(addDays(receivedOn, 9), today);
  const paidOn = getEarlierDate(addWeekdays(approvedOn, 3), today);
  records.charges(trader.vrn).put(charge.chargeId, { ...charge, outstandingPence: 0 });
  records.repayments(trader.vrn).put(periodKey, {
    vrn: trader.vrn,
    periodKey,
    chargeId: charge.chargeId,
    returnCreationDate: receivedOn,
    claimedPence: -charge.originalPence,
    setOffPence: 0,
    stage: 'PAID',
    stages: [
      { stage: 'INITIAL', on: receivedOn },
      { stage: 'REPAYMENT_APPROVED', on: approvedOn },
      { stage: 'PAID', on: paidOn },
    ],
    // This payment predates the sandbox, so the bank simulator has no record of it.
    paid: {
      on: paidOn,
      amountPence: -charge.originalPence,
      reference: getRepaymentReference(trader.vrn),
      by: trader.repaymentAccount ? 'bank' : 'payable_order',
      ...(trader.repaymentAccount ? { account: trader.repaymentAccount } : {}),
    },
  } satisfies RepaymentRecord);
}

/** Writes an error correction for an earlier return, already paid, so that exporters also have a payment. */
function writePaidCorrection(context: HmrcContext, trader: TraderRecord, period: Period): void {
  const amountPence = 20_000 + Math.floor(getVariation(trader.vrn, 99) * 30_000);
  const dueOn = addDays(getDueDateAfter(period.end), 30);
  const charge: ChargeRecord = {
    chargeId: 'correction',
    period: { from: period.start, to: period.end },
    type: CORRECTION_DEBIT,
    originalPence: amountPence,
    outstandingPence: 0,
    due: dueOn,
  };
  context.records.charges(trader.vrn).put(charge.chargeId, charge);
  context.records.payments(trader.vrn).put(charge.chargeId, {
    chargeId: charge.chargeId,
    amountPence,
    receivedOn: getEarlierDate(addDays(dueOn, -5), addDays(context.clock.today(), -1)),
  });
}

function getEarlierDate(a: PlainDate, b: PlainDate): PlainDate {
  return a < b ? a : b;
}
