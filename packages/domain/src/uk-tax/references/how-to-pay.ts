/** The details a taxpayer needs to pay HMRC by bank transfer: the account, and the reference that identifies the taxpayer. */
import type { PlainDate } from '../../plain-date.ts';
import { getTaxMonth } from '../calendar/paye-tax-month.ts';
import type { Tax } from '../tax.ts';
import { parseAccountsOfficeReference } from './accounts-office-reference.ts';
import { getPayePaymentReference, getSelfAssessmentPaymentReference, getVatPaymentReference } from './payment-reference.ts';
import { parseUtr } from './utr.ts';
import { parseNineDigitVrn } from './vrn.ts';

/** A taxpayer's references in stored form; null if unknown. */
export type TaxpayerReferences = {
  readonly vrn: string | null;
  readonly utr: string | null;
  readonly accountsOfficeReference: string | null;
};

/** The item to be paid. `periodEnd` is the last day of its period; null if unknown. */
export type PayableItem = { readonly tax: Tax; readonly isLate: boolean; readonly periodEnd: PlainDate | null };

/**
 * Returns an item's payment reference; null if the number it contains isn't stored. Corporation tax never has one: it ends with HMRC's own
 * number for the accounting period, which can't be worked out by counting periods (payment-reference.ts).
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
      // A late payment needs its month. Without it, HMRC would count the payment for the month just ended, so no reference is shown.
      if (!isLate) return office.value;
      if (periodEnd === null) return null;
      const { tax_year: taxYear, month } = getTaxMonth(periodEnd);
      const referenceWithMonth = getPayePaymentReference(office.value, taxYear, month);
      return referenceWithMonth.ok ? referenceWithMonth.value : null;
    }
    case 'ct':
      return null;
  }
}
