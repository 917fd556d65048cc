/** HMRC's receipt in words, for the screen and the PDF. */
import { formatInstant, parseInstant } from '../clock.ts';
import { formatDate, parsePlainDate } from '../plain-date.ts';

/** HMRC's codes (VAT MTD 1.0, submit). The wording is ours. */
const PAYMENT_INDICATORS: Readonly<Record<string, string>> = {
  BANK: 'By bank transfer: HMRC has your bank details for the repayment',
  DD: 'By Direct Debit: HMRC has your Direct Debit Instruction',
};

/** Describes how HMRC pays or collects. An unknown code is shown unchanged, because a receipt is evidence. */
export function describePaymentIndicator(code: string): string {
  return PAYMENT_INDICATORS[code] ?? code;
}

/** HMRC sends a timestamp or a date. Anything else is shown unchanged, because a receipt is evidence. */
export function formatProcessingDate(text: string): string {
  const at = parseInstant(text);
  if (at) return formatInstant(at);
  const date = parsePlainDate(text);
  return date ? formatDate(date) : text;
}
