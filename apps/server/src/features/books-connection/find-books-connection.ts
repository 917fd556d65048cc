import type { Db, Tx } from '@portal/db/database.ts';
import { booksConnections } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';

export type BooksConnectionRow = typeof booksConnections.$inferSelect;

/** The program that a company's books are read from, if it has one. */
export async function findBooksConnection(db: Db | Tx, companyId: string): Promise<BooksConnectionRow | undefined> {
  const [connection] = await db.select().from(booksConnections).where(eq(booksConnections.companyId, companyId));
  return connection;
}

/** Matches exactly this connection to this organisation. Connecting again, or choosing another one, creates another. */
export function isSameConnection({ companyId, connectedAt }: { readonly companyId: string; readonly connectedAt: Instant }) {
  return and(eq(booksConnections.companyId, companyId), eq(booksConnections.connectedAt, connectedAt));
}
