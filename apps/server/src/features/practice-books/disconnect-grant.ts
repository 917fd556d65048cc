/** Ends a practice's authorisation for all clients. */
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import type { BooksProgram } from '@portal/providers/connected-books/books-program.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type BooksGrantRow, findBooksGrant, getGrantOwner } from '../books-connection/find-books-grant.ts';

type Ending = { readonly companyId: string; readonly provider: BooksProgramName; readonly userId: string; readonly ip: string };

/** Clients' books are no longer read, and their copies are deleted by a job for each. The books that returns were prepared from stay. */
export async function disconnectGrant(deps: AppDeps, { companyId, provider, userId, ip }: Ending): Promise<void> {
  const removed = await deps.database.db.transaction(async (tx) => {
    const grant = await findBooksGrant(tx, { companyId, provider });
    if (!grant) return undefined;
    const isOfGrant = and(eq(practiceOrganisations.companyId, companyId), eq(practiceOrganisations.provider, provider));
    const linked = await tx
      .select({ clientId: practiceOrganisations.clientId })
      .from(practiceOrganisations)
      .where(and(isOfGrant, isNotNull(practiceOrganisations.clientId)));
    const connectionIds = await tx
      .select({ connectionId: practiceOrganisations.connectionId })
      .from(practiceOrganisations)
      .where(and(isOfGrant, isNotNull(practiceOrganisations.connectionId)));
    const [deleted] = await tx
      .delete(booksGrants)
      .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)))
      .returning();
    if (!deleted) return undefined;
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
    return { grant: deleted, connectionIds: connectionIds.flatMap(({ connectionId }) => connectionId ?? []) };
  });
  if (removed) await endAtProgram(deps, removed.grant, removed.connectionIds);
}

const CALLS_AT_ONCE = 5;

/** Our tokens are gone, so a failure here leaves at most an entry in the program's list of connected apps. */
async function endAtProgram(deps: AppDeps, grant: BooksGrantRow, connectionIds: readonly string[]): Promise<void> {
  const { companyId, provider, accessToken, refreshToken } = grant;
  const program: BooksProgram | undefined = deps.practiceBooks[provider];
  const disconnect = program?.disconnect;
  if (!program || !disconnect || accessToken === null || refreshToken === null) return;
  try {
    const oldToken = deps.tokenCipher.open(refreshToken, `books_refresh_token:${getGrantOwner(grant)}`);
    // The stored access token may have ended.
    const tokens = await program.signIn.refresh(oldToken);
    const access = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? oldToken };
    for (let start = 0; start < connectionIds.length; start += CALLS_AT_ONCE) {
      const batch = connectionIds.slice(start, start + CALLS_AT_ONCE);
      await Promise.all(batch.map((connectionId) => disconnect({ ...access, connectionId })));
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, companyId }, 'could not end our access at a bookkeeping program');
  }
}
