/** Converts the refund dialog's fields to request input. */
import type { EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { formatPounds, parsePounds, ZERO, type Pence } from '@portal/domain/money.ts';

export type RefundInvoice = EndpointOutput<typeof operatorBillingApi.invoice>;
export type RefundKind = 'all' | 'amount' | 'lines';
/** `lines`: by position. */
export type RefundTexts = { readonly amount: string; readonly lines: Readonly<Record<number, string>> };
type RefundInput = Pick<EndpointInput<typeof operatorBillingApi.requestRefund>, 'total_pence' | 'lines'>;

export function readRefundChoice(
  invoice: RefundInvoice,
  kind: RefundKind,
  texts: RefundTexts,
): { choice: RefundInput } | { problem: string } {
  if (kind === 'all') return { choice: { total_pence: null, lines: null } };
  if (kind === 'amount') {
    const total = readAmount(texts.amount, invoice.left_pence);
    return 'problem' in total ? total : { choice: { total_pence: total.amount, lines: null } };
  }
  const lines: { position: number; amount_pence: Pence }[] = [];
  for (const { position, description, left_pence: remaining } of invoice.lines) {
    const lineText = texts.lines[position]?.trim() ?? '';
    if (lineText === '') continue;
    const read = readAmount(lineText, remaining);
    if ('problem' in read) return { problem: `${description}: ${read.problem}` };
    lines.push({ position, amount_pence: read.amount });
  }
  return lines.length === 0 ? { problem: 'Enter an amount for a line.' } : { choice: { total_pence: null, lines } };
}

function readAmount(text: string, remaining: Pence): { amount: Pence } | { problem: string } {
  const amount = parsePounds(text);
  if (amount === undefined || amount <= ZERO) return { problem: 'Enter an amount in pounds, such as 12.50.' };
  return amount > remaining ? { problem: `Enter at most ${formatPounds(remaining)}.` } : { amount };
}
