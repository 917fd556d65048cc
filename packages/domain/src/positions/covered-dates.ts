/** Finds the statutory dates that a source already covers. */
import { addDays } from '../plain-date.ts';
import type { RuleDate } from './rule-dates.ts';
import type { ChargeFact, ChargeKind, TaxFacts } from './tax-facts.ts';

/** Returns true if a source already covers the rule date, or shows that it doesn't apply. */
export function isDateCovered(date: RuleDate, facts: TaxFacts): boolean {
  switch (date.kind) {
    case 'return':
    case 'final_declaration':
      return (facts.obligations?.facts ?? []).some(({ kind, end }) => kind === 'return' && end === date.period.end);
    case 'payment_on_account':
      return hasCharge('on_account', facts, ({ due }) => due === date.dueOn) || isAssessed(addDays(date.period.start, -1), facts);
    case 'balancing_payment':
      return (
        hasCharge('balancing', facts, ({ due, period }) => due === date.dueOn || period?.end === date.period.end) ||
        isAssessed(date.period.end, facts)
      );
    default:
      return hasCharge('tax', facts, ({ due, period }) => due === date.dueOn || period?.end === date.period.end);
  }
}

function hasCharge(kind: ChargeKind, { charges }: TaxFacts, isSame: (charge: ChargeFact) => boolean): boolean {
  return (charges?.facts ?? []).some((charge) => charge.kind === kind && charge.original >= 0 && isSame(charge));
}

/**
 * Returns true if HMRC has a tax year's return: its account then shows that year's balancing payment and the next year's payments on
 * account, if any (TMA 1970 ss59A(1), 59B(1)), so the next year's payments on account show that HMRC has it.
 */
function isAssessed(taxYearEnd: RuleDate['dueOn'], { obligations, charges }: TaxFacts): boolean {
  if (charges === undefined) return false;
  const isFiled = (obligations?.facts ?? []).some(
    ({ kind, end, status }) => kind === 'return' && end === taxYearEnd && status === 'fulfilled',
  );
  return isFiled || charges.facts.some(({ kind, period }) => kind === 'on_account' && period?.start === addDays(taxYearEnd, 1));
}
