/**
 * Identity verification details of the people on the register (docs/reference/providers.md section 6). They have three shapes, as on the
 * live register: due, supplied by the person, and supplied through an authorised corporate service provider.
 */
import { createHash } from 'node:crypto';
import { addDays, addMonths, createPlainDate, plainDate, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';
import { getBirthDate } from '../simulator/birth-date.ts';
import {
  getConfirmationState,
  type RegisterCompany,
  type RegisterController,
  type RegisterIdentity,
  type RegisterOfficer,
} from './register-company.ts';

/** The day on which identity verification became compulsory. */
const VERIFICATION_IN_FORCE_ON = plainDate('2025-11-18');
const STATEMENT_DAYS = 14;
/** The end date of a statement that is still in force. */
const NO_END_DATE = '9999-12-31';

/** Only individuals verify their identity, and secretaries don't have to. */
function needsVerification({ name, role }: Pick<RegisterOfficer, 'name' | 'role'>): boolean {
  return name.includes(',') && !role.includes('secretary') && !role.startsWith('corporate');
}

/**
 * An existing director’s statement is due with the company’s first confirmation statement after the law began; a new director’s is due on
 * appointment.
 */
export function toOfficerIdentity(company: RegisterCompany, officer: RegisterOfficer, today: PlainDate): object | undefined {
  if (!needsVerification(officer) || officer.resigned_on !== undefined) return undefined;
  const confirmationDueOn = officer.appointed_on >= VERIFICATION_IN_FORCE_ON ? undefined : findConfirmationDate(company);
  const dueOn = confirmationDueOn && addDays(confirmationDueOn, STATEMENT_DAYS);
  if (officer.identity) return toDetails({ ...(dueOn ? { due_on: dueOn } : {}), ...officer.identity });
  const suppliedDate =
    officer.appointed_on >= VERIFICATION_IN_FORCE_ON ? officer.appointed_on : getUsualSuppliedDate(company, officer.name, dueOn, today);
  // The list of officers omits the date from which a statement can be supplied.
  return toDetails({ ...(dueOn ? { due_on: dueOn } : {}), ...(suppliedDate ? { supplied_on: suppliedDate } : {}) });
}

/**
 * A controller who is also a director supplies the statement within 14 days of the confirmation date; any other controller, within the
 * first 14 days of their month of birth.
 */
export function toControllerIdentity(company: RegisterCompany, controller: RegisterController, today: PlainDate): object | undefined {
  const { kind, name, ceased_on: ceasedOn, notified_on: notifiedOn, identity } = controller;
  if (kind !== 'individual-person-with-significant-control' || ceasedOn !== undefined) return undefined;
  const opensOn =
    notifiedOn >= VERIFICATION_IN_FORCE_ON
      ? notifiedOn
      : isOfficer(company, name)
        ? findConfirmationDate(company)
        : getFirstOfBirthMonth(name);
  if (!opensOn) return undefined;
  const dueOn = addDays(opensOn, opensOn === getFirstOfBirthMonth(name) ? STATEMENT_DAYS - 1 : STATEMENT_DAYS);
  if (identity) return toDetails({ due_on: dueOn, ...identity }, opensOn);
  const suppliedDate = getUsualSuppliedDate(company, name, dueOn, today);
  return toDetails({ due_on: dueOn, ...(suppliedDate ? { supplied_on: suppliedDate } : {}) }, opensOn);
}

function toDetails(
  { supplied_on: suppliedDate, removed_on: removedOn, due_on: due, verified_by: verifier }: RegisterIdentity,
  opensOn?: PlainDate,
) {
  if (suppliedDate !== undefined) {
    return {
      ...(verifier === undefined
        ? {}
        : {
            anti_money_laundering_supervisory_bodies: ['Institute of Chartered Accountants in England and Wales (ICAEW)'],
            authorised_corporate_service_provider_name: verifier,
            identity_verified_on: suppliedDate,
          }),
      appointment_verification_start_on: suppliedDate,
      appointment_verification_end_on: removedOn ?? NO_END_DATE,
    };
  }
  if (due === undefined) return undefined;
  return {
    ...(opensOn === undefined ? {} : { appointment_verification_statement_date: opensOn }),
    appointment_verification_statement_due_on: due,
  };
}

/** Returns the company's first confirmation date after the law began, or undefined if it files no confirmation statements. */
function findConfirmationDate(company: RegisterCompany): PlainDate | undefined {
  return getConfirmationState(
    { ...company, confirmation: company.confirmation === 'never_asked' ? 'never_asked' : 'prompt' },
    VERIFICATION_IN_FORCE_ON,
  )?.next;
}

function getFirstOfBirthMonth(name: string): PlainDate {
  const { month } = toDateParts(getBirthDate(name));
  const start = createPlainDate(2025, month, 1);
  return month === 12 ? start : addMonths(start, 12);
}

function isOfficer({ officers }: RegisterCompany, name: string): boolean {
  return officers.some((officer) => officer.resigned_on === undefined && getBirthDate(officer.name) === getBirthDate(name));
}

/** In companies that file on time, three out of four people supplied their statement two days before it was due. */
function getUsualSuppliedDate({ number, confirmation }: RegisterCompany, name: string, due: PlainDate | undefined, today: PlainDate) {
  if (due === undefined || confirmation !== 'prompt') return undefined;
  const [share = 0] = createHash('sha256').update(`identity ${number} ${name}`).digest();
  const suppliedOn = addDays(due, -2);
  return share % 4 === 0 || suppliedOn > today ? undefined : suppliedOn;
}
