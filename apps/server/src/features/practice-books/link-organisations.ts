/** Links organisations to clients, one to one. */
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { matchOrganisations } from '@portal/domain/practice-books/match-organisations.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { findBooksGrant } from '../books-connection/find-books-grant.ts';
import { unlinkOrganisation } from '../books-connection/unlink-organisation.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { recordTaxpayerAudit } from '../vat-returns/taxpayer.ts';
import { createOwnBooksError, listOwnBooks, type OwnBooksOfClient } from './own-books.ts';

export type OrganisationKey = { readonly program: BooksProviderName; readonly organisation_id: string };
export type OrganisationLink = OrganisationKey & { readonly client_id: string; readonly replace: boolean };
export type Linker = { readonly practiceId: string; readonly actor: Actor; readonly ip: string };

/** Links either all of them or none. A job for each client then updates its books, because clients are separate tenants. */
export async function linkOrganisations(deps: AppDeps, linker: Linker, links: readonly OrganisationLink[]): Promise<void> {
  const { practiceId, actor } = linker;
  const ids = links.map(({ client_id: id }) => id);
  if (new Set(ids).size < ids.length)
    throw createInvalidFieldError('links', 'A client can have only one organisation. Choose another client for one of them.');
  if (links.length > 1 && links.some(({ replace }) => replace))
    throw createInvalidFieldError('links', 'If confirming a client replaces its own books connection, confirm that client separately.');
  // Any books that a client gets after this time take precedence, even if the job hasn't run yet (follow-link.ts).
  const at = deps.clock.now();
  const visibleIds = await listVisibleClientIds(deps.database.db, practiceId, actor, ids);
  if (ids.some((id) => !visibleIds.has(id))) throw createNotFoundError();
  const ownBooks = await listOwnBooks(deps, practiceId, ids);
  try {
    await deps.database.db.transaction(async (tx) => {
      for (const link of links) await linkOrganisation(tx, linker, link, { at, own: ownBooks.get(link.client_id) });
      for (const clientId of ids) await deps.enqueue(tx, 'books.link', { company_id: practiceId, client_id: clientId });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'practice_organisations_client')) throw createLinkedError('One of these clients');
    throw error;
  }
}

type LinkDecision = { readonly at: Instant; readonly own: OwnBooksOfClient | undefined };

/**
 * Call this in the caller's transaction, for a client that the user can see. The unique index rejects a second organisation for the client.
 */
export async function linkOrganisation(
  tx: Tx,
  { practiceId, actor, ip }: Linker,
  link: OrganisationLink,
  { at, own }: LinkDecision,
): Promise<void> {
  const { program, client_id: clientId, replace } = link;
  const isOrganisation = matchesOrganisation(practiceId, link);
  const [organisation] = await tx.select().from(practiceOrganisations).where(isOrganisation).for('update');
  if (!organisation || !(await isShownTo(tx, practiceId, actor, organisation))) throw createNotFoundError();
  if (organisation.clientId === clientId) return;
  const { name } = organisation;
  if (organisation.clientId !== null)
    throw new AppError('conflict', 'books.organisation_linked', `${name} already belongs to another client. Unlink it there first.`);
  const providerName = BOOKS_PROVIDER_NAMES[program];
  const grant = await findBooksGrant(tx, { companyId: practiceId, provider: program });
  if (grant?.status !== 'connected') {
    const message = `${providerName} no longer accepts your practice’s connection. Connect it again first.`;
    throw new AppError('conflict', 'books.not_connected', message);
  }
  if (organisation.goneAt !== null) {
    const message = `Your practice’s connection to ${providerName} no longer covers ${name}. Add it there again, then check for new organisations.`;
    throw new AppError('conflict', 'books.organisation_gone', message);
  }
  const [linked] = await tx
    .select({ client: clients.name })
    .from(practiceOrganisations)
    .innerJoin(clients, and(eq(clients.companyId, practiceId), eq(clients.id, practiceOrganisations.clientId)))
    .where(and(eq(practiceOrganisations.companyId, practiceId), eq(practiceOrganisations.clientId, clientId)));
  if (linked) throw createLinkedError(linked.client);
  if (own && !replace) throw createOwnBooksError(clientId, own);
  await tx.update(practiceOrganisations).set({ clientId, linkedBy: actor.userId, linkedAt: at }).where(isOrganisation);
  const after = { program, organisation: name, ...(own ? { replaced: own.books } : {}) };
  const entry = { at, actor: actor.userId, action: 'books.connected', subject: clientId, after, ip };
  await recordTaxpayerAudit(tx, { companyId: clientId, practiceId }, entry);
}

/** Stops reading the client's books, and deletes the copy with its figures. */
export async function unlinkFromClient(deps: AppDeps, { practiceId, actor, ip }: Linker, key: OrganisationKey): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const isOrganisation = matchesOrganisation(practiceId, key);
    const [organisation] = await tx.select().from(practiceOrganisations).where(isOrganisation).for('update');
    if (!organisation || !(await isShownTo(tx, practiceId, actor, organisation))) throw createNotFoundError();
    const { clientId, name } = organisation;
    if (clientId === null) return;
    await unlinkOrganisation(tx, practiceId, clientId);
    await recordTaxpayerAudit(
      tx,
      { companyId: clientId, practiceId },
      {
        at: deps.clock.now(),
        actor: actor.userId,
        action: 'books.disconnected',
        subject: clientId,
        before: { program: key.program, organisation: name },
        ip,
      },
    );
    await deps.enqueue(tx, 'books.link', { company_id: practiceId, client_id: clientId, withdraw: true });
  });
}

export function createLinkedError(client: string): AppError {
  return new AppError('conflict', 'books.client_linked', `${client} already has an organisation. Unlink it first.`);
}

function matchesOrganisation(practiceId: string, { program, organisation_id: id }: OrganisationKey) {
  return and(
    eq(practiceOrganisations.companyId, practiceId),
    eq(practiceOrganisations.provider, program),
    eq(practiceOrganisations.organisationId, id),
  );
}

/** Lists the ids of the clients that the user can see. */
async function listVisibleClientIds(db: Db | Tx, practiceId: string, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), isInIdList(clients.id, ids), isVisibleTo(actor, clients.companyId, clients.id)));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns whether the user can see the organisation, as in the list: a team member sees organisations that belong, or could belong, to
 * assigned clients. Other organisations' names would reveal clients that they can't see.
 */
async function isShownTo(
  tx: Tx,
  practiceId: string,
  actor: Actor,
  organisation: typeof practiceOrganisations.$inferSelect,
): Promise<boolean> {
  if (actor.role === 'practice_admin') return true;
  const { clientId, name, vatNumber, companyNumber } = organisation;
  if (clientId !== null) return (await listVisibleClientIds(tx, practiceId, actor, [clientId])).has(clientId);
  const visibleRows = await tx
    .select({ id: clients.id, name: clients.name, vrn: clients.vrn, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), isVisibleTo(actor, clients.companyId, clients.id)));
  const matches = matchOrganisations([{ key: '', name, vatNumber, companyNumber }], visibleRows);
  return (matches.get('')?.candidates.length ?? 0) > 0;
}
