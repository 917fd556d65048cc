import { pence, sumPence, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';

const MIN_LIABILITY = pence(100_000);

/** Whether payments on account are due for the next year, and both amounts in pence; an odd penny goes on the second (SAM1100). */
export type PaymentsOnAccount = { readonly required: boolean; readonly first: Pence; readonly second: Pence };

/**
 * Calculates payments on account from a year's income tax and Class 4 (no capital gains tax, student loan or Class 2), less tax deducted at
 * source. They are required unless the remainder is under 1,000 pounds or under one fifth of the whole; exactly 1,000.00 and exactly one
 * fifth require them. Source: TMA 1970 s59A(1)(c)(d); SI 1996/1654 as amended by SI 1997/2491; SAM1010, SAM1100. (SAM121490 words the fifth
 * differently from the statute.)
 */
export function calculatePaymentsOnAccount(taxAndClass4: Pence, deductedAtSource: Pence): PaymentsOnAccount {
  const balance = taxAndClass4 - deductedAtSource;
  const isRequired = balance >= MIN_LIABILITY && balance * 5 >= taxAndClass4;
  if (!isRequired) return { required: isRequired, first: ZERO, second: ZERO };
  const first = (balance - (balance % 2)) / 2;
  return { required: isRequired, first: pence(first), second: pence(balance - first) };
}

/** Payments in January and July after a tax year, in pence. A negative amount is a repayment. */
export type BalancingPayments = {
  readonly balancing: Pence;
  readonly first_poa: Pence;
  readonly second_poa: Pence;
  readonly due_in_january: Pence;
  readonly due_in_july: Pence;
};

/**
 * Returns the payments: on 31 January, the balancing payment (liability less payments on account) plus the first payment for the next year;
 * on 31 July, the second payment. `liability` excludes tax deducted at source; pass that tax as well, if known, for the one-fifth test.
 * Source: TMA 1970 ss59A, 59B; GOV.UK example of 2021-22.
 */
export function calculateBalancingPayments(
  liability: Pence,
  paidOnAccount: readonly Pence[],
  deductedAtSource: Pence = ZERO,
): BalancingPayments {
  const balancing = pence(liability - sumPence(paidOnAccount));
  const next = calculatePaymentsOnAccount(pence(liability + deductedAtSource), deductedAtSource);
  return {
    balancing,
    first_poa: next.first,
    second_poa: next.second,
    due_in_january: pence(balancing + next.first),
    due_in_july: next.second,
  };
}
