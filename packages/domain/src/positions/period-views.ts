/** A client's periods for one tax, newest first, with their returns and payments, from any source. */
import { pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import { getCorporationTaxDueDate } from '../uk-tax/corporation-tax/due-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import { getObligationKind, PAYMENT_KINDS } from './list-items.ts';
import { isTaxCharge, type ObligationFact, type Period, type SourcedFacts, type TaxFacts } from './tax-facts.ts';
import { getDueKind, type PeriodPayment, type PeriodView, type QuarterlyUpdateView } from './position.ts';
import type { RuleDate } from './rule-dates.ts';
import { getOutstanding, type SettledCharge } from './set-off.ts';

/** Combines the periods of returns, charges (`settledCharges`: after set-off) and rule dates. The first and last day identify a period. */
export function buildPeriodViews(
  tax: Tax,
  facts: TaxFacts,
  settledCharges: readonly SettledCharge[],
  rules: readonly RuleDate[],
  today: PlainDate,
): readonly PeriodView[] {
  const byPeriod = new Map<string, PeriodView>();
  const updatePeriod = (period: Period, change: (previous: PeriodView | undefined) => PeriodView): void => {
    const key = `${period.start} ${period.end}`;
    byPeriod.set(key, change(byPeriod.get(key)));
  };
  for (const rule of rules) updatePeriod(rule.period, (previous) => addRuleDates(previous, rule));
  const { obligations, charges } = facts;
  for (const obligation of obligations?.facts ?? []) {
    // A quarterly update is cumulative: the fourth has the dates of the tax year, but isn't that year's return.
    if (obligation.kind === 'update') continue;
    if (obligations) updatePeriod(obligation, (previous) => addReturn(tax, previous, obligation, obligations, today));
  }
  for (const charge of settledCharges) {
    const { period } = charge.fact;
    if (charges && period && isTaxCharge(charge.fact)) {
      updatePeriod(period, (previous) => withCharge(previous ?? createEmptyView(period), charge, charges));
    }
  }
  const views = [...byPeriod.values()]
    .map(setFirstPayment)
    .map((view) => (tax === 'ct' && facts.isInsolvent !== true ? setPaymentDay(view) : view));
  return views.toSorted((a, b) => (a.end < b.end ? 1 : a.end > b.end ? -1 : a.start < b.start ? 1 : -1));
}

function createEmptyView({ start, end }: Period): PeriodView {
  return {
    key: `${start} ${end}`,
    start,
    end,
    return_kind: null,
    return_due_on: null,
    return_state: null,
    received_on: null,
    payment_due_on: null,
    charged_pence: null,
    outstanding_pence: null,
    payments: [],
    source: 'rule',
    as_of: null,
  };
}

function addRuleDates(previous: PeriodView | undefined, { kind, period, dueOn }: RuleDate): PeriodView {
  const view = previous ?? createEmptyView(period);
  if (getDueKind(kind) === 'return') return { ...view, return_kind: kind, return_due_on: dueOn, return_state: 'not_due' };
  return { ...view, payments: [...view.payments, { kind, due_on: dueOn, charged_pence: null, outstanding_pence: null }] };
}

function addReturn(
  tax: Tax,
  previous: PeriodView | undefined,
  obligation: ObligationFact,
  read: SourcedFacts<unknown>,
  today: PlainDate,
): PeriodView {
  return {
    ...(previous ?? createEmptyView(obligation)),
    return_kind: getObligationKind(tax, obligation, read),
    return_due_on: obligation.due,
    return_state: getReturnStatus(obligation, today),
    received_on: obligation.received ?? null,
    source: read.source,
    as_of: read.asOf,
  };
}

function getReturnStatus({ status, due, end }: ObligationFact, today: PlainDate): NonNullable<PeriodView['return_state']> {
  if (status === 'fulfilled') return 'filed';
  if (due < today) return 'overdue';
  return end < today ? 'due' : 'not_due';
}

function withCharge(view: PeriodView, charge: SettledCharge, read: SourcedFacts<unknown>): PeriodView {
  const { kind, due, original } = charge.fact;
  const payment: PeriodPayment = {
    kind: original < 0 ? 'refund' : PAYMENT_KINDS[kind],
    due_on: due ?? null,
    charged_pence: original,
    outstanding_pence: getOutstanding(charge),
  };
  return {
    ...view,
    payments: [...view.payments, payment],
    charged_pence: pence((view.charged_pence ?? 0) + charge.fact.original),
    outstanding_pence: pence((view.outstanding_pence ?? 0) + getOutstanding(charge)),
    source: read.source,
    as_of: read.asOf,
  };
}

/** Keeps each payment's own date: half of the payments on account are due on 31 January and half on 31 July (TMA 1970 s59A(2)). */
function setFirstPayment(view: PeriodView): PeriodView {
  const payments = view.payments.toSorted((a, b) => ((a.due_on ?? '') < (b.due_on ?? '') ? -1 : 1));
  const datedPayments = payments.filter(({ due_on: due }) => due !== null);
  const first = datedPayments.find(({ outstanding_pence: outstanding }) => outstanding === null || outstanding > 0) ?? datedPayments.at(-1);
  return { ...view, payments, payment_due_on: first?.due_on ?? null };
}

/** Returns the quarterly updates that HMRC expects, newest first. */
export function buildQuarterlyUpdates({ obligations }: TaxFacts, today: PlainDate): readonly QuarterlyUpdateView[] {
  if (!obligations) return [];
  const updates = obligations.facts.filter(({ kind }) => kind === 'update').toSorted((a, b) => (a.due < b.due ? 1 : -1));
  return updates.map((update) => ({
    key: `${update.start} ${update.end}`,
    start: update.start,
    end: update.end,
    due_on: update.due,
    state: getReturnStatus(update, today),
    received_on: update.received ?? null,
    source: obligations.source,
    as_of: obligations.asOf,
  }));
}

/**
 * Adds the payment date to periods known from a source, even if the amount is unknown, because rule dates only start from today.
 * Corporation tax is due nine months and a day after the end of the period, whether or not the return was filed (TMA 1970 s59D).
 */
function setPaymentDay(view: PeriodView): PeriodView {
  return { ...view, payment_due_on: view.payment_due_on ?? getCorporationTaxDueDate(view.end) };
}
