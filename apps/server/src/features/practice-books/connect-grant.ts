/** Connects bookkeeping software once for all clients of a practice. */
import type { GrantOutcome } from '@portal/contract/practice-books.ts';
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { BooksOrganisation, BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getPracticeBooksPath } from '../books-connection/books-paths.ts';
import { type BooksCallback, type BooksState, completeAuthorisation, startAuthorisation } from '../books-connection/books-states.ts';
import { BooksLostError, sealBooksTokens } from '../books-connection/books-tokens.ts';
import { getLaterInstant } from '../books-connection/connect-books.ts';
import { type BooksGrantRow, findBooksGrant, getGrantOwner, isSameGrant } from '../books-connection/find-books-grant.ts';
import { mayManageConnections } from '../books-connection/may-manage-connections.ts';
import { listCoveredOrganisations, SINGLE_ATTEMPT } from './list-covered.ts';
import { enqueueOrganisations, saveOrganisations } from './list-organisations.ts';
import { withGrantToken } from './with-grant-token.ts';

type GrantStart = { readonly practiceId: string; readonly userId: string; readonly provider: BooksProviderName; readonly browser: string };

/** Returns the bookkeeping software's URL for the browser to open. */
export function startGrant(deps: AppDeps, { practiceId, ...start }: GrantStart): Promise<{ authorize_url: string }> {
  const state = { ...start, companyId: practiceId, clientId: null, returnTo: 'settings' } as const;
  return startAuthorisation(deps, deps.practiceBooks[start.provider], state);
}

/** Returns the page below /portal to redirect to. */
export async function completeGrant(deps: AppDeps, state: BooksState, callback: BooksCallback): Promise<string> {
  const outcome = await getOutcome(deps, state, callback);
  const query = new URLSearchParams({ outcome, program: state.provider, at: deps.clock.now() });
  return `${getPracticeBooksPath(state.companyId)}&${query}`;
}

async function getOutcome(deps: AppDeps, state: BooksState, { params, ip }: BooksCallback): Promise<GrantOutcome> {
  const booksProvider = deps.practiceBooks[state.provider];
  if (!booksProvider) return 'books_failed';
  try {
    const { tokens } = await completeAuthorisation(booksProvider, state, params);
    if (tokens?.refreshToken === undefined) return 'books_failed';
    // Users and their administrators can withhold permissions.
    if (tokens.missingScopes.length > 0) return 'books_no_permission';
    const { companyId, provider } = state;
    const list = () => booksProvider.listOrganisations(tokens.accessToken, undefined, SINGLE_ATTEMPT);
    const organisations = await listCoveredOrganisations(deps, { companyId, provider }, list);
    if (organisations.length === 0) return 'books_no_organisation';
    const existing = await findBooksGrant(deps.database.db, { companyId, provider });
    const missingOrganisations = await listMissingOrganisations(deps, existing, booksProvider, organisations);
    if (existing && missingOrganisations.length > 0) return await rejectLogin(deps, state, existing, missingOrganisations, ip);
    return await saveGrant(deps, state, { ...tokens, refreshToken: tokens.refreshToken, before: existing }, organisations, ip);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') return 'books_declined';
    deps.logger.warn({ err: error }, 'could not connect a practice’s bookkeeping software');
    return error.facts.status === 403 ? 'books_no_permission' : 'books_failed';
  }
}

/**
 * Lists clients' organisations that the connected login covers and this one doesn't, which means that a different user has logged in. If
 * neither covers an organisation, it was removed in the bookkeeping software.
 */
async function listMissingOrganisations(
  deps: AppDeps,
  previous: BooksGrantRow | undefined,
  booksProvider: BooksProvider,
  organisations: readonly BooksOrganisation[],
): Promise<string[]> {
  if (previous?.status !== 'connected') return [];
  const isOfGrant = and(eq(practiceOrganisations.companyId, previous.companyId), eq(practiceOrganisations.provider, previous.provider));
  const linkedOrganisations = await deps.database.db
    .select({ id: practiceOrganisations.organisationId })
    .from(practiceOrganisations)
    .where(and(isOfGrant, isNotNull(practiceOrganisations.clientId), isNull(practiceOrganisations.goneAt)));
  const coveredIds = new Set(organisations.map(({ id }) => id));
  const missingIds = linkedOrganisations.flatMap(({ id }) => (coveredIds.has(id) ? [] : [id]));
  if (missingIds.length === 0) return [];
  try {
    const listedOrganisations = await withGrantToken(deps, previous, (token) =>
      booksProvider.listOrganisations(token, undefined, SINGLE_ATTEMPT),
    );
    const listedIds = new Set(listedOrganisations.map(({ id }) => id));
    return missingIds.filter((id) => listedIds.has(id));
  } catch (error) {
    if (error instanceof BooksLostError) return [];
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, companyId: previous.companyId }, 'could not compare two of a practice’s logins');
    return missingIds;
  }
}

/** Keeps the connected authorisation. The screen lists the organisations missing from the other login. */
async function rejectLogin(
  deps: AppDeps,
  { companyId, userId, provider }: BooksState,
  previous: BooksGrantRow,
  missing: readonly string[],
  ip: string,
): Promise<GrantOutcome> {
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (!(await mayManageConnections(tx, { practiceId: companyId, userId }))) return 'books_not_allowed';
    await tx.update(booksGrants).set({ refusedAt: at, refusedMissing: missing }).where(isSameGrant(previous));
    const after = { program: provider, missing };
    await recordAudit(tx, { companyId, at, actor: userId, action: 'books.grant_refused', subject: companyId, after, ip });
    return 'books_missing_organisations';
  });
}

type NewGrant = SignInTokens & { readonly refreshToken: string; readonly before: BooksGrantRow | undefined };

/** Reconnecting keeps the links of organisations that are still covered. */
async function saveGrant(
  deps: AppDeps,
  state: BooksState,
  { before: compared, ...tokens }: NewGrant,
  organisations: readonly BooksOrganisation[],
  ip: string,
): Promise<GrantOutcome> {
  const { companyId, userId, provider } = state;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (!(await mayManageConnections(tx, { practiceId: companyId, userId }))) return 'books_not_allowed';
    const [existing] = await tx
      .select()
      .from(booksGrants)
      .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider)))
      .for('update');
    // A colleague has connected in the meantime, so this login hasn't been compared with theirs.
    if (existing && existing.connectedAt !== compared?.connectedAt) return 'books_failed';
    const grant = {
      status: 'connected' as const,
      ...sealBooksTokens(deps, getGrantOwner(state), tokens),
      refreshLeaseUntil: null,
      refreshHolderId: null,
      connectedBy: userId,
      connectedAt: getLaterInstant(at, existing?.connectedAt),
      lostAt: null,
      lostReason: null,
      refusedAt: null,
      refusedMissing: [],
      listProblem: null,
      waitsUntil: null,
    };
    await tx
      .insert(booksGrants)
      .values({ companyId, provider, ...grant })
      .onConflictDoUpdate({ target: [booksGrants.companyId, booksGrants.provider], set: grant });
    await saveOrganisations(deps, tx, { companyId, provider }, organisations);
    await enqueueOrganisations(deps, tx, { companyId, provider });
    const after = { program: provider, organisations: organisations.length };
    await recordAudit(tx, { companyId, at, actor: userId, action: 'books.grant_connected', subject: companyId, after, ip });
    return 'books_connected';
  });
}
