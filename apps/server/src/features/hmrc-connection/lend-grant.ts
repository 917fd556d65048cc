/** Provides a current access token for a company's HMRC connection. Only one instance refreshes it at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, epochOf } from '@portal/domain/clock.ts';
import type { HmrcTokens } from '@portal/providers/hmrc/hmrc-terms.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { endGrant, isLiveGrant } from './end-grant.ts';

/** Refresh this long before expiry, so that the token does not expire during a call. */
const EARLY_MS = 60_000;
/**
 * Longer than a refresh can take, including a minute of waiting for HMRC's rate limit. HMRC would reject a second refresh with the same
 * token and end the authorisation.
 */
const LEASE_MS = 120_000;
const LOOK_MS = 200;
/** How often other callers check for the result of a running refresh. */
const MOST_LOOKS = 100;
/** HMRC's new tokens must be saved, otherwise the authorisation is lost. So a database that is briefly unavailable is retried. */
const KEEP_TRIES = 40;
const KEEP_PAUSE_MS = 500;

/**
 * Calls `work` with the company's access token. If HMRC rejects the token, refreshes it and repeats the call once. Ends the connection if
 * HMRC rejects the refresh token.
 */
export async function lendGrant<Result>(deps: AppDeps, companyId: string, work: (accessToken: string) => Promise<Result>): Promise<Result> {
  const accessToken = await currentToken(deps, companyId, undefined);
  try {
    return await work(accessToken);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const renewed = await currentToken(deps, companyId, accessToken);
  try {
    return await work(renewed);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The scope was not requested with this authorisation. Only a new authorisation can add it.
    if (error.facts.code === 'INVALID_SCOPE') throw await endedBy(deps, await readConnection(deps, companyId), error);
    // HMRC has just refreshed the token, so the authorisation is valid. Rejecting the new token is a fault at HMRC that may pass.
    throw new ProviderError('unavailable', { ...error.facts, detail: 'a new token was refused' }, error);
  }
}

/** The error for a missing or ended connection. */
export function notConnected(): AppError {
  return new AppError('conflict', 'hmrc.not_connected', 'HMRC is not connected, or the connection has ended. Connect HMRC again.');
}

type Connection = typeof hmrcConnections.$inferSelect;

function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.failure === 'unauthorized';
}

/** The current access token. `stale` is a token that HMRC has just rejected. */
async function currentToken(deps: AppDeps, companyId: string, stale: string | undefined): Promise<string> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const known = freshToken(deps, await readConnection(deps, companyId), stale);
    if (known !== undefined) return known;
    const held = await takeLease(deps, companyId);
    // Another caller may have refreshed it between our check and the lease.
    const meanwhile = held && freshToken(deps, held, stale);
    if (held && meanwhile !== undefined) await letGo(deps, held);
    const token = meanwhile ?? (held && (await untilKept(renew(deps, held))));
    if (token !== undefined) return token;
    if (!held) await deps.pause(LOOK_MS);
  }
  throw new AppError('upstream', 'hmrc.refresh_busy', 'The connection to HMRC is being renewed. Try again in a minute.');
}

async function readConnection(deps: AppDeps, companyId: string): Promise<Connection> {
  const [connection] = await deps.database.db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  if (connection?.status !== 'connected') throw notConnected();
  return connection;
}

function freshToken({ clock, tokenCipher }: AppDeps, { accessToken, accessExpiresAt }: Connection, stale: string | undefined) {
  if (accessToken === null || accessExpiresAt === null) return undefined;
  if (epochOf(accessExpiresAt) - EARLY_MS <= epochOf(clock.now())) return undefined;
  const token = tokenCipher.open(accessToken);
  return token === stale ? undefined : token;
}

/**
 * HMRC's refresh tokens work once, so the holder of the lease refreshes and the others wait for the result. A lease of a dead process is
 * taken over.
 */
async function takeLease(deps: AppDeps, companyId: string): Promise<Connection | undefined> {
  const now = deps.wallClock.now();
  const { db, holder } = deps.database;
  const [held] = await db
    .update(hmrcConnections)
    .set({ refreshLeaseUntil: addMilliseconds(now, LEASE_MS), refreshHeldBy: holder.id })
    .where(
      and(
        eq(hmrcConnections.companyId, companyId),
        eq(hmrcConnections.status, 'connected'),
        or(
          isNull(hmrcConnections.refreshLeaseUntil),
          lt(hmrcConnections.refreshLeaseUntil, now),
          holder.hasDied(hmrcConnections.refreshHeldBy),
        ),
      ),
    )
    .returning();
  return held;
}

async function letGo(deps: AppDeps, held: Connection): Promise<void> {
  await deps.database.db.update(hmrcConnections).set({ refreshLeaseUntil: null }).where(isLiveGrant(held));
}

const inHand = new Set<Promise<unknown>>();

async function untilKept<Result>(renewal: Promise<Result>): Promise<Result> {
  inHand.add(renewal);
  try {
    return await renewal;
  } finally {
    inHand.delete(renewal);
  }
}

/** For shutdown: losing HMRC's answer to a running refresh would cost the authorisation. Waits for at most this time. */
export async function finishRenewals(mostMs: number): Promise<void> {
  const over = new AbortController();
  const limit = pause(mostMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(inHand), limit]);
  over.abort();
}

/** The new access token. Undefined if the connection was replaced or ended in the meantime; the caller then reads it again. */
async function renew(deps: AppDeps, held: Connection): Promise<string | undefined> {
  try {
    if (held.refreshToken === null) throw notConnected();
    const tokens = await deps.hmrc.refresh(deps.tokenCipher.open(held.refreshToken));
    return (await keepTokens(deps, held, tokens)) ? tokens.accessToken : undefined;
  } catch (error) {
    if (!isRefusal(error)) {
      await letGo(deps, held);
      throw error;
    }
    await endedBy(deps, held, error);
    return undefined;
  }
}

async function endedBy(deps: AppDeps, grant: Connection, refusal: ProviderError): Promise<AppError> {
  const ended = await deps.database.db.transaction((tx) => endGrant(deps, tx, grant, 'refused', 'hmrc'));
  if (ended)
    deps.logger.warn({ err: refusal, companyId: grant.companyId }, 'HMRC no longer accepts an authorisation; the connection has ended');
  return notConnected();
}

/** HMRC's answer invalidates the old tokens. Returns false if this is no longer the current connection. */
async function keepTokens(deps: AppDeps, held: Connection, tokens: HmrcTokens): Promise<boolean> {
  const pair = {
    accessToken: deps.tokenCipher.seal(tokens.accessToken),
    refreshToken: deps.tokenCipher.seal(tokens.refreshToken),
    accessExpiresAt: tokens.expiresAt,
    refreshLeaseUntil: null,
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const kept = await deps.database.db
        .update(hmrcConnections)
        .set(pair)
        .where(isLiveGrant(held))
        .returning({ companyId: hmrcConnections.companyId });
      return kept.length > 0;
    } catch (error) {
      if (attempt === KEEP_TRIES) throw error;
      deps.logger.error({ err: error, companyId: held.companyId, attempt }, 'refreshed tokens could not be saved; retrying');
      await deps.pause(KEEP_PAUSE_MS);
    }
  }
}
