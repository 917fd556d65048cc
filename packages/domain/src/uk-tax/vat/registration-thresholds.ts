import { type Pence, pence } from '../../money.ts';
import { plainDate, type PlainDate } from '../../plain-date.ts';
import { type DatedRow, findRowInForce } from '../dated-table.ts';

/** The limits of VATA 1994 Sch 1 paras 1(1) and 1(3), both of 12-month taxable turnover. Only turnover above them counts. */
export type RegistrationThreshold = DatedRow & { readonly registration_pence: Pence; readonly deregistration_pence: Pence };

const SOURCE = 'VAT Notice 700/1: supplement, updated 10 July 2024';

const createThreshold = (from: string, registration: number, deregistration: number): RegistrationThreshold => ({
  from: plainDate(from),
  registration_pence: pence(registration),
  deregistration_pence: pence(deregistration),
  source: SOURCE,
});

export const NEWEST_REGISTRATION_THRESHOLD = createThreshold('2024-04-01', 9_000_000, 8_800_000);

/** In date order. Earlier months have no known threshold. From docs/reference/uk-tax.md, section 1.10. */
export const REGISTRATION_THRESHOLDS: readonly [RegistrationThreshold, ...RegistrationThreshold[]] = [
  createThreshold('2014-04-01', 8_100_000, 7_900_000),
  createThreshold('2015-04-01', 8_200_000, 8_000_000),
  createThreshold('2016-04-01', 8_300_000, 8_100_000),
  createThreshold('2017-04-01', 8_500_000, 8_300_000),
  NEWEST_REGISTRATION_THRESHOLD,
];

/** Returns the threshold in force at the end of a month if the turnover of the 12 months before is above it. */
export function findExceededThreshold(end: PlainDate, turnover: number): RegistrationThreshold | undefined {
  const threshold = findRowInForce(REGISTRATION_THRESHOLDS, end);
  return threshold !== undefined && turnover > threshold.registration_pence ? threshold : undefined;
}
