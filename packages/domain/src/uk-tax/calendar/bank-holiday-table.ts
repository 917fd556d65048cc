import { plainDate } from '../../plain-date.ts';
import type { PlainDate } from '../../plain-date.ts';

/** A part of the United Kingdom with its own bank holidays. */
export type Division = 'england-and-wales' | 'scotland' | 'northern-ireland';

/** The first and last years of the published table (https://www.gov.uk/bank-holidays.json), updated manually each year. */
export const PUBLISHED_YEARS = { first: 2019, last: 2028 } as const;

/**
 * Bank holidays as published, with substitute days for those that fall on a weekend.
 * Source: GOV.UK bank holidays data, alphagov/frontend lib/data/bank-holidays.json, read in August 2026. To add a year, add a line to each
 * division.
 */
export const PUBLISHED_BANK_HOLIDAYS: Readonly<Record<Division, Readonly<Record<number, readonly PlainDate[]>>>> = {
  'england-and-wales': {
    2019: createDays(2019, '01-01 04-19 04-22 05-06 05-27 08-26 12-25 12-26'),
    2020: createDays(2020, '01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28'),
    2021: createDays(2021, '01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28'),
    2022: createDays(2022, '01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27'),
    2023: createDays(2023, '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26'),
    2024: createDays(2024, '01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26'),
    2025: createDays(2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'),
    2026: createDays(2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'),
    2027: createDays(2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'),
    2028: createDays(2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'),
  },
  scotland: {
    2019: createDays(2019, '01-01 01-02 04-19 05-06 05-27 08-05 12-02 12-25 12-26'),
    2020: createDays(2020, '01-01 01-02 04-10 05-08 05-25 08-03 11-30 12-25 12-28'),
    2021: createDays(2021, '01-01 01-04 04-02 05-03 05-31 08-02 11-30 12-27 12-28'),
    2022: createDays(2022, '01-03 01-04 04-15 05-02 06-02 06-03 08-01 09-19 11-30 12-26 12-27'),
    2023: createDays(2023, '01-02 01-03 04-07 05-01 05-08 05-29 08-07 11-30 12-25 12-26'),
    2024: createDays(2024, '01-01 01-02 03-29 05-06 05-27 08-05 12-02 12-25 12-26'),
    2025: createDays(2025, '01-01 01-02 04-18 05-05 05-26 08-04 12-01 12-25 12-26'),
    2026: createDays(2026, '01-01 01-02 04-03 05-04 05-25 06-15 08-03 11-30 12-25 12-28'),
    2027: createDays(2027, '01-01 01-04 03-26 05-03 05-31 08-02 11-30 12-27 12-28'),
    2028: createDays(2028, '01-03 01-04 04-14 05-01 05-29 08-07 11-30 12-25 12-26'),
  },
  'northern-ireland': {
    2019: createDays(2019, '01-01 03-18 04-19 04-22 05-06 05-27 07-12 08-26 12-25 12-26'),
    2020: createDays(2020, '01-01 03-17 04-10 04-13 05-08 05-25 07-13 08-31 12-25 12-28'),
    2021: createDays(2021, '01-01 03-17 04-02 04-05 05-03 05-31 07-12 08-30 12-27 12-28'),
    2022: createDays(2022, '01-03 03-17 04-15 04-18 05-02 06-02 06-03 07-12 08-29 09-19 12-26 12-27'),
    2023: createDays(2023, '01-02 03-17 04-07 04-10 05-01 05-08 05-29 07-12 08-28 12-25 12-26'),
    2024: createDays(2024, '01-01 03-18 03-29 04-01 05-06 05-27 07-12 08-26 12-25 12-26'),
    2025: createDays(2025, '01-01 03-17 04-18 04-21 05-05 05-26 07-14 08-25 12-25 12-26'),
    2026: createDays(2026, '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28'),
    2027: createDays(2027, '01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-27 12-28'),
    2028: createDays(2028, '01-03 03-17 04-14 04-17 05-01 05-29 07-12 08-28 12-25 12-26'),
  },
};

/** Returns a year's dates from their months and days. */
function createDays(year: number, monthsAndDays: string): readonly PlainDate[] {
  return monthsAndDays.split(' ').map((monthAndDay) => plainDate(`${year}-${monthAndDay}`));
}
