/** A client's periods of one tax, newest first: what to file and pay for each, from any source. */
import { pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import { corporationTaxDue } from '../uk-tax/corporation-tax/due-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ObligationFact, Period, SourcedFacts, TaxFacts } from './tax-facts.ts';
import type { PeriodView } from './position.ts';
import type { RuleDate } from './rule-dates.ts';
import { getOutstanding, type SettledCharge } from './set-off.ts';

/** Combines periods of returns, charges (`settled`: after set-off) and rule dates; first and last day identify a period. */
export function buildPeriodViews(
  tax: Tax,
  facts: TaxFacts,
  settled: readonly SettledCharge[],
  rules: readonly RuleDate[],
  today: PlainDate,
): readonly PeriodView[] {
  const byPeriod = new Map<string, PeriodView>();
  const updatePeriod = (period: Period, change: (before: PeriodView | undefined) => PeriodView): void => {
    const key = `${period.start} ${period.end}`;
    byPeriod.set(key, change(byPeriod.get(key)));
  };
  for (const rule of rules) updatePeriod(rule.period, (before) => withRule(before, rule));
  const { obligations, charges } = facts;
  for (const obligation of obligations?.facts ?? []) {
    if (obligations) updatePeriod(obligation, (before) => withReturn(before, obligation, obligations, today));
  }
  for (const charge of settled) {
    const { period, kind } = charge.fact;
    if (charges && period && (kind === 'tax' || kind === 'on_account')) {
      updatePeriod(period, (before) => withCharge(before ?? createEmptyView(period), charge, charges));
    }
  }
  const views = [...byPeriod.values()].map((view) => (tax === 'ct' && facts.isInsolvent !== true ? withPaymentDay(view) : view));
  return views.toSorted((a, b) => (a.end < b.end ? 1 : a.end > b.end ? -1 : a.start < b.start ? 1 : -1));
}

function createEmptyView({ start, end }: Period): PeriodView {
  return {
    key: `${start} ${end}`,
    start,
    end,
    return_due_on: null,
    return_state: null,
    received_on: null,
    payment_due_on: null,
    charged_pence: null,
    outstanding_pence: null,
    source: 'rule',
    as_of: null,
  };
}

function withRule(before: PeriodView | undefined, { what, period, dueOn }: RuleDate): PeriodView {
  const view = before ?? createEmptyView(period);
  if (what === 'return') return { ...view, return_due_on: dueOn, return_state: 'not_due' };
  // Use the earliest date: a payment on account is due before the balancing payment.
  return { ...view, payment_due_on: view.payment_due_on !== null && view.payment_due_on < dueOn ? view.payment_due_on : dueOn };
}

function withReturn(before: PeriodView | undefined, obligation: ObligationFact, read: SourcedFacts<unknown>, today: PlainDate): PeriodView {
  return {
    ...(before ?? createEmptyView(obligation)),
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
  return {
    ...view,
    payment_due_on: charge.fact.due ?? view.payment_due_on,
    charged_pence: pence((view.charged_pence ?? 0) + charge.fact.original),
    outstanding_pence: pence((view.outstanding_pence ?? 0) + getOutstanding(charge)),
    source: read.source,
    as_of: read.asOf,
  };
}

/**
 * Corporation tax is due nine months and a day after the period, whether or not the return was filed (TMA 1970 s59D). Rule dates start from
 * today, so this adds the payment date to periods known from a source even if no amount is known.
 */
function withPaymentDay(view: PeriodView): PeriodView {
  return { ...view, payment_due_on: view.payment_due_on ?? corporationTaxDue(view.end) };
}
