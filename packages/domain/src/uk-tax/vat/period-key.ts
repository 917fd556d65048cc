import { parsed, refused } from '../../parsed.ts';
import type { Parsed } from '../../parsed.ts';

declare const periodKeyBrand: unique symbol;

/** HMRC's key of a VAT period: 4 characters ("18A1", "#001"). Opaque: taken from the obligation, never built, never shown. */
export type PeriodKey = string & { readonly [periodKeyBrand]: true };

/** Reads a period key as HMRC sends it. Authority: hmrc/vat-api PeriodKeyValidation `^[#0-9A-Z]{4}$`. */
export function parsePeriodKey(text: string): Parsed<PeriodKey> {
  return /^[#0-9A-Z]{4}$/.test(text) ? parsed(text as PeriodKey) : refused('A period key has four characters: digits, capitals or #.');
}
