/** What lateness has cost so far, by the rules of each tax. Ours, never HMRC's: the screens mark it as computed. */
import { pence, sumPence, ZERO, type Pence } from '../../money.ts';
import { addDays, type PlainDate } from '../../plain-date.ts';
import { endOfPeriodBeginningWith } from '../../uk-tax/calendar/month-arithmetic.ts';
import { taxYearOf } from '../../uk-tax/calendar/tax-year.ts';
import { companyTaxReturnPenalty } from '../../uk-tax/corporation-tax/late-filing-penalty.ts';
import { RATES_VERIFIED_TO } from '../../uk-tax/interest/interest-rates.ts';
import { latePaymentInterest } from '../../uk-tax/interest/late-payment-interest.ts';
import { bestOf, chainKnown, known, mapKnown, notKnown, type Known } from '../../uk-tax/known.ts';
import { payeDefaultPenalties, payeProlongedPenalty } from '../../uk-tax/paye/default-penalty.ts';
import { frequencyOfPeriod, POINTS_RULES } from '../../uk-tax/penalties/late-submission-points.ts';
import { pointsStanding } from '../../uk-tax/penalties/points-history.ts';
import type { Tax } from '../../uk-tax/references/hmrc-bank-account.ts';
import { selfAssessmentFilingPenalty } from '../../uk-tax/self-assessment/late-filing-penalty.ts';
import { selfAssessmentLatePaymentPenalty } from '../../uk-tax/self-assessment/late-payment-penalty.ts';
import { vatLatePaymentPenalty } from '../../uk-tax/vat/late-payment-penalty.ts';
import type { ObligationFact, TaxFacts } from './facts.ts';
import type { LateView } from './position.ts';
import { openOf, type SettledCharge } from './set-off.ts';

/** What one charge has cost by being late. */
export type ChargeCost = { readonly penalty: Pence; readonly interest: Pence };

/** The costs of the late charges by their keys, and the sums for the position. */
export type LateCosts = { readonly byCharge: ReadonlyMap<string, ChargeCost>; readonly late: LateView };

/** No costs: nothing is late, or nothing may be computed. */
export const NO_COSTS: LateCosts = {
  byCharge: new Map(),
  late: {
    points: null,
    points_threshold: null,
    points_source: null,
    late_submission_pence: ZERO,
    late_payment_pence: ZERO,
    interest_pence: ZERO,
    is_estimate: false,
    estimate_reason: null,
  },
};

/** Penalties and interest to date on what is unpaid today. Interest on parts paid late before is HMRC's to charge and comes as a charge. */
export function lateCosts(tax: Tax, facts: TaxFacts, settled: readonly SettledCharge[], today: PlainDate): LateCosts {
  // Interest and penalties bear their own interest only once HMRC has charged them: they are not reckoned again here.
  const overdue = settled.flatMap((charge): LateCharge[] => {
    const { due, kind } = charge.fact;
    const open = openOf(charge);
    return due !== undefined && due < today && open > 0 && (kind === 'tax' || kind === 'on_account') ? [{ charge, due, open }] : [];
  });
  const estimates = new Set<string>();
  const take = (answer: Known<Pence>): Pence => {
    if (!answer.known) estimates.add(answer.notKnown);
    return bestOf(answer) ?? ZERO;
  };
  const penalties = latePaymentPenalties(tax, overdue, today).map(take);
  const byCharge = new Map<string, ChargeCost>();
  overdue.forEach(({ charge, due, open }, index) => {
    const accrued = latePaymentInterest(open, due, today);
    if (accrued.known && accrued.value.estimate) estimates.add(`HMRC interest rates after ${RATES_VERIFIED_TO}`);
    const interest = take(mapKnown(accrued, (value) => value.interest));
    byCharge.set(charge.key, { penalty: penalties[index] ?? ZERO, interest });
  });
  const points = pointsOf(tax, facts, today);
  const filing = sumPence([...(points?.penalty === undefined ? [] : [points.penalty]), ...filingPenalties(tax, facts, today).map(take)]);
  return {
    byCharge,
    late: {
      points: points?.points ?? null,
      points_threshold: points?.threshold ?? null,
      points_source: points?.source ?? null,
      late_submission_pence: filing,
      late_payment_pence: sumPence(penalties),
      interest_pence: sumPence([...byCharge.values()].map(({ interest }) => interest)),
      is_estimate: estimates.size > 0,
      estimate_reason: estimates.size > 0 ? [...estimates].join('; ') : null,
    },
  };
}

type LateCharge = { readonly charge: SettledCharge; readonly due: PlainDate; readonly open: Pence };

/** In the order of the charges. */
function latePaymentPenalties(tax: Tax, overdue: readonly LateCharge[], today: PlainDate): readonly Known<Pence>[] {
  switch (tax) {
    case 'vat':
      return overdue.map(({ charge, due, open }) => {
        const start = charge.fact.period?.start;
        if (start === undefined) return notKnown('late payment penalties of a charge without a period');
        return chainKnown(vatLatePaymentPenalty(start, { due, amount: open, payments: [], as_of: today }), ({ total }) => total);
      });
    case 'sa':
      return overdue.map(({ charge, due, open }) =>
        charge.fact.kind === 'on_account'
          ? known(ZERO)
          : mapKnown(selfAssessmentLatePaymentPenalty(due, open, [], today), ({ total }) => total),
      );
    case 'paye':
      return payePenalties(overdue, today);
    case 'ct':
      // Late corporation tax bears interest alone (TMA 1970 s87A); its penalty hangs on a late return.
      return overdue.map(() => known(ZERO));
  }
}

/** Defaults are counted by tax year, in the order in which the amounts were due (FA 2009 Sch 56 para 6). */
function payePenalties(overdue: readonly LateCharge[], today: PlainDate): readonly Known<Pence>[] {
  const penalties = new Map<LateCharge, Pence>();
  const yearOf = ({ charge, due }: LateCharge): string => taxYearOf(charge.fact.period?.end ?? due);
  const years = Map.groupBy(
    overdue.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0)),
    yearOf,
  );
  for (const late of years.values()) {
    const defaults = payeDefaultPenalties(late.map(({ open }) => open)).penalties;
    late.forEach((one, index) => {
      const months = [6, 12].filter((count) => today > endOfPeriodBeginningWith(addDays(one.due, 1), count)).length;
      penalties.set(one, pence((defaults[index] ?? 0) + months * payeProlongedPenalty(one.open)));
    });
  }
  return overdue.map((late) => known(penalties.get(late) ?? ZERO));
}

type Points = {
  readonly points: number;
  readonly threshold: number;
  readonly source: 'hmrc' | 'rule' | 'statement' | 'companies_house';
  readonly penalty: Pence;
};

/** VAT's points: HMRC's own where they were read, else what the returns read so far come to (HMRC's prevail). */
function pointsOf(tax: Tax, facts: TaxFacts, today: PlainDate): Points | undefined {
  if (tax !== 'vat') return undefined;
  const returns = facts.obligations?.facts ?? [];
  const latest = returns.reduce<ObligationFact | undefined>(
    (last, one) => (last === undefined || one.end > last.end ? one : last),
    undefined,
  );
  const frequency = latest === undefined ? 'quarterly' : frequencyOfPeriod(latest.start, latest.end);
  const { threshold } = POINTS_RULES[frequency];
  if (facts.penalties) {
    const { points, lateSubmissionOutstanding, threshold: told } = facts.penalties.facts;
    return { points, threshold: told ?? threshold, source: facts.penalties.source, penalty: lateSubmissionOutstanding };
  }
  if (latest === undefined) return undefined;
  const expected = returns.map(({ due, status, received }) => ({ due, received: status === 'open' ? null : (received ?? due) }));
  const standing = pointsStanding(frequency, expected, today);
  return { points: standing.points, threshold, source: 'rule', penalty: standing.penalty_amount };
}

/** For each return that is late now. Of income tax the tax itself is not known here: the least amounts are taken. */
function filingPenalties(tax: Tax, facts: TaxFacts, today: PlainDate): readonly Known<Pence>[] {
  const late = (facts.obligations?.facts ?? []).filter(({ kind, status, due }) => kind === 'return' && status === 'open' && due < today);
  if (tax === 'sa') return late.map(({ due }) => mapKnown(selfAssessmentFilingPenalty(due, today, ZERO), ({ total }) => total));
  if (tax === 'ct') return late.map(({ due }) => known(companyTaxReturnPenalty(due, today, false)));
  return [];
}
