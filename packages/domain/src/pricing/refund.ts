/**
 * The refundable part of a VAT invoice, and the credit note for it (docs/decisions/0069-refunds-and-price-moves.md). All amounts here are
 * positive.
 */
import { allocate } from '../allocate.ts';
import { calculateShare, pence, sumPence, ZERO, type Pence } from '../money.ts';
import type { TaxedAmount } from './calculate-pricing.ts';
import type { InvoiceLine } from './invoice-lines.ts';

/** Part of a line, excluding VAT; the line is identified by its position on the invoice. */
export type RefundLine = { readonly position: number; readonly amountPence: Pence };

export type RefundFacts = {
  readonly invoice: { readonly netPence: Pence; readonly vatPence: Pence; readonly lines: readonly InvoiceLine[] };
  /** The amount by which later credits reduced the invoice. They were deducted from other payments instead. */
  readonly creditedAmounts: { readonly netPence: Pence; readonly vatPence: Pence };
  /** Refunds that have been made or are in progress. */
  readonly refunds: readonly { readonly netPence: Pence; readonly vatPence: Pence; readonly lines: readonly RefundLine[] }[];
  /**
   * The amount collected for the invoice, including VAT, or to be collected if it's unpaid, before the reductions in `refunds`. Less than its
   * total if a credit paid part of it.
   */
  readonly paidPence: Pence;
};

/** The whole remaining amount, an amount including VAT, or amounts per line excluding VAT. */
export type RefundChoice =
  | { readonly kind: 'all' }
  | { readonly kind: 'amount'; readonly totalPence: Pence }
  | { readonly kind: 'lines'; readonly lines: readonly RefundLine[] };

export type Refund = TaxedAmount & { readonly lines: readonly RefundLine[] };
export type RefundProblem = 'nothing_left' | 'nothing_chosen' | 'more_than_left' | 'more_than_line';

/** The total including VAT, and each line excluding VAT, after its share of discounts. */
export type Refundable = { readonly totalPence: Pence; readonly lines: readonly RefundLine[] };

export function getRefundableAmounts(facts: RefundFacts): Refundable {
  const { net, vat, refunded } = getRemainingAmounts(facts);
  const totalPence = clampToZero(Math.min(net + vat, facts.paidPence - refunded));
  const lines = listRemainingLines(facts).map((line) => ({ ...line, amountPence: pence(Math.min(line.amountPence, net)) }));
  return { totalPence, lines: totalPence === 0 ? lines.map((line) => ({ ...line, amountPence: ZERO })) : lines };
}

/** Returns the credit note for the choice, or why it can't be created. */
export function calculateRefund(facts: RefundFacts, choice: RefundChoice): Refund | RefundProblem {
  const { totalPence: remaining } = getRefundableAmounts(facts);
  if (remaining === 0) return 'nothing_left';
  if (choice.kind === 'lines') return allocateRefund(facts, choice.lines, remaining);
  const totalPence = choice.kind === 'all' ? remaining : choice.totalPence;
  if (totalPence <= 0) return 'nothing_chosen';
  if (totalPence > remaining) return 'more_than_left';
  const vatPence = getVat(facts, 'total', totalPence);
  const netPence = pence(totalPence - vatPence);
  return { netPence, vatPence, totalPence, lines: spreadOverLines(netPence, listRemainingLines(facts)) };
}

/** Always returns at least one line, because a refund of a penny may be all VAT. */
function spreadOverLines(netPence: Pence, available: readonly RefundLine[]): RefundLine[] {
  if (netPence === 0) return available.slice(0, 1).map(({ position }) => ({ position, amountPence: ZERO }));
  const shares = allocate(
    netPence,
    available.map(({ amountPence }) => amountPence),
  );
  return available.flatMap(({ position }, index) => (shares[index] ? [{ position, amountPence: shares[index] }] : []));
}

function allocateRefund(facts: RefundFacts, chosenLines: readonly RefundLine[], remaining: Pence): Refund | RefundProblem {
  const lines = chosenLines.filter(({ amountPence }) => amountPence !== 0);
  if (lines.length === 0) return 'nothing_chosen';
  const available = new Map(listRemainingLines(facts).map(({ position, amountPence }) => [position, amountPence]));
  const isTooMuch = ({ position, amountPence }: RefundLine) => amountPence < 0 || amountPence > (available.get(position) ?? 0);
  if (lines.some(isTooMuch) || new Set(lines.map(({ position }) => position)).size < lines.length) return 'more_than_line';
  const netPence = sumPence(lines.map(({ amountPence }) => amountPence));
  if (netPence > getRemainingAmounts(facts).net) return 'more_than_left';
  const vatPence = getVat(facts, 'net', netPence);
  const totalPence = pence(netPence + vatPence);
  return totalPence > remaining ? 'more_than_left' : { netPence, vatPence, totalPence, lines };
}

/**
 * Calculates VAT on the sum of all refunds, less the VAT of earlier ones, so that the pennies always add up to the invoice's VAT (VAT
 * Notice 700 paragraph 17.5 rounds an invoice once).
 */
function getVat(facts: RefundFacts, vatBasis: 'net' | 'total', amount: Pence): Pence {
  const { invoice, creditedAmounts, refunds } = facts;
  const vat = invoice.vatPence - creditedAmounts.vatPence;
  const net = invoice.netPence - creditedAmounts.netPence;
  const refundedBefore = refunds.reduce((sum, refund) => sum + refund.netPence + (vatBasis === 'total' ? refund.vatPence : 0), 0);
  const basis = vatBasis === 'total' ? net + vat : net;
  const dueVat = basis <= 0 ? 0 : calculateShare(refundedBefore + amount, vat, basis, 'half-away');
  const amountLeft = getRemainingAmounts(facts);
  const minNetPence = vatBasis === 'total' ? Math.max(0, amount - amountLeft.net) : 0;
  const maxVatPence = vatBasis === 'total' ? Math.min(amount, amountLeft.vat) : amountLeft.vat;
  return pence(Math.min(maxVatPence, Math.max(minNetPence, dueVat - sumPence(refunds.map(({ vatPence }) => vatPence)))));
}

function getRemainingAmounts({ invoice, creditedAmounts, refunds }: RefundFacts): { net: Pence; vat: Pence; refunded: Pence } {
  const [net, vat] = [sumPence(refunds.map(({ netPence }) => netPence)), sumPence(refunds.map(({ vatPence }) => vatPence))];
  return {
    net: clampToZero(invoice.netPence - creditedAmounts.netPence - net),
    vat: clampToZero(invoice.vatPence - creditedAmounts.vatPence - vat),
    refunded: pence(net + vat),
  };
}

/** Discounts and credits are negative lines; each charged line bears its share of them. */
function listRemainingLines({ invoice: { lines }, refunds }: RefundFacts): RefundLine[] {
  const chargedLines = lines.map(({ amountPence }, position) => ({ position, amountPence })).filter(({ amountPence }) => amountPence > 0);
  if (chargedLines.length === 0) return [];
  const discountAmount = lines.reduce((sum, { amountPence }) => sum + Math.min(0, amountPence), 0);
  const shares = allocate(
    pence(-discountAmount),
    chargedLines.map(({ amountPence }) => amountPence),
  );
  return chargedLines.map(({ position, amountPence }, index) => {
    const refundedLines = refunds.flatMap((refund) => refund.lines).filter((line) => line.position === position);
    return {
      position,
      amountPence: clampToZero(amountPence - (shares[index] ?? 0) - sumPence(refundedLines.map((line) => line.amountPence))),
    };
  });
}

const clampToZero = (amount: number): Pence => pence(Math.max(0, amount));

/** An invoice or, if negative, a credit that reduced other payments. `correctsId` is the invoice for which the credit was issued. */
export type CreditedDocument = {
  readonly id: string;
  readonly netPence: Pence;
  readonly vatPence: Pence;
  readonly correctsId: string | null;
};

export type InvoiceRefund = { readonly invoiceId: string; readonly netPence: Pence; readonly vatPence: Pence };

/**
 * Returns the amounts by which credits reduced an invoice. If a credit exceeds what is left of its invoice after refunds, the excess
 * reduces earlier invoices for the same month. `documents`: one subscription's, oldest first, without the credit notes of `refunds`.
 */
export function getCreditedAmounts(
  documents: readonly CreditedDocument[],
  invoiceId: string,
  refunds: readonly InvoiceRefund[],
): { netPence: Pence; vatPence: Pence } {
  const invoices = documents.filter(({ correctsId }) => correctsId === null).map((invoice) => toOpenDocument(invoice, refunds));
  for (const { correctsId, netPence, vatPence } of documents.filter((document) => document.correctsId !== null)) {
    const credit = { net: -netPence, vat: -vatPence };
    for (let index = invoices.findIndex(({ id }) => id === correctsId); index >= 0; index--) {
      const invoice = invoices[index];
      if (!invoice) continue;
      const [net, vat] = [Math.min(invoice.net, credit.net), Math.min(invoice.vat, credit.vat)];
      invoice.net -= net;
      invoice.vat -= vat;
      invoice.creditedNet += net;
      invoice.creditedVat += vat;
      credit.net -= net;
      credit.vat -= vat;
    }
  }
  const foundInvoice = invoices.find(({ id }) => id === invoiceId);
  return { netPence: pence(foundInvoice?.creditedNet ?? 0), vatPence: pence(foundInvoice?.creditedVat ?? 0) };
}

function toOpenDocument({ id, netPence, vatPence }: CreditedDocument, refunds: readonly InvoiceRefund[]) {
  const invoiceRefunds = refunds.filter((refund) => refund.invoiceId === id);
  const net = clampToZero(netPence - sumPence(invoiceRefunds.map((refund) => refund.netPence)));
  const vat = clampToZero(vatPence - sumPence(invoiceRefunds.map((refund) => refund.vatPence)));
  return { id, net: net as number, vat: vat as number, creditedNet: 0, creditedVat: 0 };
}
