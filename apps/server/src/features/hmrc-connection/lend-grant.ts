/** A company's grant at HMRC: a fresh access token for whoever calls, refreshed once and by one instance at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import { hmrcConnections } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, epochOf } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';

/** Refreshed so long before its end, so that it does not die under a call. */
const EARLY_MS = 60_000;
const LEASE_MS = 30_000;

/** Runs the work with the company's access token. One refresh and one repeat where HMRC calls the token stale; a dead grant is marked lapsed. */
export async function lendGrant<Result>(deps: AppDeps, companyId: string, work: (accessToken: string) => Promise<Result>): Promise<Result> {
  const accessToken = await currentToken(deps, companyId, undefined);
  try {
    return await work(accessToken);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'unauthorized') throw error;
    return work(await currentToken(deps, companyId, accessToken));
  }
}

/** What a caller is told where there is no grant, or no more. */
export function notConnected(): AppError {
  return new AppError('conflict', 'hmrc.not_connected', 'HMRC is not connected, or the connection has ended. Connect HMRC again.');
}

type Connection = typeof hmrcConnections.$inferSelect;

/** The access token in force; `stale` is one that HMRC has just refused. */
async function currentToken(deps: AppDeps, companyId: string, stale: string | undefined): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const connection = await readConnection(deps, companyId);
    const accessToken = connection.accessToken === null ? undefined : deps.tokenCipher.open(connection.accessToken);
    const fresh = epochOf(connection.accessExpiresAt ?? deps.clock.now()) - EARLY_MS > epochOf(deps.clock.now());
    if (accessToken !== undefined && fresh && accessToken !== stale) return accessToken;
    if (await takeLease(deps, companyId)) return refresh(deps, connection);
    await pause(200);
  }
  throw new AppError('upstream', 'hmrc.refresh_busy', 'The connection to HMRC is being renewed. Try again in a minute.');
}

async function readConnection(deps: AppDeps, companyId: string): Promise<Connection> {
  const [connection] = await deps.database.db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  if (connection?.status !== 'connected') throw notConnected();
  return connection;
}

/** HMRC's refresh tokens work once: whoever takes the lease refreshes, the others wait for the result. A dead one's is not waited for. */
async function takeLease(deps: AppDeps, companyId: string): Promise<boolean> {
  const now = deps.wallClock.now();
  const { db, holder } = deps.database;
  const taken = await db
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
    .returning({ companyId: hmrcConnections.companyId });
  return taken.length > 0;
}

async function refresh(deps: AppDeps, connection: Connection): Promise<string> {
  const { db } = deps.database;
  const of = eq(hmrcConnections.companyId, connection.companyId);
  // Read again under the lease: another instance may have renewed it between our read and the lease.
  const [held] = await db.select().from(hmrcConnections).where(of);
  if (held?.accessToken && held.accessToken !== connection.accessToken) {
    await db.update(hmrcConnections).set({ refreshLeaseUntil: null }).where(of);
    return deps.tokenCipher.open(held.accessToken);
  }
  try {
    if (!connection.refreshToken) throw notConnected();
    const tokens = await deps.hmrc.refresh(deps.tokenCipher.open(connection.refreshToken));
    await db
      .update(hmrcConnections)
      .set({
        accessToken: deps.tokenCipher.seal(tokens.accessToken),
        refreshToken: deps.tokenCipher.seal(tokens.refreshToken),
        accessExpiresAt: tokens.expiresAt,
        refreshLeaseUntil: null,
      })
      .where(of);
    return tokens.accessToken;
  } catch (error) {
    const dead = error instanceof ProviderError && error.failure === 'unauthorized';
    await db
      .update(hmrcConnections)
      .set(dead ? { refreshLeaseUntil: null, status: 'lapsed', accessToken: null, refreshToken: null } : { refreshLeaseUntil: null })
      .where(of);
    throw dead ? notConnected() : error;
  }
}
