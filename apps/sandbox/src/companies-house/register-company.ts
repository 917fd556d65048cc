/** A company stored in the simulated register. Values that depend on the date are calculated on request. */
import { getEndOfMonth, addMonths, countDaysBetween, addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import {
  getAccountsDueDate,
  getConfirmationStatementDates,
  getFirstAccountsDueDate,
  type AccountsFiler,
} from '@portal/domain/uk-tax/corporation-tax/companies-house.ts';
import type { CompanyStatus } from '@portal/providers/companies-house/companies-house-port.ts';

export type RegisterAddress = {
  readonly premises: string;
  readonly address_line_1: string;
  readonly address_line_2?: string;
  readonly locality: string;
  readonly region?: string;
  readonly postal_code: string;
  readonly country: 'England' | 'Scotland' | 'Wales' | 'Northern Ireland' | 'United Kingdom';
};

/**
 * A person's recorded identity verification. Without it, the person was already on the register on 18 November 2025, and their statement is
 * due by the register's rules (register-identity.ts).
 */
export type RegisterIdentity = {
  /** When the statement was supplied, and when it was removed. */
  readonly supplied_on?: PlainDate;
  readonly removed_on?: PlainDate;
  readonly due_on?: PlainDate;
  /** The authorised corporate service provider that verified the identity. If absent, the person verified it with GOV.UK One Login. */
  readonly verified_by?: string;
};

export type RegisterOfficer = {
  readonly name: string;
  readonly role: string;
  readonly appointed_on: PlainDate;
  readonly resigned_on?: PlainDate;
  readonly identity?: RegisterIdentity;
};

/** `name` with the title, as the register shows it ("Ms Tessa Bright"). */
export type RegisterController = {
  readonly name: string;
  readonly kind: 'individual-person-with-significant-control' | 'corporate-entity-person-with-significant-control';
  readonly notified_on: PlainDate;
  readonly ceased_on?: PlainDate;
  readonly identity?: RegisterIdentity;
};

/** How a company files: seven months after the year end (`prompt`), two years late (`behind`), or with nothing to file (`never_asked`). */
export type FilingHabit = 'prompt' | 'behind' | 'never_asked';

export type RegisterCompany = {
  readonly number: string;
  readonly name: string;
  readonly type: string;
  readonly status: Exclude<CompanyStatus, 'unknown'>;
  readonly status_detail?: string;
  readonly jurisdiction: 'england-wales' | 'scotland' | 'northern-ireland' | 'wales' | 'noneu' | 'united-kingdom';
  readonly incorporated_on: PlainDate;
  readonly ceased_on?: PlainDate;
  /** Newest first. */
  readonly previous_names?: readonly { readonly name: string; readonly effective_from: PlainDate; readonly ceased_on: PlainDate }[];
  readonly address: RegisterAddress;
  readonly sic_codes: readonly string[];
  readonly officers: readonly RegisterOfficer[];
  readonly controllers?: readonly RegisterController[];
  readonly accounts: FilingHabit;
  readonly accounts_kind: string;
  /** Live responses for some companies have only the deprecated fields. */
  readonly accounts_fields?: 'deprecated_only';
  readonly confirmation: FilingHabit;
  readonly had_insolvency?: boolean;
};

/** Returns an active company for one of HMRC's test organisations. */
export function toRegisterCompany(company: { number: string; name: string; director: string }, today: PlainDate): RegisterCompany {
  const { number, name, director } = company;
  const [forename = '', ...surname] = director.split(' ');
  const incorporatedOn = addMonths(today, -60);
  return {
    number,
    name: name.toUpperCase(),
    type: 'ltd',
    status: 'active',
    jurisdiction: 'england-wales',
    incorporated_on: incorporatedOn,
    address: { premises: '1', address_line_1: 'Quay Street', locality: 'Bristol', postal_code: 'BS1 4DJ', country: 'England' },
    sic_codes: ['70229'],
    officers: [{ name: `${surname.join(' ').toUpperCase()}, ${forename}`, role: 'director', appointed_on: incorporatedOn }],
    controllers: [{ name: director, kind: 'individual-person-with-significant-control', notified_on: incorporatedOn }],
    accounts: 'prompt',
    accounts_kind: 'micro-entity',
    confirmation: 'prompt',
  };
}

export type AccountsState = {
  readonly reference: { readonly day: number; readonly month: number };
  readonly next: { readonly from: PlainDate; readonly to: PlainDate; readonly due: PlainDate };
  readonly last?: { readonly from: PlainDate; readonly to: PlainDate };
};

const MONTHS_BEHIND_YEAR_END: Readonly<Record<Exclude<FilingHabit, 'never_asked'>, number>> = { prompt: 7, behind: 30 };

/**
 * Returns the accounts filed by a given day. The accounting year ends in the month of the incorporation anniversary (Companies Act 2006
 * s391(4)).
 */
export function getAccountsState(company: RegisterCompany, today: PlainDate): AccountsState | undefined {
  if (company.accounts === 'never_asked' || company.ceased_on) return undefined;
  const filer: AccountsFiler = company.type === 'plc' ? 'public' : company.type === 'llp' ? 'llp' : 'private';
  const monthsBehind = MONTHS_BEHIND_YEAR_END[company.accounts];
  let last: { from: PlainDate; to: PlainDate } | undefined;
  let from = company.incorporated_on;
  let to = getEndOfMonth(addMonths(from, 12));
  while (addMonths(to, monthsBehind) <= today) {
    last = { from, to };
    from = addDays(to, 1);
    to = getEndOfMonth(addMonths(to, 12));
  }
  const dueOn = last ? getAccountsDueDate(to, filer) : getFirstAccountsDueDate(company.incorporated_on, to, filer);
  const reference = { day: Number(to.slice(8)), month: Number(to.slice(5, 7)) };
  return { reference, next: { from, to, due: dueOn }, ...(last ? { last } : {}) };
}

export type ConfirmationState = { readonly last?: PlainDate; readonly next: PlainDate; readonly due: PlainDate };

const DAYS_BEHIND: Readonly<Record<Exclude<FilingHabit, 'never_asked'>, number>> = { prompt: 5, behind: 400 };

/** Returns the confirmation statements filed by a given day. */
export function getConfirmationState(company: RegisterCompany, today: PlainDate): ConfirmationState | undefined {
  if (company.confirmation === 'never_asked' || company.ceased_on) return undefined;
  const daysBehind = DAYS_BEHIND[company.confirmation];
  let last: PlainDate | undefined;
  for (let start = company.incorporated_on; ; start = addDays(last, 1)) {
    const { review_period_end: next, due } = getConfirmationStatementDates(start);
    if (countDaysBetween(next, today) < daysBehind) return { next, due, ...(last ? { last } : {}) };
    last = next;
  }
}
