import { parsed, refused } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { tidyReference, weightedSum } from './tidy-reference.ts';

declare const utrBrand: unique symbol;

/** A Unique Taxpayer Reference, 10 digits, the first of which is the check digit; the same for self assessment and corporation tax. */
export type Utr = string & { readonly [utrBrand]: true };

const CHECK_DIGITS = '21987654321';
const WEIGHTS = [6, 7, 8, 9, 10, 5, 4, 3, 2] as const;

/**
 * Reads a UTR: 10 digits, spaces ignored, with the letter K that self assessment payments carry allowed at either end.
 * Authority: hmrc/reference-checker UtrReferenceChecker and SelfAssessmentReferenceChecker; hmrc/domain Modulus11Check.
 */
export function parseUtr(text: string): Parsed<Utr> {
  const tidy = tidyReference(text);
  if (tidy === '') return refused('Enter the Unique Taxpayer Reference: 10 digits.');
  const digits = tidy.startsWith('K') ? tidy.slice(1) : tidy.replace(/K$/, '');
  if (!/^\d*$/.test(digits)) return refused('A UTR has digits only (self assessment adds one letter K before or after).');
  if (digits.length !== 10) return refused(`A UTR has 10 digits; this one has ${digits.length}.`);
  if (utrCheckDigit(digits.slice(1)) !== digits[0]) return refused('The check digit does not match: at least one digit is wrong.');
  return parsed(digits as Utr);
}

/** The first digit that goes before the last nine: weights 6, 7, 8, 9, 10, 5, 4, 3, 2, the sum mod 11 into "21987654321". Undefined where there are not nine digits. */
export function utrCheckDigit(lastNine: string): string | undefined {
  if (!/^\d{9}$/.test(lastNine)) return undefined;
  return CHECK_DIGITS[weightedSum(lastNine, WEIGHTS) % 11];
}
