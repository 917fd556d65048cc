/** The organisations from a practice's bookkeeping software that are offered on a client's page. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { clientBooksApi } from '@portal/contract/client-books.ts';
import { booksGrants, clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNull } from '@portal/db/sql.ts';
import { matchOrganisations } from '@portal/domain/practice-books/match-organisations.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { findOwnBooks } from './own-books.ts';
import { NO_MATCH, toKey } from './practice-organisations.ts';

const MAX_OFFERED = 100;

type OfferQuery = { readonly practiceId: string; readonly clientId: string; readonly actor: Actor; readonly search: string | undefined };

/** A team member gets only those that match the client: others belong to clients that they can't see. Matches come first. */
export async function listOfferedBooks(
  { database: { db } }: AppDeps,
  { practiceId, clientId, actor, search = '' }: OfferQuery,
): Promise<EndpointOutput<typeof clientBooksApi.offered>> {
  const [client] = await db
    .select({ name: clients.name, vrn: clients.vrn, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  if (!client) return { organisations: [], more: 0, own_books: null };
  const rows = await db
    .select({ row: practiceOrganisations })
    .from(practiceOrganisations)
    .innerJoin(
      booksGrants,
      and(
        eq(booksGrants.companyId, practiceOrganisations.companyId),
        eq(booksGrants.provider, practiceOrganisations.provider),
        eq(booksGrants.status, 'connected'),
      ),
    )
    .where(
      and(eq(practiceOrganisations.companyId, practiceId), isNull(practiceOrganisations.clientId), isNull(practiceOrganisations.goneAt)),
    )
    .orderBy(asc(practiceOrganisations.name));
  const matches = matchOrganisations(
    rows.map(({ row }) => ({ key: toKey(row), name: row.name, vatNumber: row.vatNumber, companyNumber: row.companyNumber })),
    [{ id: clientId, ...client }],
  );
  const offeredBooks = rows.map(({ row }) => ({
    program: row.provider,
    organisation_id: row.organisationId,
    name: row.name,
    vat_number: row.vatNumber,
    is_unreadable: row.isUnreadable,
    is_match: (matches.get(toKey(row)) ?? NO_MATCH).candidates.length > 0,
  }));
  const searchText = search.trim().toLowerCase();
  const shownOrganisations = offeredBooks
    .filter(({ is_match: isMatch }) => isMatch || actor.role === 'practice_admin')
    .filter(({ name, vat_number: number }) => `${name}\n${number ?? ''}`.toLowerCase().includes(searchText))
    .toSorted((a, b) => Number(b.is_match) - Number(a.is_match));
  const ownBooks = await findOwnBooks(db, practiceId, [clientId]);
  return {
    organisations: shownOrganisations.slice(0, MAX_OFFERED),
    more: Math.max(0, shownOrganisations.length - MAX_OFFERED),
    own_books: ownBooks.get(clientId)?.books ?? null,
  };
}
