/** Parses amounts in books files: pounds with at most two decimals, optional thousands commas, and a minus sign for credit notes. */
import { quoteText } from './quote-text.ts';

const MINUS_CODE = 45;
const DOT_CODE = 46;
const ZERO_DIGIT_CODE = 48;
/** The maximum number of digits in pounds. Larger amounts are typos, and this limit keeps every sum a safe integer. */
const MAX_DIGITS = 11;
const MAX_AMOUNT_LENGTH = 60;
const COMMA_GROUPED_PATTERN = /^-?\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/;

/** Returns the amount in whole pence, or NaN if the text isn't an amount (`explainAmount` explains why). */
export function parseAmount(text: string): number {
  const amount = parseDigits(text);
  // Spaces and thousands commas are rare, so parse again only if needed.
  if (!Number.isNaN(amount)) return amount;
  const trimmed = text.trim();
  return parseDigits(COMMA_GROUPED_PATTERN.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

function parseDigits(text: string): number {
  const length = text.length;
  const start = text.charCodeAt(0) === MINUS_CODE ? 1 : 0;
  let index = start;
  let value = 0;
  for (; index < length; index += 1) {
    const digit = text.charCodeAt(index) - ZERO_DIGIT_CODE;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (index === start || index - start > MAX_DIGITS) return Number.NaN;
  value *= 100;
  if (index < length) {
    const decimals = length - index - 1;
    if (text.charCodeAt(index) !== DOT_CODE || decimals < 1 || decimals > 2) return Number.NaN;
    const tenths = text.charCodeAt(index + 1) - ZERO_DIGIT_CODE;
    const hundredths = decimals === 2 ? text.charCodeAt(index + 2) - ZERO_DIGIT_CODE : 0;
    if (tenths < 0 || tenths > 9 || hundredths < 0 || hundredths > 9) return Number.NaN;
    value += tenths * 10 + hundredths;
  }
  // 0 - 0 gives 0, whereas -0 would be shown as "-0.00".
  return start === 1 ? 0 - value : value;
}

/** Explains why text isn't an amount, and how to fix it. */
export function explainAmount(text: string): string {
  const trimmed = text.trim();
  const quotedText = quoteText(trimmed);
  // Amounts are never this long, and the patterns below would be slow on long texts.
  if (trimmed.length > MAX_AMOUNT_LENGTH) return `${quotedText} isn’t an amount: enter pounds and pence, such as 1234.50`;
  if (/[£$€]|GBP|EUR|USD/i.test(trimmed)) return `${quotedText} includes a currency: enter the number only, such as 1234.50`;
  if (/^\(.*\)$/.test(trimmed)) return `${quotedText} is in brackets: enter negative amounts with a minus sign, such as -1234.50`;
  if (/^[\u2010-\u2015\u2212]/.test(trimmed))
    return `${quotedText} starts with a dash: use a plain hyphen for the minus sign, such as -1234.50`;
  if (/\d-$/.test(trimmed)) return `${quotedText} has its minus sign at the end: put it in front, such as -1234.50`;
  if (trimmed.startsWith('+')) return `${quotedText} has a plus sign: enter the number without it`;
  if (trimmed.includes('%')) return `${quotedText} is a percentage: enter the amount in pounds`;
  if (/^-?\d+(?:\.\d{3})*,\d{1,2}$/.test(trimmed))
    return `${quotedText} has a decimal comma: use a decimal point before the pence, such as 1234.50`;
  if (/^-?[1-9]\d{0,2}\.\d{3}$/.test(trimmed))
    return `${quotedText} has more than two decimal places: round it to whole pence, as on the invoice, or leave the point out if it separates thousands`;
  if (/^-?[\d,]+\.\d{3,}$/.test(trimmed))
    return `${quotedText} has more than two decimal places: round it to whole pence, as on the invoice`;
  if (/^-?\d[\d,]*,[\d,.]*$/.test(trimmed))
    return `${quotedText} has misplaced commas: separate thousands (1,234.50) or leave the commas out`;
  if (/^-?\d[\d ]* \d[\d .]*$/.test(trimmed)) return `${quotedText} contains spaces: enter 1234.50 or 1,234.50`;
  if (/^-?\d+(?:\.\d*)?e[+-]?\d+$/i.test(trimmed)) return `${quotedText} is in scientific notation: enter the number in full`;
  if (/^-?\.\d+$|^-?\d+\.$/.test(trimmed))
    return `${quotedText} has no digits on one side of the decimal point: enter it like 0.50 or 12.00`;
  if (/^-?\d[\d,]*(?:\.\d{1,2})?$/.test(trimmed))
    return `${quotedText} is too large: enter at most ${MAX_DIGITS} digits before the decimal point`;
  return `${quotedText} isn’t an amount: enter pounds and pence, such as 1234.50`;
}
