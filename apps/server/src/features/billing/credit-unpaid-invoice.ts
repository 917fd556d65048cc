import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getBillingProvider } from './billing-records.ts';
import { findReductionProblem } from './reduction-problem.ts';
import type { RefundableInvoice, RefundRow } from './refund-facts.ts';

/** `creditNoteId` is the ID of Stripe's credit note. */
type Credit = { readonly creditNoteId: string } | { readonly problem: string };

/** Reduces an unpaid invoice at Stripe once, however often it is called. Returns the problem if Stripe has no credit note. */
export async function creditUnpaidInvoice(deps: AppDeps, refund: RefundRow, refundable: RefundableInvoice): Promise<Credit> {
  const find = async (): Promise<Credit | undefined> => {
    const creditNoteId = await getBillingProvider(deps).provider.findUnpaidCredit(refundable.invoice.providerId, refund.id);
    return creditNoteId === undefined ? undefined : { creditNoteId };
  };
  const existingCredit = await find();
  if (existingCredit) return existingCredit;
  const credit = await createCredit(deps, refund, refundable);
  // If another run has credited the invoice since the first look, that is why it has changed.
  return 'problem' in credit ? ((await find()) ?? credit) : credit;
}

async function createCredit(
  deps: AppDeps,
  { id, totalPence, reason }: RefundRow,
  { invoice, amountDuePence }: RefundableInvoice,
): Promise<Credit> {
  const { provider } = getBillingProvider(deps);
  const problem = findReductionProblem(await provider.getInvoice(invoice.providerId), amountDuePence);
  if (problem !== undefined) return { problem };
  const order = { idempotencyKey: id, invoiceId: invoice.providerId, amountPence: totalPence, memo: reason };
  try {
    return { creditNoteId: await provider.creditUnpaid(order) };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'refused') throw error;
    return { problem: error.facts.detail ?? error.facts.code ?? '' };
  }
}
