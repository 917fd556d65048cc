/** A client's own books, which linking an organisation would replace. */
import type { OwnBooks } from '@portal/contract/own-books.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { sql } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { runAsSystem } from '../../run-as-system.ts';

export type OwnBooksOfClient = { readonly client: string; readonly books: OwnBooks };

/** Lists own books by client. The caller has checked that the user can see these clients. */
export function listOwnBooks(deps: AppDeps, practiceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, OwnBooksOfClient>> {
  if (ids.length === 0) return Promise.resolve(new Map());
  return runAsSystem('replaced books', () => findOwnBooks(deps.database.db, practiceId, ids));
}

/**
 * Finds a working connection for this client alone, or an uploaded file that is in use and extends beyond the last filed period. Call this
 * in the client's scope.
 */
export async function findOwnBooks(
  db: Db | Tx,
  practiceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OwnBooksOfClient>> {
  const { rows } = await db.execute<{ id: string; name: string; provider: BooksProviderName | null; file_name: string | null }>(sql`
    select clients.id, clients.name, b.provider, f.file_name
    from clients
    left join books_connections b on b.company_id = clients.id and not b.is_by_grant and b.status <> 'lost'
    left join lateral (
      select file_name, source, last_date from books_files
      where company_id = clients.id and applied_at is not null and withdrawn_at is null
        and (vat_number is null or clients.vrn is null or vat_number = clients.vrn)
      order by applied_at desc limit 1
    ) f on f.source is null and f.last_date > coalesce(
      (select max(period_end) from obligations where company_id = clients.id and status = 'fulfilled'), '-infinity')
    where clients.company_id = ${practiceId}::uuid and ${isInIdList(clients.id, ids)} and (b.provider is not null or f.file_name is not null)`);
  return new Map(
    rows.map(({ id, name, provider, file_name }) => [
      id,
      {
        client: name,
        books: { kind: provider === null ? 'file' : 'connection', program: provider, file_name: provider === null ? file_name : null },
      },
    ]),
  );
}

/** Nothing has been replaced, because a user must decide for each client individually. */
export function createOwnBooksError(clientId: string, { client, books }: OwnBooksOfClient): AppError {
  const ownBooks =
    books.program === null
      ? `the uploaded file ${books.file_name ?? ''}`
      : `${BOOKS_PROVIDER_NAMES[books.program]}, connected for this client only`;
  const message = `${client}’s books come from ${ownBooks}. Confirm this client separately, and confirm that the organisation replaces its current books.`;
  return new AppError('conflict', 'books.client_has_own_books', message, { client_id: clientId, client_name: client, own_books: books });
}
