/** The body of each kind of observation. Written by the code that reads the source, and read only by load-facts.ts. */
import type { RegisterPerson } from '@portal/domain/agent/agent-facts.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { ChargeFact, ObligationFact, PaymentFact, PayeFrequency, Period } from '@portal/domain/positions/tax-facts.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
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
 * `charges` covers the last 12 months. `olderCharges` keeps earlier ones that we know of, because a debt outlives the period that HMRC
 * returns.
 */
export type VatLiabilitiesBody = { readonly charges: readonly Liability[]; readonly olderCharges: readonly Liability[] };

/** Income tax: outstanding charges. Credits are negative. */
export type SaBalanceBody = { readonly charges: readonly ChargeFact[] };

/** A company's officers and owners, with the company number they were read under. */
export type RegisterPeopleBody = { readonly companyNumber: string; readonly people: readonly RegisterPerson[] };

/** A VAT return for an earlier period. `boxes` is null if HMRC doesn't have it. */
export type ReadReturn = Period & { readonly periodKey: string; readonly readOn: PlainDate; readonly boxes: NineBoxes | null };

/**
 * VAT returns read under one VAT number, oldest first; each is read once. `earlier`: the fulfilled periods before those in
 * `vat_obligations`; null until they have been listed.
 */
export type VatReturnsBody = {
  readonly vrn: string;
  readonly earlier: readonly (Period & { readonly periodKey: string })[] | null;
  readonly returns: readonly ReadReturn[];
};

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
  readonly vat_returns: VatReturnsBody;
  readonly companies_house_profile: CompanyProfile;
  readonly companies_house_people: RegisterPeopleBody;
};
