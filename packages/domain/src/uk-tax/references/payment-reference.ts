import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import type { TaxYear } from '../calendar/tax-year.ts';
import { getTaxYearStart } from '../calendar/tax-year.ts';
import type { AccountsOfficeReference } from './accounts-office-reference.ts';
import type { Utr } from './utr.ts';
import type { NineDigitVrn } from './vrn.ts';

/** Returns the VAT payment reference: the nine digits, without GB or spaces. Source: GOV.UK "Pay your VAT bill". */
export function getVatPaymentReference(vrn: NineDigitVrn): string {
  return vrn.vrn;
}

/** Returns the Self Assessment payment reference: the UTR followed by K. Source: hmrc PaymentReferenceFormProvider `^[0-9]{10}K$`. */
export function getSelfAssessmentPaymentReference(utr: Utr): string {
  return `${utr}K`;
}

/**
 * Returns the corporation tax payment reference: UTR, A001, HMRC's two-digit accounting period number, A. Take that number from HMRC's
 * notice; don't count periods. Source: hmrc PaymentReferenceFormProvider `^[0-9]{10}A001[0-9]{2}A$`.
 */
export function getCorporationTaxPaymentReference(utr: Utr, periodNumber: number): Parsed<string> {
  if (!Number.isInteger(periodNumber) || periodNumber < 0 || periodNumber > 99) {
    return createRejection('The accounting period number has one or two digits.');
  }
  return parsed(`${utr}A001${String(periodNumber).padStart(2, '0')}A`);
}

/**
 * Returns the PAYE payment reference: the Accounts Office reference plus, for an early or late payment, YYMM: the year in which the tax
 * year ENDS, then the tax month. 2018-19 month 1 = 1901. Without YYMM, money received from the 6th to the 5th counts for the month just
 * ended. Source: HMRC's P30 layout, as printed by curleco.com.
 */
export function getPayePaymentReference(reference: AccountsOfficeReference, taxYear: TaxYear, month: number): Parsed<string> {
  if (!Number.isInteger(month) || month < 1 || month > 12) return createRejection('Enter a tax month from 1 to 12.');
  const endYear = String((getTaxYearStart(taxYear) + 1) % 100).padStart(2, '0');
  return parsed(`${reference}${endYear}${String(month).padStart(2, '0')}`);
}
