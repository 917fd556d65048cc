import { addDays, createPlainDate, toDateParts } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';
import { pence, ZERO } from '../../money.ts';
import type { Pence } from '../../money.ts';

/**
 * Monthly penalty for late full payment submissions, by number of employees. Source: SI 2003/2682 regs 67I-67K; avonhurstltd.co.uk
 * (secondary).
 */
const PENALTY_BY_EMPLOYEES: readonly { readonly from: number; readonly penalty: Pence }[] = [
  { from: 250, penalty: pence(40_000) },
  { from: 50, penalty: pence(30_000) },
  { from: 10, penalty: pence(20_000) },
  { from: 1, penalty: pence(10_000) },
];

/**
 * Returns the penalty in pence for a tax month with late submissions; the first such month of a tax year is free. `number` counts them from
 * 1. Source: SI 2003/2682 regs 67I-67K.
 */
export function getLateReportingPenalty(employees: number, number: number): Pence {
  if (number <= 1) return ZERO;
  return PENALTY_BY_EMPLOYEES.find((row) => employees >= row.from)?.penalty ?? ZERO;
}

/**
 * Returns true if a full payment submission, due on or before payday, is later than HMRC's three-day tolerance. Source: SI 2003/2682 reg
 * 67B; avonhurstltd.co.uk (secondary, the three days).
 */
export function isReportedLate(payday: PlainDate, submittedOn: PlainDate): boolean {
  return submittedOn > addDays(payday, 3);
}

/**
 * Returns when the employer payment summary for a tax month is due: the 19th after it ends. Source: effectivepayroll.co.uk, taxkiln.co.uk
 * (secondary).
 */
export function getEmployerSummaryDueDate(taxMonthEnd: PlainDate): PlainDate {
  const { year, month } = toDateParts(taxMonthEnd);
  return createPlainDate(year, month, 19);
}
