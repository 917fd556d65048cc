/** What the product asks of the register of companies, in its own words; `companies-house-client.ts` answers it. */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { CompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';

/** `company_status` of the register (api-enumerations, constants.yml); `unknown` where it sends none or one that is new. */
export const COMPANY_STATUSES = [
  'active',
  'dissolved',
  'liquidation',
  'receivership',
  'administration',
  'voluntary-arrangement',
  'converted-closed',
  'insolvency-proceedings',
  'registered',
  'removed',
  'closed',
  'open',
] as const;
export type CompanyStatus = (typeof COMPANY_STATUSES)[number] | 'unknown';

/** One hit of a search. `name` as registered, mostly in capitals; `type` in the register's words ("ltd", "llp"); `address` on one line. */
export type CompanySummary = {
  readonly companyNumber: CompanyNumber;
  readonly name: string;
  readonly status: CompanyStatus;
  readonly type: string;
  readonly address: string;
  /** Left out where unknown or before 1900. */
  readonly incorporatedOn?: PlainDate;
};

export type RegisteredOffice = { readonly lines: readonly string[]; readonly postcode?: string; readonly country?: string };

/** What the register knows of one company at `readAt`. A part is left out where the register keeps none: charities, overseas companies, new kinds. */
export type CompanyProfile = {
  readonly companyNumber: CompanyNumber;
  readonly name: string;
  readonly status: CompanyStatus;
  /** "active-proposal-to-strike-off" and the like. */
  readonly statusDetail?: string;
  readonly type: string;
  readonly incorporatedOn?: PlainDate;
  readonly ceasedOn?: PlainDate;
  readonly registeredOffice?: RegisteredOffice;
  readonly sicCodes: readonly string[];
  readonly accounts?: {
    readonly referenceDay?: { readonly day: number; readonly month: number };
    readonly nextPeriodEndsOn?: PlainDate;
    readonly nextDueOn?: PlainDate;
    readonly isOverdue: boolean;
    readonly last?: { readonly periodEndsOn?: PlainDate; readonly kind?: string };
  };
  readonly confirmationStatement?: {
    readonly lastMadeUpTo?: PlainDate;
    readonly nextMadeUpTo?: PlainDate;
    readonly nextDueOn?: PlainDate;
    readonly isOverdue: boolean;
  };
  readonly insolvency: {
    /** The company is in an insolvency procedure now. */
    readonly isInsolvent: boolean;
    /** It is, or has been. */
    readonly hasHistory: boolean;
  };
  readonly readAt: Instant;
};

/** Somebody who is in office now. `name` as registered ("BRIGHT, Tessa"); a company in office has no forenames. `role` in the register's words ("director", "llp-designated-member"). */
export type Officer = {
  readonly name: string;
  readonly forenames?: string;
  readonly surname?: string;
  readonly role: string;
  readonly appointedOn?: PlainDate;
};

/** Failures are ProviderError; `throttled` says in `retryAfterSeconds` when the register's five minutes are over. Answers may be 24 hours old, searches five minutes. */
export type CompanyRegister = {
  /** Best hits first, at most `limit` (1 to 100). A company number in any usual writing finds that company. */
  searchCompanies(search: { query: string; limit: number }): Promise<CompanySummary[]>;
  /** Undefined where there is no such company, or the text is no company number. */
  findCompany(number: string): Promise<CompanyProfile | undefined>;
  /** Nobody for a company that is unknown. */
  listOfficers(number: string): Promise<Officer[]>;
};
