/** Connects bookkeeping software: requests permission to read books, separately from signing in. */
import type { BooksOutcome } from '@portal/contract/books-connection.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { booksConnections, memberships, type OfferedOrganisation } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listRolesWith } from '../../http/policies.ts';
import { lockTaxpayer, recordTaxpayerAudit, type Taxpayer } from '../vat-returns/taxpayer.ts';
import { withdrawBooks } from './delete-read-books.ts';
import { getBooksPath, getClientPath } from './books-paths.ts';
import { deleteReadBooks, startRead } from './books-reads.ts';
import { type BooksCallback, type BooksState, completeAuthorisation, type NewBooksState, startAuthorisation } from './books-states.ts';
import { sealBooksTokens } from './books-tokens.ts';
import { mayManageConnections } from './may-manage-connections.ts';
import { unlinkOrganisation } from './unlink-organisation.ts';

export type BooksStart = Taxpayer & Pick<NewBooksState, 'userId' | 'provider' | 'browser' | 'returnTo'>;

/** Returns the URL at the bookkeeping software that the browser should open. */
export function startBooksConnection(deps: AppDeps, { companyId, practiceId, ...start }: BooksStart): Promise<{ authorize_url: string }> {
  const ids = practiceId === null ? { companyId, clientId: null } : { companyId: practiceId, clientId: companyId };
  return startAuthorisation(deps, deps.books[start.provider], { ...start, ...ids });
}

/** Returns the page below /portal to redirect to. */
export async function completeBooksConnection(deps: AppDeps, state: BooksState, callback: BooksCallback): Promise<string> {
  const outcome = await getOutcome(deps, state, callback);
  return `${getReturnPath(state)}&${new URLSearchParams({ outcome, program: state.provider })}`;
}

function getReturnPath({ companyId, clientId, returnTo }: BooksState): string {
  if (clientId !== null) return getClientPath(companyId, clientId);
  return returnTo === 'steps' ? `${PAGES.stepBookkeeping.path}?${new URLSearchParams({ company_id: companyId })}` : getBooksPath(companyId);
}

async function getOutcome(deps: AppDeps, state: BooksState, { params, ip }: BooksCallback): Promise<BooksOutcome> {
  const booksProvider = deps.books[state.provider];
  if (!booksProvider) return 'books_failed';
  try {
    const { tokens, realmId } = await completeAuthorisation(booksProvider, state, params);
    if (tokens?.refreshToken === undefined) return 'books_failed';
    // Users and administrators can withhold permissions.
    if (tokens.missingScopes.length > 0) return 'books_no_permission';
    const foundOrganisations = await booksProvider.listOrganisations(tokens.accessToken, realmId, { maxAttempts: 1 });
    if (foundOrganisations.length === 0) return 'books_no_organisation';
    const organisations = foundOrganisations.map(({ id, name, connectionId }) => ({ id, name, connection_id: connectionId ?? null }));
    const isSaved = await saveConnection(deps, state, { ...tokens, refreshToken: tokens.refreshToken }, organisations, ip);
    return isSaved ? 'books_connected' : 'books_not_allowed';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') return 'books_declined';
    deps.logger.warn({ err: error }, 'could not connect bookkeeping software');
    return error.facts.status === 403 ? 'books_no_permission' : 'books_failed';
  }
}

/**
 * If there is only one organisation, no choice is needed. If it is the same as before, reading continues from the stored data. Returns
 * false if the user may no longer connect.
 */
async function saveConnection(
  deps: AppDeps,
  state: BooksState,
  tokens: SignInTokens & { readonly refreshToken: string },
  organisations: readonly OfferedOrganisation[],
  ip: string,
): Promise<boolean> {
  const { userId, provider } = state;
  const taxpayer: Taxpayer =
    state.clientId === null ? { companyId: state.companyId, practiceId: null } : { companyId: state.clientId, practiceId: state.companyId };
  const { companyId, practiceId } = taxpayer;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (!(await mayConnect(tx, taxpayer, userId))) return false;
    await lockTaxpayer(tx, taxpayer);
    const [existing] = await tx.select().from(booksConnections).where(eq(booksConnections.companyId, companyId)).for('update');
    const keptOrganisation = existing?.provider === provider ? organisations.find(({ id }) => id === existing.organisationId) : undefined;
    const chosenOrganisation = keptOrganisation ?? (organisations.length === 1 ? organisations[0] : undefined);
    const connection = {
      ...createConnection(deps, taxpayer, { userId, provider, tokens, organisations, chosen: chosenOrganisation }),
      connectedAt: getLaterInstant(at, existing?.connectedAt),
      ...(keptOrganisation ? {} : UNKNOWN_SETTINGS),
    };
    await tx
      .insert(booksConnections)
      .values({ companyId, ...connection })
      .onConflictDoUpdate({ target: booksConnections.companyId, set: connection });
    if (!keptOrganisation) await deleteReadBooks(tx, companyId);
    if (practiceId !== null) {
      await unlinkOrganisation(tx, practiceId, companyId);
      await withdrawBooks(deps, tx, taxpayer, chosenOrganisation && { provider, organisationId: chosenOrganisation.id });
    }
    await recordConnection(deps, tx, taxpayer, { userId, provider, chosen: chosenOrganisation, ip });
    return true;
  });
}

export type NewConnection = {
  readonly userId: string;
  readonly provider: BooksProviderName;
  /** Undefined if the user must choose an organisation. */
  readonly chosen: OfferedOrganisation | undefined;
};

export function createConnection(
  deps: AppDeps,
  { companyId, practiceId }: Taxpayer,
  {
    userId,
    provider,
    chosen,
    tokens,
    organisations,
  }: NewConnection & {
    readonly tokens: Pick<SignInTokens, 'accessToken' | 'expiresAt'> & { readonly refreshToken: string };
    readonly organisations: readonly OfferedOrganisation[];
  },
) {
  return {
    practiceId,
    isByGrant: false,
    provider,
    status: chosen ? ('connected' as const) : ('choosing' as const),
    ...sealBooksTokens(deps, companyId, tokens),
    refreshLeaseUntil: null,
    refreshHolderId: null,
    organisations,
    organisationId: chosen?.id ?? null,
    organisationName: chosen?.name ?? null,
    connectedBy: userId,
    usedSince: deps.clock.now(),
    lostAt: null,
    lostReason: null,
  };
}

/** Starts reading the chosen organisation immediately. */
export async function recordConnection(
  deps: AppDeps,
  tx: Tx,
  taxpayer: Taxpayer,
  { userId, provider, chosen, ip }: NewConnection & { readonly ip: string },
): Promise<void> {
  await recordTaxpayerAudit(tx, taxpayer, {
    at: deps.clock.now(),
    actor: userId,
    action: 'books.connected',
    subject: taxpayer.companyId,
    after: { program: provider, organisation: chosen?.name ?? null },
    ip,
  });
  if (chosen) await startRead(deps, tx, taxpayer, { isFull: true });
}

/** Returns false if the user has since left, or lost the permission or access to the client. */
async function mayConnect(tx: Tx, { companyId, practiceId }: Taxpayer, userId: string): Promise<boolean> {
  if (practiceId !== null) return mayManageConnections(tx, { practiceId, userId, clientId: companyId });
  const [member] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
    .for('share');
  return member !== undefined && listRolesWith('company.manage').some((role) => role === member.role);
}

/** Returns a time after `before`, because a connection is identified by its time. */
export function getLaterInstant(now: Instant, previousInstant: Instant | undefined): Instant {
  return previousInstant === undefined || now > previousInstant ? now : addMilliseconds(previousInstant, 1);
}

/** Settings that are known only after reading the organisation. */
export const UNKNOWN_SETTINGS = {
  vatNumber: null,
  isDemo: false,
  lockedUntil: null,
  basis: null,
  isBasisAnswered: false,
  confirmedVatNumber: null,
} as const;

/**
 * Ends our access to the software and deletes the data read. A trader's figures are kept. A client's are deleted, because the practice may
 * have connected the wrong organisation.
 */
export async function disconnectBooks(deps: AppDeps, taxpayer: Taxpayer, userId: string, ip: string): Promise<void> {
  const { companyId, practiceId } = taxpayer;
  const removedConnection = await deps.database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, taxpayer);
    const [row] = await tx.delete(booksConnections).where(eq(booksConnections.companyId, companyId)).returning();
    if (!row) return undefined;
    await deleteReadBooks(tx, companyId);
    if (practiceId !== null) {
      await unlinkOrganisation(tx, practiceId, companyId);
      await withdrawBooks(deps, tx, taxpayer, undefined);
    }
    const { provider, organisationName } = row;
    await recordTaxpayerAudit(tx, taxpayer, {
      at: deps.clock.now(),
      actor: userId,
      action: 'books.disconnected',
      subject: companyId,
      before: { program: provider, organisation: organisationName },
      ip,
    });
    return row;
  });
  // The practice's authorisation also covers its other clients.
  if (removedConnection && !removedConnection.isByGrant) await revokeAtProvider(deps, removedConnection);
}

/** Our tokens are already deleted, so after a failure the app at most remains in the software's list of connected apps. */
async function revokeAtProvider(deps: AppDeps, row: typeof booksConnections.$inferSelect): Promise<void> {
  const { companyId, provider, accessToken, refreshToken, organisationId, organisations } = row;
  // The authorisation may cover organisations that the user's other companies are connected to.
  const chosenOrganisation = organisations.find(({ id }) => id === organisationId);
  const booksProvider: BooksProvider | undefined = deps.books[provider];
  if (!booksProvider?.disconnect || !chosenOrganisation || accessToken === null || refreshToken === null) return;
  try {
    const oldToken = deps.tokenCipher.open(refreshToken, `books_refresh_token:${companyId}`);
    // The stored access token may have expired.
    const tokens = await booksProvider.signIn.refresh(oldToken);
    const grant = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? oldToken };
    await booksProvider.disconnect({ ...grant, connectionId: chosenOrganisation.connection_id ?? undefined });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, companyId }, 'could not end our access at bookkeeping software');
  }
}
