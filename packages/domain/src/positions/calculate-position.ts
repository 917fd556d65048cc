/** Calculates a client's position for one tax from its sourced facts. */
import { pence, sumPence } from '../money.ts';
import { addDays, daysBetween, type PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { Instant } from '../clock.ts';
import type { ChargeFact, FigureSource, ObligationFact, SourcedFacts, TaxFacts } from './tax-facts.ts';
import { calculateLateCosts, NO_COSTS, type LateCosts } from './late-costs.ts';
import { buildPeriodViews } from './period-views.ts';
import type { ChargeView, DueItem, PaymentView, Position, PositionDetail } from './position.ts';
import { formatPeriod, listRuleDates, type RuleDate } from './rule-dates.ts';
import { getOutstanding, setOffCredits, type SettledCharge } from './set-off.ts';

/**
 * What is owed, due and refundable as of `today`. Amounts come from the sources, with credits set off against amounts due; penalties and
 * interest are calculated to date.
 * Dates that no source gives are calculated by rule and marked so. For an insolvent client we keep what was read and calculate nothing.
 */
export function calculatePosition(tax: Tax, facts: TaxFacts, today: PlainDate): Position {
  const isInsolvent = facts.isInsolvent === true;
  const settled = setOffCredits(facts.charges?.facts ?? [], today, (credit) => getCreditDate(credit, facts));
  const costs = isInsolvent ? NO_COSTS : calculateLateCosts(tax, facts, settled, today);
  const rules = isInsolvent ? [] : listRuleDates(tax, facts, today).filter((date) => !isCovered(date, facts));
  const overdueReturns = isInsolvent ? 0 : (facts.obligations?.facts ?? []).filter((obligation) => isOverdue(obligation, today)).length;
  const open = settled.filter((charge) => getOutstanding(charge) > 0);
  const overdue = open.filter(({ fact }) => fact.due !== undefined && fact.due < today);
  const refund = sumPence(settled.map((charge) => (getOutstanding(charge) < 0 ? pence(-getOutstanding(charge)) : pence(0))));
  const items = isInsolvent ? [] : dueItems(tax, facts, settled, rules, today);
  const readings = listReadings(facts);
  const asOf = readings.reduce<Instant | null>((oldest, { asOf: asOf_ }) => (oldest === null || asOf_ < oldest ? asOf_ : oldest), null);
  const detail: PositionDetail = {
    tax,
    standing: isInsolvent ? 'insolvent' : readings.length > 0 ? 'read' : rules.length > 0 ? 'rule_only' : 'no_data',
    computed_on: today,
    set_off_pence: sumPence(settled.filter(({ fact }) => fact.outstanding > 0).map(({ setOff }) => setOff)),
    // HMRC pays no VAT refund while a return is overdue (docs/reference/hmrc.md section 8).
    refund_held: tax === 'vat' && refund > 0 && overdueReturns > 0,
    late: costs.late,
    periods: buildPeriodViews(tax, facts, settled, rules, today),
    charges: chargeViews(facts, settled, costs, today),
    payments: paymentViews(facts),
    items,
  };
  return {
    tax,
    owed: sumPence(open.map(getOutstanding)),
    overdue: sumPence(overdue.map(getOutstanding)),
    overdueSince: earliest(overdue.flatMap(({ fact }) => (fact.due === undefined ? [] : [fact.due]))),
    refund,
    overdueReturns,
    points: costs.late.points,
    pointsThreshold: costs.late.points_threshold,
    penalty: pence(costs.late.late_payment_pence + costs.late.late_submission_pence),
    interest: costs.late.interest_pence,
    isEstimate: costs.late.is_estimate,
    nextDue: items.find(({ what }) => what !== 'refund') ?? null,
    items,
    source: getMainSource(facts),
    asOf,
    detail,
  };
}

/** Whether a source already covers the rule date: it has the same period, or a charge without a period due on the same day. */
function isCovered(date: RuleDate, facts: TaxFacts): boolean {
  if (date.what === 'return') {
    return (facts.obligations?.facts ?? []).some(({ kind, end }) => kind === 'return' && end === date.period.end);
  }
  return (facts.charges?.facts ?? []).some(
    ({ kind, period, due, original }) =>
      original > 0 &&
      (kind === 'tax' || kind === 'on_account') &&
      (due === date.dueOn || (due === undefined && period?.end === date.period.end)),
  );
}

/** Lists the due items, earliest first; on the same day in the order return, payment, refund. */
function dueItems(
  tax: Tax,
  facts: TaxFacts,
  settled: readonly SettledCharge[],
  rules: readonly RuleDate[],
  today: PlainDate,
): readonly DueItem[] {
  const items: DueItem[] = rules.map(({ what, period, dueOn, title }) => ({
    key: `rule ${what} ${dueOn} ${period.end}`,
    what,
    due_on: dueOn,
    amount_pence: null,
    title,
    period_start: period.start,
    period_end: period.end,
    source: 'rule',
    as_of: null,
  }));
  for (const obligation of facts.obligations?.facts ?? []) {
    if (obligation.status === 'open' && facts.obligations) items.push(returnItem(tax, obligation, facts.obligations));
  }
  for (const charge of settled) {
    const item = facts.charges && chargeItem(charge, facts, facts.charges, today);
    if (item) items.push(item);
  }
  return withUniqueKeys(items.toSorted(compareByDueDate));
}

/** Keeps keys unique even if a source lists the same item twice. */
function withUniqueKeys(items: readonly DueItem[]): readonly DueItem[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const count = (seen.get(item.key) ?? 0) + 1;
    seen.set(item.key, count);
    return count === 1 ? item : { ...item, key: `${item.key} (again ${count})` };
  });
}

const RETURN_NAMES: Readonly<Record<Tax, string>> = {
  vat: 'VAT return',
  paye: 'PAYE report',
  ct: 'Company tax return',
  sa: 'Self Assessment return',
};

function returnItem(tax: Tax, obligation: ObligationFact, read: SourcedFacts<unknown>): DueItem {
  const { kind, start, end, due } = obligation;
  return {
    key: `return ${kind} ${start} ${end}`,
    what: 'return',
    due_on: due,
    amount_pence: null,
    title: `${kind === 'update' ? 'Quarterly update' : RETURN_NAMES[tax]}, ${formatPeriod(obligation)}`,
    period_start: start,
    period_end: end,
    source: read.source,
    as_of: read.asOf,
  };
}

/**
 * HMRC usually repays within 30 days of the return (docs/reference/hmrc.md section 8). The date is our estimate, so its source is `rule`.
 */
const REFUND_DAYS = 30;

function chargeItem(charge: SettledCharge, facts: TaxFacts, read: SourcedFacts<unknown>, today: PlainDate): DueItem | undefined {
  const { fact, key } = charge;
  const outstanding = getOutstanding(charge);
  const base = { key, title: fact.title, period_start: fact.period?.start ?? null, period_end: fact.period?.end ?? null };
  if (outstanding > 0 && fact.due !== undefined) {
    return { ...base, what: 'payment', due_on: fact.due, amount_pence: outstanding, source: read.source, as_of: read.asOf };
  }
  if (outstanding >= 0) return undefined;
  const expected = addDays(getCreditDate(fact, facts) ?? today, REFUND_DAYS);
  return { ...base, what: 'refund', due_on: expected, amount_pence: outstanding, source: 'rule', as_of: read.asOf };
}

/** A credit arises when HMRC receives the return that claims it. If that date is unknown, use the date the source gives. */
function getCreditDate(credit: ChargeFact, { obligations }: TaxFacts): PlainDate | undefined {
  const filed = obligations?.facts.find(({ end, received }) => end === credit.period?.end && received !== undefined);
  return filed?.received ?? credit.due;
}

function chargeViews(facts: TaxFacts, settled: readonly SettledCharge[], costs: LateCosts, today: PlainDate): readonly ChargeView[] {
  const read = facts.charges;
  if (!read) return [];
  return settled.map((charge) => {
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
      days_late: isLate && fact.due !== undefined ? daysBetween(fact.due, today) : 0,
      penalty_pence: cost?.penalty ?? pence(0),
      interest_pence: cost?.interest ?? pence(0),
      source: read.source,
      as_of: read.asOf,
    };
  });
}

function paymentViews({ payments }: TaxFacts): readonly PaymentView[] {
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

/** Picks the source of the charges if there is one, then of obligations, payments and penalties. */
function getMainSource(facts: TaxFacts): FigureSource {
  return facts.charges?.source ?? facts.obligations?.source ?? facts.payments?.source ?? facts.penalties?.source ?? 'rule';
}

function isOverdue({ status, due }: ObligationFact, today: PlainDate): boolean {
  return status === 'open' && due < today;
}

function earliest(dates: readonly PlainDate[]): PlainDate | null {
  return dates.reduce<PlainDate | null>((first, date) => (first === null || date < first ? date : first), null);
}

const ITEM_ORDER: Readonly<Record<DueItem['what'], number>> = { return: 0, payment: 1, refund: 2 };

function compareByDueDate(a: DueItem, b: DueItem): number {
  if (a.due_on !== b.due_on) return a.due_on < b.due_on ? -1 : 1;
  return ITEM_ORDER[a.what] - ITEM_ORDER[b.what];
}
