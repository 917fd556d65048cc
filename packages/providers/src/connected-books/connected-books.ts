/** What a bookkeeping client returns: the organisation's VAT settings and its documents in our own terms. Decision 54. */
import type { BooksDocument, VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** Why the boxes can't be worked out, as a sentence that says what to do. `subject` is the setting or rate. */
export type BooksProblem = { readonly subject: string; readonly reason: string };

/** A tax rate that we can't map with certainty, and the date of a document that uses it. */
export type UnmappedRate = BooksProblem & { readonly date: PlainDate };

/**
 * `basis`: as the program states it, or undefined if its API doesn't. `refusals`: the organisation can't use our boxes at all.
 * `unmapped` matter only if the document counts.
 */
export type ConnectedBooks = {
  readonly name: string;
  readonly vatNumber: string | undefined;
  readonly basis: VatBasis | undefined;
  readonly refusals: readonly BooksProblem[];
  readonly documents: readonly BooksDocument[];
  readonly unmapped: ReadonlyMap<string, BooksProblem>;
};

export const FLAT_RATE_REASON =
  'The organisation uses the flat-rate scheme, whose return isn’t the sum of its documents. Upload the figures instead.';
export const NOT_REGISTERED_REASON = 'The organisation isn’t registered for VAT in this program. Enter the VAT registration there first.';
