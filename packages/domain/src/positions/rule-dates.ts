/** Calculates dates that depend only on the calendar. Screens mark them as calculated. */
import type { ItemKind } from './position.ts';
import { addDays, addMonths, formatDate, toDateParts, type PlainDate } from '../plain-date.ts';
import { addMonthsKeepingMonthEnd } from '../uk-tax/calendar/month-arithmetic.ts';
import { getTaxMonth } from '../uk-tax/calendar/paye-tax-month.ts';
import { getTaxYearStart, toTaxYear, getTaxYear } from '../uk-tax/calendar/tax-year.ts';
import { listAccountingPeriods } from '../uk-tax/corporation-tax/accounting-periods.ts';
import { getPayeMonthDue, getPayeQuarterDue } from '../uk-tax/paye/due-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import { getSelfAssessmentDates } from '../uk-tax/self-assessment/dates.ts';
import type { Period, TaxFacts } from './tax-facts.ts';

/** A return or payment date calculated by rule; the amount is unknown. */
export type RuleDate = { readonly kind: ItemKind; readonly period: Period; readonly dueOn: PlainDate; readonly title: string };

/** The number of months ahead: lists show 90 days, the cash flow chart 12 months. */
const MONTHS_AHEAD = 12;

/**
 * Lists rule dates from today onwards. Past dates are omitted because a rule alone can't show that something was missed. VAT has none,
 * because HMRC sets its periods.
 */
export function listRuleDates(tax: Tax, facts: TaxFacts, today: PlainDate): readonly RuleDate[] {
  const last = addMonths(today, MONTHS_AHEAD);
  return listAllDates(tax, facts, today).filter(({ dueOn }) => dueOn >= today && dueOn <= last);
}

function listAllDates(tax: Tax, facts: TaxFacts, today: PlainDate): readonly RuleDate[] {
  switch (tax) {
    case 'vat':
      return [];
    case 'paye':
      return facts.pays === 'quarterly' ? listPayeQuarters(today) : listPayeMonths(today);
    case 'ct':
      return facts.yearEndOn === undefined ? [] : listCorporationTaxDates(facts.yearEndOn, facts.accountsFrom, today);
    case 'sa':
      return listSelfAssessmentYears(facts, today);
  }
}

/** Lists PAYE dates. PAYE is due on the 22nd if paid electronically, or on the 19th by post (SI 2003/2682 reg 69). */
function listPayeMonths(today: PlainDate): readonly RuleDate[] {
  const first = getTaxYearStart(getTaxMonth(today).tax_year) * 12 + getTaxMonth(today).month - 2;
  return Array.from({ length: MONTHS_AHEAD + 2 }, (_, index) => {
    const count = first + index;
    return toPayeRuleDate(getPayeMonthDue(toTaxYear(Math.floor(count / 12)), (count % 12) + 1));
  });
}

function listPayeQuarters(today: PlainDate): readonly RuleDate[] {
  const year = getTaxYearStart(getTaxYear(today));
  return [year - 1, year, year + 1].flatMap((calendarYear) =>
    [1, 2, 3, 4].map((quarter) => toPayeRuleDate(getPayeQuarterDue(toTaxYear(calendarYear), quarter))),
  );
}

function toPayeRuleDate(due: ReturnType<typeof getPayeMonthDue>): RuleDate {
  const period = { start: due.period_start, end: due.period_end };
  const postDueDay = toDateParts(due.post_due).day;
  return { kind: 'payment', period, dueOn: due.electronic_due, title: `PAYE, ${formatPeriod(period)} (${postDueDay}th if by post)` };
}

/**
 * Lists corporation tax dates: the payment is due nine months and a day after the end of the period, and the return 12 months after it (TMA
 * 1970 s59D; FA 1998 Sch 18 para 14).
 */
function listCorporationTaxDates(yearEndOn: PlainDate, accountsFrom: TaxFacts['accountsFrom'], today: PlainDate): readonly RuleDate[] {
  return listPeriodsOfAccount(yearEndOn, accountsFrom, today).flatMap(({ start, end }) =>
    listAccountingPeriods(start, end).flatMap((period): RuleDate[] => {
      const accountingPeriod = { start: period.start, end: period.end };
      const periodText = formatPeriod(accountingPeriod);
      return [
        { kind: 'payment', period: accountingPeriod, dueOn: period.ct_due, title: `Corporation tax, ${periodText}` },
        { kind: 'return', period: accountingPeriod, dueOn: period.ct600_due, title: `Company tax return, ${periodText}` },
      ];
    }),
  );
}

/** Lists periods of account around today: the known one unchanged, and the years before and after it. */
function listPeriodsOfAccount(yearEndOn: PlainDate, knownAccountsFrom: TaxFacts['accountsFrom'], today: PlainDate): readonly Period[] {
  const yearsSince = toDateParts(today).year - toDateParts(yearEndOn).year;
  const periods: Period[] = [];
  for (let years = yearsSince - 3; years <= yearsSince + 1; years += 1) {
    if (years < 0 && knownAccountsFrom?.isFirst) continue;
    // Earlier years end before the known period begins, which may be longer or shorter than a year.
    const lastYearEnd = years < 0 && knownAccountsFrom ? addMonthsKeepingMonthEnd(addDays(knownAccountsFrom.start, -1), 12) : yearEndOn;
    const end = addMonthsKeepingMonthEnd(lastYearEnd, years * 12);
    const start = years === 0 && knownAccountsFrom ? knownAccountsFrom.start : addDays(addMonthsKeepingMonthEnd(end, -12), 1);
    periods.push({ start, end });
  }
  return periods;
}

/** Lists Self Assessment dates. The return for a year with quarterly updates is a final declaration (SI 2021/1076). */
function listSelfAssessmentYears({ obligations }: TaxFacts, today: PlainDate): readonly RuleDate[] {
  const updates = (obligations?.facts ?? []).filter(({ kind }) => kind === 'update');
  const current = getTaxYearStart(getTaxYear(today));
  return [current - 2, current - 1, current, current + 1].flatMap((year): RuleDate[] => {
    const dates = getSelfAssessmentDates(toTaxYear(year));
    const period = { start: dates.start, end: dates.end };
    const hasUpdates = updates.some(({ end }) => end > period.start && end <= period.end);
    return [
      hasUpdates
        ? { kind: 'final_declaration', period, dueOn: dates.online_return, title: `Final declaration ${dates.tax_year}` }
        : { kind: 'return', period, dueOn: dates.online_return, title: `Self Assessment return ${dates.tax_year}` },
      { kind: 'balancing_payment', period, dueOn: dates.balancing, title: `Self Assessment ${dates.tax_year}, balancing payment` },
      { kind: 'payment_on_account', period, dueOn: dates.poa1, title: `Self Assessment ${dates.tax_year}, first payment on account` },
      { kind: 'payment_on_account', period, dueOn: dates.poa2, title: `Self Assessment ${dates.tax_year}, second payment on account` },
    ];
  });
}

/** Formats a period for display: "1 Jul 2026 to 30 Sep 2026". */
export function formatPeriod({ start, end }: Period): string {
  return `${formatDate(start, 'short')} to ${formatDate(end, 'short')}`;
}
