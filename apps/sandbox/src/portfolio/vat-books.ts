/** Generates HMRC's VAT records for a client as of the portfolio's date. They are calculated on request and never stored as a whole. */
import { addDays, countDaysBetween, type PlainDate } from '@portal/domain/plain-date.ts';
import { addWeekdays } from '../hmrc/london-time.ts';
import type { ChargeRecord, ObligationRecord, PaymentRecord, RepaymentRecord, ReturnRecord, TraderRecord } from '../hmrc/hmrc-records.ts';
import { ASSESSMENT_DEBIT, toReturnCharge, createPastBoxes, getRepaymentReference, getVariation } from '../hmrc/past-figures.ts';
import { getDueDateAfter, getPeriodContaining, toPeriodKey, getPreviousPeriod, type Period } from '../hmrc/vat-periods.ts';
import type { VatPenaltiesWire } from '@portal/providers/hmrc-agent/vat-penalties-wire.ts';
import type { PortfolioClient } from './portfolio-client.ts';
import { createPaymentPenalties, createPointsAtThreshold } from './vat-penalty-records.ts';

export type VatRecords = {
  readonly trader: TraderRecord;
  readonly obligations: ReadonlyMap<string, ObligationRecord>;
  readonly returns: ReadonlyMap<string, ReturnRecord>;
  readonly charges: ReadonlyMap<string, ChargeRecord>;
  readonly payments: ReadonlyMap<string, PaymentRecord>;
  readonly repayments: ReadonlyMap<string, RepaymentRecord>;
  readonly penalties?: VatPenaltiesWire;
};

/** Whether the return of an ended period has been filed, and the status of its payment or refund. */
type Filing =
  | { readonly state: 'open' }
  | {
      readonly state: 'filed';
      readonly receivedOn: PlainDate;
      readonly paymentState: 'settled' | 'unpaid' | 'part_paid' | 'claimed' | 'suspended';
    };

/** Two years of ended periods. */
const ENDED_QUARTERS = 8;
const ENDED_MONTHS = 24;

/** Returns a VAT-registered client's records, or undefined for other clients. */
export function generateVatRecords(client: PortfolioClient, today: PlainDate): VatRecords | undefined {
  const { vat } = client;
  if (!vat) return undefined;
  const books = createEmptyRecords(toTrader(client, vat));
  if (client.situation === 'no_data') return books;
  const current = getPeriodContaining(vat.stagger, today);
  const endedPeriods: Period[] = [];
  for (let period = current; endedPeriods.length < (vat.stagger === 'monthly' ? ENDED_MONTHS : ENDED_QUARTERS);) {
    period = getPreviousPeriod(vat.stagger, period);
    endedPeriods.push(period);
  }
  const filings = endedPeriods.map((period, index) => toFiling(client, endedPeriods, index, period, today));
  for (const [index, period] of [...endedPeriods.entries()].reverse())
    writePeriod(books, period, index + 1, filings[index] ?? { state: 'open' }, today);
  writePeriod(books, current, 0, { state: 'open' }, today);
  if (client.situation === 'refund_set_off') setOff(books, endedPeriods, today);
  const penalties = createPenalties(client, books, endedPeriods, filings, today);
  return penalties ? { ...books, penalties } : books;
}

type MutableVatRecords = {
  readonly trader: TraderRecord;
  readonly obligations: Map<string, ObligationRecord>;
  readonly returns: Map<string, ReturnRecord>;
  readonly charges: Map<string, ChargeRecord>;
  readonly payments: Map<string, PaymentRecord>;
  readonly repayments: Map<string, RepaymentRecord>;
};

function createEmptyRecords(trader: TraderRecord): MutableVatRecords {
  return { trader, obligations: new Map(), returns: new Map(), charges: new Map(), payments: new Map(), repayments: new Map() };
}

function toTrader(client: PortfolioClient, vat: NonNullable<PortfolioClient['vat']>): TraderRecord {
  const { line1, town, postcode } = client.address;
  // Most traders have given HMRC their bank account. The others are repaid by post.
  const hasAccount = getVariation(vat.vrn, 7) < 0.85;
  return {
    vrn: vat.vrn,
    organisationName: client.name,
    address: { line1, line2: town, postcode },
    vatRegistrationDate: vat.registeredOn,
    stagger: vat.stagger,
    history: { fulfilledPeriods: 0, kind: vat.history, typicalNetPence: vat.typicalNetPence },
    insolvent: client.situation === 'insolvent',
    hasDirectDebit: vat.paysByDirectDebit,
    ...(hasAccount ? { repaymentAccount: { sortCode: '040004', accountNumber: vat.vrn.slice(0, 8), accountName: client.name } } : {}),
  };
}

/** `index` 0 is the last period that ended. */
function toFiling(client: PortfolioClient, endedPeriods: readonly Period[], index: number, period: Period, today: PlainDate): Filing {
  const dueOn = getDueDateAfter(period.end);
  const vrn = client.vat?.vrn ?? '';
  const usualDate = addDays(period.end, 8 + Math.floor(getVariation(vrn, index) * 22));
  const createTimelyFiling = (claimState: 'settled' | 'unpaid' | 'part_paid' | 'claimed' | 'suspended'): Filing => {
    const receivedOn = usualDate < today ? usualDate : addDays(today, -1);
    return receivedOn > period.end ? { state: 'filed', receivedOn, paymentState: claimState } : { state: 'open' };
  };
  // The newest period whose return is overdue, and the newest one that ended long enough ago for its return to have been filed.
  const newestDue = endedPeriods.findIndex(({ end }) => getDueDateAfter(end) < today);
  const newestFiledIndex = endedPeriods.findIndex(({ end }) => addDays(end, 12) <= today);
  switch (client.situation) {
    case 'due_soon':
      return dueOn >= today ? { state: 'open' } : createTimelyFiling('settled');
    case 'overdue_return':
      return index <= newestDue ? { state: 'open' } : createTimelyFiling('settled');
    case 'overdue_payment':
    case 'insolvent':
      if (index < newestDue) return { state: 'open' };
      return createTimelyFiling(index > newestDue ? 'settled' : getVariation(vrn, 50) < 0.4 ? 'part_paid' : 'unpaid');
    case 'penalty_threshold': {
      // A return that was due yesterday can't have been filed late yet.
      const newestLateIndex = endedPeriods.findIndex(({ end }) => addDays(getDueDateAfter(end), 2) <= today);
      if (index < newestLateIndex) return { state: 'open' };
      if (index >= newestLateIndex + getThreshold(client)) return createTimelyFiling('settled');
      const lateDate = addDays(dueOn, 3 + Math.floor(getVariation(vrn, 60 + index) * 20));
      return { state: 'filed', receivedOn: lateDate < today ? lateDate : addDays(today, -1), paymentState: 'settled' };
    }
    case 'refund_coming':
    case 'refund_set_off':
      return index < newestFiledIndex
        ? { state: 'open' }
        : createClaim(period, index === newestFiledIndex ? 'claimed' : 'settled', today, usualDate);
    case 'refund_suspended':
      if (index < newestFiledIndex || index === newestFiledIndex + 1) return { state: 'open' };
      return createClaim(period, index === newestFiledIndex ? 'suspended' : 'settled', today, usualDate);
    case 'up_to_date':
    case 'authority_revoked':
    case 'never_authorised':
    case 'link_sent':
    case 'no_data':
      return createTimelyFiling('settled');
  }
}

function createClaim(period: Period, claimState: 'settled' | 'claimed' | 'suspended', today: PlainDate, usualDate: PlainDate): Filing {
  if (claimState === 'settled')
    return { state: 'filed', receivedOn: usualDate < today ? usualDate : addDays(today, -1), paymentState: claimState };
  return { state: 'filed', receivedOn: getEarlierDate(addDays(period.end, 10), addDays(today, -2)), paymentState: claimState };
}

function writePeriod(books: MutableVatRecords, period: Period, periodsAgo: number, filing: Filing, today: PlainDate): void {
  const { trader } = books;
  const periodKey = toPeriodKey(trader.vrn, trader.stagger, period);
  books.obligations.set(periodKey, { periodKey, start: period.start, end: period.end, due: getDueDateAfter(period.end) });
  if (filing.state === 'open') return;
  const boxes = createPastBoxes(trader, periodsAgo);
  const { receivedOn, paymentState: claimState } = filing;
  books.returns.set(periodKey, {
    periodKey,
    boxes,
    receivedOn,
    fulfilledOn: getEarlierDate(addDays(receivedOn, 1), today),
    source: 'history',
  });
  const charge = toReturnCharge(periodKey, period, boxes);
  if (!charge) return;
  if (charge.originalPence < 0) writeClaim(books, charge, receivedOn, claimState, today);
  else writeDebit(books, charge, receivedOn, claimState, today);
}

function writeDebit(books: MutableVatRecords, charge: ChargeRecord, filedOn: PlainDate, claimState: string, today: PlainDate): void {
  const paidPence = claimState === 'unpaid' ? 0 : claimState === 'part_paid' ? Math.floor(charge.originalPence / 3) : charge.originalPence;
  books.charges.set(charge.chargeId, { ...charge, outstandingPence: charge.originalPence - paidPence });
  if (paidPence === 0) return;
  // A Direct Debit is collected three working days after the due date; until then the charge stays open.
  const usualDate = books.trader.hasDirectDebit ? addWeekdays(charge.due, 3) : addDays(charge.due, -2);
  const receivedOn = usualDate > filedOn ? usualDate : addDays(filedOn, 1);
  if (receivedOn > today && books.trader.hasDirectDebit) {
    books.charges.set(charge.chargeId, charge);
    return;
  }
  books.payments.set(charge.chargeId, { chargeId: charge.chargeId, amountPence: paidPence, receivedOn: getEarlierDate(receivedOn, today) });
}

function writeClaim(books: MutableVatRecords, charge: ChargeRecord, filedOn: PlainDate, claimState: string, today: PlainDate): void {
  const { trader } = books;
  const claim = {
    vrn: trader.vrn,
    periodKey: charge.periodKey ?? '',
    chargeId: charge.chargeId,
    returnCreationDate: filedOn,
    claimedPence: -charge.originalPence,
    setOffPence: 0,
  };
  const initialStage = { stage: 'INITIAL', on: filedOn } as const;
  if (claimState === 'claimed' || claimState === 'suspended') {
    const stages =
      claimState === 'claimed' ? [initialStage] : [initialStage, { stage: 'REPAYMENT_SUSPENDED', on: addDays(filedOn, 1) } as const];
    books.charges.set(charge.chargeId, charge);
    books.repayments.set(claim.periodKey, { ...claim, stage: claimState === 'claimed' ? 'INITIAL' : 'REPAYMENT_SUSPENDED', stages });
    return;
  }
  const approvedOn = getEarlierDate(addDays(filedOn, 9), today);
  const paidOn = getEarlierDate(addWeekdays(approvedOn, 3), today);
  books.charges.set(charge.chargeId, { ...charge, outstandingPence: 0 });
  books.repayments.set(claim.periodKey, {
    ...claim,
    stage: 'PAID',
    stages: [initialStage, { stage: 'REPAYMENT_APPROVED', on: approvedOn }, { stage: 'PAID', on: paidOn }],
    paid: {
      on: paidOn,
      amountPence: claim.claimedPence,
      reference: getRepaymentReference(trader.vrn),
      by: trader.repaymentAccount ? 'bank' : 'payable_order',
      ...(trader.repaymentAccount ? { account: trader.repaymentAccount } : {}),
    },
  });
}

/** Adds an assessment of an old period, to be set against the refund. It is larger or smaller than the refund. */
function setOff(books: MutableVatRecords, endedPeriods: readonly Period[], today: PlainDate): void {
  const claim = [...books.repayments.values()].find(({ stage }) => stage === 'INITIAL');
  const period = endedPeriods[5];
  if (!claim || !period) return;
  const debtPence = Math.floor(claim.claimedPence * (0.2 + getVariation(books.trader.vrn, 70)));
  books.charges.set('assessment', {
    chargeId: 'assessment',
    period: { from: period.start, to: period.end },
    type: ASSESSMENT_DEBIT,
    originalPence: debtPence,
    outstandingPence: debtPence,
    due: getEarlierDate(addDays(getDueDateAfter(period.end), 200), addDays(today, -20)),
  });
  books.repayments.set(claim.periodKey, { ...claim, setOffPence: Math.min(debtPence, claim.claimedPence) });
}

function createPenalties(
  client: PortfolioClient,
  books: MutableVatRecords,
  endedPeriods: readonly Period[],
  filings: readonly Filing[],
  today: PlainDate,
): VatPenaltiesWire | undefined {
  if (client.situation === 'penalty_threshold') {
    const lateReturns = endedPeriods.flatMap((period, index) => {
      const filing = filings[index];
      return filing?.state === 'filed' && filing.receivedOn > getDueDateAfter(period.end)
        ? [{ period, receivedOn: filing.receivedOn }]
        : [];
    });
    return createPointsAtThreshold(books.trader.vrn, lateReturns.reverse(), client.vat?.stagger === 'monthly' ? 'monthly' : 'quarterly');
  }
  const unpaidCharge = [...books.charges.values()].find(
    ({ period, outstandingPence, due }) => period && outstandingPence > 0 && countDaysBetween(due, today) > 15,
  );
  return unpaidCharge?.periodKey === undefined ? undefined : createPaymentPenalties(books.trader.vrn, unpaidCharge, today);
}

function getThreshold(client: PortfolioClient): number {
  return client.vat?.stagger === 'monthly' ? 5 : 4;
}

function getEarlierDate(a: PlainDate, b: PlainDate): PlainDate {
  return a < b ? a : b;
}
