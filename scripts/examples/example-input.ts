import { parsePounds } from '@portal/domain/money.ts';
import type { Pence } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Parsed } from '@portal/domain/parsed.ts';
import type { Known } from '@portal/domain/uk-tax/known.ts';
import { parseTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { TaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';

/** Thrown for invalid input. The example then fails with this message instead of giving a result. */
export class UnreadableInputError extends Error {}

/** The input of a worked example. The readers below throw UnreadableInputError for a key of the wrong type. */
export type ExampleInput = Readonly<Record<string, unknown>>;

/** An amount in a result. It is compared as money, so that "200" and "200.00" are equal. */
export class Amount {
  readonly pence: number;
  constructor(pence: number) {
    this.pence = pence;
  }
}

/** A result's values by key. */
export type ExampleResult = Readonly<Record<string, unknown>>;

export function hasKey(input: ExampleInput, key: string): boolean {
  return input[key] !== undefined && input[key] !== null;
}

export function readText(input: ExampleInput, key: string): string {
  const value = input[key];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new UnreadableInputError(`input ${key} is missing or no text`);
}

/** Returns the question and note. They are free text, but for some topics they are the only place that states the kind of company. */
export function readQuestion(input: ExampleInput): string {
  return [input['question'], input['note']].filter((words) => typeof words === 'string').join(' ');
}

export function readFlag(input: ExampleInput, key: string): boolean {
  return input[key] === true || input[key] === 'true';
}

export function readList(input: ExampleInput, key: string): readonly unknown[] {
  const value = input[key];
  if (Array.isArray(value)) return value;
  throw new UnreadableInputError(`input ${key} is missing or no list`);
}

export function toRecord(value: unknown): ExampleInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ExampleInput;
  throw new UnreadableInputError("an entry of a list isn't an object");
}

export function readDate(input: ExampleInput, key: string): PlainDate {
  const parsed = parsePlainDate(readText(input, key));
  if (parsed === undefined) throw new UnreadableInputError(`input ${key} isn't a date: ${readText(input, key)}`);
  return parsed;
}

export function readPounds(input: ExampleInput, key: string): Pence {
  return toPounds(input[key], key);
}

export function toPounds(value: unknown, key: string): Pence {
  const parsed = typeof value === 'string' || typeof value === 'number' ? parsePounds(String(value)) : undefined;
  if (parsed === undefined) throw new UnreadableInputError(`input ${key} isn't an amount in pounds: ${String(value)}`);
  return parsed;
}

export function readInteger(input: ExampleInput, key: string, min: number, max: number): number {
  const rawText = readText(input, key).trim();
  const value = Number(rawText);
  if (!/^-?\d+$/.test(rawText) || value < min || value > max)
    throw new UnreadableInputError(`input ${key} isn't a whole number from ${min} to ${max}: ${rawText}`);
  return value;
}

export function readChoice<Choice extends string>(input: ExampleInput, key: string, words: readonly Choice[]): Choice {
  const rawText = readText(input, key).trim().toLowerCase();
  const matchingWord = words.find((word) => word === rawText);
  if (matchingWord === undefined) throw new UnreadableInputError(`input ${key} is none of ${words.join(', ')}: ${rawText}`);
  return matchingWord;
}

export function readTaxYear(input: ExampleInput, key: string): TaxYear {
  return unwrapParsed(parseTaxYear(readText(input, key)), key);
}

/** Reads a percentage with at most two decimals, in hundredths of a percent. */
export function readPercent(input: ExampleInput, key: string): number {
  const parsed = parsePounds(readText(input, key).replace(/\s*%\s*$/, ''));
  if (parsed === undefined) throw new UnreadableInputError(`input ${key} isn't a percentage: ${readText(input, key)}`);
  return parsed;
}

/** Returns the parsed value. Throws UnreadableInputError if parsing failed. */
export function unwrapParsed<Value>(parsed: Parsed<Value>, key: string): Value {
  if (!parsed.ok) throw new UnreadableInputError(`input ${key} is refused: ${parsed.reason}`);
  return parsed.value;
}

/** Returns the value of a rule's result, its forecast if it is beyond the known tables, or text explaining what is unknown. */
export function toResultValue<Value>(knownValue: Known<Value>): Value | string {
  if (knownValue.known) return knownValue.value;
  return knownValue.forecast ?? `not known: ${knownValue.notKnown}`;
}

/** Returns the value of a rule's result for further steps. Throws UnreadableInputError if it is unknown. */
export function requireKnown<Value>(knownValue: Known<Value>): Value {
  const value = knownValue.known ? knownValue.value : knownValue.forecast;
  if (value === undefined) throw new UnreadableInputError(`not known: ${knownValue.known ? '' : knownValue.notKnown}`);
  return value;
}
