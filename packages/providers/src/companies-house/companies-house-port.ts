/** The company register as the portal uses it. Implemented by `companies-house-client.ts`. */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { CompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';

/** The register's `company_status` (Companies House api-enumerations, constants.yml). `unknown` covers absent and new values. */
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

/** A search result. `name` as registered, mostly in capitals; `type` in the register's words ("ltd", "llp"); `address` on one line. */
export type CompanySummary = {
  readonly companyNumber: CompanyNumber;
  readonly name: string;
  readonly status: CompanyStatus;
  readonly type: string;
  readonly address: string;
  /** Absent when unknown or earlier than 1900. */
  readonly incorporatedOn?: PlainDate;
};

export type RegisteredOffice = { readonly lines: readonly string[]; readonly postcode?: string; readonly country?: string };

/**
 * The register's data for one company at `readAt`. A part is absent if the register doesn't have it, as for charities, overseas companies
 * and new company types.
 */
export type CompanyProfile = {
  readonly companyNumber: CompanyNumber;
  readonly name: string;
  /** Former names, newest first. */
  readonly previousNames: readonly string[];
  readonly status: CompanyStatus;
  /** For example "active-proposal-to-strike-off". */
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
    /** The company is or was in an insolvency procedure. */
    readonly hasHistory: boolean;
  };
  readonly readAt: Instant;
};

/**
 * The identity verification statement of a person for one role (docs/reference/providers.md section 6). Absent dates aren't published;
 * people who are verified elsewhere on the register, or who needn't be, have none.
 */
export type IdentityStatement = {
  /** The first day on which it can be supplied, and the day by which it must be. */
  readonly opensOn?: PlainDate;
  readonly dueOn?: PlainDate;
  readonly suppliedOn?: PlainDate;
  /** The day on which it was or will be removed. Absent while it is in place. */
  readonly removedOn?: PlainDate;
};

/**
 * A current officer. `name` as registered ("BRIGHT, Tessa"); a corporate officer has no forenames. `role` in the register's words
 * ("director", "llp-designated-member").
 */
export type Officer = {
  readonly name: string;
  readonly forenames?: string;
  readonly surname?: string;
  readonly role: string;
  readonly appointedOn?: PlainDate;
  /** The month of birth, such as "1984-05"; the register has it for directors and members. */
  readonly bornIn?: string;
  readonly identity?: IdentityStatement;
};

/**
 * A person or legal entity with significant control, or the register's kind for neither. `name` as registered, with the title ("Ms Tessa
 * Bright").
 */
export type Controller = {
  readonly name: string;
  readonly kind: string;
  readonly bornIn?: string;
  readonly identity?: IdentityStatement;
};

/**
 * Failures are ProviderErrors; for `throttled`, `retryAfterSeconds` says when the register's five-minute window ends. Results may be 24
 * hours old, searches five minutes.
 */
export type CompanyRegister = {
  /** Returns the best matches first, at most `limit` (1 to 100). A company number in any usual format finds that company. */
  searchCompanies(search: { query: string; limit: number }): Promise<CompanySummary[]>;
  /** Returns undefined if the company does not exist or the text is not a company number. */
  findCompany(number: string): Promise<CompanyProfile | undefined>;
  /** Lists current officers; empty for an unknown company. */
  listOfficers(number: string): Promise<Officer[]>;
  /** The people who control the company now; empty for an unknown company, or one without any. */
  listControllers(number: string): Promise<Controller[]>;
};
