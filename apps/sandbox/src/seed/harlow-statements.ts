/** Harlow Joinery's statements with amounts to pay: this month's payroll, and corporation tax on a recently filed return. */
import { addDays, plainDate } from '@portal/domain/plain-date.ts';
import { getTaxMonth } from '@portal/domain/uk-tax/calendar/paye-tax-month.ts';
import { listAccountingPeriods } from '@portal/domain/uk-tax/corporation-tax/accounting-periods.ts';
import { getPayeMonthDue } from '@portal/domain/uk-tax/paye/due-date.ts';
import type { Portfolio } from '../portfolio/portfolio-client.ts';
import { createStatementEntry } from '../portfolio/statement-entry.ts';
import { createStatements, formatStatement } from '../portfolio/statements.ts';

/** A month's payroll is known before the month ends. */
const PAYE_PENCE = 184_216;
const CT_PENCE = 1_430_580;
const FILED_DAYS_AGO = 12;

export function createHarlowStatements(portfolio: Portfolio): { readonly paye: string; readonly ct: string } {
  const { list, today } = portfolio;
  const [client] = list;
  const { paye, ct } = createStatements(portfolio);
  const { tax_year: taxYear, month } = getTaxMonth(today);
  const due = getPayeMonthDue(taxYear, month);
  const payroll = createStatementEntry({
    reference: client?.paye?.employerReference ?? '',
    client: client?.name ?? '',
    entry: 'charge',
    kind: 'tax',
    title: `PAYE and National Insurance, month ${month} ${taxYear}`,
    period: { start: due.period_start, end: due.period_end },
    dueOn: due.electronic_due,
    amountPence: PAYE_PENCE,
    outstandingPence: PAYE_PENCE,
    pays: 'monthly',
  });
  // Marks the last period's return as filed, in case it is still open in the portfolio.
  const filedEntries = ct.map((entry) =>
    entry.entry === 'return' && entry.received_on === '' ? { ...entry, received_on: addDays(today, -FILED_DAYS_AGO) } : entry,
  );
  const charges = ct
    .filter(({ entry, received_on: receivedOn }) => entry === 'return' && receivedOn === '')
    .flatMap(({ reference, client: name, period_start: start, period_end: end }) =>
      listAccountingPeriods(plainDate(start), plainDate(end)).map((period) =>
        createStatementEntry({
          reference,
          client: name,
          entry: 'charge',
          kind: 'tax',
          title: `Corporation tax to ${period.end}`,
          period: { start: period.start, end: period.end },
          dueOn: period.ct_due,
          amountPence: CT_PENCE,
          outstandingPence: CT_PENCE,
        }),
      ),
    );
  return { paye: formatStatement([...paye, payroll]), ct: formatStatement([...filedEntries, ...charges]) };
}
