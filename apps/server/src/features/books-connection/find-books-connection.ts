import type { Db, Tx } from '@portal/db/database.ts';
import { booksConnections, booksGrants, clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import type { AppDeps } from '../../app-deps.ts';

export type BooksConnectionRow = typeof booksConnections.$inferSelect;

/** The authorisation and the link that a client's connection through its practice depends on. */
const MATCHES_GRANT = and(eq(booksGrants.companyId, booksConnections.practiceId), eq(booksGrants.provider, booksConnections.provider));
const MATCHES_LINK = and(
  eq(practiceOrganisations.companyId, booksConnections.practiceId),
  eq(practiceOrganisations.provider, booksConnections.provider),
  eq(practiceOrganisations.organisationId, booksConnections.organisationId),
  eq(practiceOrganisations.clientId, booksConnections.companyId),
);

/**
 * Returns the bookkeeping software that a company's or client's books are read from, if any. A connection through the practice's
 * authorisation ends with it, and with the link to the client.
 */
export async function findBooksConnection(db: Db | Tx, companyId: string): Promise<BooksConnectionRow | undefined> {
  const [foundConnection] = await db
    .select({
      connection: booksConnections,
      grant: { status: booksGrants.status, lostAt: booksGrants.lostAt, lostReason: booksGrants.lostReason },
      // Drizzle treats a joined row whose first column is null as missing.
      link: { clientId: practiceOrganisations.clientId, goneAt: practiceOrganisations.goneAt },
    })
    .from(booksConnections)
    .leftJoin(booksGrants, MATCHES_GRANT)
    .leftJoin(practiceOrganisations, MATCHES_LINK)
    .where(eq(booksConnections.companyId, companyId));
  if (!foundConnection?.connection.isByGrant) return foundConnection?.connection;
  const { connection, grant, link } = foundConnection;
  if (grant === null || link === null) return undefined;
  if (grant.status === 'lost') return { ...connection, status: 'lost', lostAt: grant.lostAt, lostReason: grant.lostReason };
  return link.goneAt === null ? connection : { ...connection, status: 'lost', lostAt: link.goneAt, lostReason: 'removed' };
}

/** Whether a row of `books_connections` can currently be read, under the same conditions as `findBooksConnection`. */
export const CAN_BE_READ = sql`${booksConnections.status} = 'connected' and (not ${booksConnections.isByGrant} or exists (
  select 1 from ${booksGrants} inner join ${practiceOrganisations} on ${MATCHES_LINK} where ${MATCHES_GRANT} and ${booksGrants.status} = 'connected'
    and ${practiceOrganisations.goneAt} is null))`;

/** The books of a client that has left the practice aren't read automatically, but a user can still request a read. */
export const IS_LINKED = sql`not exists (select 1 from ${clients} where ${clients.companyId} = ${booksConnections.practiceId}
  and ${clients.id} = ${booksConnections.companyId} and ${inArray(clients.status, FORMER_STATUSES)})`;

/** A practice's authorisation and a single company's may use different apps at the bookkeeping software provider. */
export function findBooksProvider(
  deps: Pick<AppDeps, 'books' | 'practiceBooks'>,
  { provider, isByGrant }: Pick<BooksConnectionRow, 'provider' | 'isByGrant'>,
): BooksProvider | undefined {
  return isByGrant ? deps.practiceBooks[provider] : deps.books[provider];
}

/** Matches exactly this connection to this organisation. Connecting again, or choosing another organisation, creates a new one. */
export function isSameConnection({ companyId, connectedAt }: { readonly companyId: string; readonly connectedAt: Instant }) {
  return and(eq(booksConnections.companyId, companyId), eq(booksConnections.connectedAt, connectedAt));
}
