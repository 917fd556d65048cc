import { parsed, refused } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { tidyReference, weightedSum } from './tidy-reference.ts';

/** The holder of a VAT registration number, inferred from its form. */
export type VrnKind = 'standard' | 'branch trader' | 'government department' | 'health authority';

/** The check-digit rule a number satisfies: HMRC's first, or the one with 55 added, in use since November 2009. */
export type VrnAlgorithm = 'mod97' | 'mod9755';

/** A well-formed VAT registration number. Only HMRC can say whether it is registered. */
export type Vrn = {
  /** Normal form: 9 digits, 12 with a branch, or "GD100". */
  readonly normalised: string;
  readonly kind: VrnKind;
  /** The nine digits for HMRC's API and payments; null for departments and authorities, whose short numbers have none. */
  readonly vrn: string | null;
  /** The three digits of a branch or group division. */
  readonly branch: string | null;
  readonly algorithm: VrnAlgorithm | null;
};

/** A number with nine digits, as every trader on the portal has. */
export type NineDigitVrn = Vrn & { readonly vrn: string };

/**
 * Parses a VAT registration number: 9 digits, or 12 with a branch, with or without GB or XI, spaces, dots and hyphens;
 * GD000 to GD499 (departments) and HA500 to HA999 (health authorities), also in their long form GD8888 + number + check digits.
 * Source: hmrc/reference-checker VatReferenceChecker; python-stdnum gb/vat for branches, departments and authorities; VAT Notice 700/21.
 */
export function parseVrn(text: string): Parsed<Vrn> {
  const tidy = tidyReference(text).replace(/^(?:GB|XI)/, '');
  if (tidy === '') return refused('Enter the VAT registration number: 9 digits.');
  if (/^(?:GD|HA)/.test(tidy)) return parsePublicBody(tidy);
  if (!/^\d+$/.test(tidy)) return refused('A VAT registration number has digits only, after an optional GB or XI.');
  if (tidy.length !== 9 && tidy.length !== 12) {
    return refused(`A VAT registration number has 9 digits (12 with a branch); this one has ${tidy.length}.`);
  }
  const vrn = tidy.slice(0, 9);
  const algorithm = checkVrnDigits(vrn);
  if (algorithm === null) return refused('The check digits do not match: at least one digit is wrong.');
  const branch = tidy.length === 12 ? tidy.slice(9) : null;
  return parsed({ normalised: tidy, kind: branch === null ? 'standard' : 'branch trader', vrn, branch, algorithm });
}

/**
 * Parses a number with nine digits; rejects those of departments and authorities, which HMRC's VAT API does not support. Source:
 * hmrc/vat-api VrnValidation.
 */
export function parseNineDigitVrn(text: string): Parsed<NineDigitVrn> {
  const read = parseVrn(text);
  if (!read.ok) return read;
  const { vrn } = read.value;
  if (vrn === null) return refused(`This is the number of a ${read.value.kind}; online VAT needs a number of 9 digits.`);
  return parsed({ ...read.value, vrn });
}

/**
 * The rule that the last two of nine digits satisfy, or null. Weights 8 to 2 apply to the first seven; subtract 97 while the sum is above
 * 97
 * (so a multiple of 97 gives 00, and only a sum of 0 gives 97); the difference to 97 is the check. Source: REFCHK
 * DifferenceReferenceChecker.
 * HMRC's checker accepts either rule for any range of numbers.
 */
export function checkVrnDigits(nineDigits: string): VrnAlgorithm | null {
  const sum = weightedSum(nineDigits, [8, 7, 6, 5, 4, 3, 2]);
  const check = Number(nineDigits.slice(7));
  if (checkOf(sum) === check) return 'mod97';
  return checkOf(sum + 55) === check ? 'mod9755' : null;
}

/** The number as HMRC prints it: "980 7806 84". */
export function formatVrn(nineDigits: string): string {
  return `${nineDigits.slice(0, 3)} ${nineDigits.slice(3, 7)} ${nineDigits.slice(7)}`;
}

function checkOf(sum: number): number {
  const rest = sum % 97;
  return rest === 0 && sum > 0 ? 0 : 97 - rest;
}

function parsePublicBody(tidy: string): Parsed<Vrn> {
  const long = /^(GD|HA)8888(\d{3})(\d{2})$/.exec(tidy);
  const short = /^(GD|HA)(\d{3})$/.exec(tidy);
  const [, prefix, digits = '', check] = long ?? short ?? [];
  if (prefix === undefined) return refused(`${tidy.slice(0, 2)} is followed by exactly 3 digits.`);
  const number = Number(digits);
  if (prefix === 'GD' && number > 499) return refused('Government departments have the numbers GD000 to GD499.');
  if (prefix === 'HA' && number < 500) return refused('Health authorities have the numbers HA500 to HA999.');
  if (check !== undefined && number % 97 !== Number(check)) return refused('The check digits do not match: at least one digit is wrong.');
  const kind = prefix === 'GD' ? 'government department' : 'health authority';
  return parsed({ normalised: `${prefix}${digits}`, kind, vrn: null, branch: null, algorithm: null });
}
