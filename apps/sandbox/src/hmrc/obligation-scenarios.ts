/** The obligations returned for HMRC's Gov-Test-Scenario values. See docs/reference/hmrc.md section 3.9. */
import { addDays, createPlainDate, getEndOfMonth, addMonths } from '@portal/domain/plain-date.ts';
import type { ObligationWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import { getDueDateAfter } from './vat-periods.ts';

export const OBLIGATION_SCENARIOS: Readonly<Record<string, () => ObligationWire[]>> = {
  QUARTERLY_NONE_MET: () => createQuarters(2017, 4, 0),
  QUARTERLY_ONE_MET: () => createQuarters(2017, 2, 1),
  QUARTERLY_TWO_MET: () => createQuarters(2017, 3, 2),
  QUARTERLY_THREE_MET: () => createQuarters(2017, 4, 3),
  QUARTERLY_FOUR_MET: () => createQuarters(2017, 4, 4),
  MONTHLY_NONE_MET: () => createMonths(2017, 3, 0, 'DEF'),
  MONTHLY_ONE_MET: () => createMonths(2017, 2, 1, 'DEF'),
  MONTHLY_TWO_MET: () => createMonths(2017, 3, 2, 'DEF'),
  MONTHLY_THREE_MET: () => createMonths(2017, 3, 3, 'DEF'),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `MONTHLY_OBS_${String(index + 1).padStart(2, '0')}_OPEN`,
      () => createMonths(2018, index + 1, index, 'ABCDEFGHIJKL'),
    ]),
  ),
  MONTHLY_OBS_12_FULFILLED: () => createMonths(2018, 12, 12, 'ABCDEFGHIJKL'),
  ...Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [`QUARTERLY_OBS_0${index + 1}_OPEN`, () => createQuarters(2018, index + 1, index)]),
  ),
  QUARTERLY_OBS_04_FULFILLED: () => createQuarters(2018, 4, 4),
  MULTIPLE_OPEN_MONTHLY: () => createMonths(2018, 2, 0, 'ABCDEFGHIJKL'),
  MULTIPLE_OPEN_QUARTERLY: () => createQuarters(2018, 2, 0),
  OBS_SPANS_MULTIPLE_YEARS: () => [createObligation('2018-11-01', '2019-01-31', '18A4', false)],
};

function createQuarters(year: number, count: number, fulfilledCount: number): ObligationWire[] {
  return Array.from({ length: count }, (_, index) => {
    const start = createPlainDate(year, index * 3 + 1, 1);
    return createObligation(start, getEndOfMonth(addMonths(start, 2)), `18A${index + 1}`, index < fulfilledCount);
  });
}

function createMonths(year: number, count: number, fulfilledCount: number, letters: string): ObligationWire[] {
  return Array.from({ length: count }, (_, index) => {
    const start = createPlainDate(year, index + 1, 1);
    return createObligation(start, getEndOfMonth(start), `18A${letters[index] ?? 'L'}`, index < fulfilledCount);
  });
}

function createObligation(start: string, end: string, periodKey: string, isFulfilled: boolean): ObligationWire {
  const dueOn = getDueDateAfter(getEndOfMonth(createPlainDate(Number(end.slice(0, 4)), Number(end.slice(5, 7)), 1)));
  return { start, end, due: dueOn, status: isFulfilled ? 'F' : 'O', periodKey, ...(isFulfilled ? { received: addDays(dueOn, -1) } : {}) };
}
