/** Amounts in books files: pounds with at most two decimals, optional thousands commas, a minus sign for credit notes. */
import { quoteText } from './quote-text.ts';

const MINUS = 45;
const DOT = 46;
const ZERO_DIGIT = 48;
/** Digits of pounds. Larger amounts are typing errors, and this limit keeps every sum a safe integer. */
const MOST_DIGITS = 11;
const LONGEST_AMOUNT = 60;
const WITH_COMMAS = /^-?\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/;

/** The amount in whole pence, or NaN if the text is not an amount (`explainAmount` says why). */
export function parseAmount(text: string): number {
  const amount = parseDigits(text);
  // Spaces and thousands commas are rare, so parse again only if needed.
  if (!Number.isNaN(amount)) return amount;
  const bare = text.trim();
  return parseDigits(WITH_COMMAS.test(bare) ? bare.replaceAll(',', '') : bare);
}

function parseDigits(text: string): number {
  const length = text.length;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  let at = start;
  let value = 0;
  for (; at < length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO_DIGIT;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at === start || at - start > MOST_DIGITS) return Number.NaN;
  value *= 100;
  if (at < length) {
    const decimals = length - at - 1;
    if (text.charCodeAt(at) !== DOT || decimals < 1 || decimals > 2) return Number.NaN;
    const tenths = text.charCodeAt(at + 1) - ZERO_DIGIT;
    const hundredths = decimals === 2 ? text.charCodeAt(at + 2) - ZERO_DIGIT : 0;
    if (tenths < 0 || tenths > 9 || hundredths < 0 || hundredths > 9) return Number.NaN;
    value += tenths * 10 + hundredths;
  }
  // 0 - 0 gives 0, whereas -0 would print as "-0.00".
  return start === 1 ? 0 - value : value;
}

/** Why text is not an amount, and how to fix it. */
export function explainAmount(text: string): string {
  const bare = text.trim();
  const shown = quoteText(bare);
  // Amounts are never this long, and the patterns below would be slow on long text.
  if (bare.length > LONGEST_AMOUNT) return `${shown} is not an amount: write pounds and pence such as 1234.50`;
  if (/[£$€]|GBP|EUR|USD/i.test(bare)) return `${shown} carries a currency: write the number alone, such as 1234.50`;
  if (/^\(.*\)$/.test(bare)) return `${shown} is in brackets: write a negative amount with a minus, such as -1234.50`;
  if (/^[\u2010-\u2015\u2212]/.test(bare)) return `${shown} starts with a dash: write the minus as a plain hyphen, such as -1234.50`;
  if (/\d-$/.test(bare)) return `${shown} has its minus behind: write it in front, such as -1234.50`;
  if (bare.startsWith('+')) return `${shown} has a plus sign: write the number without it`;
  if (bare.includes('%')) return `${shown} is a percentage: write the amount in pounds`;
  if (/^-?\d+(?:\.\d{3})*,\d{1,2}$/.test(bare)) return `${shown} has a decimal comma: write a dot before the pence, such as 1234.50`;
  if (/^-?[\d,]+\.\d{3,}$/.test(bare)) return `${shown} has more than two decimals: round it to whole pence as the document does`;
  if (/^-?\d[\d,]*,[\d,.]*$/.test(bare))
    return `${shown} has misplaced commas: separate thousands in threes (1,234.50) or leave the commas out`;
  if (/^-?\d[\d ]* \d[\d .]*$/.test(bare)) return `${shown} has spaces inside: write 1234.50 or 1,234.50`;
  if (/^-?\d+(?:\.\d*)?e[+-]?\d+$/i.test(bare)) return `${shown} is in scientific notation: write all its digits`;
  if (/^-?\.\d+$|^-?\d+\.$/.test(bare)) return `${shown} lacks digits beside its dot: write 0.50 or 12.00`;
  if (/^-?\d[\d,]*(?:\.\d{1,2})?$/.test(bare)) return `${shown} is too large: at most ${MOST_DIGITS} digits of pounds`;
  return `${shown} is not an amount: write pounds and pence such as 1234.50`;
}
