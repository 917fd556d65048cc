/** The cost of lateness so far under each tax's rules. These figures are ours, not HMRC's; screens mark them as calculated. */
import { pence, sumPence, ZERO, type Pence } from '../money.ts';
import { addDays, formatDate, type PlainDate } from '../plain-date.ts';
import { getEndOfPeriodBeginning } from '../uk-tax/calendar/month-arithmetic.ts';
import { getTaxYear } from '../uk-tax/calendar/tax-year.ts';
import { getCompanyTaxReturnPenalty, getTaxRelatedPenalty } from '../uk-tax/corporation-tax/late-filing-penalty.ts';
import { RATES_VERIFIED_TO } from '../uk-tax/interest/interest-rates.ts';
import { calculateInterestWithPartPayments, type Payment } from '../uk-tax/interest/late-payment-interest.ts';
import { getValueOrForecast, chainKnown, known, mapKnown, createUnknown, type Known } from '../uk-tax/known.ts';
import { calculatePayeDefaultPenalties, calculatePayeProlongedPenalty } from '../uk-tax/paye/default-penalty.ts';
import { getReturnFrequency, POINTS_RULES } from '../uk-tax/penalties/late-submission-points.ts';
import { calculatePoints } from '../uk-tax/penalties/points-history.ts';
import type { Tax } from '../uk-tax/tax.ts';
import { calculateSelfAssessmentFilingPenalty, type LateFilingPenalty } from '../uk-tax/self-assessment/late-filing-penalty.ts';
import { calculateSelfAssessmentLatePaymentPenalty } from '../uk-tax/self-assessment/late-payment-penalty.ts';
import { calculateVatLatePaymentPenalty } from '../uk-tax/vat/late-payment-penalty.ts';
import { isTaxCharge, type FigureSource, type ObligationFact, type TaxFacts } from './tax-facts.ts';
import type { LateView } from './position.ts';
import type { SettledCharge } from './set-off.ts';

/** A minimal unpaid amount, to test whether a tax-related penalty is due at all. */
const ONE_POUND = pence(100);

/** Penalty and interest on one late charge, in pence. */
export type ChargeCost = { readonly penalty: Pence; readonly interest: Pence };

/** The costs of late charges by charge key, and the totals for the position. */
export type LateCosts = { readonly byCharge: ReadonlyMap<string, ChargeCost>; readonly late: LateView };

/** No costs: either nothing is late, or nothing is calculated (insolvency). */
export const NO_COSTS: LateCosts = {
  byCharge: new Map(),
  late: {
    points: null,
    points_threshold: null,
    points_source: null,
    point_periods: [],
    late_submission_pence: ZERO,
    late_payment_pence: ZERO,
    interest_pence: ZERO,
    is_estimate: false,
    estimate_reason: null,
  },
};

/**
 * Returns penalties and interest to date on amounts that weren't paid by their due date and are still open at HMRC. A credit that we set
 * off reduces the debt only from the day it arose. HMRC itself charges interest on amounts that it shows as paid late; that interest
 * arrives as a charge.
 */
export function calculateLateCosts(tax: Tax, facts: TaxFacts, settledCharges: readonly SettledCharge[], today: PlainDate): LateCosts {
  // Skips charges for interest and penalties: they bear interest only once HMRC charges it.
  const overdueCharges = settledCharges.flatMap((charge) => toLateCharges(charge, today));
  const estimates = new Set<string>();
  const collectEstimate = (knownAmount: Known<Pence>): Pence => {
    if (!knownAmount.known) estimates.add(knownAmount.notKnown);
    return getValueOrForecast(knownAmount) ?? ZERO;
  };
  if (overdueCharges.some(({ isDayUnknown }) => isDayUnknown)) estimates.add('the date a credit is set against a debt');
  const penalties = calculateLatePaymentPenalties(tax, overdueCharges, today).map((penalty, index) =>
    subtractPence(collectEstimate(penalty), getPenaltyCharged(overdueCharges[index]?.charge, facts)),
  );
  const byCharge = new Map<string, ChargeCost>();
  overdueCharges.forEach(({ charge, due, amount, payments }, index) => {
    const accruedInterest = calculateInterestWithPartPayments(amount, due, payments, today);
    if (accruedInterest.known && accruedInterest.value.estimate)
      estimates.add(`HMRC interest rates after ${formatDate(RATES_VERIFIED_TO, 'long')}`);
    const interest = subtractPence(
      collectEstimate(mapKnown(accruedInterest, (value) => value.interest)),
      charge.fact.interestCharged ?? ZERO,
    );
    byCharge.set(charge.key, { penalty: penalties[index] ?? ZERO, interest });
  });
  const points = getPoints(tax, facts, today);
  const filing = sumPence([
    ...(points?.penalty === undefined ? [] : [points.penalty]),
    ...calculateFilingPenalties(tax, facts, today).map(collectEstimate),
  ]);
  return {
    byCharge,
    late: {
      points: points?.points ?? null,
      points_threshold: points?.threshold ?? null,
      points_source: points?.source ?? null,
      point_periods: points?.periods ?? [],
      late_submission_pence: filing,
      late_payment_pence: sumPence(penalties),
      interest_pence: sumPence([...byCharge.values()].map(({ interest }) => interest)),
      is_estimate: estimates.size > 0,
      estimate_reason: estimates.size > 0 ? [...estimates].join('; ') : null,
    },
  };
}

/** Amounts that HMRC has already charged are part of the amount owed, so only the rest counts as not yet charged. */
function subtractPence(amount: Pence, chargedAmount: Pence): Pence {
  return chargedAmount >= amount ? ZERO : pence(amount - chargedAmount);
}

/** Returns the late payment penalties that HMRC has charged for a charge's period. */
function getPenaltyCharged(charge: SettledCharge | undefined, { penalties }: TaxFacts): Pence {
  const period = charge?.fact.period;
  if (period === undefined) return ZERO;
  return sumPence(
    (penalties?.facts.latePayment ?? []).filter((penalty) => penalty.period?.end === period.end).map(({ original }) => original),
  );
}

type LateCharge = {
  readonly charge: SettledCharge;
  readonly due: PlainDate;
  /** The unpaid amount in HMRC's records, less credits whose date is unknown. */
  readonly amount: Pence;
  /** Credits with a known date, as payments. */
  readonly payments: readonly Payment[];
  readonly isDayUnknown: boolean;
};

/** Returns the charge as an overdue amount; empty if all of it was paid by the due date. */
function toLateCharges(charge: SettledCharge, today: PlainDate): readonly LateCharge[] {
  const { due, outstanding } = charge.fact;
  if (due === undefined || due >= today || outstanding <= 0 || !isTaxCharge(charge.fact)) return [];
  const payments = charge.coveredBy.flatMap(({ on, amount }): Payment[] => (on === undefined ? [] : [{ date: on, amount }]));
  const undatedCredits = sumPence(charge.coveredBy.filter(({ on }) => on === undefined).map(({ amount }) => amount));
  const lateCharge = { charge, due, amount: pence(outstanding - undatedCredits), payments, isDayUnknown: undatedCredits > 0 };
  return undatedCredits > 0 || getUnpaidAfter(lateCharge, due) > 0 ? [lateCharge] : [];
}

/** Returns the amount unpaid at the end of a day. */
function getUnpaidAfter({ amount, payments }: Pick<LateCharge, 'amount' | 'payments'>, day: PlainDate): Pence {
  return pence(amount - sumPence(payments.filter(({ date }) => date <= day).map((payment) => payment.amount)));
}

/** Returns the late payment penalties, in the same order as the charges. */
function calculateLatePaymentPenalties(tax: Tax, overdueCharges: readonly LateCharge[], today: PlainDate): readonly Known<Pence>[] {
  switch (tax) {
    case 'vat':
      return overdueCharges.map(({ charge, due, amount, payments }) => {
        const start = charge.fact.period?.start;
        if (start === undefined) return createUnknown('late payment penalties on a charge without a period');
        return chainKnown(calculateVatLatePaymentPenalty(start, { due, amount, payments, as_of: today }), ({ total }) => total);
      });
    case 'sa':
      return overdueCharges.map(({ charge, due, amount, payments }) =>
        charge.fact.kind === 'on_account'
          ? known(ZERO)
          : mapKnown(calculateSelfAssessmentLatePaymentPenalty(due, amount, payments, today), ({ total }) => total),
      );
    case 'paye':
      return calculatePayePenalties(overdueCharges, today);
    case 'ct':
      // Late corporation tax bears interest only (TMA 1970 s87A); penalties arise from late returns.
      return overdueCharges.map(() => known(ZERO));
  }
}

/** Returns the penalties for defaults, counted per tax year, in due date order (FA 2009 Sch 56 para 6). */
function calculatePayePenalties(overdueCharges: readonly LateCharge[], today: PlainDate): readonly Known<Pence>[] {
  const penalties = new Map<LateCharge, Pence>();
  const getChargeTaxYear = ({ charge, due }: LateCharge): string => getTaxYear(charge.fact.period?.end ?? due);
  const years = Map.groupBy(
    overdueCharges.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0)),
    getChargeTaxYear,
  );
  for (const lateCharges of years.values()) {
    const defaults = calculatePayeDefaultPenalties(lateCharges.map((charge) => getUnpaidAfter(charge, charge.due))).penalties;
    lateCharges.forEach((charge, index) => {
      const prolongedPenalties = [6, 12]
        .map((months) => getEndOfPeriodBeginning(addDays(charge.due, 1), months))
        .filter((day) => today > day)
        .map((day) => calculatePayeProlongedPenalty(getUnpaidAfter(charge, day)));
      penalties.set(charge, sumPence([defaults[index] ?? ZERO, ...prolongedPenalties]));
    });
  }
  return overdueCharges.map((lateCharge) => known(penalties.get(lateCharge) ?? ZERO));
}

type PenaltyPoints = {
  readonly points: number;
  readonly threshold: number;
  readonly source: FigureSource;
  readonly periods: LateView['point_periods'];
  readonly penalty: Pence;
};

/** Returns the VAT penalty points: HMRC's figure if we've read it, otherwise one calculated from the known returns. */
function getPoints(tax: Tax, facts: TaxFacts, today: PlainDate): PenaltyPoints | undefined {
  if (tax !== 'vat') return undefined;
  const returns = facts.obligations?.facts ?? [];
  const latestReturn = returns.reduce<ObligationFact | undefined>(
    (last, obligation) => (last === undefined || obligation.end > last.end ? obligation : last),
    undefined,
  );
  const frequency = latestReturn === undefined ? 'quarterly' : getReturnFrequency(latestReturn.start, latestReturn.end);
  const { threshold } = POINTS_RULES[frequency];
  if (facts.penalties) {
    const { points, threshold: reportedThreshold, pointPeriods: periods = [] } = facts.penalties.facts;
    // The charges include the penalties that HMRC has charged.
    return { points, threshold: reportedThreshold ?? threshold, source: facts.penalties.source, periods, penalty: ZERO };
  }
  if (latestReturn === undefined) return undefined;
  const expectedReturns = returns.map(({ due, status, received }) => ({ due, received: status === 'open' ? null : (received ?? due) }));
  const pointsStatus = calculatePoints(frequency, expectedReturns, today);
  const periods = pointsStatus.missed.flatMap((due) =>
    returns.filter((item) => item.due === due).map(({ start, end }) => ({ start, end })),
  );
  return { points: pointsStatus.points, threshold, source: 'rule', periods, penalty: pointsStatus.penalty_amount };
}

/** Returns penalties for each return that is currently late. The income tax due is unknown, so minimum amounts apply. */
function calculateFilingPenalties(tax: Tax, facts: TaxFacts, today: PlainDate): readonly Known<Pence>[] {
  const lateReturns = (facts.obligations?.facts ?? []).filter(
    ({ kind, status, due }) => kind === 'return' && status === 'open' && due < today,
  );
  if (tax === 'sa') return lateReturns.map(({ due }) => chainKnown(calculateSelfAssessmentFilingPenalty(due, today, ZERO), toKnownPenalty));
  if (tax === 'ct')
    return lateReturns.map((obligation) => calculateCompanyFilingPenalty(obligation, isThirdLateReturn(obligation, facts, today), today));
  return [];
}

/**
 * From six months late, the penalty is 5% of the tax if that is more than 300 pounds (FA 2009 Sch 55 paras 5, 6). The tax on a missing
 * return is unknown.
 */
function toKnownPenalty({ six_months: sixMonths, total }: LateFilingPenalty): Known<Pence> {
  return sixMonths === 0
    ? known(total)
    : createUnknown('5% of the tax due on a return over 6 months late, if that’s more than £300', total);
}

/**
 * Returns true if, according to our sources, the returns for the two preceding accounting periods were also late (FA 1998 Sch 18 para
 * 17(3)).
 */
function isThirdLateReturn({ start }: ObligationFact, facts: TaxFacts, today: PlainDate): boolean {
  const findLateReturnBefore = (day: PlainDate): ObligationFact | undefined =>
    facts.obligations?.facts.find(
      ({ kind, end, due, status, received }) =>
        kind === 'return' && addDays(end, 1) === day && (status === 'open' ? due < today : received !== undefined && received > due),
    );
  const earlierLateReturn = findLateReturnBefore(start);
  return earlierLateReturn !== undefined && findLateReturnBefore(earlierLateReturn.start) !== undefined;
}

/**
 * Returns the flat penalty. Tax unpaid 18 months after the end of the period increases it (FA 1998 Sch 18 para 18), but is unknown until
 * the return arrives.
 */
function calculateCompanyFilingPenalty({ end, due }: ObligationFact, isThird: boolean, today: PlainDate): Known<Pence> {
  const flatPenalty = getCompanyTaxReturnPenalty(due, today, isThird);
  const hasTaxRelatedPenalty = getTaxRelatedPenalty(end, due, today, ONE_POUND) > 0;
  return hasTaxRelatedPenalty
    ? createUnknown('10% or 20% of tax unpaid 18 months after the end of the period, for a company tax return', flatPenalty)
    : known(flatPenalty);
}
