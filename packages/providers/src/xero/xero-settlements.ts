/** Finds what settled Xero's documents: payments, and allocations of credit notes, prepayments and overpayments. */
import { subtractDecimals, toMinorUnits } from '@portal/domain/connected-books/decimal-amount.ts';
import type { Settlement } from '@portal/domain/connected-books/books-document.ts';
import type { XeroAllocationWire, XeroInvoiceWire, XeroPaymentWire } from './xero-books-wire.ts';
import { readXeroDate } from './xero-date.ts';
import { readAmount } from './xero-line-map.ts';

type SettlingPayment = Pick<XeroPaymentWire, 'Date' | 'Amount' | 'Status'> & { readonly PaymentID?: string | null | undefined };

/**
 * Settlements by the ID of the document (invoice, credit note, prepayment or overpayment). A payment that appears twice counts only once.
 */
export class XeroSettlements {
  readonly #byDocument = new Map<string, Settlement[]>();
  readonly #payments = new Set<string>();

  list(documentId: string): readonly Settlement[] {
    return this.#byDocument.get(documentId) ?? [];
  }

  addPayments(payments: readonly XeroPaymentWire[]): void {
    for (const payment of payments) {
      const id =
        payment.Invoice?.InvoiceID ??
        payment.CreditNote?.CreditNoteID ??
        payment.Prepayment?.PrepaymentID ??
        payment.Overpayment?.OverpaymentID;
      if (id) this.addPayment(id, payment);
    }
  }

  addPayment(documentId: string, payment: SettlingPayment): void {
    const key = payment.PaymentID ? `${documentId} ${payment.PaymentID}` : undefined;
    if (key !== undefined && this.#payments.has(key)) return;
    // A deleted payment is also recorded, so that its copy inside the invoice doesn't count.
    if (key !== undefined) this.#payments.add(key);
    if (payment.Status === 'DELETED') return;
    this.#add(documentId, payment.Date, toMinorUnits(readAmount(payment.Amount)));
  }

  /** An allocation settles both the invoice and the allocated document, on the same date. */
  addAllocations(fromId: string, allocations: readonly XeroAllocationWire[] | null | undefined): void {
    for (const { Amount, Date: date, IsDeleted, Invoice } of allocations ?? []) {
      if (IsDeleted === true) continue;
      const amount = toMinorUnits(readAmount(Amount));
      this.#add(fromId, date, amount);
      if (Invoice?.InvoiceID) this.#add(Invoice.InvoiceID, date, amount);
    }
  }

  /** Adds payments and credits as stated by the invoice; `knownSources` are documents whose own allocations were added. */
  addEmbeddedPayments(invoice: XeroInvoiceWire, knownSources: ReadonlySet<string>): void {
    for (const payment of invoice.Payments ?? []) this.addPayment(invoice.InvoiceID, payment);
    for (const credit of [...(invoice.CreditNotes ?? []), ...(invoice.Prepayments ?? []), ...(invoice.Overpayments ?? [])]) {
      const sourceId = credit.CreditNoteID ?? credit.PrepaymentID ?? credit.OverpaymentID ?? '';
      if (knownSources.has(sourceId)) continue;
      this.#add(invoice.InvoiceID, credit.Date, toMinorUnits(readAmount(credit.AppliedAmount)));
    }
  }

  /** If the payments and allocations for a fully paid document fall short, the rest counts on the day it was paid in full. */
  addRemainder(documentId: string, total: number, paidInFullOn: string | null | undefined): void {
    const remainingAmount = total - this.list(documentId).reduce((sum, { amount }) => sum + amount, 0);
    if (remainingAmount > 0) this.#add(documentId, paidInFullOn, remainingAmount);
  }

  #add(documentId: string, date: string | null | undefined, amount: number): void {
    const settledOn = readXeroDate(date);
    if (settledOn === undefined || amount === 0) return;
    const settlements = this.#byDocument.get(documentId);
    if (settlements) settlements.push({ date: settledOn, amount });
    else this.#byDocument.set(documentId, [{ date: settledOn, amount }]);
  }
}

/** Returns the amount that settles a document in full: its total, less the CIS deduction that the customer pays to HMRC. */
export function getAmountToSettle(document: Pick<XeroInvoiceWire, 'Total' | 'CISDeduction'>): number {
  return toMinorUnits(subtractDecimals(readAmount(document.Total), readAmount(document.CISDeduction)));
}
