/** A document of a simulated organisation, in a format common to all bookkeeping products. */
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

export const ENTRY_TREATMENTS = ['standard', 'zero', 'custom'] as const;

/**
 * `id` identifies it in every bookkeeping product. `treatment` custom means one of the organisation's custom rates, whose name doesn't
 * reveal its meaning; FreeAgent has none, so a purchase is a reverse charge that is also out of scope. `changedAt` is the time of its last change.
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
  /** The contact's VAT number: null if it doesn't have one, undefined if not specified. */
  readonly supplierVatNumber?: string | null;
  /** The day it was paid in full. */
  readonly paidOn?: PlainDate;
  readonly changedAt: string;
};

/** The organisation's settings. `vatNumber` is null if it isn't registered for VAT. */
export type BooksSettings = {
  readonly name: string;
  readonly vatNumber: string | null;
  /** The Companies House number. Xero and FreeAgent report it. */
  readonly companyNumber?: string;
  readonly scheme: 'accrual' | 'cash' | 'flat_rate';
  readonly isDemo: boolean;
  /** The last day of the periods that the bookkeeper has locked. Only Xero reports it. */
  readonly lockedUntil?: PlainDate;
  /** The end date of the last VAT return filed in QuickBooks. */
  readonly filedUntil?: PlainDate;
  readonly vatPostings?: readonly VatPosting[];
  /** Any end date of its three-month VAT periods. Defaults to calendar quarters. */
  readonly vatPeriodEnd?: PlainDate;
};

/**
 * A bookkeeper's direct posting to the VAT account, positive if it increases the amount owed to HMRC. `payment`: a payment to HMRC
 * (negative) or a repayment. FreeAgent's VAT return includes corrections, but not payments.
 */
export type VatPosting = { readonly date: PlainDate; readonly kind: 'correction' | 'payment'; readonly pence: Pence };

/** Converts pence to pounds, because the bookkeeping software's APIs send pounds as JSON numbers. */
export const toPounds = (pence: number): number => pence / 100;
