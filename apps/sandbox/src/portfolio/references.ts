/** References of generated clients. Each one passes HMRC's check, and no two clients of a portfolio share one. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { getAccountsOfficeCheckLetter } from '@portal/domain/uk-tax/references/accounts-office-reference.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import { calculateWeightedSum } from '@portal/domain/uk-tax/references/normalise-reference.ts';
import { getUtrCheckDigit } from '@portal/domain/uk-tax/references/utr.ts';

/** Maps each index to a scattered number below `size`, without repetition. */
export type Scatter = (index: number, label: string, size: number) => number;

/** A prime larger than every range used here, so multiples cover the whole range before they repeat. */
const PRIME_STEP = 982_451_653;

export function createScatter(seed: number): Scatter {
  return (index, label, size) => (hashText(`${seed} ${label}`) + index * PRIME_STEP) % size;
}

/** Since this day, HMRC has issued numbers with the second check rule. */
const SECOND_RULE_FROM = plainDate('2009-11-01');

/** Creates a VAT number with the check rule of its registration date: 97 before November 2009, 97-55 since. */
export function createVrn(scatter: Scatter, index: number, registeredOn: PlainDate): string {
  const sevenDigits = String(1_000_000 + scatter(index, 'vrn', 9_000_000));
  const sum = calculateWeightedSum(sevenDigits, [8, 7, 6, 5, 4, 3, 2]) + (registeredOn < SECOND_RULE_FROM ? 0 : 55);
  const remainder = sum % 97;
  return sevenDigits + String(remainder === 0 ? 0 : 97 - remainder).padStart(2, '0');
}

export function createUtr(scatter: Scatter, index: number): string {
  const lastNineDigits = String(100_000_000 + scatter(index, 'utr', 900_000_000));
  return (getUtrCheckDigit(lastNineDigits) ?? '') + lastNineDigits;
}

const NINO_LETTERS = [...'ABCEGHJKLMNPRSTWXYZ'];
const NINO_PREFIXES = NINO_LETTERS.flatMap((first) => NINO_LETTERS.map((second) => first + second)).filter(
  (prefix) => parseNino(`${prefix}000000A`).ok,
);

export function createNino(scatter: Scatter, index: number): string {
  const number = scatter(index, 'nino', NINO_PREFIXES.length * 1_000_000);
  const digits = String(number % 1_000_000).padStart(6, '0');
  return `${NINO_PREFIXES[Math.floor(number / 1_000_000)] ?? ''}${digits}${'ABCD'[number % 4] ?? 'A'}`;
}

/**
 * Creates a company number from the range registered from 1986 to 2015. Higher numbers belong to the register's generated companies.
 * `ordinal` is the position in that range, from 0 to 1.
 */
export function createCompanyNumber(scatter: Scatter, index: number): { readonly number: string; readonly ordinal: number } {
  const number = 2_000_000 + scatter(index, 'company', 7_990_000);
  return { number: String(number).padStart(8, '0'), ordinal: (number - 2_000_000) / 7_990_000 };
}

export function createLlpNumber(scatter: Scatter, index: number): { readonly number: string; readonly ordinal: number } {
  const number = scatter(index, 'llp', 140_000);
  return { number: `OC${300_000 + number}`, ordinal: number / 140_000 };
}

const OFFICE_LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/**
 * Creates an employer PAYE reference (three digits, a slash, two letters, five digits, as in the ePAYE description) and the accounts office
 * reference.
 */
export function createPayeReferences(
  scatter: Scatter,
  index: number,
): { readonly employerReference: string; readonly accountsOfficeReference: string } {
  const number = scatter(index, 'paye', 700 * 23 * 23 * 100_000);
  const office = 120 + Math.floor(number / (23 * 23 * 100_000));
  const pair = Math.floor(number / 100_000) % (23 * 23);
  const letters = `${OFFICE_LETTERS[Math.floor(pair / 23)] ?? 'A'}${OFFICE_LETTERS[pair % 23] ?? 'A'}`;
  const digits = String(10_000_000 + scatter(index, 'accounts office', 90_000_000));
  const letter = getAccountsOfficeCheckLetter(`${office}PA${digits}`) ?? '';
  return {
    employerReference: `${office}/${letters}${String(number % 100_000).padStart(5, '0')}`,
    accountsOfficeReference: `${office}P${letter}${digits}`,
  };
}

/** Creates an agent reference number with seven digits and its check letter. */
export function createArn(digits: string): string {
  const arn = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => parseArn(`${letter}ARN${digits}`)).find(({ ok: isValid }) => isValid);
  if (!arn?.ok) throw new RangeError(`no check letter fits ARN${digits}`);
  return arn.value;
}

/** Returns the FNV-1a hash of a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
