/**
 * Documents that would count but lack a date or exchange rate. They are listed, and figures aren't calculated until they are fixed
 * (decision 54).
 */
import type { BooksDocument } from '@portal/domain/connected-books/books-document.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { SterlingRate } from '@portal/domain/connected-books/decimal-amount.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { ProviderError } from '../http/provider-error.ts';
import type { ConnectedBooks, UnreadableDocument } from './connected-books.ts';

const MAX_LOGGED_IDS = 5;

type MaybeDatedDocument = Omit<BooksDocument, 'date'> & { readonly date: PlainDate | undefined };

export type ReadableFacts = {
  readonly program: BooksProviderName;
  /** Undefined if the bookkeeping software doesn't give a usable rate; the lines' amounts are then in `currency`. */
  readonly rate: SterlingRate | undefined;
  readonly currency: string | null | undefined;
  /** Default: advice to enter the rate in the bookkeeping software. */
  readonly adviceOnRate?: string;
};

/** Returns the document if it can be used. Otherwise adds it to `unreadableDocuments`, unless it is a draft, which doesn't count anyway. */
export function keepReadableDocuments(
  document: MaybeDatedDocument,
  facts: ReadableFacts,
  unreadableDocuments: UnreadableDocument[],
): BooksDocument | undefined {
  const { id, type, date, status, lines } = document;
  // A line outside VAT doesn't affect any box, whatever its rate.
  const isReadable = facts.rate !== undefined || lines.every(({ treatment }) => treatment === 'no_vat');
  if (date !== undefined && isReadable) return { ...document, date };
  const providerName = BOOKS_PROVIDER_NAMES[facts.program];
  const subject = describeDocument(document);
  if (date === undefined) {
    const reason = `In ${providerName}, “${subject}” has no date. Enter its date in ${providerName}.`;
    if (status === 'final') unreadableDocuments.push({ id, type, subject, reason, document: undefined });
    return undefined;
  }
  const documentWithoutAmounts = { ...document, date, lines: [], flags: [] };
  if (status === 'draft') return documentWithoutAmounts;
  const advice = facts.adviceOnRate ?? `Enter the rate in ${providerName}.`;
  const reason = `“${subject}” is in ${facts.currency ?? 'a foreign currency'}, and ${providerName} gives no exchange rate for it. ${advice}`;
  unreadableDocuments.push({ id, type, subject, reason, document: documentWithoutAmounts });
  return undefined;
}

/** `books.unreadable` lists the documents. The detail, which is logged, contains only their ids. */
export class UnreadableDocumentsError extends ProviderError {
  /** Private because loggers print an error's visible properties. */
  readonly #books: ConnectedBooks;

  constructor(provider: BooksProviderName, books: ConnectedBooks) {
    const ids = books.unreadable.slice(0, MAX_LOGGED_IDS).map(({ id }) => id);
    const detail = `documents without a date or exchange rate (${books.unreadable.length}): ${ids.join(', ')}`;
    super('unavailable', { provider, operation: `${provider}.documents`, detail });
    this.name = 'UnreadableDocumentsError';
    this.#books = books;
  }

  get books(): ConnectedBooks {
    return this.#books;
  }
}

/** Throws UnreadableDocumentsError if documents can't be read, so that nothing is filed without them. */
export function assertBooksReadable(provider: BooksProviderName, books: ConnectedBooks): ConnectedBooks {
  if (books.unreadable.length > 0) throw new UnreadableDocumentsError(provider, books);
  return books;
}

/** Some software states API URLs instead of names. */
function describeDocument({ id, reference, counterparty, date }: MaybeDatedDocument): string {
  const name = [reference, counterparty].filter((text) => text !== '' && !/^https?:/.test(text)).join(', ');
  return [name === '' ? id : name, ...(date === undefined ? [] : [formatDate(date)])].join(', ');
}
