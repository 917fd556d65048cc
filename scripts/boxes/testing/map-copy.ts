import type { DocumentLine } from '@portal/domain/connected-books/books-document.ts';
import type { BooksProvider, BooksProviderDeps } from '@portal/providers/connected-books/books-provider.ts';
import type { RateAnswers } from '@portal/providers/connected-books/connected-books.ts';
import type { SignInProvider } from '@portal/providers/oidc/sign-in-port.ts';
import type { Recordings } from '@portal/sandbox/simulator/recordings.ts';

/** Maps the portal's copied objects, using a user's answers about their rates. */
export function mapCopiedBooks(
  create: (deps: BooksProviderDeps) => BooksProvider,
  copiedRecordings: Recordings,
  answers: RateAnswers = new Map(),
) {
  const signIn = {} as SignInProvider;
  const booksProvider = create({ signIn, fetch, clientId: 'id', clientSecret: 'secret', userAgent: 'test' });
  const pages = async function* (resource: string) {
    yield [...(copiedRecordings[resource] ?? [])];
  };
  return booksProvider.mapBooks({ pages }, answers);
}

/** Formats lines such as "purchase import_vat_paid: net 0, VAT 20000". */
export function describeLines(lines: readonly DocumentLine[]): string[] {
  return lines.map(({ kind, treatment, net_pence, vat_pence }) => `${kind} ${treatment}: net ${net_pence}, VAT ${vat_pence}`);
}
