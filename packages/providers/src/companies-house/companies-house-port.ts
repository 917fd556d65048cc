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

/**
 * A search result. `name` is as registered, mostly in capitals; `type` is in the register's terms ("ltd", "llp"); `address` is on one line.
 */
export type CompanySummary = {
  readonly companyNumber: CompanyNumber;
  readonly name: string;
  readonly status: CompanyStatus;
  readonly type: string;
  readonly address: string;
  /** Absent if unknown or before 1900. */
  readonly incorporatedOn?: PlainDate;
};

export type RegisteredOffice = { readonly lines: readonly string[]; readonly postcode?: string; readonly country?: string };

/**
 * The register's data for one company at `readAt`. Parts that the register doesn't have are absent, as for charities, overseas companies
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
    /** True if the company is currently in an insolvency procedure. */
    readonly isInsolvent: boolean;
    /** True if the company is or was in an insolvency procedure. */
    readonly hasHistory: boolean;
  };
  readonly readAt: Instant;
};

/**
 * A person's identity verification statement for one role (docs/reference/providers.md section 6). Absent dates aren't published; people
 * who are verified elsewhere on the register, or needn't be, have none.
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
 * A current officer. `name` is as registered ("BRIGHT, Tessa"); a corporate officer has no forenames. `role` is in the register's terms
 * ("director", "llp-designated-member").
 */
export type Officer = {
  readonly name: string;
  readonly forenames?: string;
  readonly surname?: string;
  readonly role: string;
  readonly appointedOn?: PlainDate;
  /** The month of birth, such as "1984-05"; the register publishes it for directors and members. */
  readonly bornIn?: string;
  readonly identity?: IdentityStatement;
};

/**
 * A person or legal entity with significant control, or the register's kind for neither. `name` is as registered, including the title ("Ms
 * Tessa Bright").
 */
export type Controller = {
  readonly name: string;
  readonly kind: string;
  readonly bornIn?: string;
  readonly identity?: IdentityStatement;
};

/**
 * Failures are ProviderErrors; for `throttled`, `retryAfterSeconds` is the time until the register's five-minute window ends. Results may
 * be up to 24 hours old, searches up to five minutes.
 */
export type CompanyRegister = {
  /** Returns the best matches first, at most `limit` (1 to 100). A company number in any common format finds that company. */
  searchCompanies(search: { query: string; limit: number }): Promise<CompanySummary[]>;
  /** Returns undefined if the company doesn't exist or the text isn't a company number. */
  findCompany(number: string): Promise<CompanyProfile | undefined>;
  /** Lists current officers; empty for an unknown company. */
  listOfficers(number: string): Promise<Officer[]>;
  /** Lists the people who currently control the company; empty for an unknown company or one without any. */
  listControllers(number: string): Promise<Controller[]>;
};
