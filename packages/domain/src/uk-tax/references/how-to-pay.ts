/** The details with which a taxpayer pays HMRC by bank transfer: the account, and the reference by which HMRC finds the taxpayer. */
import type { PlainDate } from '../../plain-date.ts';
import { getTaxMonth } from '../calendar/paye-tax-month.ts';
import type { Tax } from '../tax.ts';
import { parseAccountsOfficeReference } from './accounts-office-reference.ts';
import { getPayePaymentReference, getSelfAssessmentPaymentReference, getVatPaymentReference } from './payment-reference.ts';
import { parseUtr } from './utr.ts';
import { parseNineDigitVrn } from './vrn.ts';

/** A taxpayer's references in stored form; null if not known. */
export type TaxpayerReferences = {
  readonly vrn: string | null;
  readonly utr: string | null;
  readonly accountsOfficeReference: string | null;
};

/** The item to be paid. `periodEnd` is the last day of its period; null if not known. */
export type PayableItem = { readonly tax: Tax; readonly isLate: boolean; readonly periodEnd: PlainDate | null };

/**
 * Returns the payment reference of an item; null if the number that it contains is not stored. Corporation tax never has one: it ends with
 * HMRC's own number of the accounting period, which must not be counted (payment-reference.ts).
 */
export function findPaymentReference({ tax, isLate, periodEnd }: PayableItem, references: TaxpayerReferences): string | null {
  switch (tax) {
    case 'vat': {
      const vrn = parseNineDigitVrn(references.vrn ?? '');
      return vrn.ok ? getVatPaymentReference(vrn.value) : null;
    }
    case 'sa': {
      const utr = parseUtr(references.utr ?? '');
      return utr.ok ? getSelfAssessmentPaymentReference(utr.value) : null;
    }
    case 'paye': {
      const office = parseAccountsOfficeReference(references.accountsOfficeReference ?? '');
      if (!office.ok) return null;
      // A late payment needs its month. Without its period HMRC would count it for the month just ended, so none is shown.
      if (!isLate) return office.value;
      if (periodEnd === null) return null;
      const { tax_year: taxYear, month } = getTaxMonth(periodEnd);
      const withMonth = getPayePaymentReference(office.value, taxYear, month);
      return withMonth.ok ? withMonth.value : null;
    }
    case 'ct':
      return null;
  }
}
