/** Sets credits off against debts for the same tax. */
import { pence, sumPence, ZERO, type Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { ChargeFact } from './tax-facts.ts';

/** Part of a charge covered by one credit, and the day the credit arose; `on` is undefined if that day is unknown. */
export type SetOffPart = { readonly on: PlainDate | undefined; readonly amount: Pence };

/** A charge with its key and the credits that cover it; for a credit, `setOff` is the amount used (all positive). */
export type SettledCharge = {
  readonly key: string;
  readonly fact: ChargeFact;
  readonly setOff: Pence;
  readonly coveredBy: readonly SetOffPart[];
};

/**
 * Sets credits off against amounts due, oldest first, as HMRC does before it repays (FA 2008 s130; docs/reference/hmrc.md section 8).
 * Amounts not yet due are left alone, because HMRC repays a credit before then. Charges keep their order; keys are unique and stable.
 * `getCreditDate` returns the day a credit arose; the debt it covers counts as unpaid until then.
 */
export function setOffCredits(
  charges: readonly ChargeFact[],
  today: PlainDate,
  getCreditDate: (credit: ChargeFact) => PlainDate | undefined,
): readonly SettledCharge[] {
  const debts = sortByDueDate(charges.filter(({ outstanding, due }) => outstanding > 0 && due !== undefined && due <= today));
  const parts = new Map<ChargeFact, SetOffPart[]>();
  const openDebts = new Map(debts.map((debt) => [debt, debt.outstanding]));
  for (const credit of sortByDueDate(charges.filter(({ outstanding }) => outstanding < 0))) {
    let remainingCredit: number = -credit.outstanding;
    for (const debt of debts) {
      const unpaidAmount = openDebts.get(debt) ?? ZERO;
      const amount = pence(unpaidAmount < remainingCredit ? unpaidAmount : remainingCredit);
      if (amount === 0) continue;
      const part = { on: getCreditDate(credit), amount };
      parts.set(debt, [...(parts.get(debt) ?? []), part]);
      parts.set(credit, [...(parts.get(credit) ?? []), part]);
      openDebts.set(debt, pence(unpaidAmount - amount));
      remainingCredit -= amount;
    }
  }
  const toKey = createKeyGenerator();
  return charges.map((fact) => {
    const ownParts = parts.get(fact) ?? [];
    return {
      key: toKey(fact),
      fact,
      setOff: sumPence(ownParts.map(({ amount }) => amount)),
      coveredBy: fact.outstanding > 0 ? ownParts : [],
    };
  });
}

/** Returns the amount of a charge left to pay after set-off; for a credit, the amount left to be repaid (negative). */
export function getOutstanding({ fact, setOff }: SettledCharge): Pence {
  return pence(fact.outstanding < 0 ? fact.outstanding + setOff : fact.outstanding - setOff);
}

function sortByDueDate(charges: readonly ChargeFact[]): readonly ChargeFact[] {
  const toSortDate = (charge: ChargeFact): string => charge.due ?? charge.period?.end ?? '9999-12-31';
  return charges.toSorted((a, b) => (toSortDate(a) < toSortDate(b) ? -1 : toSortDate(a) > toSortDate(b) ? 1 : 0));
}

/** HMRC's VAT charges don't have a reference, so the key consists of kind, title and period, plus a number for repeats. */
function createKeyGenerator(): (charge: ChargeFact) => string {
  const seenCounts = new Map<string, number>();
  return (charge) => {
    const key = charge.reference ?? [charge.kind, charge.title, charge.period?.start ?? charge.due ?? ''].join(' ');
    const count = (seenCounts.get(key) ?? 0) + 1;
    seenCounts.set(key, count);
    return count === 1 ? key : `${key} (${count})`;
  };
}
