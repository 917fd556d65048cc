/** A document of a simulated organisation, in the terms that all bookkeeping software share. */
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

export const ENTRY_TREATMENTS = ['standard', 'zero', 'custom'] as const;

/**
 * `id` names it in every program. `treatment` custom: with a rate of the organisation's own, whose name doesn't say what it is. `changedAt`:
 * when it was last changed, as an instant.
 */
export type BooksEntry = {
  readonly id: string;
  readonly date: PlainDate;
  readonly kind: 'sale' | 'purchase';
  readonly reference: string;
  readonly counterparty: string;
  readonly description: string;
  readonly netPence: Pence;
  readonly vatPence: Pence;
  readonly treatment: (typeof ENTRY_TREATMENTS)[number];
  readonly isDraft: boolean;
  /** What its contact has as VAT number: null for none, undefined for some number. QuickBooks doesn't state it. */
  readonly supplierVatNumber?: string | null;
  /** The day on which it was paid in full. */
  readonly paidOn?: PlainDate;
  readonly changedAt: string;
};

/** The organisation's own settings. `vatNumber` null: not registered. */
export type BooksSettings = {
  readonly name: string;
  readonly vatNumber: string | null;
  /** At Companies House; Xero and FreeAgent state it. */
  readonly companyNumber?: string;
  readonly scheme: 'accrual' | 'cash' | 'flat_rate';
  readonly isDemo: boolean;
  /** The last day up to which VAT returns were filed in QuickBooks. */
  readonly filedUntil?: PlainDate;
  readonly vatPostings?: readonly VatPosting[];
  /** Any last day of its VAT periods of three months; those of calendar quarters by default. */
  readonly vatPeriodEnd?: PlainDate;
};

/**
 * What a bookkeeper posts straight to the VAT account, positive if it increases what is owed to HMRC. `payment`: money paid to HMRC (negative) or
 * repaid. FreeAgent's own return includes corrections, not payments.
 */
export type VatPosting = { readonly date: PlainDate; readonly kind: 'correction' | 'payment'; readonly pence: Pence };

/** Pounds as the programs' JSON numbers. */
export const toPounds = (pence: number): number => pence / 100;
