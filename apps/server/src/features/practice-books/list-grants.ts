/** Lists the bookkeeping software that a practice has connected, or can connect, for its clients. */
import type { BooksGrant } from '@portal/contract/practice-books.ts';
import type { Db } from '@portal/db/database.ts';
import { booksGrants, clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, asc, count, eq, sql } from '@portal/db/sql.ts';
import { GRANT_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import type { BooksGrantRow } from '../books-connection/find-books-grant.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

export async function listGrants(deps: AppDeps, practiceId: string, actor: Actor): Promise<{ grants: BooksGrant[] }> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const rows = await db.select().from(booksGrants).where(eq(booksGrants.companyId, practiceId));
  const organisationCounts = await db
    .select({
      provider: practiceOrganisations.provider,
      organisations: count().mapWith(Number),
      linked: count(practiceOrganisations.clientId).mapWith(Number),
      unread:
        sql`count(*) filter (where ${practiceOrganisations.detailsReadAt} is null and ${practiceOrganisations.goneAt} is null)`.mapWith(
          Number,
        ),
    })
    .from(practiceOrganisations)
    .where(eq(practiceOrganisations.companyId, practiceId))
    .groupBy(practiceOrganisations.provider);
  const grants: BooksGrant[] = [];
  for (const grantProvider of GRANT_PROVIDERS) {
    const grant = rows.find(({ provider }) => provider === grantProvider);
    const counts = organisationCounts.find(({ provider }) => provider === grantProvider);
    grants.push({
      program: grantProvider,
      is_available: deps.practiceBooks[grantProvider] !== undefined,
      status: grant?.status ?? 'not_connected',
      connected_at: grant?.connectedAt ?? null,
      lost_at: grant?.lostAt ?? null,
      lost_reason: grant?.lostReason ?? null,
      refused_login: grant ? await describeRefusedLogin(db, grant, actor) : null,
      listed_at: grant?.listedAt ?? null,
      unread: counts?.unread ?? 0,
      waits_until: grant && grant.waitsUntil !== null && grant.waitsUntil > now ? grant.waitsUntil : null,
      has_problem: (grant?.listProblem ?? null) !== null,
      organisations: counts?.organisations ?? 0,
      linked: counts?.linked ?? 0,
      // If the bookkeeping software has already ended the connection, we have no access to end.
      ends_at_program: grant?.status === 'connected' && deps.practiceBooks[grantProvider]?.disconnect !== undefined,
    });
  }
  return { grants };
}

/** Describes the missing organisations that still belong to a client. Once they are unlinked, the login can be used. */
async function describeRefusedLogin(
  db: Db,
  { companyId, provider, status, refusedAt, refusedMissing }: BooksGrantRow,
  actor: Actor,
): Promise<BooksGrant['refused_login']> {
  if (refusedAt === null || status !== 'connected') return null;
  const missingClients = await db
    .select({
      name: practiceOrganisations.name,
      isVisible: sql<boolean>`${isVisibleTo(actor, companyIdColumn, clientIdColumn) ?? sql`true`}`,
    })
    .from(practiceOrganisations)
    .innerJoin(clients, and(eq(clients.companyId, companyIdColumn), eq(clients.id, clientIdColumn)))
    .where(
      and(
        eq(companyIdColumn, companyId),
        eq(practiceOrganisations.provider, provider),
        sql`${practiceOrganisations.organisationId} in (select jsonb_array_elements_text(${JSON.stringify(refusedMissing)}::jsonb))`,
      ),
    )
    .orderBy(asc(practiceOrganisations.name));
  if (missingClients.length === 0) return null;
  const visibleClients = missingClients.filter(({ isVisible }) => isVisible);
  return { at: refusedAt, organisations: visibleClients.map(({ name }) => name), others: missingClients.length - visibleClients.length };
}

const { companyId: companyIdColumn, clientId: clientIdColumn } = practiceOrganisations;
