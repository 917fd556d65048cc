/** One document of connected books, whichever software it comes from. See decision 54. */
import type { BooksKind, Treatment } from '../books/books-row.ts';
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';

/** The date on which VAT counts: the document's, or that of its payment (VAT Notice 731). */
export const VAT_BASES = ['accrual', 'cash'] as const;
export type VatBasis = (typeof VAT_BASES)[number];

/** The amount for one treatment, in pence sterling; negative on a credit note. */
export type DocumentLine = {
  readonly kind: BooksKind;
  readonly treatment: Treatment;
  readonly net_pence: Pence;
  readonly vat_pence: Pence;
};

/** An amount paid, refunded or allocated, in hundredths of the document's currency and with the sign of its total. */
export type Settlement = { readonly date: PlainDate; readonly amount: number };

/**
 * When a document's VAT counts on cash accounting: `on_date` for money that moved on the document's own date; otherwise by its settlements,
 * as shares of `total` (the full amount in hundredths of the document's currency).
 */
export type SettlementRule = 'on_date' | { readonly total: number; readonly settlements: readonly Settlement[] };

/** Why a document needs review. For `supplier_vat_number`, see supplier-claims.ts. */
export const DOCUMENT_FLAGS = ['draft', 'repeated', 'rate_mismatch', 'entertainment', 'supplier_vat_number'] as const;
export type DocumentFlag = (typeof DOCUMENT_FLAGS)[number];

/** What a contact's record in the bookkeeping software says. */
export type Supplier = { readonly hasVatNumber: boolean; readonly isInUk: boolean };

/**
 * `status` draft: not approved, so it doesn't count. `reversals` take back shares of a prepayment (of `reversals.total`) when an invoice
 * uses it or it is refunded, on both bases. `link` opens the document in the bookkeeping software.
 */
export type BooksDocument = {
  readonly id: string;
  readonly type: string;
  readonly reference: string;
  readonly counterparty: string;
  readonly date: PlainDate;
  readonly status: 'final' | 'draft';
  readonly lines: readonly DocumentLine[];
  readonly settlementRule: SettlementRule;
  readonly reversals?: { readonly total: number; readonly settlements: readonly Settlement[] };
  /** Undefined if unknown: the document has no contact, or we couldn't read the contacts. */
  readonly supplier?: Supplier | undefined;
  /** Flags based on the bookkeeping software's own amounts and accounts. */
  readonly flags: readonly DocumentFlag[];
};
