/** An employer's PAYE at HMRC. The practice's own statements fill it today; HMRC's ePAYE API could, if it granted access to it (FACTS 7). */
import type { ChargeFact, PaymentFact } from '@portal/domain/practice/positions/facts.ts';
import type { TaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { EmployerPayeReference } from '@portal/domain/uk-tax/references/employer-paye-reference.ts';
import type { HmrcCall } from '../hmrc/hmrc-terms.ts';

/** One tax year: what HMRC charged, month by month, and what it received. */
export type PayeStatement = { readonly charges: readonly ChargeFact[]; readonly payments: readonly PaymentFact[] };

export type PayePort = {
  /** Undefined where HMRC holds nothing for that employer and year. */
  findStatement(call: HmrcCall, employer: EmployerPayeReference, taxYear: TaxYear): Promise<PayeStatement | undefined>;
};
