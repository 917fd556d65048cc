/** The body of each kind of observation. Written by the code that reads the source, and read only by load-facts.ts. */
import type { ChargeFact, ObligationFact, PaymentFact, PayeFrequency } from '@portal/domain/positions/tax-facts.ts';
import type { CompanyProfile } from '@portal/providers/companies-house/companies-house-port.ts';
import type { HmrcPayment, Liability, Obligation, VatInformation } from '@portal/providers/hmrc/hmrc-types.ts';
import type { VatPenalties } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';

/** An imported CT or PAYE statement. Only CT has `returns`; only PAYE has `pays`. */
export type StatementBody = {
  readonly charges: readonly ChargeFact[];
  readonly payments: readonly PaymentFact[];
  readonly returns?: readonly ObligationFact[];
  readonly pays?: PayeFrequency;
};

/**
 * `charges` covers the last twelve months. `olderCharges` keeps known earlier ones, because a debt outlives the period that HMRC returns.
 */
export type VatLiabilitiesBody = { readonly charges: readonly Liability[]; readonly olderCharges: readonly Liability[] };

/** Income tax: outstanding charges. Credits are negative. */
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
