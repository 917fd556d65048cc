import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { normaliseReference } from './normalise-reference.ts';

declare const employerReferenceBrand: unique symbol;

/** An employer PAYE reference in normal form: the office's 3 digits, a slash, then 1 to 10 letters or digits ("123/AB456"). */
export type EmployerPayeReference = string & { readonly [employerReferenceBrand]: true };

/** Parses an employer PAYE reference; spaces and lower case are allowed. Source: hmrc/assets-frontend employer-paye-reference. */
export function parseEmployerPayeReference(text: string): Parsed<EmployerPayeReference> {
  // Remove only spaces: there is no check digit, so a hyphen or dot could be a misread character.
  const normalised = /[.-]/.test(text) ? text : normaliseReference(text);
  if (normalised === '') return createRejection('Enter the employer PAYE reference, for example 123/AB456.');
  const [office = '', employer, ...rest] = normalised.split('/');
  if (employer === undefined) return createRejection('An employer PAYE reference has a slash after the first three digits.');
  if (!/^\d{3}$/.test(office)) return createRejection('An employer PAYE reference starts with three digits, the HMRC office number.');
  if (rest.length > 0 || !/^[A-Z0-9]{1,10}$/.test(employer)) return createRejection('Enter 1 to 10 letters or digits after the slash.');
  return parsed(`${office}/${employer}` as EmployerPayeReference);
}
