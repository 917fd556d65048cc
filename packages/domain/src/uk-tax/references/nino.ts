import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { normaliseReference } from './normalise-reference.ts';

declare const ninoBrand: unique symbol;

/** A National Insurance number: two letters, six digits, a letter A to D; no check digit. */
export type Nino = string & { readonly [ninoBrand]: true };

const NEVER_ISSUED_PREFIXES = ['BG', 'GB', 'NK', 'KN', 'TN', 'NT', 'ZZ'];

/** Parses a National Insurance number; spaces and lower case are allowed. Source: hmrc/domain Nino.scala. */
export function parseNino(text: string): Parsed<Nino> {
  const normalised = normaliseReference(text);
  if (normalised === '') return createRejection('Enter the National Insurance number, for example AB 12 34 56 C.');
  if (!/^[A-Z]{2}\d{6}[A-Z]$/.test(normalised))
    return createRejection('A National Insurance number has two letters, six digits and one letter.');
  if (!/[A-D]$/.test(normalised)) return createRejection('A National Insurance number ends in A, B, C or D.');
  if (/^[DFIQUV]/.test(normalised)) return createRejection('A National Insurance number can’t start with D, F, I, Q, U or V.');
  if (/^.[DFIQUVO]/.test(normalised))
    return createRejection('The second letter of a National Insurance number can’t be D, F, I, O, Q, U or V.');
  if (NEVER_ISSUED_PREFIXES.includes(normalised.slice(0, 2)))
    return createRejection(`National Insurance numbers don’t start with ${normalised.slice(0, 2)}. Check it.`);
  return parsed(normalised as Nino);
}
