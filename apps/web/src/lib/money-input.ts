/**
 * The specification's money input (section 5): "Strips pound signs, commas and dots, reads an integer, and empties the field if the value
 * is 0 or less; otherwise formats it as GBP." GBP has 2 decimals (section 9), so the integer is pence: what the field shows is then read
 * back as the same amount ("£1,234.56" -> 123456 -> "£1,234.56"). Read as pounds the amount would grow a hundredfold with each key.
 */
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';

/** The amount of what stands in the field; undefined where it is empty, 0 or less, no number, or more than can be counted exactly. */
export function parseMoneyInput(text: string): Pence | undefined {
  const amount = Number.parseInt(text.replaceAll(/[£,.]/g, ''), 10);
  return Number.isSafeInteger(amount) && amount > 0 ? pence(amount) : undefined;
}

/** What the field shows for an amount. */
export function formatMoneyInput(amount: Pence | undefined): string {
  return amount === undefined ? '' : formatPounds(amount);
}

/** Where the caret belongs in the new text, so that as many digits stand right of it as before: a digit in the middle can be mended. */
export function findCaret(text: string, digitsAfter: number): number {
  let place = text.length;
  for (let left = digitsAfter; left > 0 && place > 0; place -= 1) {
    if (/\d/.test(text.charAt(place - 1))) left -= 1;
  }
  return place;
}

/** How many digits stand right of the caret. */
export function countDigitsAfter(text: string, caret: number): number {
  return text.slice(caret).replaceAll(/\D/g, '').length;
}
