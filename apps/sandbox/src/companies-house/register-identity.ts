/**
 * The identity verification details of the register's people (docs/reference/providers.md section 6). Three shapes, as the live register
 * sends them: due, supplied by the person, and supplied with an authorised corporate service provider.
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
/** The end of a statement that is in place. */
const IN_PLACE = '9999-12-31';

/** Only people verify their identity, and secretaries needn't. */
function needsVerification({ name, role }: Pick<RegisterOfficer, 'name' | 'role'>): boolean {
  return name.includes(',') && !role.includes('secretary') && !role.startsWith('corporate');
}

/** An existing director’s statement is due with the company’s first confirmation statement after the law began; a new one’s comes with the appointment. */
export function officerIdentity(company: RegisterCompany, officer: RegisterOfficer, today: PlainDate): object | undefined {
  if (!needsVerification(officer) || officer.resigned_on !== undefined) return undefined;
  const due = officer.appointed_on >= IN_FORCE_ON ? undefined : findConfirmationDate(company);
  const dueOn = due && addDays(due, STATEMENT_DAYS);
  if (officer.identity) return toDetails({ ...(dueOn ? { due_on: dueOn } : {}), ...officer.identity });
  const supplied = officer.appointed_on >= IN_FORCE_ON ? officer.appointed_on : suppliedByHabit(company, officer.name, dueOn, today);
  // The list of officers doesn't have the day from which a statement can be supplied.
  return toDetails({ ...(dueOn ? { due_on: dueOn } : {}), ...(supplied ? { supplied_on: supplied } : {}) });
}

/** A controller who is a director supplies it within 14 days of the confirmation date, another within the first 14 days of the month of birth. */
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

/** The company's first confirmation date after the law began; undefined for one that files no confirmation statements. */
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

/** Three of four people of a company that files on time have supplied theirs two days before it was due. */
function suppliedByHabit({ number, confirmation }: RegisterCompany, name: string, due: PlainDate | undefined, today: PlainDate) {
  if (due === undefined || confirmation !== 'prompt') return undefined;
  const [share = 0] = createHash('sha256').update(`identity ${number} ${name}`).digest();
  const on = addDays(due, -2);
  return share % 4 === 0 || on > today ? undefined : on;
}
