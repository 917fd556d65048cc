import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { calculateWeightedSum, normaliseReference } from './normalise-reference.ts';

/** The kind of VAT registration number, inferred from its form. */
export type VrnKind = 'standard' | 'branch trader' | 'government department' | 'health authority';

/** The check-digit rule that a number satisfies: HMRC's first, or the one with 55 added, in use since November 2009. */
export type VrnAlgorithm = 'mod97' | 'mod9755';

/** A well-formed VAT registration number. Only HMRC can say whether it is registered. */
export type Vrn = {
  /** Normal form: 9 digits, 12 with a branch, or "GD100". */
  readonly normalised: string;
  readonly kind: VrnKind;
  /** The nine digits for HMRC's API and payments; null for departments and authorities, whose short numbers don't have them. */
  readonly vrn: string | null;
  /** The three digits of a branch or group division. */
  readonly branch: string | null;
  readonly algorithm: VrnAlgorithm | null;
};

/** A number with nine digits, as every trader in the portal has. */
export type NineDigitVrn = Vrn & { readonly vrn: string };

/**
 * Parses a VAT registration number: 9 digits, or 12 with a branch, with or without GB or XI, spaces, dots and hyphens;
 * GD000 to GD499 (departments) and HA500 to HA999 (health authorities), also in their long form GD8888 + number + check digits.
 * Source: hmrc/reference-checker VatReferenceChecker; python-stdnum gb/vat for branches, departments and authorities; VAT Notice 700/21.
 */
export function parseVrn(text: string): Parsed<Vrn> {
  const normalised = normaliseReference(text).replace(/^(?:GB|XI)/, '');
  if (normalised === '') return createRejection('Enter the VAT registration number. It has 9 digits.');
  if (/^(?:GD|HA)/.test(normalised)) return parsePublicBody(normalised);
  if (!/^\d+$/.test(normalised)) return createRejection('A VAT registration number contains only digits, after an optional GB or XI.');
  if (normalised.length !== 9 && normalised.length !== 12) {
    return createRejection(`A VAT registration number has 9 digits (12 with a branch), but this one has ${normalised.length}.`);
  }
  const vrn = normalised.slice(0, 9);
  const algorithm = findVrnAlgorithm(vrn);
  if (algorithm === null) return createRejection('The check digits don’t match, so at least one digit is wrong.');
  const branch = normalised.length === 12 ? normalised.slice(9) : null;
  return parsed({ normalised, kind: branch === null ? 'standard' : 'branch trader', vrn, branch, algorithm });
}

/**
 * Parses a number with nine digits; rejects those of departments and authorities, which HMRC's VAT API doesn't support. Source:
 * hmrc/vat-api VrnValidation.
 */
export function parseNineDigitVrn(text: string): Parsed<NineDigitVrn> {
  const result = parseVrn(text);
  if (!result.ok) return result;
  const { vrn } = result.value;
  if (vrn === null) return createRejection(`This number belongs to a ${result.value.kind}. Enter a VAT registration number with 9 digits.`);
  return parsed({ ...result.value, vrn });
}

/**
 * Returns the rule that the last two of nine digits satisfy, or null. Weights 8 to 2 apply to the first seven; subtract 97 while the sum is
 * above 97 (so a multiple of 97 gives 00, and only a sum of 0 gives 97). The check digits are 97 less the remainder. Source: REFCHK
 * DifferenceReferenceChecker. HMRC's checker accepts either rule for any range of numbers.
 */
export function findVrnAlgorithm(nineDigits: string): VrnAlgorithm | null {
  const sum = calculateWeightedSum(nineDigits, [8, 7, 6, 5, 4, 3, 2]);
  const check = Number(nineDigits.slice(7));
  if (calculateCheckNumber(sum) === check) return 'mod97';
  return calculateCheckNumber(sum + 55) === check ? 'mod9755' : null;
}

/** Formats the number as HMRC prints it: "980 7806 84". */
export function formatVrn(nineDigits: string): string {
  return `${nineDigits.slice(0, 3)} ${nineDigits.slice(3, 7)} ${nineDigits.slice(7)}`;
}

function calculateCheckNumber(sum: number): number {
  const checkRemainder = sum % 97;
  return checkRemainder === 0 && sum > 0 ? 0 : 97 - checkRemainder;
}

function parsePublicBody(normalised: string): Parsed<Vrn> {
  const longForm = /^(GD|HA)8888(\d{3})(\d{2})$/.exec(normalised);
  const shortForm = /^(GD|HA)(\d{3})$/.exec(normalised);
  const [, prefix, digits = '', check] = longForm ?? shortForm ?? [];
  if (prefix === undefined) return createRejection(`Enter exactly 3 digits after ${normalised.slice(0, 2)}.`);
  const number = Number(digits);
  if (prefix === 'GD' && number > 499) return createRejection('Government departments have the numbers GD000 to GD499.');
  if (prefix === 'HA' && number < 500) return createRejection('Health authorities have the numbers HA500 to HA999.');
  if (check !== undefined && number % 97 !== Number(check))
    return createRejection('The check digits don’t match, so at least one digit is wrong.');
  const kind = prefix === 'GD' ? 'government department' : 'health authority';
  return parsed({ normalised: `${prefix}${digits}`, kind, vrn: null, branch: null, algorithm: null });
}
