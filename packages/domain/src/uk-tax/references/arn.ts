import { createRejection, parsed } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';
import { getCheckLetter, LETTERS_IN_ORDER } from './modulus-23.ts';
import { normaliseReference } from './normalise-reference.ts';

declare const arnBrand: unique symbol;

/** An agent reference number: a check letter, ARN and 7 digits ("TARN0000001"). */
export type Arn = string & { readonly [arnBrand]: true };

const WEIGHTS = [0, 9, 10, 11, 12, 13, 8, 7, 6, 5, 4] as const;

/** Parses an agent reference number; spaces, hyphens and lower case are allowed. Source: hmrc/domain AgentBusinessUtr, Modulus23Check. */
export function parseArn(text: string): Parsed<Arn> {
  const normalised = normaliseReference(text);
  if (normalised === '') return createRejection('Enter the agent reference number, for example TARN0000001.');
  if (!/^[A-Z]ARN\d{7}$/.test(normalised)) return createRejection('An agent reference number has a letter, then ARN, then seven digits.');
  if (getCheckLetter(normalised, WEIGHTS, LETTERS_IN_ORDER) !== normalised[0]) {
    return createRejection('The check letter doesn’t match, so at least one character is wrong.');
  }
  return parsed(normalised as Arn);
}
