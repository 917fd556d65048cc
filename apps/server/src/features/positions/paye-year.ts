/** A client's PAYE for a tax year, by tax month. */
import type { positionsApi } from '@portal/contract/positions.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { sumPence, type Pence } from '@portal/domain/money.ts';
import { addMonths } from '@portal/domain/plain-date.ts';
import type { PeriodView } from '@portal/domain/positions/position.ts';
import { getTaxMonth, getTaxMonthDates } from '@portal/domain/uk-tax/calendar/paye-tax-month.ts';
import { getTaxYearStart, toTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { getPayeMonthDue } from '@portal/domain/uk-tax/paye/due-date.ts';

type PayeYear = EndpointOutput<typeof positionsApi.payeYear>;
type Amount = 'charged_pence' | 'outstanding_pence';

/**
 * Adds up the year's 12 tax months and, separately, charges for periods longer than a quarter, such as Class 1A contributions. A quarterly
 * amount is reported in the last month of its quarter.
 */
export function toPayeYear(clientId: string, year: number, periods: readonly PeriodView[]): PayeYear {
  const taxYear = toTaxYear(year);
  const yearPeriods = periods
    .map((period) => ({ ...period, taxMonth: getTaxMonth(period.end) }))
    .filter(({ taxMonth }) => getTaxYearStart(taxMonth.tax_year) === year);
  const [longPeriods, monthlyPeriods] = [yearPeriods.filter(isLong), yearPeriods.filter((period) => !isLong(period))];
  const months = Array.from({ length: 12 }, (_, index) => {
    const month = index + 1;
    const monthCharges = monthlyPeriods.filter(({ taxMonth }) => taxMonth.month === month);
    const first = monthCharges.find(({ outstanding_pence: outstanding }) => outstanding !== null && outstanding > 0) ?? monthCharges[0];
    return {
      month,
      ...getTaxMonthDates(taxYear, month),
      due_on: first?.payment_due_on ?? getPayeMonthDue(taxYear, month).electronic_due,
      charged_pence: sumKnownAmounts(monthCharges, 'charged_pence'),
      outstanding_pence: sumKnownAmounts(monthCharges, 'outstanding_pence'),
      source: first?.source ?? ('rule' as const),
      as_of: first?.as_of ?? null,
    };
  });
  return {
    client_id: clientId,
    months,
    others: longPeriods.map(({ key, start, end, payment_due_on: due, charged_pence, outstanding_pence, source, as_of }) => {
      return { key, start, end, due_on: due, charged_pence, outstanding_pence, source, as_of };
    }),
    charged_pence: sumKnownAmounts(yearPeriods, 'charged_pence'),
    outstanding_pence: sumKnownAmounts(yearPeriods, 'outstanding_pence'),
  };
}

const isLong = ({ start, end }: PeriodView): boolean => start < addMonths(end, -3);

/** Unknown amounts are null, never zero. */
function sumKnownAmounts(periods: readonly Pick<PeriodView, Amount>[], field: Amount): Pence | null {
  const knownValues = periods.flatMap((period) => period[field] ?? []);
  return knownValues.length === 0 ? null : sumPence(knownValues);
}
