/** Returns the access token for reading books. Only one instance renews it at a time, because refresh tokens change. */
import { booksConnections, booksGrants } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt, or, type SQL } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { type BooksConnectionRow, findBooksConnection, findBooksProvider, isSameConnection } from './find-books-connection.ts';
import { type BooksGrantKey, type BooksGrantRow, findBooksGrant, getGrantOwner, isSameGrant } from './find-books-grant.ts';
import { type BooksEnding, recordBooksLoss, recordGrantLoss } from './record-books-loss.ts';

/** Renew this long before expiry, so that the token doesn't expire during a call. */
const REFRESH_EARLY_MS = 60_000;
/** Longer than a renewal takes. */
const LEASE_TTL_MS = 60_000;
const POLL_INTERVAL_MS = 200;
const MAX_POLLS = 150;

/** The bookkeeping software rejects our access token, whether this was just discovered or already recorded. */
export class BooksLostError extends Error {}

export function sealBooksTokens(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  owner: string,
  { accessToken, refreshToken, expiresAt }: Pick<SignInTokens, 'accessToken' | 'expiresAt'> & { readonly refreshToken: string },
) {
  return {
    accessToken: tokenCipher.seal(accessToken, `books_access_token:${owner}`),
    refreshToken: tokenCipher.seal(refreshToken, `books_refresh_token:${owner}`),
    accessExpiresAt: expiresAt,
  };
}

/** The row in which tokens are stored. Both tables have the same token columns. */
type TokenHolder = { readonly owner: string; readonly isSame: SQL | undefined } & (
  | { readonly isGrant: false; readonly row: BooksConnectionRow }
  | { readonly isGrant: true; readonly row: BooksGrantRow }
);

const toConnectionHolder = (row: BooksConnectionRow): TokenHolder => ({
  row,
  isGrant: false,
  owner: row.companyId,
  isSame: isSameConnection(row),
});
const toGrantHolder = (row: BooksGrantRow): TokenHolder => ({ row, isGrant: true, owner: getGrantOwner(row), isSame: isSameGrant(row) });

/**
 * Returns the current token for exactly this connection. `rejectedToken` is one that the software has just rejected. Throws BooksLostError
 * if the connection has ended.
 */
export function getBooksToken(
  deps: AppDeps,
  connectionKey: Pick<BooksConnectionRow, 'companyId' | 'connectedAt'>,
  rejectedToken?: string,
): Promise<string> {
  return getToken(deps, () => findConnectionTokens(deps, connectionKey), rejectedToken);
}

/** Returns the current token of exactly this authorisation of a practice. */
export function getGrantToken(
  deps: AppDeps,
  grantKey: Pick<BooksGrantRow, 'companyId' | 'provider' | 'connectedAt'>,
  rejectedToken?: string,
): Promise<string> {
  const find = async (): Promise<TokenHolder | undefined> => {
    const grant = await findBooksGrant(deps.database.db, grantKey);
    return grant?.connectedAt === grantKey.connectedAt ? toGrantHolder(grant) : undefined;
  };
  return getToken(deps, find, rejectedToken);
}

/** A token must never be sent to another connection's software, and a practice's token must never be used for another practice's client. */
async function findConnectionTokens(
  deps: AppDeps,
  connectionKey: Pick<BooksConnectionRow, 'companyId' | 'connectedAt'>,
): Promise<TokenHolder | undefined> {
  const { db } = deps.database;
  const connection = await findBooksConnection(db, connectionKey.companyId);
  if (!connection || connection.connectedAt !== connectionKey.connectedAt || connection.status === 'lost') return undefined;
  const { isByGrant, practiceId, provider } = connection;
  if (!isByGrant) return toConnectionHolder(connection);
  const grant = practiceId === null ? undefined : await findBooksGrant(db, { companyId: practiceId, provider });
  return grant && toGrantHolder(grant);
}

async function getToken(deps: AppDeps, find: () => Promise<TokenHolder | undefined>, rejectedToken: string | undefined): Promise<string> {
  for (let attempt = 0; attempt < MAX_POLLS; attempt += 1) {
    const tokenHolder = await find();
    if (!tokenHolder || tokenHolder.row.accessToken === null) throw new BooksLostError();
    const storedToken = findFreshToken(deps, tokenHolder, rejectedToken);
    if (storedToken !== undefined) return storedToken;
    const leasedHolder = await acquireTokenLease(deps, tokenHolder);
    const renewedToken = leasedHolder && (await refreshAccessToken(deps, leasedHolder, rejectedToken));
    if (renewedToken !== undefined) return renewedToken;
    await deps.pause(POLL_INTERVAL_MS);
  }
  const facts = { provider: 'books', operation: 'books.token', detail: 'another instance is renewing the token' };
  throw new ProviderError('unavailable', facts);
}

function findFreshToken(deps: AppDeps, { row: { accessToken, accessExpiresAt }, owner }: TokenHolder, rejectedToken: string | undefined) {
  if (accessToken === null || accessExpiresAt === null) return undefined;
  if (accessExpiresAt <= addMilliseconds(deps.clock.now(), REFRESH_EARLY_MS)) return undefined;
  const token = deps.tokenCipher.open(accessToken, `books_access_token:${owner}`);
  return token === rejectedToken ? undefined : token;
}

async function acquireTokenLease(deps: AppDeps, tokenHolder: TokenHolder): Promise<TokenHolder | undefined> {
  const { db, holder } = deps.database;
  const now = deps.wallClock.now();
  const lease = { refreshLeaseUntil: addMilliseconds(now, LEASE_TTL_MS), refreshHolderId: holder.id };
  const isFree = ({ refreshLeaseUntil: until, refreshHolderId: holderId }: typeof booksConnections | typeof booksGrants) =>
    and(tokenHolder.isSame, or(isNull(until), lt(until, now), holder.hasDied(holderId)));
  if (tokenHolder.isGrant) {
    const [grant] = await db.update(booksGrants).set(lease).where(isFree(booksGrants)).returning();
    return grant && toGrantHolder(grant);
  }
  const [connection] = await db.update(booksConnections).set(lease).where(isFree(booksConnections)).returning();
  return connection && toConnectionHolder(connection);
}

type TokenChange = Partial<ReturnType<typeof sealBooksTokens>> & { readonly refreshLeaseUntil: null; readonly refreshHolderId: null };

/** Returns false if the connection was lost, disconnected or reconnected in the meantime. */
async function saveTokens(deps: AppDeps, { isGrant, isSame, row }: TokenHolder, change: TokenChange): Promise<boolean> {
  const { db } = deps.database;
  const savedTokens = isGrant
    ? await db
        .update(booksGrants)
        .set(change)
        .where(and(isSame, eq(booksGrants.status, row.status)))
        .returning({ companyId: booksGrants.companyId })
    : await db
        .update(booksConnections)
        .set(change)
        .where(and(isSame, eq(booksConnections.status, row.status)))
        .returning({ companyId: booksConnections.companyId });
  return savedTokens.length > 0;
}

/** Returns undefined if the token was lost or replaced in the meantime. The caller then reads it again. */
async function refreshAccessToken(
  deps: AppDeps,
  leasedHolder: TokenHolder,
  rejectedToken: string | undefined,
): Promise<string | undefined> {
  const { owner, isGrant } = leasedHolder;
  const { provider, refreshToken } = leasedHolder.row;
  const release = { refreshLeaseUntil: null, refreshHolderId: null };
  // Another caller may have renewed the token between our check and the lease.
  const otherToken = findFreshToken(deps, leasedHolder, rejectedToken);
  const booksProvider = findBooksProvider(deps, { provider, isByGrant: isGrant });
  try {
    if (otherToken !== undefined || refreshToken === null) {
      await saveTokens(deps, leasedHolder, release);
      return otherToken;
    }
    if (!booksProvider) throw new ProviderError('unavailable', { provider, operation: `${provider}.token`, detail: 'not set up' });
    const oldToken = deps.tokenCipher.open(refreshToken, `books_refresh_token:${owner}`);
    const renewedTokens = await booksProvider.signIn.refresh(oldToken);
    const tokens = sealBooksTokens(deps, owner, { ...renewedTokens, refreshToken: renewedTokens.refreshToken ?? oldToken });
    return (await saveTokens(deps, leasedHolder, { ...tokens, ...release })) ? renewedTokens.accessToken : undefined;
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unauthorized') {
      await markTokensLost(deps, leasedHolder, error);
      return undefined;
    }
    await saveTokens(deps, leasedHolder, release);
    throw error;
  }
}

/**
 * Xero and Intuit end refresh tokens left unused for 60 and 100 days; FreeAgent doesn't document such a limit
 * (docs/reference/providers.md).
 */
const UNUSED_TTL_MS = 60 * 24 * 3_600_000;

async function markTokensLost(deps: AppDeps, { row, isGrant }: TokenHolder, cause: ProviderError): Promise<void> {
  const { refreshToken, accessExpiresAt } = row;
  if (refreshToken === null) return;
  const isUnused = accessExpiresAt !== null && accessExpiresAt <= addMilliseconds(deps.clock.now(), -UNUSED_TTL_MS);
  const ending = { reason: isUnused ? 'expired' : 'refused', tokens: { sealedRefresh: refreshToken } } as const;
  if (isGrant) await markGrantLost(deps, row, ending, cause);
  else await markBooksLost(deps, row, ending, cause);
}

type TokenRefusal = Exclude<BooksEnding, { readonly reason: 'removed' }>;

/** Ends a practice's authorisation, because the software no longer accepts it. The figures are unchanged. */
export async function markGrantLost(deps: AppDeps, grant: BooksGrantKey, ending: TokenRefusal, cause: ProviderError): Promise<void> {
  const wasLost = await deps.database.db.transaction((tx) => recordGrantLoss(deps, tx, grant, ending));
  if (wasLost)
    deps.logger.warn({ err: cause, companyId: grant.companyId }, 'bookkeeping software no longer accepts a practice’s connection');
}

/** Ends the connection, because the software rejects our access token. The figures are unchanged. */
export async function markBooksLost(
  deps: AppDeps,
  connection: BooksConnectionRow,
  ending: BooksEnding,
  cause: ProviderError,
): Promise<void> {
  const wasLost = await deps.database.db.transaction((tx) => recordBooksLoss(deps, tx, connection, ending));
  if (wasLost) deps.logger.warn({ err: cause, companyId: connection.companyId }, 'bookkeeping software no longer accepts a connection');
}
