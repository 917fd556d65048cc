/** Calculates a client's position for one tax from its sourced facts. */
import { pence, sumPence } from '../money.ts';
import { countDaysBetween, type PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { Instant } from '../clock.ts';
import type { FigureSource, ObligationFact, SourcedFacts, TaxFacts } from './tax-facts.ts';
import { mergeCharges } from './complete-charges.ts';
import { isDateCovered } from './covered-dates.ts';
import { getCreditDate, listItems } from './list-items.ts';
import { calculateLateCosts, NO_COSTS, type LateCosts } from './late-costs.ts';
import { buildPeriodViews, buildQuarterlyUpdates } from './period-views.ts';
import type { ChargeView, PaymentView, Position, PositionDetail } from './position.ts';
import { listRuleDates } from './rule-dates.ts';
import { getOutstanding, setOffCredits, type SettledCharge } from './set-off.ts';

/**
 * Calculates the amounts owed, due and refundable as of `today`. Amounts come from the sources, with credits set off against amounts due;
 * penalties and interest are calculated to date. Dates missing from all sources are calculated by rule and marked as such. For an insolvent
 * client, keeps the figures last read and calculates nothing.
 */
export function calculatePosition(tax: Tax, taxFacts: TaxFacts, today: PlainDate): Position {
  const facts = mergeCharges(tax, taxFacts);
  const isInsolvent = facts.isInsolvent === true;
  const settledCharges = setOffCredits(facts.charges?.facts ?? [], today, (credit) => getCreditDate(credit, facts));
  const costs = isInsolvent ? NO_COSTS : calculateLateCosts(tax, facts, settledCharges, today);
  const rules = isInsolvent ? [] : listRuleDates(tax, facts, today).filter((date) => !isDateCovered(date, facts));
  const lateObligations = isInsolvent ? [] : (facts.obligations?.facts ?? []).filter((obligation) => isOverdue(obligation, today));
  const overdueReturnCount = lateObligations.filter(({ kind }) => kind === 'return').length;
  const openCharges = settledCharges.filter((charge) => getOutstanding(charge) > 0);
  const overdueItems = openCharges.filter(({ fact }) => fact.due !== undefined && fact.due < today);
  const refund = sumPence(settledCharges.map((charge) => (getOutstanding(charge) < 0 ? pence(-getOutstanding(charge)) : pence(0))));
  const { open: items, done } = isInsolvent ? { open: [], done: [] } : listItems(tax, facts, settledCharges, rules, today);
  const readings = listReadings(facts);
  const asOf = readings.reduce<Instant | null>(
    (oldest, { asOf: readingAsOf }) => (oldest === null || readingAsOf < oldest ? readingAsOf : oldest),
    null,
  );
  const detail: PositionDetail = {
    tax,
    standing: isInsolvent ? 'insolvent' : readings.length > 0 ? 'read' : rules.length > 0 ? 'rule_only' : 'no_data',
    computed_on: today,
    set_off_pence: sumPence(settledCharges.filter(({ fact }) => fact.outstanding > 0).map(({ setOff }) => setOff)),
    // HMRC doesn't pay a VAT refund while a return is overdue (docs/reference/hmrc.md section 8).
    refund_held: tax === 'vat' && refund > 0 && overdueReturnCount > 0,
    late: costs.late,
    periods: buildPeriodViews(tax, facts, settledCharges, rules, today),
    quarterly_updates: buildQuarterlyUpdates(facts, today),
    charges: toChargeViews(facts, settledCharges, costs, today),
    payments: toPaymentViews(facts),
    items,
  };
  return {
    tax,
    owed: sumPence(openCharges.map(getOutstanding)),
    overdue: sumPence(overdueItems.map(getOutstanding)),
    overdueSince: findEarliestDate(overdueItems.flatMap(({ fact }) => (fact.due === undefined ? [] : [fact.due]))),
    refund,
    overdueReturns: overdueReturnCount,
    overdueUpdates: lateObligations.length - overdueReturnCount,
    points: costs.late.points,
    pointsThreshold: costs.late.points_threshold,
    penalty: pence(costs.late.late_payment_pence + costs.late.late_submission_pence),
    interest: costs.late.interest_pence,
    isEstimate: costs.late.is_estimate,
    nextDue: items.find(({ what }) => what !== 'refund') ?? null,
    items,
    done,
    source: getMainSource(facts),
    asOf,
    detail,
  };
}

function toChargeViews(
  facts: TaxFacts,
  settledCharges: readonly SettledCharge[],
  costs: LateCosts,
  today: PlainDate,
): readonly ChargeView[] {
  const read = facts.charges;
  if (!read) return [];
  return settledCharges.map((charge) => {
    const { fact, key, setOff } = charge;
    const isLate = fact.due !== undefined && fact.due < today && getOutstanding(charge) > 0;
    const cost = costs.byCharge.get(key);
    return {
      key,
      title: fact.title,
      kind: fact.original < 0 ? 'credit' : fact.kind,
      period_start: fact.period?.start ?? null,
      period_end: fact.period?.end ?? null,
      due_on: fact.due ?? null,
      original_pence: fact.original,
      outstanding_pence: fact.outstanding,
      set_off_pence: setOff,
      days_late: isLate && fact.due !== undefined ? countDaysBetween(fact.due, today) : 0,
      penalty_pence: cost?.penalty ?? pence(0),
      interest_pence: cost?.interest ?? pence(0),
      source: read.source,
      as_of: read.asOf,
    };
  });
}

function toPaymentViews({ payments }: TaxFacts): readonly PaymentView[] {
  if (!payments) return [];
  const views = payments.facts.map(({ amount, received, reference }) => ({
    amount_pence: amount,
    received_on: received ?? null,
    reference: reference ?? null,
    source: payments.source,
    as_of: payments.asOf,
  }));
  return views.toSorted((a, b) =>
    (a.received_on ?? '') < (b.received_on ?? '') ? 1 : (a.received_on ?? '') > (b.received_on ?? '') ? -1 : 0,
  );
}

function listReadings(facts: TaxFacts): readonly SourcedFacts<unknown>[] {
  return [facts.obligations, facts.charges, facts.payments, facts.penalties].filter((read) => read !== undefined);
}

/** Returns the source of the charges if there are any; otherwise that of obligations, payments or penalties, in this order. */
function getMainSource(facts: TaxFacts): FigureSource {
  return facts.charges?.source ?? facts.obligations?.source ?? facts.payments?.source ?? facts.penalties?.source ?? 'rule';
}

function isOverdue({ status, due }: ObligationFact, today: PlainDate): boolean {
  return status === 'open' && due < today;
}

function findEarliestDate(dates: readonly PlainDate[]): PlainDate | null {
  return dates.reduce<PlainDate | null>((first, date) => (first === null || date < first ? date : first), null);
}
