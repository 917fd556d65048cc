import type { Db, Tx } from '@portal/db/database.ts';
import { booksGrants } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';

export type BooksGrantRow = typeof booksGrants.$inferSelect;
export type BooksGrantKey = { readonly companyId: string; readonly provider: BooksProviderName };

/** Identifies the owner wherever a practice's tokens are stored. A token sealed for one owner can't be opened as another's. */
export function getGrantOwner({ companyId, provider }: BooksGrantKey): string {
  return `${companyId}:${provider}`;
}

/** Returns a practice's authorisation at the bookkeeping software, if any. */
export async function findBooksGrant(db: Db | Tx, { companyId, provider }: BooksGrantKey): Promise<BooksGrantRow | undefined> {
  const [grant] = await db
    .select()
    .from(booksGrants)
    .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)));
  return grant;
}

/** Matches exactly this authorisation. Connecting again creates a new one. */
export function isSameGrant({ companyId, provider, connectedAt }: BooksGrantKey & { readonly connectedAt: Instant }) {
  return and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider), eq(booksGrants.connectedAt, connectedAt));
}
