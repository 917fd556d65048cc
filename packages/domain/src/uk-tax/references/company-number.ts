import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { normaliseReference } from './normalise-reference.ts';

declare const companyNumberBrand: unique symbol;

/** A Companies House company number: always 8 characters ("00445790", "SC123456"), without a check digit. */
export type CompanyNumber = string & { readonly [companyNumberBrand]: true };

/**
 * Prefixes of numbers with two letters and six digits: companies, partnerships, overseas companies and other entities. R0 is the old
 * Northern Ireland register.
 */
const PREFIXES = (
  'AC CE CS EN ES FC FE GE GN GS IC IP LP NA NC NF NI NL NO NP NV NZ OC ' + 'OE PC R0 RC RS SA SC SE SF SG SI SL SO SP SR SZ ZC'
).split(' ');
/** Numbers of registered societies and some partnerships end in letters, for example credit unions and housing associations. */
const SOCIETY_PATTERN = /^(?:IP|SP|RS|NP|NO|SO)(?:\d{5}[A-Z]|\d{4}[A-Z]{2}|\d{3}[A-Z]{3})$/;
const OLD_PARTNERSHIP_PATTERN = /^(?:(?:NI|SL)\d{5}A|OC(?:[\dP]{5}[CWERTB]|[\dP]{4}(?:OC|CU)))$/;
const CONVERTED_PATTERN = /^(.{2})\d{5}[CR]$/;

/**
 * Parses a company number, restoring omitted zeros: "445790" -> "00445790", "SC12345" -> "SC012345".
 * Source: Companies Act 2006 s1066 (the registrar decides the form); chguide.co.uk, whose pattern was tested on 13.6 million numbers.
 */
export function parseCompanyNumber(text: string): Parsed<CompanyNumber> {
  const normalised = normaliseReference(text);
  if (normalised === '') return createRejection('Enter the company number. It has 8 characters.');
  const paddedNumber = fillZeros(normalised);
  if (/^\d{8}$/.test(paddedNumber)) {
    return paddedNumber === '00000000'
      ? createRejection('No company has the number 00000000. Check it.')
      : parsed(paddedNumber as CompanyNumber);
  }
  if (/^\d+$/.test(paddedNumber) || paddedNumber.length > 8)
    return createRejection(`A company number has 8 characters, but this one has ${paddedNumber.length}.`);
  if (SOCIETY_PATTERN.test(paddedNumber) || OLD_PARTNERSHIP_PATTERN.test(paddedNumber) || isConverted(paddedNumber))
    return parsed(paddedNumber as CompanyNumber);
  if (!/^[A-Z][A-Z0]\d{6}$/.test(paddedNumber)) return createRejection('A company number has 8 digits, or 2 letters followed by 6 digits.');
  if (!PREFIXES.includes(paddedNumber.slice(0, 2)))
    return createRejection(`Company numbers don’t start with ${paddedNumber.slice(0, 2)}. Check it.`);
  return parsed(paddedNumber as CompanyNumber);
}

function fillZeros(normalised: string): string {
  if (/^\d{1,8}$/.test(normalised)) return normalised.padStart(8, '0');
  const match = /^([A-Z]{2}|R0)(\d{1,5})$/.exec(normalised);
  return match ? (match[1] ?? '') + (match[2] ?? '').padStart(6, '0') : normalised;
}

/** Societies converted from another register keep that register's prefix or digits and end in C or R. */
function isConverted(paddedNumber: string): boolean {
  const prefix = CONVERTED_PATTERN.exec(paddedNumber)?.[1];
  return prefix !== undefined && (/^\d{2}$/.test(prefix) || PREFIXES.includes(prefix));
}
