import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { getCheckLetter, LETTERS_IN_ORDER } from './modulus-23.ts';
import type { LetterValues } from './modulus-23.ts';
import { normaliseReference } from './normalise-reference.ts';

declare const accountsOfficeBrand: unique symbol;

/** The reference an employer uses to pay PAYE to the Accounts Office: 13 characters, "123PW12345678"; the fifth is the check letter. */
export type AccountsOfficeReference = string & { readonly [accountsOfficeBrand]: true };

const WEIGHTS = [9, 10, 11, 12, 0, 8, 7, 6, 5, 4, 3, 2, 1] as const;
// PAYE references omit the letters I and O: X, Y and Z take the values of I, O and U, and U takes that of X (REFCHK EpayeReferenceChecker).
const PAYE_LETTERS: LetterValues = { ...LETTERS_IN_ORDER, U: 56, X: 41, Y: 47, Z: 53 };

/**
 * Parses an Accounts Office reference; missing digits after the letters are filled with zeros, as on HMRC's own page.
 * Source: hmrc/reference-checker EpayeReferenceChecker. The samples in HMRC's guidance (123PA00012345) fail the check letter.
 */
export function parseAccountsOfficeReference(text: string): Parsed<AccountsOfficeReference> {
  const normalised = fillZeros(normaliseReference(text));
  if (normalised === '') return createRejection('Enter the Accounts Office reference, for example 123PW12345678.');
  if (!/^\d{3}P[A-Z]/.test(normalised))
    return createRejection('An Accounts Office reference starts with three digits, the letter P and another letter.');
  if (!/^.{5}\d{6}[A-Z0-9]{2}$/.test(normalised))
    return createRejection('An Accounts Office reference has 13 characters, with 8 digits after the letters.');
  if (normalised.startsWith('961') && !/^961P[A-Z](?:0.{6}X|\d{8})$/.test(normalised)) {
    return createRejection('For office 961, the part after the letters is eight digits, or starts with 0 and ends with X.');
  }
  const expectedLetter = getAccountsOfficeCheckLetter(normalised);
  if (expectedLetter !== normalised[4])
    return createRejection(`The check letter doesn’t match: the fifth character should be ${expectedLetter ?? 'different'}.`);
  return parsed(normalised as AccountsOfficeReference);
}

/** Returns the check letter for a reference's fifth position; undefined if the text doesn't have that form. */
export function getAccountsOfficeCheckLetter(text: string): string | undefined {
  const normalised = fillZeros(normaliseReference(text));
  return /^\d{3}P[A-Z]\d{6}[A-Z0-9]{2}$/.test(normalised) ? getCheckLetter(normalised, WEIGHTS, PAYE_LETTERS) : undefined;
}

/** Turns "123PW1234" into "123PW00001234". References ending in a letter are also padded before their digits. */
function fillZeros(normalised: string): string {
  const match = /^(\d{3}P[A-Z])(\d{1,7}[\dA-Z]?)$/.exec(normalised);
  if (!match) return normalised;
  const [, head = '', digits = ''] = match;
  return head + digits.padStart(8, '0');
}
