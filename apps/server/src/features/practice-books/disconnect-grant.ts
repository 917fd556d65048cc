/** Ends a practice's access to its clients' books. */
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findBooksGrant } from '../books-connection/find-books-grant.ts';

type AccessEnding = { readonly companyId: string; readonly provider: BooksProviderName; readonly userId: string; readonly ip: string };

/**
 * Stops reading clients' books and queues a job for each client to delete the copies. Books that returns were prepared from are kept.
 * Another job ends our access at the bookkeeping software.
 */
export async function disconnectGrant(deps: AppDeps, { companyId, provider, userId, ip }: AccessEnding): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const grant = await findBooksGrant(tx, { companyId, provider });
    if (!grant) return;
    const isOfGrant = and(eq(practiceOrganisations.companyId, companyId), eq(practiceOrganisations.provider, provider));
    const linked = await tx
      .select({ clientId: practiceOrganisations.clientId })
      .from(practiceOrganisations)
      .where(and(isOfGrant, isNotNull(practiceOrganisations.clientId)));
    const connectionIds = await tx
      .select({ connectionId: practiceOrganisations.connectionId })
      .from(practiceOrganisations)
      .where(and(isOfGrant, isNotNull(practiceOrganisations.connectionId)));
    const [deletedGrant] = await tx
      .delete(booksGrants)
      .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)))
      .returning();
    if (!deletedGrant) return;
    for (const { clientId } of linked) {
      if (clientId !== null) await deps.enqueue(tx, 'books.link', { company_id: companyId, client_id: clientId, withdraw: false });
    }
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: userId,
      action: 'books.grant_disconnected',
      subject: companyId,
      before: { program: provider, clients: linked.length },
      after: { client_ids: linked.flatMap(({ clientId }) => clientId ?? []) },
      ip,
    });
    const ids = connectionIds.flatMap(({ connectionId }) => connectionId ?? []);
    if (deletedGrant.status !== 'connected' || deletedGrant.refreshToken === null || ids.length === 0) return;
    if (deps.practiceBooks[provider]?.disconnect === undefined) return;
    const endingGrant = { company_id: companyId, provider, refresh_token: deletedGrant.refreshToken, connection_ids: ids, tries: 0 };
    await deps.enqueue(tx, 'books.end_access', endingGrant);
  });
}
