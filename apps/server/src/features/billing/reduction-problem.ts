import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { ProviderInvoice } from '@portal/providers/stripe/stripe-port.ts';

/** Returns why Stripe's invoice can't be reduced; undefined if it can. */
export function findReductionProblem(invoice: ProviderInvoice, amountDuePence: Pence): string | undefined {
  if (invoice.status !== 'open') return invoice.status === 'paid' ? 'It was paid.' : `Its status at Stripe is ${invoice.status}.`;
  if (invoice.isProcessing) return 'A payment is in progress. Wait for its result.';
  if (invoice.amountRemainingPence === amountDuePence) return undefined;
  return `The unpaid amount at Stripe is ${formatPounds(invoice.amountRemainingPence)}.`;
}
