/** Whether our access to an organisation was removed in the bookkeeping software. */
import type { BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getBooksToken } from './books-tokens.ts';
import { acquireSlotFor } from './call-limits.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';

/** Lists the organisations that the authorisation covers, without naming one of them in the call. */
export function listOrganisationsForGrant(
  { practiceId, provider, organisationId }: BooksConnectionRow,
  booksProvider: BooksProvider,
  token: string,
) {
  const called = practiceId === null ? { provider, organisationId } : { provider, practiceId };
  return booksProvider.listOrganisations(token, undefined, { acquireSlot: acquireSlotFor(called) });
}

/**
 * Returns true if the software no longer lists the organisation among those we may read. Checks twice, because the list may shift while its
 * pages are being read.
 */
export async function wasRemoved(deps: AppDeps, connection: BooksConnectionRow, booksProvider: BooksProvider): Promise<boolean> {
  const { provider, organisationId, isByGrant } = connection;
  if (provider !== 'xero' && !isByGrant) return false;
  try {
    for (const _ of [1, 2]) {
      const organisations = await listOrganisationsForGrant(connection, booksProvider, await getBooksToken(deps, connection));
      if (organisations.some(({ id }) => id === organisationId)) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return false;
  }
}
