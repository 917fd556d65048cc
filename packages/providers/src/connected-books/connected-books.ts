/** What a bookkeeping client returns: the organisation's VAT settings and its documents in domain terms. See decision 54. */
import type { BooksDocument, VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { BooksKind, Treatment } from '@portal/domain/books/books-row.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** A sentence explaining why the boxes can't be calculated and what to do. `subject` is the setting or rate. */
export type BooksProblem = { readonly subject: string; readonly reason: string };

/**
 * A tax rate that can't be mapped with certainty. `code` is the software's own, with the side added if one code covers both. `isLikely`: the
 * documents' treatment is the likely one, so a command without a user may count it.
 */
export type UnmappedRate = BooksProblem & { readonly code: string; readonly isLikely?: boolean };

/**
 * A document that would count, but lacks a date or exchange rate. `subject` is the name its owner knows it by. `document` is undefined if
 * the date is unknown, because it could count in any period.
 */
export type UnreadableDocument = BooksProblem & Pick<BooksDocument, 'id' | 'type'> & { readonly document: BooksDocument | undefined };

/** The user's answers about rates that can't be mapped, by code. `isZeroRated`: a self-accounted rate without VAT; only Xero's are asked. */
export type RateAnswers = ReadonlyMap<string, { readonly kind: BooksKind; readonly treatment: Treatment; readonly isZeroRated?: boolean }>;

/**
 * `basis`: as stated by the software; undefined if its API doesn't state it. `refusals`: reasons why the organisation can't use our boxes
 * at all. `unmapped` rates matter only if their document counts. `unreadable` documents would count but aren't in `documents`, so figures
 * without them would be wrong.
 */
export type ConnectedBooks = {
  readonly name: string;
  readonly vatNumber: string | undefined;
  readonly basis: VatBasis | undefined;
  readonly refusals: readonly BooksProblem[];
  readonly documents: readonly BooksDocument[];
  readonly unmapped: ReadonlyMap<string, UnmappedRate>;
  readonly unreadable: readonly UnreadableDocument[];
  /** The organisation's name in the software's own URLs: Xero's short code, FreeAgent's subdomain. */
  readonly webName?: string | undefined;
  readonly isDemo?: boolean;
  /** The bookkeeping software accepts no changes dated up to this day. */
  readonly lockedUntil?: PlainDate | undefined;
};

export const FLAT_RATE_REASON =
  'The organisation uses the flat rate scheme, so its return isn’t the sum of its documents. Upload the figures instead.';
export const NOT_REGISTERED_REASON = 'The organisation has no VAT registration in this bookkeeping software. Enter it there first.';
