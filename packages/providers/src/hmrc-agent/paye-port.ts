/**
 * An employer's PAYE account at HMRC. Practices currently upload HMRC's statements; the ePAYE API could replace them if HMRC granted
 * access. See docs/reference/hmrc.md section 7.
 */
import type { ChargeFact, PaymentFact } from '@portal/domain/positions/tax-facts.ts';
import type { TaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { EmployerPayeReference } from '@portal/domain/uk-tax/references/employer-paye-reference.ts';
import type { HmrcCall } from '../hmrc/hmrc-types.ts';

/** One tax year: HMRC's charges, month by month, and the payments it received. */
export type PayeStatement = { readonly charges: readonly ChargeFact[]; readonly payments: readonly PaymentFact[] };

export type PayePort = {
  /** Returns undefined if HMRC has no data for the employer and year. */
  findStatement(call: HmrcCall, employer: EmployerPayeReference, taxYear: TaxYear): Promise<PayeStatement | undefined>;
};
