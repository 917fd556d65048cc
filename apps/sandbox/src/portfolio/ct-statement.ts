/** A company's corporation tax for its last accounting periods, as listed in HMRC's business tax account. */
import { addDays, addMonths, getEndOfMonth, type PlainDate } from '@portal/domain/plain-date.ts';
import { listAccountingPeriods, type AccountingPeriod } from '@portal/domain/uk-tax/corporation-tax/accounting-periods.ts';
import { getVariation } from '../hmrc/past-figures.ts';
import type { PortfolioClient } from './portfolio-client.ts';
import { createStatementEntry } from './statement-entry.ts';
import type { StatementEntry } from './statement-entry.ts';

const PERIODS_LISTED = 3;

/** Returns the last accounting year end, in the month of the incorporation anniversary (Companies Act 2006 s391(4)). */
export function getYearEnd(client: PortfolioClient, today: PlainDate): PlainDate | undefined {
  if (!client.company) return undefined;
  const month = client.company.incorporatedOn.slice(5, 7);
  for (let end = getEndOfMonth(addMonths(today, -1)); ; end = getEndOfMonth(addMonths(end, -1))) {
    if (end.slice(5, 7) === month) return end;
  }
}

export function listCorporationTaxEntries(client: PortfolioClient, today: PlainDate): StatementEntry[] {
  const last = getYearEnd(client, today);
  const tax = client.corporationTax;
  if (!tax || last === undefined) return [];
  const periods = Array.from({ length: PERIODS_LISTED }, (_, periodsBack) => {
    const end = getEndOfMonth(addMonths(last, -12 * (PERIODS_LISTED - 1 - periodsBack)));
    return listAccountingPeriods(addDays(getEndOfMonth(addMonths(end, -12)), 1), end);
  }).flat();
  // In three cases out of ten, a client's VAT situation also affects its corporation tax.
  const isAffected = !client.vat || getVariation(client.utr, 31) < 0.3;
  const newestReturn = periods.findLast(({ ct600_due }) => ct600_due < today);
  const newestCharge = periods.findLast(({ ct_due }) => ct_due < today);
  return periods.flatMap((period, index) => {
    const isMissing = isAffected && client.situation === 'overdue_return' && period === newestReturn;
    const isUnpaid = isAffected && (client.situation === 'overdue_payment' || client.situation === 'insolvent') && period === newestCharge;
    return toEntries(client, period, tax.typicalYearPence, index, { isMissing, isUnpaid }, today);
  });
}

function toEntries(
  client: PortfolioClient,
  period: AccountingPeriod,
  typicalYearPence: number,
  index: number,
  { isMissing, isUnpaid }: { readonly isMissing: boolean; readonly isUnpaid: boolean },
  today: PlainDate,
): StatementEntry[] {
  const commonFields = { reference: client.utr, client: client.name, period: { start: period.start, end: period.end } };
  const usualDate = addDays(period.end, 150 + Math.floor(getVariation(client.utr, 400 + index) * 120));
  const receivedOn = !isMissing && usualDate < today ? usualDate : undefined;
  const filing = createStatementEntry({
    ...commonFields,
    entry: 'return',
    title: `Company tax return to ${period.end}`,
    dueOn: period.ct600_due,
    ...(receivedOn === undefined ? {} : { receivedOn }),
  });
  // Without a return, HMRC has no tax charge.
  if (receivedOn === undefined) return [filing];
  const amountPence = Math.round(typicalYearPence * (0.8 + getVariation(client.utr, 420 + index) * 0.4));
  const isPaid = period.ct_due < today && !isUnpaid;
  const charge = createStatementEntry({
    ...commonFields,
    entry: 'charge',
    kind: 'tax',
    title: `Corporation tax to ${period.end}`,
    dueOn: period.ct_due,
    amountPence,
    outstandingPence: isPaid ? 0 : amountPence,
  });
  if (!isPaid) return [filing, charge];
  const paidOn = addDays(period.ct_due, -1 - Math.floor(getVariation(client.utr, 440 + index) * 10));
  return [
    filing,
    charge,
    createStatementEntry({
      ...commonFields,
      entry: 'payment',
      title: `Payment for ${commonFields.period.end}`,
      receivedOn: paidOn,
      amountPence,
    }),
  ];
}
