import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { calculateWeightedSum, normaliseReference } from './normalise-reference.ts';

declare const utrBrand: unique symbol;

/** A Unique Taxpayer Reference: 10 digits, the first of which is the check digit. Self Assessment and corporation tax use the same form. */
export type Utr = string & { readonly [utrBrand]: true };

const CHECK_DIGITS = '21987654321';
const WEIGHTS = [6, 7, 8, 9, 10, 5, 4, 3, 2] as const;

/**
 * Parses a UTR: 10 digits, ignoring spaces, with the K of Self Assessment payment references allowed at either end.
 * Source: hmrc/reference-checker UtrReferenceChecker and SelfAssessmentReferenceChecker; hmrc/domain Modulus11Check.
 */
export function parseUtr(text: string): Parsed<Utr> {
  const normalised = normaliseReference(text);
  if (normalised === '') return createRejection('Enter the Unique Taxpayer Reference. It has 10 digits.');
  const digits = normalised.startsWith('K') ? normalised.slice(1) : normalised.replace(/K$/, '');
  if (!/^\d*$/.test(digits))
    return createRejection('A UTR contains only digits (a Self Assessment reference may have the letter K before or after them).');
  if (digits.length !== 10) return createRejection(`A UTR has 10 digits, but this one has ${digits.length}.`);
  if (getUtrCheckDigit(digits.slice(1)) !== digits[0])
    return createRejection('The check digit doesn’t match, so at least one digit is wrong.');
  return parsed(digits as Utr);
}

/**
 * Returns the check digit for the last nine digits: weights 6, 7, 8, 9, 10, 5, 4, 3, 2, with the sum mod 11 as the index into
 * "21987654321". Undefined unless there are nine digits.
 */
export function getUtrCheckDigit(lastNine: string): string | undefined {
  if (!/^\d{9}$/.test(lastNine)) return undefined;
  return CHECK_DIGITS[calculateWeightedSum(lastNine, WEIGHTS) % 11];
}
