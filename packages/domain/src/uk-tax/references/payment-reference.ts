import { parsed, refused } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import type { TaxYear } from '../calendar/tax-year.ts';
import { startYear } from '../calendar/tax-year.ts';
import type { AccountsOfficeReference } from './accounts-office-reference.ts';
import type { Utr } from './utr.ts';
import type { NineDigitVrn } from './vrn.ts';

/** VAT is paid with the nine digits alone, without GB and without spaces. Authority: GOV.UK "Pay your VAT bill". */
export function vatPaymentReference(vrn: NineDigitVrn): string {
  return vrn.vrn;
}

/** Self assessment is paid with the UTR and a K. Authority: hmrc PaymentReferenceFormProvider `^[0-9]{10}K$`. */
export function selfAssessmentPaymentReference(utr: Utr): string {
  return `${utr}K`;
}

/**
 * Corporation tax: UTR, A001, the two-digit number of the accounting period at HMRC, A. The number is HMRC's: take it from its notice, never count it.
 * Authority: hmrc PaymentReferenceFormProvider `^[0-9]{10}A001[0-9]{2}A$`.
 */
export function corporationTaxPaymentReference(utr: Utr, periodNumber: number): Parsed<string> {
  if (!Number.isInteger(periodNumber) || periodNumber < 0 || periodNumber > 99) {
    return refused("The accounting period's number has one or two digits.");
  }
  return parsed(`${utr}A001${String(periodNumber).padStart(2, '0')}A`);
}

/**
 * PAYE: the Accounts Office reference and, for a payment that is early or late, YYMM: the year in which the tax year ENDS, then the tax month.
 * 2018-19 month 1 = 1901. Without it money received from the 6th to the 5th goes to the month just ended. Authority: HMRC's P30 layout, as printed by curleco.com.
 */
export function payePaymentReference(reference: AccountsOfficeReference, taxYear: TaxYear, month: number): Parsed<string> {
  if (!Number.isInteger(month) || month < 1 || month > 12) return refused('A tax month is 1 to 12.');
  const ends = String((startYear(taxYear) + 1) % 100).padStart(2, '0');
  return parsed(`${reference}${ends}${String(month).padStart(2, '0')}`);
}

/** The shape of a penalty's own payment reference: 14 or 15 characters from X on. HMRC prints it on the notice. Authority: REFCHK OtherTaxReferenceChecker. */
export function isPenaltyReferenceShape(text: string): boolean {
  return /^X[A-Z](?:[0-9A-Z]{13}|[0-9A-Z]\d{11})$/.test(text);
}
