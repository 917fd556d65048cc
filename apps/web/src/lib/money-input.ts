/**
 * The money input of docs/product/specification.md section 5: "Strips pound signs, commas and dots, reads an integer, and empties the field
 * if the value is 0 or less; otherwise formats it as GBP." The integer is in pence, so that parsing the formatted text returns the same
 * amount ("£1,234.56" -> 123456 -> "£1,234.56").
 */
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';

/** Returns undefined if the text is empty, not a number, 0 or less, or too large to be exact. */
export function parseMoneyInput(text: string): Pence | undefined {
  const amount = Number.parseInt(text.replaceAll(/[£,.]/g, ''), 10);
  return Number.isSafeInteger(amount) && amount > 0 ? pence(amount) : undefined;
}

export function formatMoneyInput(amount: Pence | undefined): string {
  return amount === undefined ? '' : formatPounds(amount);
}

/** Returns the caret position with as many digits after it as before formatting, so that users can edit a digit in the middle. */
export function findCaret(text: string, digitsAfter: number): number {
  let place = text.length;
  for (let remaining = digitsAfter; remaining > 0 && place > 0; place -= 1) {
    if (/\d/.test(text.charAt(place - 1))) remaining -= 1;
  }
  return place;
}

export function countDigitsAfter(text: string, caret: number): number {
  return text.slice(caret).replaceAll(/\D/g, '').length;
}
