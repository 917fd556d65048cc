/** What each kind of observation holds. Written by whoever reads the source, read by load-facts.ts and by nobody else. */
import type { ChargeFact, ObligationFact, PaymentFact, PayeFrequency } from '@portal/domain/practice/positions/facts.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { CompanyProfile } from '@portal/providers/companies-house/companies-house-port.ts';
import type { HmrcPayment, Liability, Obligation, VatInformation } from '@portal/providers/hmrc/hmrc-terms.ts';
import type { VatPenalties } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';

/** A statement of CT or PAYE that the practice imported; `returns` of CT only, `pays` of PAYE only. */
export type StatementBody = {
  readonly charges: readonly ChargeFact[];
  readonly payments: readonly PaymentFact[];
  readonly returns?: readonly ObligationFact[];
  readonly pays?: PayeFrequency;
};

/** `charges` are those of the last twelve months, `olderCharges` what is known of before: a debt does not end with HMRC's window. */
export type VatLiabilitiesBody = { readonly charges: readonly Liability[]; readonly olderCharges: readonly Liability[] };

/** Income tax: open charges (credits negative). */
export type SaBalanceBody = { readonly charges: readonly ChargeFact[] };

export type ObservationBodies = {
  readonly vat_obligations: readonly Obligation[];
  readonly vat_liabilities: VatLiabilitiesBody;
  readonly vat_payments: readonly HmrcPayment[];
  readonly vat_penalties: VatPenalties;
  readonly vat_information: VatInformation;
  readonly sa_balance: SaBalanceBody;
  readonly sa_payments: readonly PaymentFact[];
  readonly sa_obligations: readonly ObligationFact[];
  readonly paye_statement: StatementBody;
  readonly ct_statement: StatementBody;
  readonly companies_house_profile: CompanyProfile;
};

/** The end of the newest accounting period that the register tells of. */
export function yearEndOf(profile: CompanyProfile): PlainDate | undefined {
  return profile.accounts?.nextPeriodEndsOn ?? profile.accounts?.last?.periodEndsOn;
}
