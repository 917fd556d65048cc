/** Formats times and amounts for the sandbox's pages. */
import { parseInstant } from '@portal/domain/clock.ts';
import { formatPounds, parsePounds, pence } from '@portal/domain/money.ts';
import { ControlInputError, readText, type ControlInput } from './control-call.ts';

const LONDON_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Europe/London' });

/** Formats an instant in London time, such as "21 Nov 2026, 09:14:00". */
export function formatTime(iso: string | undefined): string {
  const instant = iso === undefined ? undefined : parseInstant(iso);
  return instant ? LONDON_FORMAT.format(new Date(instant)) : '-';
}

export function formatPenceAsPounds(amountPence: number): string {
  return formatPounds(pence(amountPence));
}

/** Reads an amount: whole pence from a script (`amount_pence`) or pounds from a form (`amount`). */
export function readPence(input: ControlInput, name: string, min: number): number {
  const exactPence = input[`${name}_pence`];
  const amount =
    typeof exactPence === 'number' ? exactPence : parsePounds(readText(input, exactPence === undefined ? name : `${name}_pence`));
  if (amount !== undefined && Number.isSafeInteger(amount) && amount >= min && typeof exactPence !== 'string') return amount;
  throw new ControlInputError(
    `${name}_pence`,
    `${name}_pence must be a whole number of pence (in a form: pounds, such as 1,234.50), at least ${min}.`,
  );
}

/** Formats an account as "04-06-62 30000002". */
export function formatAccount({ sort_code, account_number }: { sort_code: string; account_number: string }): string {
  return `${sort_code.replace(/(\d\d)(\d\d)(\d\d)/, '$1-$2-$3')} ${account_number}`;
}
