/** A person says which client an organisation belongs to. An organisation has one client, and a client one organisation. */
import { inIdList } from '@portal/db/in-id-list.ts';
import type { Tx } from '@portal/db/database.ts';
import { booksGrants, clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError, invalidField } from '@portal/domain/app-error.ts';
import { BOOKS_PROGRAM_NAMES, type BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import type { AppDeps } from '../../app-deps.ts';
import { notFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { recordTaxpayerAudit } from '../vat-returns/taxpayer.ts';

export type OrganisationLink = { readonly program: BooksProgramName; readonly organisation_id: string; readonly client_id: string };
export type Linker = { readonly practiceId: string; readonly actor: Actor; readonly ip: string };

/** All of them or none. Each client's books then follow by a job, because they are tenants of their own. */
export async function linkOrganisations(deps: AppDeps, linker: Linker, links: readonly OrganisationLink[]): Promise<void> {
  const { practiceId, actor } = linker;
  const ids = links.map(({ client_id: id }) => id);
  if (new Set(ids).size < ids.length)
    throw invalidField('links', 'A client can have one organisation. Choose another client for one of them.');
  try {
    await deps.database.db.transaction(async (tx) => {
      const visible = await listVisibleClientIds(tx, practiceId, actor, ids);
      if (ids.some((id) => !visible.has(id))) throw notFoundError();
      for (const link of links) await linkOrganisation(deps, tx, linker, link);
      for (const clientId of ids) await deps.enqueue(tx, 'books.link', { company_id: practiceId, client_id: clientId });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'practice_organisations_client')) throw createLinkedError();
    throw error;
  }
}

/** In the caller's transaction. The unique index refuses a second organisation of the client. */
export async function linkOrganisation(deps: AppDeps, tx: Tx, { practiceId, actor, ip }: Linker, link: OrganisationLink): Promise<void> {
  const { program, client_id: clientId } = link;
  const isOrganisation = matchesOrganisation(practiceId, link);
  const [organisation] = await tx.select().from(practiceOrganisations).where(isOrganisation).for('update');
  if (!organisation) throw notFoundError();
  if (organisation.clientId === clientId) return;
  if (organisation.clientId !== null) {
    const message = `${organisation.name} already belongs to another client. Unlink it there first.`;
    throw new AppError('conflict', 'books.organisation_linked', message);
  }
  const [grant] = await tx
    .select({ status: booksGrants.status })
    .from(booksGrants)
    .where(and(eq(booksGrants.companyId, practiceId), eq(booksGrants.provider, program)));
  if (grant?.status !== 'connected') {
    const name = BOOKS_PROGRAM_NAMES[program];
    throw new AppError('conflict', 'books.not_connected', `${name} isn’t connected any more. Connect it again first.`);
  }
  const at = deps.clock.now();
  await tx.update(practiceOrganisations).set({ clientId, linkedBy: actor.userId, linkedAt: at }).where(isOrganisation);
  await recordTaxpayerAudit(
    tx,
    { companyId: clientId, practiceId },
    { at, actor: actor.userId, action: 'books.connected', subject: clientId, after: { program, organisation: organisation.name }, ip },
  );
}

/** The client's books are no longer read, and the copy is deleted. */
export async function unlinkFromClient(
  deps: AppDeps,
  { practiceId, actor, ip }: Linker,
  key: Pick<OrganisationLink, 'program' | 'organisation_id'>,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const isOrganisation = matchesOrganisation(practiceId, key);
    const [organisation] = await tx.select().from(practiceOrganisations).where(isOrganisation).for('update');
    if (!organisation) throw notFoundError();
    const { clientId, name } = organisation;
    if (clientId === null) return;
    const visible = await listVisibleClientIds(tx, practiceId, actor, [clientId]);
    if (!visible.has(clientId)) throw notFoundError();
    await tx.update(practiceOrganisations).set({ clientId: null, linkedBy: null, linkedAt: null }).where(isOrganisation);
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
    await deps.enqueue(tx, 'books.link', { company_id: practiceId, client_id: clientId });
  });
}

export function createLinkedError(): AppError {
  return new AppError('conflict', 'books.client_linked', 'One of these clients has an organisation already. Disconnect its books first.');
}

function matchesOrganisation(practiceId: string, { program, organisation_id: id }: Pick<OrganisationLink, 'program' | 'organisation_id'>) {
  return and(
    eq(practiceOrganisations.companyId, practiceId),
    eq(practiceOrganisations.provider, program),
    eq(practiceOrganisations.organisationId, id),
  );
}

/** Those of the clients that the person may see. */
async function listVisibleClientIds(tx: Tx, practiceId: string, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), inIdList(clients.id, ids), isVisibleTo(actor, clients.companyId, clients.id)));
  return new Set(rows.map(({ id }) => id));
}
