import { parsed, rejected } from '../../parsed.ts';
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
const SOCIETY = /^(?:IP|SP|RS|NP|NO|SO)(?:\d{5}[A-Z]|\d{4}[A-Z]{2}|\d{3}[A-Z]{3})$/;
const OLD_PARTNERSHIP = /^(?:(?:NI|SL)\d{5}A|OC(?:[\dP]{5}[CWERTB]|[\dP]{4}(?:OC|CU)))$/;
const CONVERTED = /^(.{2})\d{5}[CR]$/;

/**
 * Parses a company number, restoring omitted zeros: "445790" -> "00445790", "SC12345" -> "SC012345".
 * Source: Companies Act 2006 s1066 (the registrar decides the form); chguide.co.uk, whose pattern was tested on 13.6 million numbers.
 */
export function parseCompanyNumber(text: string): Parsed<CompanyNumber> {
  const normalised = normaliseReference(text);
  if (normalised === '') return rejected('Enter the company number. It has 8 characters.');
  const padded = fillZeros(normalised);
  if (/^\d{8}$/.test(padded)) {
    return padded === '00000000' ? rejected('No company has the number 00000000. Check it.') : parsed(padded as CompanyNumber);
  }
  if (/^\d+$/.test(padded) || padded.length > 8) return rejected(`A company number has 8 characters, but this one has ${padded.length}.`);
  if (SOCIETY.test(padded) || OLD_PARTNERSHIP.test(padded) || isConverted(padded)) return parsed(padded as CompanyNumber);
  if (!/^[A-Z][A-Z0]\d{6}$/.test(padded)) return rejected('A company number has 8 digits, or 2 letters followed by 6 digits.');
  if (!PREFIXES.includes(padded.slice(0, 2))) return rejected(`Company numbers don’t start with ${padded.slice(0, 2)}. Check it.`);
  return parsed(padded as CompanyNumber);
}

function fillZeros(normalised: string): string {
  if (/^\d{1,8}$/.test(normalised)) return normalised.padStart(8, '0');
  const match = /^([A-Z]{2}|R0)(\d{1,5})$/.exec(normalised);
  return match ? (match[1] ?? '') + (match[2] ?? '').padStart(6, '0') : normalised;
}

/** Societies converted from another register keep that register's prefix or digits and end in C or R. */
function isConverted(padded: string): boolean {
  const prefix = CONVERTED.exec(padded)?.[1];
  return prefix !== undefined && (/^\d{2}$/.test(prefix) || PREFIXES.includes(prefix));
}
