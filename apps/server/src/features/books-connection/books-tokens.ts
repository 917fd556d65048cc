/** The access token of a company's bookkeeping program. Only one instance renews it at a time, because refresh tokens change. */
import { booksConnections } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt, or } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { type BooksConnectionRow, findBooksConnection, isSameConnection } from './find-books-connection.ts';
import { loseBooks } from './lose-books.ts';

/** Renew this long before expiry, so that the token doesn't expire during a call. */
const RENEW_EARLY_MS = 60_000;
/** Longer than a renewal can take. */
const LEASE_TTL_MS = 60_000;
const POLL_INTERVAL_MS = 200;
const MAX_POLLS = 150;

/** The program no longer accepts us, now or since before. */
export class BooksLostError extends Error {}

export function sealBooksTokens(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  companyId: string,
  { accessToken, refreshToken, expiresAt }: Pick<SignInTokens, 'accessToken' | 'expiresAt'> & { readonly refreshToken: string },
) {
  return {
    accessToken: tokenCipher.seal(accessToken, `books_access_token:${companyId}`),
    refreshToken: tokenCipher.seal(refreshToken, `books_refresh_token:${companyId}`),
    accessExpiresAt: expiresAt,
  };
}

/** The current token of exactly this connection. `rejected` is one that the program has just rejected. Throws BooksLostError if it has ended. */
export async function getBooksToken(
  deps: AppDeps,
  of: Pick<BooksConnectionRow, 'companyId' | 'connectedAt'>,
  rejected?: string,
): Promise<string> {
  for (let attempt = 0; attempt < MAX_POLLS; attempt += 1) {
    const connection = await findBooksConnection(deps.database.db, of.companyId);
    // Another connection's token must never be sent to this one's program.
    if (!connection || connection.connectedAt !== of.connectedAt || connection.accessToken === null) throw new BooksLostError();
    const stored = findFreshToken(deps, connection, rejected);
    if (stored !== undefined) return stored;
    const leased = await takeLease(deps, connection);
    const renewed = leased && (await renewToken(deps, leased, rejected));
    if (renewed !== undefined) return renewed;
    await deps.pause(POLL_INTERVAL_MS);
  }
  const facts = { provider: 'books', operation: 'books.token', detail: 'another instance is renewing the token' };
  throw new ProviderError('unavailable', facts);
}

function findFreshToken(deps: AppDeps, { companyId, accessToken, accessExpiresAt }: BooksConnectionRow, rejected: string | undefined) {
  if (accessToken === null || accessExpiresAt === null) return undefined;
  if (accessExpiresAt <= addMilliseconds(deps.clock.now(), RENEW_EARLY_MS)) return undefined;
  const token = deps.tokenCipher.open(accessToken, `books_access_token:${companyId}`);
  return token === rejected ? undefined : token;
}

async function takeLease(deps: AppDeps, connection: BooksConnectionRow): Promise<BooksConnectionRow | undefined> {
  const { db, holder } = deps.database;
  const now = deps.wallClock.now();
  const { refreshLeaseUntil: until, refreshHolderId: holderId } = booksConnections;
  const [leased] = await db
    .update(booksConnections)
    .set({ refreshLeaseUntil: addMilliseconds(now, LEASE_TTL_MS), refreshHolderId: holder.id })
    .where(and(isSameConnection(connection), or(isNull(until), lt(until, now), holder.hasDied(holderId))))
    .returning();
  return leased;
}

/** Undefined if the connection was lost or replaced in the meantime; the caller reads it again. */
async function renewToken(deps: AppDeps, leased: BooksConnectionRow, rejected: string | undefined): Promise<string | undefined> {
  const { companyId, provider, refreshToken } = leased;
  const release = { refreshLeaseUntil: null, refreshHolderId: null };
  // Another caller may have renewed it between our check and the lease.
  const other = findFreshToken(deps, leased, rejected);
  const program = deps.books[provider];
  try {
    if (other !== undefined || refreshToken === null) {
      await deps.database.db.update(booksConnections).set(release).where(isSameConnection(leased));
      return other;
    }
    if (!program) throw new ProviderError('unavailable', { provider, operation: `${provider}.token`, detail: 'not set up' });
    const oldToken = deps.tokenCipher.open(refreshToken, `books_refresh_token:${companyId}`);
    const renewed = await program.signIn.refresh(oldToken);
    const tokens = sealBooksTokens(deps, companyId, { ...renewed, refreshToken: renewed.refreshToken ?? oldToken });
    const saved = await deps.database.db
      .update(booksConnections)
      .set({ ...tokens, ...release })
      .where(isSameConnection(leased))
      .returning({ companyId: booksConnections.companyId });
    return saved.length > 0 ? renewed.accessToken : undefined;
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unauthorized') {
      await loseBooksNow(deps, leased, 'refused', error);
      return undefined;
    }
    await deps.database.db
      .update(booksConnections)
      .set(release)
      .where(and(isSameConnection(leased), eq(booksConnections.status, leased.status)));
    throw error;
  }
}

/** Ends the connection, because the program no longer accepts us. The figures stay as they are. */
export async function loseBooksNow(
  deps: AppDeps,
  connection: BooksConnectionRow,
  reason: 'refused' | 'removed',
  cause: ProviderError,
): Promise<void> {
  const wasLost = await deps.database.db.transaction((tx) => loseBooks(deps, tx, connection, reason));
  if (wasLost) deps.logger.warn({ err: cause, companyId: connection.companyId }, 'a bookkeeping program no longer accepts us');
}
