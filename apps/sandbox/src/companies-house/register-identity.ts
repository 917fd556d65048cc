/**
 * Identity verification details of the people on the register (docs/reference/providers.md section 6). They have three shapes, as on the
 * live register: due, supplied by the person, and supplied through an authorised corporate service provider.
 */
import { createHash } from 'node:crypto';
import { addDays, addMonths, dateFromParts, plainDate, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';
import { getBirthDate } from '../simulator/birth-date.ts';
import {
  getConfirmationState,
  type RegisterCompany,
  type RegisterController,
  type RegisterIdentity,
  type RegisterOfficer,
} from './register-company.ts';

/** The day on which identity verification became compulsory. */
const IN_FORCE_ON = plainDate('2025-11-18');
const STATEMENT_DAYS = 14;
/** The end date of a statement that is still in force. */
const IN_PLACE = '9999-12-31';

/** Only individuals verify their identity, and secretaries don't have to. */
function needsVerification({ name, role }: Pick<RegisterOfficer, 'name' | 'role'>): boolean {
  return name.includes(',') && !role.includes('secretary') && !role.startsWith('corporate');
}

/**
 * An existing director’s statement is due with the company’s first confirmation statement after the law began; a new director’s is due on
 * appointment.
 */
export function officerIdentity(company: RegisterCompany, officer: RegisterOfficer, today: PlainDate): object | undefined {
  if (!needsVerification(officer) || officer.resigned_on !== undefined) return undefined;
  const due = officer.appointed_on >= IN_FORCE_ON ? undefined : findConfirmationDate(company);
  const dueOn = due && addDays(due, STATEMENT_DAYS);
  if (officer.identity) return toDetails({ ...(dueOn ? { due_on: dueOn } : {}), ...officer.identity });
  const supplied = officer.appointed_on >= IN_FORCE_ON ? officer.appointed_on : suppliedByHabit(company, officer.name, dueOn, today);
  // The list of officers omits the date from which a statement can be supplied.
  return toDetails({ ...(dueOn ? { due_on: dueOn } : {}), ...(supplied ? { supplied_on: supplied } : {}) });
}

/**
 * A controller who is also a director supplies the statement within 14 days of the confirmation date; any other controller, within the
 * first 14 days of their month of birth.
 */
export function controllerIdentity(company: RegisterCompany, controller: RegisterController, today: PlainDate): object | undefined {
  const { kind, name, ceased_on: ceased, notified_on: notified, identity } = controller;
  if (kind !== 'individual-person-with-significant-control' || ceased !== undefined) return undefined;
  const opensOn = notified >= IN_FORCE_ON ? notified : isOfficer(company, name) ? findConfirmationDate(company) : firstOfBirthMonth(name);
  if (!opensOn) return undefined;
  const dueOn = addDays(opensOn, opensOn === firstOfBirthMonth(name) ? STATEMENT_DAYS - 1 : STATEMENT_DAYS);
  if (identity) return toDetails({ due_on: dueOn, ...identity }, opensOn);
  const supplied = suppliedByHabit(company, name, dueOn, today);
  return toDetails({ due_on: dueOn, ...(supplied ? { supplied_on: supplied } : {}) }, opensOn);
}

function toDetails(
  { supplied_on: supplied, removed_on: removed, due_on: due, verified_by: verifier }: RegisterIdentity,
  opensOn?: PlainDate,
) {
  if (supplied !== undefined) {
    return {
      ...(verifier === undefined
        ? {}
        : {
            anti_money_laundering_supervisory_bodies: ['Institute of Chartered Accountants in England and Wales (ICAEW)'],
            authorised_corporate_service_provider_name: verifier,
            identity_verified_on: supplied,
          }),
      appointment_verification_start_on: supplied,
      appointment_verification_end_on: removed ?? IN_PLACE,
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
  return getConfirmationState({ ...company, confirmation: company.confirmation === 'never_asked' ? 'never_asked' : 'prompt' }, IN_FORCE_ON)
    ?.next;
}

function firstOfBirthMonth(name: string): PlainDate {
  const { month } = toDateParts(getBirthDate(name));
  const start = dateFromParts(2025, month, 1);
  return month === 12 ? start : addMonths(start, 12);
}

function isOfficer({ officers }: RegisterCompany, name: string): boolean {
  return officers.some((officer) => officer.resigned_on === undefined && getBirthDate(officer.name) === getBirthDate(name));
}

/** In companies that file on time, three out of four people supplied their statement two days before it was due. */
function suppliedByHabit({ number, confirmation }: RegisterCompany, name: string, due: PlainDate | undefined, today: PlainDate) {
  if (due === undefined || confirmation !== 'prompt') return undefined;
  const [share = 0] = createHash('sha256').update(`identity ${number} ${name}`).digest();
  const on = addDays(due, -2);
  return share % 4 === 0 || on > today ? undefined : on;
}
