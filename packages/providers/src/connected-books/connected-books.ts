/** What a bookkeeping client returns: the organisation's VAT settings and its documents in our own terms. Decision 54. */
import type { BooksDocument, VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { BooksKind, Treatment } from '@portal/domain/books/books-row.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** Why the boxes can't be worked out, as a sentence that says what to do. `subject` is the setting or rate. */
export type BooksProblem = { readonly subject: string; readonly reason: string };

/** A tax rate that we can't map with certainty. `code` is the program's own, with the side where one code has two. */
export type UnmappedRate = BooksProblem & { readonly code: string };

/**
 * A document that would count, but has no date or exchange rate. `subject` is what its owner knows it by. `document` is undefined if not even
 * the date is known: it could count in any period.
 */
export type UnreadableDocument = BooksProblem & Pick<BooksDocument, 'id' | 'type'> & { readonly document: BooksDocument | undefined };

/** What a person answered about rates that can't be mapped, by code. */
export type RateAnswers = ReadonlyMap<string, { readonly kind: BooksKind; readonly treatment: Treatment }>;

/**
 * `basis`: as the program states it, or undefined if its API doesn't. `refusals`: the organisation can't use our boxes at all.
 * `unmapped` matter only if the document counts. `unreadable` would count but aren't in `documents`: figures without them would be wrong.
 */
export type ConnectedBooks = {
  readonly name: string;
  readonly vatNumber: string | undefined;
  readonly basis: VatBasis | undefined;
  readonly refusals: readonly BooksProblem[];
  readonly documents: readonly BooksDocument[];
  readonly unmapped: ReadonlyMap<string, UnmappedRate>;
  readonly unreadable: readonly UnreadableDocument[];
  /** How the program's own pages address the organisation: Xero's short code, FreeAgent's subdomain. */
  readonly webName?: string | undefined;
  readonly isDemo?: boolean;
  /** The program accepts no changes up to this date. */
  readonly lockedUntil?: PlainDate | undefined;
};

export const FLAT_RATE_REASON =
  'The organisation uses the flat-rate scheme, whose return isn’t the sum of its documents. Upload the figures instead.';
export const NOT_REGISTERED_REASON = 'The organisation isn’t registered for VAT in this program. Enter the VAT registration there first.';
