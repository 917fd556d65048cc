/** Lists every dated item for one tax: returns, updates, payments, penalties, interest and refunds, including completed ones. */
import { addDays, type PlainDate } from '../plain-date.ts';
import { getTaxYear } from '../uk-tax/calendar/tax-year.ts';
import type { Tax } from '../uk-tax/tax.ts';
import { getDueKind, type DueItem, type ItemKind } from './position.ts';
import { formatPeriod, type RuleDate } from './rule-dates.ts';
import { getOutstanding, type SettledCharge } from './set-off.ts';
import type { ChargeFact, ChargeKind, ObligationFact, SourcedFacts, TaxFacts } from './tax-facts.ts';

/** Open and completed items, each in date order; within a day, return, payment, refund. */
export type ListedItems = { readonly open: readonly DueItem[]; readonly done: readonly DueItem[] };

export function listItems(
  tax: Tax,
  facts: TaxFacts,
  settledCharges: readonly SettledCharge[],
  rules: readonly RuleDate[],
  today: PlainDate,
): ListedItems {
  const openItems: DueItem[] = rules.map(toRuleItem);
  const doneItems: DueItem[] = [];
  const { obligations, charges } = facts;
  for (const obligation of obligations?.facts ?? []) {
    if (obligations) (obligation.status === 'open' ? openItems : doneItems).push(toReturnItem(tax, obligation, obligations));
  }
  for (const charge of settledCharges) {
    const item = charges && toChargeItem(charge, facts, charges, today);
    if (item) (item.amount_pence === 0 ? doneItems : openItems).push(item);
  }
  return { open: makeKeysUnique(openItems.toSorted(compareByDueDate)), done: makeKeysUnique(doneItems.toSorted(compareByDueDate)) };
}

/** Keeps keys unique even if a source lists the same item twice. */
function makeKeysUnique(items: readonly DueItem[]): readonly DueItem[] {
  const seenCounts = new Map<string, number>();
  return items.map((item) => {
    const count = (seenCounts.get(item.key) ?? 0) + 1;
    seenCounts.set(item.key, count);
    return count === 1 ? item : { ...item, key: `${item.key} (again ${count})` };
  });
}

function toRuleItem({ kind, period, dueOn, title }: RuleDate): DueItem {
  return {
    key: `rule ${kind} ${dueOn} ${period.end}`,
    what: getDueKind(kind),
    kind,
    due_on: dueOn,
    amount_pence: null,
    title,
    period_start: period.start,
    period_end: period.end,
    source: 'rule',
    as_of: null,
  };
}

const RETURN_NAMES: Readonly<Record<Tax, string>> = {
  vat: 'VAT return',
  paye: 'PAYE report',
  ct: 'Company tax return',
  sa: 'Self Assessment return',
};

/**
 * Returns the kind of an obligation. HMRC's income tax API has only quarterly updates and final declarations (docs/reference/hmrc.md
 * section 6.2).
 */
export function getObligationKind(tax: Tax, { kind }: ObligationFact, { source }: SourcedFacts<unknown>): ItemKind {
  if (kind === 'update') return 'quarterly_update';
  return tax === 'sa' && source === 'hmrc' ? 'final_declaration' : 'return';
}

function toReturnItem(tax: Tax, obligation: ObligationFact, read: SourcedFacts<unknown>): DueItem {
  const { start, end, due } = obligation;
  const kind = getObligationKind(tax, obligation, read);
  const titles: Partial<Record<ItemKind, string>> = {
    quarterly_update: `Quarterly update, ${formatPeriod(obligation)}`,
    final_declaration: `Final declaration ${getTaxYear(start)}`,
  };
  return {
    key: `return ${obligation.kind} ${start} ${end}`,
    what: 'return',
    kind,
    due_on: due,
    amount_pence: null,
    title: titles[kind] ?? `${RETURN_NAMES[tax]}, ${formatPeriod(obligation)}`,
    period_start: start,
    period_end: end,
    source: read.source,
    as_of: read.asOf,
  };
}

/**
 * HMRC usually repays within 30 days of receiving the return (docs/reference/hmrc.md section 8). The date is our estimate, so its source is
 * `rule`.
 */
const REFUND_DAYS = 30;

/** The payment item for each kind of charge. */
export const PAYMENT_KINDS: Readonly<Record<ChargeKind, ItemKind>> = {
  tax: 'payment',
  on_account: 'payment_on_account',
  balancing: 'balancing_payment',
  penalty: 'penalty',
  interest: 'interest',
};

/** Returns the item for a charge or credit; undefined for a charge without a due date. */
function toChargeItem(charge: SettledCharge, facts: TaxFacts, read: SourcedFacts<unknown>, today: PlainDate): DueItem | undefined {
  const { fact, key } = charge;
  const base = {
    key,
    title: fact.title,
    period_start: fact.period?.start ?? null,
    period_end: fact.period?.end ?? null,
    as_of: read.asOf,
    amount_pence: getOutstanding(charge),
  };
  if (fact.original < 0 || fact.outstanding < 0) {
    const expectedOn = addDays(getCreditDate(fact, facts) ?? today, REFUND_DAYS);
    return { ...base, what: 'refund', kind: 'refund', due_on: expectedOn, source: 'rule' };
  }
  if (fact.due === undefined) return undefined;
  return { ...base, what: 'payment', kind: PAYMENT_KINDS[fact.kind], due_on: fact.due, source: read.source };
}

/** A credit arises when HMRC receives the return that claims it. If that date is unknown, the source's date is used. */
export function getCreditDate(credit: ChargeFact, { obligations }: TaxFacts): PlainDate | undefined {
  const filedObligation = obligations?.facts.find(({ end, received }) => end === credit.period?.end && received !== undefined);
  return filedObligation?.received ?? credit.due;
}

const ITEM_ORDER: Readonly<Record<DueItem['what'], number>> = { return: 0, payment: 1, refund: 2 };

function compareByDueDate(a: DueItem, b: DueItem): number {
  if (a.due_on !== b.due_on) return a.due_on < b.due_on ? -1 : 1;
  return ITEM_ORDER[a.what] - ITEM_ORDER[b.what];
}
