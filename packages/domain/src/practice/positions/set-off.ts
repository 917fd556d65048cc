/** Credits against debts of the same tax. */
import { pence, ZERO, type Pence } from '../../money.ts';
import type { PlainDate } from '../../plain-date.ts';
import type { ChargeFact } from './facts.ts';

/** A charge with its key and what a credit meets of it; of a credit, what is used up (both positive). */
export type SettledCharge = { readonly key: string; readonly fact: ChargeFact; readonly setOff: Pence };

/**
 * Sets credits off against what is due, the oldest first, as HMRC does before it repays (FA 2008 s130; reference FACTS section 8). What is not yet due
 * is left: HMRC repays a credit meanwhile. The charges come back in their order, keys unique and the same for the same charges.
 */
export function setOffCredits(charges: readonly ChargeFact[], today: PlainDate): readonly SettledCharge[] {
  let credit = charges.reduce((sum, { outstanding }) => (outstanding < 0 ? sum - outstanding : sum), 0);
  const met = new Map<ChargeFact, Pence>();
  let used = 0;
  for (const charge of byDueDate(charges.filter(({ outstanding, due }) => outstanding > 0 && due !== undefined && due <= today))) {
    const part = charge.outstanding < credit ? charge.outstanding : credit;
    if (part > 0) met.set(charge, pence(part));
    credit -= part;
    used += part;
  }
  for (const charge of byDueDate(charges.filter(({ outstanding }) => outstanding < 0))) {
    const part = -charge.outstanding < used ? -charge.outstanding : used;
    if (part > 0) met.set(charge, pence(part));
    used -= part;
  }
  const keyOf = uniqueKeys();
  return charges.map((fact) => ({ key: keyOf(fact), fact, setOff: met.get(fact) ?? ZERO }));
}

/** What is left to pay of a charge after set-off; of a credit, what is left to come (negative). */
export function openOf({ fact, setOff }: SettledCharge): Pence {
  return pence(fact.outstanding < 0 ? fact.outstanding + setOff : fact.outstanding - setOff);
}

function byDueDate(charges: readonly ChargeFact[]): readonly ChargeFact[] {
  const dayOf = (charge: ChargeFact): string => charge.due ?? charge.period?.end ?? '9999-12-31';
  return charges.toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0));
}

/** HMRC's VAT charges carry no reference: kind and period name them, and a number where two are alike. */
function uniqueKeys(): (charge: ChargeFact) => string {
  const seen = new Map<string, number>();
  return (charge) => {
    const key = charge.reference ?? [charge.kind, charge.title, charge.period?.start ?? charge.due ?? ''].join(' ');
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key} (${count})`;
  };
}
