/** The specification's integer input (section 5): blank stays blank, and what is no number is rejected with "Invalid number". */
import { parsed, refused, type Parsed } from '@portal/domain/parsed.ts';

/** A whole number, undefined for a blank field. "12.5" is a number, but none that this field can hold: it is rejected as well. */
export function parseIntegerInput(text: string): Parsed<number | undefined> {
  const trimmed = text.trim();
  if (trimmed === '') return parsed(undefined);
  const number = /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isSafeInteger(number) ? parsed(number) : refused('Invalid number');
}
