/** Connects a bookkeeping program once for all clients of a practice, and ends that again. */
import type { GrantOutcome } from '@portal/contract/practice-books.ts';
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import type { BooksOrganisation, BooksProgram } from '@portal/providers/connected-books/books-program.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getPracticeBooksPath } from '../books-connection/books-paths.ts';
import { type BooksCallback, type BooksState, completeAuthorisation, startAuthorisation } from '../books-connection/books-states.ts';
import { getGrantOwner, sealBooksTokens } from '../books-connection/books-tokens.ts';
import { laterThan } from '../books-connection/connect-books.ts';
import { type BooksGrantRow, findBooksGrant } from '../books-connection/find-books-grant.ts';
import { mayConnectClients } from '../books-connection/may-connect-clients.ts';
import { enqueueOrganisations, saveOrganisations } from './list-organisations.ts';

type GrantStart = { readonly practiceId: string; readonly userId: string; readonly provider: BooksProgramName; readonly browser: string };

/** The program's address for the browser. */
export function startGrant(deps: AppDeps, { practiceId, ...start }: GrantStart): Promise<{ authorize_url: string }> {
  const state = { ...start, companyId: practiceId, clientId: null, returnTo: 'settings' } as const;
  return startAuthorisation(deps, deps.practiceBooks[start.provider], state);
}

/** The page below /portal to redirect to. */
export async function completeGrant(deps: AppDeps, state: BooksState, callback: BooksCallback): Promise<string> {
  const outcome = await getOutcome(deps, state, callback);
  return `${getPracticeBooksPath(state.companyId)}&${new URLSearchParams({ outcome, program: state.provider })}`;
}

async function getOutcome(deps: AppDeps, state: BooksState, { params, ip }: BooksCallback): Promise<GrantOutcome> {
  const program = deps.practiceBooks[state.provider];
  if (!program) return 'books_failed';
  try {
    const { tokens } = await completeAuthorisation(program, state, params);
    if (tokens?.refreshToken === undefined) return 'books_failed';
    // People and administrators can withhold permissions.
    if (tokens.missingScopes.length > 0) return 'books_no_permission';
    const organisations = await program.listOrganisations(tokens.accessToken, undefined);
    if (organisations.length === 0) return 'books_no_organisation';
    const isSaved = await saveGrant(deps, state, { ...tokens, refreshToken: tokens.refreshToken }, organisations, ip);
    return isSaved ? 'books_connected' : 'books_not_allowed';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') return 'books_declined';
    deps.logger.warn({ err: error }, 'could not connect a bookkeeping program of a practice');
    return error.facts.status === 403 ? 'books_no_permission' : 'books_failed';
  }
}

/** Connecting again keeps the links of organisations that are still covered. False if the person may no longer connect. */
async function saveGrant(
  deps: AppDeps,
  state: BooksState,
  tokens: SignInTokens & { readonly refreshToken: string },
  organisations: readonly BooksOrganisation[],
  ip: string,
): Promise<boolean> {
  const { companyId, userId, provider } = state;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (!(await mayConnectClients(tx, { practiceId: companyId, userId }))) return false;
    const [before] = await tx
      .select()
      .from(booksGrants)
      .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)))
      .for('update');
    const grant = {
      status: 'connected' as const,
      ...sealBooksTokens(deps, getGrantOwner(state), tokens),
      refreshLeaseUntil: null,
      refreshHolderId: null,
      connectedBy: userId,
      connectedAt: laterThan(at, before?.connectedAt),
      lostAt: null,
      listProblem: null,
    };
    await tx
      .insert(booksGrants)
      .values({ companyId, provider, ...grant })
      .onConflictDoUpdate({ target: [booksGrants.companyId, booksGrants.provider], set: grant });
    await saveOrganisations(deps, tx, { companyId, provider }, organisations);
    await enqueueOrganisations(deps, tx, { companyId, provider });
    const after = { program: provider, organisations: organisations.length };
    await recordAudit(tx, { companyId, at, actor: userId, action: 'books.grant_connected', subject: companyId, after, ip });
    return true;
  });
}

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
      if (clientId !== null) await deps.enqueue(tx, 'books.link', { company_id: companyId, client_id: clientId });
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
