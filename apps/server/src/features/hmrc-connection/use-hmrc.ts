/** Lends a company's grant to a call: a fresh access token, refreshed once and by one instance at a time, and the person's fraud-prevention headers. */
import { setTimeout as pause } from 'node:timers/promises';
import { companies, hmrcConnections } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, epochOf } from '@portal/domain/clock.ts';
import { buildFraudHeaders, type FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-client.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';

/** The person behind a call and the connection it came by. */
export type Person = { readonly actor: Actor; readonly caller: Caller };

/** Refreshed so long before its end, so that it does not die under a call. */
const EARLY_MS = 60_000;
const LEASE_MS = 30_000;

/** Runs the work with the company's grant. One refresh and one repeat where HMRC calls the token stale; a dead grant is marked lapsed. */
export async function useHmrc<Result>(
  deps: AppDeps,
  companyId: string,
  person: Person,
  work: (call: HmrcCall, vrn: string) => Promise<Result>,
): Promise<Result> {
  const fraudHeaders = fraudHeadersOf(deps, person);
  const { accessToken, vrn } = await currentToken(deps, companyId, undefined);
  try {
    return await work({ accessToken, fraudHeaders }, vrn);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'unauthorized') throw error;
    const renewed = await currentToken(deps, companyId, accessToken);
    return work({ accessToken: renewed.accessToken, fraudHeaders }, renewed.vrn);
  }
}

type Connection = typeof hmrcConnections.$inferSelect & { readonly vrn: string };

/** The access token in force; `stale` is one that HMRC has just refused. */
async function currentToken(deps: AppDeps, companyId: string, stale: string | undefined): Promise<{ accessToken: string; vrn: string }> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const connection = await readConnection(deps, companyId);
    const accessToken = connection.accessToken === null ? undefined : deps.tokenCipher.open(connection.accessToken);
    const fresh = epochOf(connection.accessExpiresAt ?? deps.clock.now()) - EARLY_MS > epochOf(deps.clock.now());
    if (accessToken !== undefined && fresh && accessToken !== stale) return { accessToken, vrn: connection.vrn };
    if (await takeLease(deps, companyId)) return refresh(deps, connection);
    await pause(200);
  }
  throw new AppError('upstream', 'hmrc.refresh_busy', 'The connection to HMRC is being renewed. Try again in a minute.');
}

async function readConnection(deps: AppDeps, companyId: string): Promise<Connection> {
  const [row] = await deps.database.db
    .select({ connection: hmrcConnections, vrn: companies.vrn })
    .from(hmrcConnections)
    .innerJoin(companies, eq(companies.id, hmrcConnections.companyId))
    .where(eq(hmrcConnections.companyId, companyId));
  if (!row?.vrn || row.connection.status !== 'connected') throw notConnected();
  return { ...row.connection, vrn: row.vrn };
}

/** HMRC's refresh tokens work once: whoever takes the lease refreshes, the others wait for the result. */
async function takeLease(deps: AppDeps, companyId: string): Promise<boolean> {
  const now = deps.wallClock.now();
  const taken = await deps.database.db
    .update(hmrcConnections)
    .set({ refreshLeaseUntil: addMilliseconds(now, LEASE_MS) })
    .where(
      and(
        eq(hmrcConnections.companyId, companyId),
        eq(hmrcConnections.status, 'connected'),
        or(isNull(hmrcConnections.refreshLeaseUntil), lt(hmrcConnections.refreshLeaseUntil, now)),
      ),
    )
    .returning({ companyId: hmrcConnections.companyId });
  return taken.length > 0;
}

async function refresh(deps: AppDeps, connection: Connection): Promise<{ accessToken: string; vrn: string }> {
  const { db } = deps.database;
  const of = eq(hmrcConnections.companyId, connection.companyId);
  // Read again under the lease: another instance may have renewed it between our read and the lease.
  const [held] = await db.select().from(hmrcConnections).where(of);
  if (held?.accessToken && held.accessToken !== connection.accessToken) {
    await db.update(hmrcConnections).set({ refreshLeaseUntil: null }).where(of);
    return { accessToken: deps.tokenCipher.open(held.accessToken), vrn: connection.vrn };
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
    return { accessToken: tokens.accessToken, vrn: connection.vrn };
  } catch (error) {
    const dead = error instanceof ProviderError && error.failure === 'unauthorized';
    await db
      .update(hmrcConnections)
      .set(dead ? { refreshLeaseUntil: null, status: 'lapsed', accessToken: null, refreshToken: null } : { refreshLeaseUntil: null })
      .where(of);
    throw dead ? notConnected() : error;
  }
}

function notConnected(): AppError {
  return new AppError('conflict', 'hmrc.not_connected', 'HMRC is not connected, or the connection has ended. Connect HMRC again.');
}

/** What HMRC must be told of the person behind a call and of the connection it came by. */
export function fraudHeadersOf(deps: AppDeps, { actor, caller }: Person): FraudHeaders {
  const { device } = caller;
  return buildFraudHeaders({
    browser: {
      ...(device
        ? {
            userAgent: device.user_agent,
            screens: device.screens.map((screen) => ({
              width: screen.width,
              height: screen.height,
              scalingFactor: screen.scaling_factor,
              colourDepth: screen.colour_depth,
            })),
            windowSize: device.window,
            timezoneOffsetMinutes: device.utc_offset_minutes,
          }
        : {}),
      ...(caller.deviceId === undefined ? {} : { deviceId: caller.deviceId }),
    },
    connection: {
      clientIp: caller.ip,
      clientIpSeenAt: deps.clock.now(),
      ...(caller.port === undefined ? {} : { clientPort: caller.port }),
    },
    user: {
      userIds: { portal: actor.userId },
      ...(actor.secondFactor
        ? { multiFactor: [{ type: actor.secondFactor.type, at: actor.secondFactor.at, uniqueReference: actor.secondFactor.reference }] }
        : {}),
    },
    vendor: {
      productName: deps.site.brand,
      ...(deps.site.vendorPublicIp === undefined ? {} : { publicIp: deps.site.vendorPublicIp }),
      versions: { 'portal-web': deps.site.version, 'portal-server': deps.site.version },
    },
  });
}
