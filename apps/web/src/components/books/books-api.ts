/** The endpoints for books: a trader's own, or those of a practice's client. */
import { booksApi, BOOKS_UPLOAD_PATH } from '@portal/contract/books.ts';
import { booksConnectionApi } from '@portal/contract/books-connection.ts';
import { clientBooksApi } from '@portal/contract/client-books.ts';
import { CLIENT_BOOKS_UPLOAD_PATH, clientReturnsApi } from '@portal/contract/client-returns.ts';

export type BooksTarget = { readonly company_id: string; readonly client_id?: string };

type BooksApi = typeof booksApi;

// The endpoints differ only in the client ID, which is part of the target.
const CLIENT_BOOKS = {
  current: clientReturnsApi.books,
  map: clientReturnsApi.mapBooks,
  apply: clientReturnsApi.applyBooks,
  discard: clientReturnsApi.discardBooks,
} as unknown as BooksApi;

export const getBooksApi = ({ client_id: clientId }: BooksTarget): BooksApi => (clientId === undefined ? booksApi : CLIENT_BOOKS);

export const getBooksUploadPath = ({ client_id: clientId }: BooksTarget): string =>
  clientId === undefined ? BOOKS_UPLOAD_PATH : CLIENT_BOOKS_UPLOAD_PATH;

type ConnectionApi = typeof booksConnectionApi;

/**
 * Returns the endpoints for the bookkeeping software. A client's don't include `choose`, because an organisation is linked to the client
 * instead.
 */
export const getConnectionApi = ({ client_id: clientId }: BooksTarget): ConnectionApi =>
  clientId === undefined ? booksConnectionApi : (clientBooksApi as unknown as ConnectionApi);
