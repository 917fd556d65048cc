/** A client's PAYE for the last twelve tax months or four quarters, as listed in HMRC's business tax account. */
import { addDays, addMonths, type PlainDate } from '@portal/domain/plain-date.ts';
import { getTaxMonth } from '@portal/domain/uk-tax/calendar/paye-tax-month.ts';
import { getPayeMonthDue, getPayeQuarterDue, type PayeDue } from '@portal/domain/uk-tax/paye/due-date.ts';
import { getVariation } from '../hmrc/past-figures.ts';
import type { PortfolioClient } from './portfolio-client.ts';
import { createStatementEntry } from './statement-entry.ts';
import type { StatementEntry } from './statement-entry.ts';

const MONTHS_LISTED = 12;

export function listPayeEntries(client: PortfolioClient, today: PlainDate): StatementEntry[] {
  const { paye } = client;
  if (!paye) return [];
  const periods = listPeriodsBefore(today, paye.payFrequency);
  const newestDue = periods.findLast(({ due }) => due.electronic_due < today);
  const isOwing = client.situation === 'overdue_payment' || client.situation === 'insolvent';
  // A VAT-registered client in debt owes VAT, and in half of cases PAYE too. Others in debt always owe PAYE.
  const doesOwePaye = isOwing && (!client.vat || getVariation(client.utr, 30) < 0.5);
  return periods.flatMap(({ due, title }, index) => {
    const monthsPerPeriod = paye.payFrequency === 'quarterly' ? 3 : 1;
    const amountPence = Math.round(paye.typicalMonthPence * monthsPerPeriod * (0.92 + getVariation(client.utr, 300 + index) * 0.16));
    const isDue = due.electronic_due < today;
    const paidPence = !isDue || (doesOwePaye && due === newestDue?.due) ? 0 : amountPence;
    const commonFields = {
      reference: paye.employerReference,
      client: client.name,
      period: { start: due.period_start, end: due.period_end },
      pays: paye.payFrequency,
    };
    const charge = createStatementEntry({
      ...commonFields,
      entry: 'charge',
      kind: 'tax',
      title,
      dueOn: due.electronic_due,
      amountPence,
      outstandingPence: amountPence - paidPence,
    });
    if (paidPence === 0) return [charge];
    const receivedOn = addDays(due.electronic_due, -1 - Math.floor(getVariation(client.utr, 330 + index) * 8));
    return [
      charge,
      createStatementEntry({ ...commonFields, entry: 'payment', title: `Payment for ${title}`, receivedOn, amountPence: paidPence }),
    ];
  });
}

/** Lists the periods that have ended, oldest first. */
function listPeriodsBefore(today: PlainDate, frequency: 'monthly' | 'quarterly'): { readonly due: PayeDue; readonly title: string }[] {
  return Array.from({ length: MONTHS_LISTED }, (_, index) => getTaxMonth(addMonths(today, index - MONTHS_LISTED)))
    .filter(({ month }) => frequency === 'monthly' || month % 3 === 0)
    .map(({ tax_year, month }) =>
      frequency === 'monthly'
        ? { due: getPayeMonthDue(tax_year, month), title: `PAYE and National Insurance, month ${month} ${tax_year}` }
        : { due: getPayeQuarterDue(tax_year, month / 3), title: `PAYE and National Insurance, quarter ${month / 3} ${tax_year}` },
    );
}
