/**
 * Payment of a shortfall in instalments. Only available to companies and LLPs: credit to an individual or a small partnership is regulated,
 * and we can't give it without permission. Financial Services and Markets Act 2000 (Regulated Activities) Order 2001 (SI 2001/544),
 * articles 60B and 60L (who), 60C to 60F (exemptions; 60F covers at most 12 payments in 12 months without interest or charges). To be
 * confirmed by a lawyer (docs/decisions/0036-shortfalls.md).
 */
import { allocate } from '../allocate.ts';
import { pence, type Pence } from '../money.ts';
import { addMonths, type PlainDate } from '../plain-date.ts';

export const MIN_INSTALMENTS = 2;
export const MAX_INSTALMENTS = 3;

export type Instalment = { readonly number: number; readonly dueOn: PlainDate; readonly amount: Pence };

/**
 * Plans equal monthly instalments without interest, the first on `firstDueOn`. They add up to the amount; any odd pennies go on the first
 * ones.
 */
export function planInstalments(amount: Pence, count: number, firstDueOn: PlainDate): Instalment[] {
  if (!Number.isInteger(count) || count < MIN_INSTALMENTS || count > MAX_INSTALMENTS) {
    throw new RangeError(`a plan must have ${MIN_INSTALMENTS} or ${MAX_INSTALMENTS} instalments`);
  }
  const weights = Array.from({ length: count }, () => 1);
  return allocate(amount, weights).map((share, index) => ({ number: index + 1, dueOn: addMonths(firstDueOn, index), amount: share }));
}

/** An amount with its due date. `number` is the instalment's number, or undefined for the whole shortfall. */
export type NextPayment = { readonly amount: Pence; readonly dueOn: PlainDate; readonly number?: number };

/**
 * Returns the next payment: the first instalment not covered by the money received since the plan was agreed. Payments count towards the
 * oldest instalment, whatever their source.
 */
export function getNextPayment(
  owedAmount: Pence,
  dueOn: PlainDate,
  plan: { readonly instalments: readonly Instalment[]; readonly paid: Pence } | undefined,
): NextPayment | undefined {
  if (owedAmount <= 0) return undefined;
  let remaining: number = plan?.paid ?? 0;
  for (const { number, amount, dueOn: instalmentDueOn } of plan?.instalments ?? []) {
    if (remaining < amount) return { amount: pence(Math.min(owedAmount, amount - remaining)), dueOn: instalmentDueOn, number };
    remaining -= amount;
  }
  const last = plan?.instalments.at(-1);
  return { amount: owedAmount, dueOn: last?.dueOn ?? dueOn };
}
