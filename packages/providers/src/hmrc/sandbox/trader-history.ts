/** The past of a generated trader: returns HMRC already holds, and the charges, payments and repayments that agree with them. */
import { ZERO, pence, toWholePounds, type Pence, type WholePounds } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { VatReturnBoxes } from '../hmrc-client.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { ChargeRecord, ObligationRecord, PaymentRecord, RepaymentRecord, ReturnRecord, TraderRecord } from './hmrc-records.ts';
import { addWeekdays } from './london-time.ts';
import { dueAfter, nextPeriod, periodContaining, periodKeyOf, previousPeriod, type Period } from './vat-periods.ts';

export const RETURN_CREDIT = 'VAT Return Credit Charge';
export const RETURN_DEBIT = 'VAT Return Debit Charge';
export const CORRECTION_DEBIT = 'VAT EC Debit Charge';
export const ASSESSMENT_DEBIT = 'VAT OA Debit Charge';

/** Writes a trader with its obligations up to the current period: the last ended one open, those before fulfilled as the history says. */
export function writeTraderWithHistory(context: HmrcContext, trader: TraderRecord): void {
  const { records, clock } = context;
  const today = clock.today();
  records.traders.put(trader.vrn, trader);
  const current = periodContaining(trader.stagger, today);
  const ended = previousPeriod(trader.stagger, current);
  const past: Period[] = [];
  for (let period = ended; past.length < trader.history.fulfilledPeriods;) {
    period = previousPeriod(trader.stagger, period);
    past.unshift(period);
  }
  for (const period of [...past, ended, current]) writeObligation(context, trader, period);
  for (const [index, period] of past.entries()) writePastReturn(context, trader, period, past.length - index, today);
  if (trader.history.kind === 'exporter' && past[1]) writePaidCorrection(context, trader, past[1]);
}

/** Obligations are created on the first day of their period, whether or not the last was met; so time adds them. */
export function addObligationsUntil(context: HmrcContext, trader: TraderRecord, today: PlainDate): void {
  const obligations = context.records.obligations(trader.vrn);
  let last = obligations
    .list()
    .map(({ document }) => document)
    .reduce<ObligationRecord | undefined>((latest, one) => (latest && latest.end > one.end ? latest : one), undefined);
  while (last && last.end < today) last = writeObligation(context, trader, nextPeriod(trader.stagger, last));
}

export function writeObligation(context: HmrcContext, trader: TraderRecord, period: Period): ObligationRecord {
  const periodKey = periodKeyOf(trader.vrn, trader.stagger, period);
  const obligation: ObligationRecord = { periodKey, start: period.start, end: period.end, due: dueAfter(period.end) };
  context.records.obligations(trader.vrn).put(periodKey, obligation);
  return obligation;
}

/** Forgets what the history wrote; the caller has made sure that nothing was filed. */
export function eraseTraderBooks(context: HmrcContext, vrn: string): void {
  const { records } = context;
  for (const books of [
    records.obligations(vrn),
    records.returns(vrn),
    records.charges(vrn),
    records.payments(vrn),
    records.repayments(vrn),
  ]) {
    for (const { key } of books.list()) books.delete(key);
  }
}

function writePastReturn(context: HmrcContext, trader: TraderRecord, period: Period, periodsAgo: number, today: PlainDate): void {
  const { records } = context;
  const periodKey = periodKeyOf(trader.vrn, trader.stagger, period);
  const boxes = pastBoxes(trader, periodsAgo);
  const yesterday = addDays(today, -1);
  const receivedOn = earlier(addDays(period.end, 10 + Math.floor(variation(trader.vrn, periodsAgo) * 20)), yesterday);
  const fulfilledOn = earlier(addDays(receivedOn, 1), today);
  records.returns(trader.vrn).put(periodKey, { periodKey, boxes, receivedOn, fulfilledOn, source: 'history' } satisfies ReturnRecord);
  const charge = chargeOfReturn(periodKey, period, boxes);
  if (!charge) return;
  if (charge.originalPence > 0) {
    const payment: PaymentRecord = {
      chargeId: charge.chargeId,
      amountPence: charge.originalPence,
      receivedOn: earlier(addDays(charge.due, -2), yesterday),
    };
    records.charges(trader.vrn).put(charge.chargeId, { ...charge, outstandingPence: 0 });
    records.payments(trader.vrn).put(charge.chargeId, payment);
    return;
  }
  const approvedOn = earlier(addDays(receivedOn, 9), today);
  const paidOn = earlier(addWeekdays(approvedOn, 3), today);
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
    // It happened before this world began: no bank of the sandbox has seen it.
    paid: {
      on: paidOn,
      amountPence: -charge.originalPence,
      reference: repaymentReference(trader.vrn),
      by: trader.repaymentAccount ? 'bank' : 'payable_order',
      ...(trader.repaymentAccount ? { account: trader.repaymentAccount } : {}),
    },
  } satisfies RepaymentRecord);
}

/** The charge that a return makes: negative where HMRC owes, none for a nil return. */
export function chargeOfReturn(periodKey: string, period: Period, boxes: VatReturnBoxes): ChargeRecord | undefined {
  const owedPence = boxes.box3 - boxes.box4;
  if (owedPence === 0) return undefined;
  return {
    chargeId: `return ${periodKey}`,
    periodKey,
    period: { from: period.start, to: period.end },
    type: owedPence > 0 ? RETURN_DEBIT : RETURN_CREDIT,
    originalPence: owedPence,
    outstandingPence: owedPence,
    due: dueAfter(period.end),
  };
}

/** What stands beside a repayment on a bank statement; at most 18 characters. */
export function repaymentReference(vrn: string): string {
  return `HMRC VTR ${vrn}`;
}

/** An error of an earlier return, corrected by letter and paid: exporters too have a payment to show. */
function writePaidCorrection(context: HmrcContext, trader: TraderRecord, period: Period): void {
  const amountPence = 20_000 + Math.floor(variation(trader.vrn, 99) * 30_000);
  const due = addDays(dueAfter(period.end), 30);
  const charge: ChargeRecord = {
    chargeId: 'correction',
    period: { from: period.start, to: period.end },
    type: CORRECTION_DEBIT,
    originalPence: amountPence,
    outstandingPence: 0,
    due,
  };
  context.records.charges(trader.vrn).put(charge.chargeId, charge);
  context.records.payments(trader.vrn).put(charge.chargeId, {
    chargeId: charge.chargeId,
    amountPence,
    receivedOn: earlier(addDays(due, -5), addDays(context.clock.today(), -1)),
  });
}

/** The boxes of a generated return; the same whenever they are asked for. */
export function pastBoxes(trader: Pick<TraderRecord, 'vrn' | 'history'>, periodsAgo: number): VatReturnBoxes {
  const { kind, typicalNetPence } = trader.history;
  if (kind === 'dormant') return nineBoxes(ZERO, ZERO, 0, 0);
  const netPence = Math.round(typicalNetPence * (0.75 + variation(trader.vrn, periodsAgo) * 0.5));
  if (kind === 'payer') return nineBoxes(pence(netPence * 3), pence(netPence * 2), netPence * 15, netPence * 10);
  // An exporter sells mostly at the zero rate: little output tax, much input tax, and sales well above what the tax tells.
  const outputPence = Math.round(netPence * 0.21);
  return nineBoxes(pence(outputPence), pence(outputPence + netPence), netPence * 9, (outputPence + netPence) * 5);
}

function nineBoxes(outputTax: Pence, inputTax: Pence, salesPence: number, purchasesPence: number): VatReturnBoxes {
  const none = 0 as WholePounds;
  return {
    box1: outputTax,
    box2: ZERO,
    box3: outputTax,
    box4: inputTax,
    box5: pence(Math.abs(outputTax - inputTax)),
    box6: toWholePounds(pence(salesPence), 'half-away'),
    box7: toWholePounds(pence(purchasesPence), 'half-away'),
    box8: none,
    box9: none,
  };
}

/** A number from 0 to 1 that looks random and is the same for the same trader and period: a restarted world tells the same story. */
export function variation(vrn: string, index: number): number {
  let state = (Number(vrn) + index * 2_654_435_761) % 4_294_967_296;
  for (let round = 0; round < 3; round += 1) state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return state / 4_294_967_296;
}

function earlier(a: PlainDate, b: PlainDate): PlainDate {
  return a < b ? a : b;
}
