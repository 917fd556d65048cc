/** Provides a current access token for a company's HMRC connection. Only one instance refreshes it at a time. */
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, toEpochMs, toInstant, type Instant } from '@portal/domain/clock.ts';
import type { HmrcTokens } from '@portal/providers/hmrc/hmrc-types.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { CallNotSentError } from '@portal/providers/http/was-never-sent.ts';
import { and, eq, gt, isNull, lt, or } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { repeatAfterOutage } from '../../repeat-after-outage.ts';
import { createTrackedWork } from '../../tracked-work.ts';
import { endConnection, isCurrentConnection } from './end-connection.ts';
import { sealTokens } from './seal-tokens.ts';

/** Refresh this long before expiry, so that the token does not expire during a call. */
const REFRESH_EARLY_MS = 60_000;
/**
 * Longer than a refresh can take, including a minute of waiting for HMRC's rate limit. HMRC would reject a second refresh with the same
 * token and end the authorisation.
 */
const LEASE_TTL_MS = 120_000;
/** A refresh that has waited longer isn't sent, because the call must time out well before the lease ends. */
const SEND_BEFORE_LEASE_ENDS_MS = 45_000;
const POLL_INTERVAL_MS = 200;
/** How many times other callers check for the result of a running refresh. */
const MAX_POLLS = 100;
/**
 * Saving HMRC's new tokens is retried for at least 100 s while the database is unavailable, because losing them would lose the
 * authorisation. Another database server takes over within 30 s (docs/operations.md).
 */
const MAX_SAVE_ATTEMPTS = 200;
const SAVE_RETRY_MS = 500;

/**
 * Calls `work` with the company's access token. If HMRC rejects the token, refreshes it and repeats the call once. Ends the connection if
 * HMRC rejects the refresh token.
 */
export async function withAccessToken<Result>(
  deps: AppDeps,
  companyId: string,
  work: (accessToken: string) => Promise<Result>,
): Promise<Result> {
  const accessToken = await getAccessToken(deps, companyId, undefined);
  try {
    return await work(accessToken);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
  }
  const refreshedToken = await getAccessToken(deps, companyId, accessToken);
  try {
    return await work(refreshedToken);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    // The scope was not requested with this authorisation. Only a new authorisation can add it.
    if (error.facts.code === 'INVALID_SCOPE') throw await endRejectedConnection(deps, await readConnection(deps, companyId), error);
    // HMRC has just refreshed the token, so the authorisation is valid. Rejecting the new token is a fault at HMRC that may be temporary.
    throw new ProviderError('unavailable', { ...error.facts, detail: 'a new token was rejected' }, error);
  }
}

/** Creates the error for a missing or ended connection. */
export function createNotConnectedError(): AppError {
  return new AppError('conflict', 'hmrc.not_connected', 'HMRC isn’t connected, or the connection has ended. Reconnect HMRC.');
}

type Connection = typeof hmrcConnections.$inferSelect;

function isUnauthorized(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.failure === 'unauthorized';
}

/** Returns the current access token. `staleToken` is a token that HMRC has just rejected. */
async function getAccessToken(deps: AppDeps, companyId: string, staleToken: string | undefined): Promise<string> {
  for (let attempt = 0; attempt < MAX_POLLS; attempt += 1) {
    const storedToken = findValidToken(deps, await readConnection(deps, companyId), staleToken);
    if (storedToken !== undefined) return storedToken;
    const leasedConnection = await acquireLease(deps, companyId);
    // Another caller may have refreshed the token between our check and the lease.
    const otherToken = leasedConnection && findValidToken(deps, leasedConnection, staleToken);
    if (leasedConnection && otherToken !== undefined) await releaseLease(deps, companyId, leasedConnection.refreshLeaseUntil);
    const token = otherToken ?? (leasedConnection && (await refreshes.track(refreshTokens(deps, leasedConnection))));
    if (token !== undefined) return token;
    if (!leasedConnection) await deps.pause(POLL_INTERVAL_MS);
  }
  throw new AppError('upstream', 'hmrc.refresh_busy', 'We’re renewing the connection to HMRC. Try again in a minute.');
}

async function readConnection(deps: AppDeps, companyId: string): Promise<Connection> {
  const [connection] = await deps.database.db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  if (connection?.status !== 'connected') throw createNotConnectedError();
  return connection;
}

function findValidToken(
  { clock, tokenCipher }: AppDeps,
  { companyId, accessToken, accessExpiresAt }: Connection,
  staleToken: string | undefined,
) {
  if (accessToken === null || accessExpiresAt === null) return undefined;
  if (toEpochMs(accessExpiresAt) - REFRESH_EARLY_MS <= toEpochMs(clock.now())) return undefined;
  const token = tokenCipher.open(accessToken, `hmrc_access_token:${companyId}`);
  return token === staleToken ? undefined : token;
}

/**
 * HMRC's refresh tokens can be used only once, so the holder of the lease refreshes and the others wait for the result. The lease of a dead
 * process is taken over.
 */
async function acquireLease(deps: AppDeps, companyId: string): Promise<Connection | undefined> {
  const now = deps.wallClock.now();
  const leaseUntil = addMilliseconds(now, LEASE_TTL_MS);
  try {
    return await acquireTokenLease(deps, companyId, now, leaseUntil);
  } catch (error) {
    // The lease may have been stored although the response was lost.
    await releaseLease(deps, companyId, leaseUntil);
    throw error;
  }
}

async function acquireTokenLease(deps: AppDeps, companyId: string, now: Instant, leaseUntil: Instant): Promise<Connection | undefined> {
  const { db, holder } = deps.database;
  const [leasedConnection] = await db
    .update(hmrcConnections)
    .set({ refreshLeaseUntil: leaseUntil, refreshHolderId: holder.id })
    .where(
      and(
        eq(hmrcConnections.companyId, companyId),
        eq(hmrcConnections.status, 'connected'),
        or(
          isNull(hmrcConnections.refreshLeaseUntil),
          lt(hmrcConnections.refreshLeaseUntil, now),
          holder.hasDied(hmrcConnections.refreshHolderId),
        ),
      ),
    )
    .returning();
  return leasedConnection;
}

/** Never throws. Retries while the database is unavailable, because other callers would otherwise wait for the lease to expire. */
async function releaseLease(deps: AppDeps, companyId: string, leaseUntil: Instant | null): Promise<void> {
  const isOwn = isOwnLease(deps, companyId, leaseUntil);
  const release = (): PromiseLike<unknown> => deps.database.db.update(hmrcConnections).set({ refreshLeaseUntil: null }).where(isOwn);
  await repeatAfterOutage(deps, LEASE_TTL_MS, release).catch((error: unknown) =>
    deps.logger.error({ err: error, companyId }, 'could not release a token refresh lease'),
  );
}

/** While the call waited for its slot, the lease may have ended and another instance may have used the refresh token. */
async function isLeaseLongEnough(deps: AppDeps, { companyId, refreshLeaseUntil }: Connection): Promise<boolean> {
  const latestSendAt = addMilliseconds(deps.wallClock.now(), SEND_BEFORE_LEASE_ENDS_MS);
  const ownLeases = await deps.database.db
    .select({ companyId: hmrcConnections.companyId })
    .from(hmrcConnections)
    .where(and(isOwnLease(deps, companyId, refreshLeaseUntil), gt(hmrcConnections.refreshLeaseUntil, latestSendAt)));
  return ownLeases.length > 0;
}

function isOwnLease({ database }: AppDeps, companyId: string, leaseUntil: Instant | null) {
  const { companyId: company, refreshHolderId: holder, refreshLeaseUntil: until } = hmrcConnections;
  return and(eq(company, companyId), eq(holder, database.holder.id), eq(until, leaseUntil ?? toInstant(0)));
}

const refreshes = createTrackedWork();

/** Called on shutdown: losing HMRC's response to a token refresh would lose the authorisation. */
export const waitForTokenRefreshes = (maxMs: number): Promise<void> => refreshes.wait(maxMs);

/**
 * Returns the new access token. Returns undefined if the connection was replaced, refreshed or ended in the meantime; the caller then reads
 * it again.
 */
async function refreshTokens(deps: AppDeps, leasedConnection: Connection): Promise<string | undefined> {
  let isTooLate = false;
  const assertInTime = async (): Promise<void> => {
    isTooLate = !(await isLeaseLongEnough(deps, leasedConnection));
    if (isTooLate) throw new CallNotSentError('throttled', 'the time allowed for the token refresh has passed');
  };
  try {
    if (leasedConnection.refreshToken === null) throw createNotConnectedError();
    const refreshToken = deps.tokenCipher.open(leasedConnection.refreshToken, `hmrc_refresh_token:${leasedConnection.companyId}`);
    const tokens = await deps.hmrc.refresh(refreshToken, assertInTime);
    return (await saveTokens(deps, leasedConnection, tokens)) ? tokens.accessToken : undefined;
  } catch (error) {
    if (!isUnauthorized(error)) {
      await releaseLease(deps, leasedConnection.companyId, leasedConnection.refreshLeaseUntil);
      if (isTooLate) return undefined;
      throw error;
    }
    await endRejectedConnection(deps, leasedConnection, error);
    return undefined;
  }
}

async function endRejectedConnection(deps: AppDeps, connection: Connection, cause: ProviderError): Promise<AppError> {
  const wasEnded = await deps.database.db.transaction((tx) => endConnection(deps, tx, connection, 'refused', 'hmrc'));
  if (wasEnded)
    deps.logger.warn({ err: cause, companyId: connection.companyId }, 'HMRC no longer accepts an authorisation; the connection has ended');
  return createNotConnectedError();
}

/** HMRC's response invalidates the old tokens. Returns false if this is no longer the current connection. */
async function saveTokens(deps: AppDeps, leasedConnection: Connection, tokens: HmrcTokens): Promise<boolean> {
  const newTokens = {
    ...sealTokens(deps, leasedConnection.companyId, tokens),
    accessExpiresAt: tokens.expiresAt,
    refreshLeaseUntil: null,
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const updatedConnections = await deps.database.db
        .update(hmrcConnections)
        .set(newTokens)
        .where(isCurrentConnection(leasedConnection))
        .returning({ companyId: hmrcConnections.companyId });
      return updatedConnections.length > 0;
    } catch (error) {
      if (attempt === MAX_SAVE_ATTEMPTS) throw error;
      deps.logger.error({ err: error, companyId: leasedConnection.companyId, attempt }, 'refreshed tokens could not be saved; retrying');
      await deps.pause(SAVE_RETRY_MS);
    }
  }
}
