import { parsePounds } from '@portal/domain/money.ts';
import type { Pence } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Parsed } from '@portal/domain/parsed.ts';
import type { Known } from '@portal/domain/uk-tax/known.ts';
import { parseTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { TaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';

/** Invalid input. The example fails with this message instead of an answer. */
export class UnreadableInput extends Error {}

/** Input of a worked example. The readers below throw UnreadableInput for a key of the wrong type. */
export type ExampleInput = Readonly<Record<string, unknown>>;

/** An amount in an answer, compared as money, so that "200" and "200.00" are equal. */
export class Amount {
  readonly pence: number;
  constructor(pence: number) {
    this.pence = pence;
  }
}

/** An answer by key. */
export type Answer = Readonly<Record<string, unknown>>;

export function has(input: ExampleInput, key: string): boolean {
  return input[key] !== undefined && input[key] !== null;
}

export function text(input: ExampleInput, key: string): string {
  const value = input[key];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new UnreadableInput(`input ${key} is missing or no text`);
}

/** The question and the note are written for people, but in some topics only they name the kind of company. */
export function question(input: ExampleInput): string {
  return [input['question'], input['note']].filter((words) => typeof words === 'string').join(' ');
}

export function flag(input: ExampleInput, key: string): boolean {
  return input[key] === true || input[key] === 'true';
}

export function list(input: ExampleInput, key: string): readonly unknown[] {
  const value = input[key];
  if (Array.isArray(value)) return value;
  throw new UnreadableInput(`input ${key} is missing or no list`);
}

export function record(value: unknown): ExampleInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ExampleInput;
  throw new UnreadableInput('an entry of a list is no object');
}

export function date(input: ExampleInput, key: string): PlainDate {
  const read = parsePlainDate(text(input, key));
  if (read === undefined) throw new UnreadableInput(`input ${key} is no date: ${text(input, key)}`);
  return read;
}

export function pounds(input: ExampleInput, key: string): Pence {
  return poundsOf(input[key], key);
}

export function poundsOf(value: unknown, key: string): Pence {
  const read = typeof value === 'string' || typeof value === 'number' ? parsePounds(String(value)) : undefined;
  if (read === undefined) throw new UnreadableInput(`input ${key} is no amount in pounds: ${String(value)}`);
  return read;
}

export function integer(input: ExampleInput, key: string, least: number, most: number): number {
  const written = text(input, key).trim();
  const value = Number(written);
  if (!/^-?\d+$/.test(written) || value < least || value > most)
    throw new UnreadableInput(`input ${key} is no whole number from ${least} to ${most}: ${written}`);
  return value;
}

export function oneOf<Word extends string>(input: ExampleInput, key: string, words: readonly Word[]): Word {
  const written = text(input, key).trim().toLowerCase();
  const found = words.find((word) => word === written);
  if (found === undefined) throw new UnreadableInput(`input ${key} is none of ${words.join(', ')}: ${written}`);
  return found;
}

export function taxYear(input: ExampleInput, key: string): TaxYear {
  return accepted(parseTaxYear(text(input, key)), key);
}

/** A percentage with at most two decimals, in hundredths of a percent. */
export function percent(input: ExampleInput, key: string): number {
  const read = parsePounds(text(input, key).replace(/\s*%\s*$/, ''));
  if (read === undefined) throw new UnreadableInput(`input ${key} is no percentage: ${text(input, key)}`);
  return read;
}

/** The parsed value; throws UnreadableInput if parsing failed. */
export function accepted<Value>(read: Parsed<Value>, key: string): Value {
  if (!read.ok) throw new UnreadableInput(`input ${key} is refused: ${read.reason}`);
  return read.value;
}

/** The value of a rule's result, its forecast beyond the known tables, or a text that names what is not known. */
export function answered<Value>(answer: Known<Value>): Value | string {
  if (answer.known) return answer.value;
  return answer.forecast ?? `not known: ${answer.notKnown}`;
}

/** The value of a rule's result that further steps need; throws UnreadableInput if there is none. */
export function needed<Value>(answer: Known<Value>): Value {
  const value = answer.known ? answer.value : answer.forecast;
  if (value === undefined) throw new UnreadableInput(`not known: ${answer.known ? '' : answer.notKnown}`);
  return value;
}
