/**
 * Updates a client's books after its link to an organisation changes. The user's decision is stored first, so this step can be repeated.
 */
import type { Tx } from '@portal/db/database.ts';
import { booksConnections, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { withdrawBooks } from '../books-connection/delete-read-books.ts';
import { findBooksGrant } from '../books-connection/find-books-grant.ts';
import { deleteReadBooks, startRead } from '../books-connection/books-reads.ts';
import { getLaterInstant, UNKNOWN_SETTINGS } from '../books-connection/connect-books.ts';
import { unlinkOrganisation } from '../books-connection/unlink-organisation.ts';
import { lockTaxpayer } from '../vat-returns/taxpayer.ts';

export type ClientOfPractice = { readonly practiceId: string; readonly clientId: string };

/**
 * Call this in the client's scope. Does nothing if it has already run. `withdraw` is true if the user unlinked the organisation, which
 * deletes its figures. It is false if they disconnected the bookkeeping software as a whole, which keeps the figures and marks them as no
 * longer updated. The software may have been reconnected or disconnected since; the default depends on whether it is currently connected.
 */
export async function followLink(deps: AppDeps, tx: Tx, { practiceId, clientId }: ClientOfPractice, withdraw?: boolean): Promise<void> {
  const taxpayer = { companyId: clientId, practiceId };
  // Serialised, so that an earlier decision can't overwrite a later one.
  await lockTaxpayer(tx, taxpayer);
  const [link] = await tx
    .select()
    .from(practiceOrganisations)
    .where(and(eq(practiceOrganisations.companyId, practiceId), eq(practiceOrganisations.clientId, clientId)));
  const [existing] = await tx.select().from(booksConnections).where(eq(booksConnections.companyId, clientId)).for('update');
  if (!link) {
    if (existing && !existing.isByGrant) return;
    const isUnlinked =
      withdraw ?? (existing && (await findBooksGrant(tx, { companyId: practiceId, provider: existing.provider })) !== undefined);
    if (existing) {
      await tx.delete(booksConnections).where(eq(booksConnections.companyId, clientId));
      await deleteReadBooks(tx, clientId);
    }
    if (isUnlinked === true) await withdrawBooks(deps, tx, taxpayer, undefined);
    return;
  }
  const { provider, organisationId, name } = link;
  const isSame = existing?.isByGrant === true && existing.provider === provider && existing.organisationId === organisationId;
  if (isSame || link.linkedBy === null) return;
  if (existing && !existing.isByGrant && existing.status !== 'lost' && link.linkedAt !== null && existing.connectedAt > link.linkedAt) {
    // Someone has since connected bookkeeping software for this client alone.
    await unlinkOrganisation(tx, practiceId, clientId);
    return;
  }
  const at = deps.clock.now();
  const connection = {
    practiceId,
    isByGrant: true,
    provider,
    status: 'connected' as const,
    accessToken: null,
    refreshToken: null,
    accessExpiresAt: null,
    refreshLeaseUntil: null,
    refreshHolderId: null,
    organisations: [],
    organisationId,
    organisationName: name,
    connectedBy: link.linkedBy,
    connectedAt: getLaterInstant(at, existing?.connectedAt),
    // A file uploaded after the user's decision takes precedence.
    usedSince: link.linkedAt ?? at,
    lostAt: null,
    lostReason: null,
    ...UNKNOWN_SETTINGS,
  };
  await tx
    .insert(booksConnections)
    .values({ companyId: clientId, ...connection })
    .onConflictDoUpdate({ target: booksConnections.companyId, set: connection });
  await deleteReadBooks(tx, clientId);
  await withdrawBooks(deps, tx, taxpayer, { provider, organisationId });
  await startRead(deps, tx, taxpayer, { isFull: true });
}
