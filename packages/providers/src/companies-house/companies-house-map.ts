/** Maps Companies House responses to the port's types. */
import type { Instant } from '@portal/domain/clock.ts';
import { addDays, addMonths, createPlainDate, getDaysInMonth, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { TaxFacts } from '@portal/domain/positions/tax-facts.ts';
import type { CompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import {
  COMPANY_STATUSES,
  type CompanyProfile,
  type CompanyStatus,
  type CompanySummary,
  type Controller,
  type IdentityStatement,
  type Officer,
  type RegisteredOffice,
} from './companies-house-port.ts';
import type { AddressWire, ControllerWire, IdentityWire, OfficerWire, ProfileWire, SearchHitWire } from './companies-house-wire.ts';

/** The numbers come from the register, so they aren't validated again. */
const toCompanyNumber = (text: string): CompanyNumber => text as CompanyNumber;

/** Statuses in which an insolvency practitioner controls the company's money. Insolvency Act 1986, parts I to IV. */
const INSOLVENT: readonly CompanyStatus[] = [
  'liquidation',
  'receivership',
  'administration',
  'voluntary-arrangement',
  'insolvency-proceedings',
];

export function toSummary(hit: SearchHitWire): CompanySummary {
  return {
    companyNumber: toCompanyNumber(hit.company_number),
    name: hit.title,
    status: toStatus(hit.company_status),
    type: hit.company_type ?? 'unknown',
    address: hit.address_snippet ?? '',
    ...omitUndefined({ incorporatedOn: toDate(hit.date_of_creation) }),
  };
}

export function toProfile(wire: ProfileWire, readAt: Instant): CompanyProfile {
  const status = toStatus(wire.company_status);
  const isInsolvent = INSOLVENT.includes(status);
  return {
    companyNumber: toCompanyNumber(wire.company_number),
    name: wire.company_name,
    previousNames: (wire.previous_company_names ?? []).map(({ name }) => name),
    status,
    type: wire.type,
    sicCodes: wire.sic_codes ?? [],
    insolvency: {
      isInsolvent,
      hasHistory: isInsolvent || Boolean(wire.links?.insolvency ?? wire.has_insolvency_history ?? wire.has_been_liquidated),
    },
    readAt,
    ...omitUndefined({
      statusDetail: wire.company_status_detail ?? undefined,
      incorporatedOn: toDate(wire.date_of_creation),
      ceasedOn: toDate(wire.date_of_cessation),
      registeredOffice: toOffice(wire.registered_office_address),
      accounts: toAccounts(wire.accounts),
      confirmationStatement: toConfirmationStatement(wire.confirmation_statement),
    }),
  };
}

/**
 * Returns the end of the newest accounting period in the register. A company without periods has an accounting reference date, whose year
 * doesn't matter.
 */
export function getYearEnd({ accounts, readAt }: CompanyProfile): PlainDate | undefined {
  const { referenceDay } = accounts ?? {};
  return (
    accounts?.nextPeriodEndsOn ??
    accounts?.last?.periodEndsOn ??
    (referenceDay && getEndOfReferencePeriod(Number(readAt.slice(0, 4)), referenceDay))
  );
}

/**
 * A period of account is at most 18 months long (Companies Act 2006 s392(5)); if the dates are further apart, the periods in between are
 * unknown.
 */
const MAX_PERIOD_MONTHS = 18;

/**
 * Returns the first day of the period of account that ends on the next year end: the day after the last accounts, or the day of
 * incorporation if there are none.
 */
export function getAccountsStart({ accounts, incorporatedOn }: CompanyProfile): TaxFacts['accountsFrom'] {
  const end = accounts?.nextPeriodEndsOn;
  const lastYearEnd = accounts?.last?.periodEndsOn;
  const start = lastYearEnd === undefined ? incorporatedOn : addDays(lastYearEnd, 1);
  if (end === undefined || start === undefined || start >= end || addMonths(start, MAX_PERIOD_MONTHS) <= end) return undefined;
  return { start, isFirst: lastYearEnd === undefined };
}

/** 29 February exists only every fourth year; in other years the period ends on the 28th. */
function getEndOfReferencePeriod(year: number, { day, month }: { readonly day: number; readonly month: number }): PlainDate | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined;
  return createPlainDate(year, month, Math.min(day, getDaysInMonth(year, month)));
}

export function toOfficer(wire: OfficerWire): Officer {
  const [surname, forenames] = wire.name.split(', ', 2);
  return {
    name: wire.name,
    role: wire.officer_role,
    // A corporate officer's name has no comma, so it isn't split into surname and forenames.
    ...(surname !== undefined && forenames !== undefined ? { surname, forenames } : {}),
    ...omitUndefined({
      appointedOn: toDate(wire.appointed_on),
      bornIn: toBirthMonth(wire.date_of_birth),
      identity: toIdentity(wire.identity_verification_details),
    }),
  };
}

export function toController(wire: ControllerWire & { readonly name: string }): Controller {
  const { name, kind, date_of_birth: birthDate, identity_verification_details: identity } = wire;
  return { name, kind, ...omitUndefined({ bornIn: toBirthMonth(birthDate), identity: toIdentity(identity) }) };
}

/** The date that the register gives as the end of a statement that is still in place. */
const NO_END_DATE = '9999-12-31';

function toIdentity(wire: IdentityWire): IdentityStatement | undefined {
  if (!wire) return undefined;
  const { appointment_verification_start_on: start, appointment_verification_end_on: end } = wire;
  const removedOn = end === NO_END_DATE ? undefined : toDate(end);
  // An unreadable end date doesn't prove that the statement is in place.
  const isUnclear = typeof end === 'string' && end !== '' && end !== NO_END_DATE && removedOn === undefined;
  const companyFields = omitUndefined({
    opensOn: toDate(wire.appointment_verification_statement_date),
    dueOn: toDate(wire.appointment_verification_statement_due_on),
    suppliedOn: isUnclear ? undefined : toDate(start),
    removedOn,
  });
  return Object.keys(companyFields).length === 0 ? undefined : companyFields;
}

/** "1984-05". */
function toBirthMonth(birthDate: OfficerWire['date_of_birth']): string | undefined {
  return birthDate ? `${birthDate.year}-${String(birthDate.month).padStart(2, '0')}` : undefined;
}

function toAccounts(wire: ProfileWire['accounts']): CompanyProfile['accounts'] {
  if (!wire) return undefined;
  const { next_accounts: next, last_accounts: last, accounting_reference_date: reference } = wire;
  return {
    isOverdue: next?.overdue ?? wire.overdue ?? false,
    ...omitUndefined({
      referenceDay: reference ?? undefined,
      nextPeriodEndsOn: toDate(next?.period_end_on ?? wire.next_made_up_to),
      nextDueOn: toDate(next?.due_on ?? wire.next_due),
      // A company that has never filed has `last_accounts` with the type "null" (a string).
      last: last && last.type !== 'null' ? toLastAccounts(last) : undefined,
    }),
  };
}

function toLastAccounts(wire: {
  period_end_on?: string | null | undefined;
  made_up_to?: string | null | undefined;
  type?: string | null | undefined;
}) {
  return omitUndefined({ periodEndsOn: toDate(wire.period_end_on ?? wire.made_up_to), kind: wire.type ?? undefined });
}

function toConfirmationStatement(wire: ProfileWire['confirmation_statement']): CompanyProfile['confirmationStatement'] {
  if (!wire) return undefined;
  return {
    isOverdue: wire.overdue ?? false,
    ...omitUndefined({
      lastMadeUpTo: toDate(wire.last_made_up_to),
      nextMadeUpTo: toDate(wire.next_made_up_to),
      nextDueOn: toDate(wire.next_due),
    }),
  };
}

function toOffice(wire: AddressWire | null | undefined): RegisteredOffice | undefined {
  if (!wire) return undefined;
  const street = [wire.premises, wire.address_line_1].filter(Boolean).join(' ');
  const poBox = wire.po_box ? `PO Box ${wire.po_box}` : '';
  const lines = [wire.care_of ?? '', poBox, street, wire.address_line_2 ?? '', wire.locality ?? '', wire.region ?? ''];
  return {
    lines: lines.filter((line) => line !== ''),
    ...omitUndefined({ postcode: wire.postal_code ?? undefined, country: wire.country ?? undefined }),
  };
}

function toStatus(text: string | null | undefined): CompanyStatus {
  return COMPANY_STATUSES.find((status) => status === text) ?? 'unknown';
}

function toDate(text: string | null | undefined): PlainDate | undefined {
  return typeof text === 'string' ? parsePlainDate(text) : undefined;
}

type WithoutUndefined<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Drops undefined fields, so that an absent value has no key. */
function omitUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutUndefined<Fields>;
}
