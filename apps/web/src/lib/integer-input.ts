/** Parses the integer input of docs/product/specification.md section 5. */
import { parsed, createRejection, type Parsed } from '@portal/domain/parsed.ts';

/** Returns undefined for an empty field, and an error for text such as "12.5". */
export function parseIntegerInput(text: string): Parsed<number | undefined> {
  const trimmed = text.trim();
  if (trimmed === '') return parsed(undefined);
  const number = /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isSafeInteger(number) ? parsed(number) : createRejection('Invalid number');
}
