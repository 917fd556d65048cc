/**
 * A test individual who has just signed up to Making Tax Digital for Income Tax: updates are expected, none has been received and no amount
 * is owed.
 */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getTaxYearStart, toTaxYear, getTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { IncomeTaxRecord } from './agent-records.ts';

export function createNewIncomeTaxRecord(nino: string, name: string, postcode: string, today: PlainDate): IncomeTaxRecord {
  return {
    nino,
    name,
    postcode,
    business: { businessId: `XAIS${nino.slice(2, 8).padStart(11, '0')}`, typeOfBusiness: 'self-employment' },
    hasData: true,
    updatesReceived: {},
    declarationsReceived: {},
    firstTaxYear: toTaxYear(getTaxYearStart(getTaxYear(today)) - 1),
    charges: [],
    payments: [],
  };
}
