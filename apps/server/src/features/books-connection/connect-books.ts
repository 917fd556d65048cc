/** Connects a bookkeeping program: the authorisation at the program with the permission to read books, apart from signing in. */
import { createHash } from 'node:crypto';
import type { BooksOutcome } from '@portal/contract/books-connection.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { booksConnections, booksConnectionStates, memberships, type OfferedOrganisation } from '@portal/db/schema/schema.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { BOOKS_PROGRAM_NAMES, type BooksProgramName } from '@portal/domain/connected-books/books-programs.ts';
import type { BooksProgram } from '@portal/providers/connected-books/books-program.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Tx } from '@portal/db/database.ts';
import { listRolesWith } from '../../http/policies.ts';
import { hashToken, newToken } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { deleteReadBooks, startRead } from './books-reads.ts';
import { sealBooksTokens } from './books-tokens.ts';

/** People may take their time on the program's pages. */
const STATE_TTL_MS = 60 * 60_000;

type State = typeof booksConnectionStates.$inferSelect;

export type BooksStart = {
  readonly companyId: string;
  readonly userId: string;
  readonly provider: BooksProgramName;
  readonly browser: string;
  readonly returnTo: State['returnTo'];
};

/** The program's address for the browser. */
export async function startBooksConnection(deps: AppDeps, start: BooksStart): Promise<{ authorize_url: string }> {
  const { companyId, userId, provider, browser, returnTo } = start;
  const program = deps.books[provider];
  if (!program) {
    const message = `${BOOKS_PROGRAM_NAMES[provider]} isn’t set up on this portal. Upload a file of your books instead.`;
    throw new AppError('conflict', 'books.not_set_up', message);
  }
  const [state, nonce, codeVerifier] = [newToken(), newToken(), newToken()];
  await deps.database.db.insert(booksConnectionStates).values({
    companyId,
    stateHash: hashToken(state),
    userId,
    provider,
    browserHash: browser,
    nonce,
    codeVerifier,
    returnTo,
    expiresAt: addMilliseconds(deps.wallClock.now(), STATE_TTL_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const { url } = await program.signIn.authorizeUrl({ state, nonce, codeChallenge, extraScopes: program.scopes });
  return { authorize_url: url };
}

export type BooksCallback = {
  readonly provider: BooksProgramName;
  readonly userId: string;
  readonly browser: string | undefined;
  readonly params: URLSearchParams;
  readonly ip: string;
};

/** The page below /portal to redirect to. Undefined for a state that isn't this person's, in this browser, now. */
export async function completeBooksConnection(deps: AppDeps, callback: BooksCallback): Promise<string | undefined> {
  const { provider, userId, browser, params } = callback;
  const [state] = await deps.database.db
    .delete(booksConnectionStates)
    .where(
      and(
        eq(booksConnectionStates.stateHash, hashToken(params.get('state') ?? '')),
        eq(booksConnectionStates.provider, provider),
        eq(booksConnectionStates.userId, userId),
        eq(booksConnectionStates.browserHash, browser ?? ''),
        gt(booksConnectionStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  if (!state) return undefined;
  const outcome = await getOutcome(deps, state, callback);
  const page = state.returnTo === 'steps' ? PAGES.stepBookkeeping.path : PAGES.books.path;
  return `${page}?${new URLSearchParams({ company_id: state.companyId, outcome, program: provider })}`;
}

async function getOutcome(deps: AppDeps, state: State, { params, ip }: BooksCallback): Promise<BooksOutcome> {
  const program = deps.books[state.provider];
  if (!program) return 'books_failed';
  try {
    const { nonce, codeVerifier } = state;
    const answer = { params, state: params.get('state') ?? '', nonce, codeVerifier, extraScopes: program.scopes };
    const { tokens, realmId } = await program.signIn.completeSignIn(answer);
    if (tokens?.refreshToken === undefined) return 'books_failed';
    // People and administrators can withhold permissions.
    if (tokens.missingScopes.length > 0) return 'books_no_permission';
    const found = await program.listOrganisations(tokens.accessToken, realmId);
    if (found.length === 0) return 'books_no_organisation';
    const organisations = found.map(({ id, name, connectionId }) => ({ id, name, connection_id: connectionId ?? null }));
    const isSaved = await saveConnection(deps, state, { ...tokens, refreshToken: tokens.refreshToken }, organisations, ip);
    return isSaved ? 'books_connected' : 'books_not_allowed';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') return 'books_declined';
    deps.logger.warn({ err: error }, 'could not connect a bookkeeping program');
    return error.facts.status === 403 ? 'books_no_permission' : 'books_failed';
  }
}

/**
 * With one organisation there is nothing to choose. The same organisation as before continues with what was read of it. False if the person may
 * no longer connect.
 */
async function saveConnection(
  deps: AppDeps,
  state: State,
  tokens: SignInTokens & { readonly refreshToken: string },
  organisations: readonly OfferedOrganisation[],
  ip: string,
): Promise<boolean> {
  const { companyId, userId, provider } = state;
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    if (!(await mayConnect(tx, companyId, userId))) return false;
    const [before] = await tx.select().from(booksConnections).where(eq(booksConnections.companyId, companyId)).for('update');
    const kept = before?.provider === provider ? organisations.find(({ id }) => id === before.organisationId) : undefined;
    const chosen = kept ?? (organisations.length === 1 ? organisations[0] : undefined);
    const connection = {
      ...createConnection(deps, { companyId, userId, provider, tokens, organisations, chosen }),
      connectedAt: laterThan(at, before?.connectedAt),
      ...(kept ? {} : UNKNOWN_SETTINGS),
    };
    await tx
      .insert(booksConnections)
      .values({ companyId, ...connection })
      .onConflictDoUpdate({ target: booksConnections.companyId, set: connection });
    if (!kept) await deleteReadBooks(tx, companyId);
    await recordConnection(deps, tx, { companyId, userId, provider, chosen, ip });
    return true;
  });
}

export type NewConnection = {
  readonly companyId: string;
  readonly userId: string;
  readonly provider: BooksProgramName;
  /** Undefined: the person chooses one. */
  readonly chosen: OfferedOrganisation | undefined;
};

export function createConnection(
  deps: AppDeps,
  {
    companyId,
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

/** The read of the chosen organisation starts at once. */
export async function recordConnection(
  deps: AppDeps,
  tx: Tx,
  { companyId, userId, provider, chosen, ip }: NewConnection & { readonly ip: string },
): Promise<void> {
  await recordAudit(tx, {
    companyId,
    at: deps.clock.now(),
    actor: userId,
    action: 'books.connected',
    subject: companyId,
    after: { program: provider, organisation: chosen?.name ?? null },
    ip,
  });
  if (chosen) await startRead(deps, tx, companyId, { isFull: true });
}

/** The person may have left the company, or lost the permission, since they started. */
async function mayConnect(tx: Tx, companyId: string, userId: string): Promise<boolean> {
  const [member] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
    .for('share');
  return member !== undefined && listRolesWith('company.manage').some((role) => role === member.role);
}

/** The time of a connection identifies it. */
export function laterThan(now: Instant, before: Instant | undefined): Instant {
  return before === undefined || now > before ? now : addMilliseconds(before, 1);
}

/** What only a read of the organisation tells. */
export const UNKNOWN_SETTINGS = { vatNumber: null, isDemo: false, lockedUntil: null, basis: null, isBasisAnswered: false } as const;

/** Ends our access at the program, and deletes what was read. The books that returns were prepared from stay. */
export async function disconnectBooks(deps: AppDeps, companyId: string, userId: string, ip: string): Promise<void> {
  const removed = await deps.database.db.transaction(async (tx) => {
    const [row] = await tx.delete(booksConnections).where(eq(booksConnections.companyId, companyId)).returning();
    if (!row) return undefined;
    await deleteReadBooks(tx, companyId);
    const { provider, organisationName } = row;
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: userId,
      action: 'books.disconnected',
      subject: companyId,
      before: { program: provider, organisation: organisationName },
      ip,
    });
    return row;
  });
  if (removed) await endAtProgram(deps, removed);
}

/** Our tokens are gone, so a failure here leaves at most an entry in the program's list of connected apps. */
async function endAtProgram(deps: AppDeps, row: typeof booksConnections.$inferSelect): Promise<void> {
  const { companyId, provider, accessToken, refreshToken, organisationId, organisations } = row;
  // The authorisation may cover organisations that the person's other companies are connected to.
  const chosen = organisations.find(({ id }) => id === organisationId);
  const program: BooksProgram | undefined = deps.books[provider];
  if (!program?.disconnect || !chosen || accessToken === null || refreshToken === null) return;
  try {
    const oldToken = deps.tokenCipher.open(refreshToken, `books_refresh_token:${companyId}`);
    // The stored access token may have ended.
    const tokens = await program.signIn.refresh(oldToken);
    const grant = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? oldToken };
    await program.disconnect({ ...grant, connectionId: chosen.connection_id ?? undefined });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, companyId }, 'could not end our access at a bookkeeping program');
  }
}
