/** A document of a simulated organisation, in terms that all bookkeeping products share. */
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

export const ENTRY_TREATMENTS = ['standard', 'zero', 'custom'] as const;

/**
 * `id` identifies it in every bookkeeping product. `treatment` custom: uses one of the organisation's custom rates, whose name doesn't
 * reveal its meaning. `changedAt`: the instant of its last change.
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
  /** The contact's VAT number: null for none, undefined for an unspecified one. QuickBooks doesn't state it. */
  readonly supplierVatNumber?: string | null;
  /** The day it was paid in full. */
  readonly paidOn?: PlainDate;
  readonly changedAt: string;
};

/** The organisation's settings. `vatNumber` null: not registered. */
export type BooksSettings = {
  readonly name: string;
  readonly vatNumber: string | null;
  /** The Companies House number. Xero and FreeAgent state it. */
  readonly companyNumber?: string;
  readonly scheme: 'accrual' | 'cash' | 'flat_rate';
  readonly isDemo: boolean;
  /** The last day up to which VAT returns were filed in QuickBooks. */
  readonly filedUntil?: PlainDate;
  readonly vatPostings?: readonly VatPosting[];
  /** Any end date of its three-month VAT periods. Defaults to calendar quarters. */
  readonly vatPeriodEnd?: PlainDate;
};

/**
 * A bookkeeper's direct posting to the VAT account, positive if it increases the amount owed to HMRC. `payment`: money paid to HMRC
 * (negative) or repaid. FreeAgent's VAT return includes corrections, not payments.
 */
export type VatPosting = { readonly date: PlainDate; readonly kind: 'correction' | 'payment'; readonly pence: Pence };

/** Converts to pounds, as JSON numbers in the bookkeeping software's APIs. */
export const toPounds = (pence: number): number => pence / 100;
