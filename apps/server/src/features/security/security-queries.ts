/** A user's sign-in methods, second factors and sessions for the profile. */
import type { securityApi } from '@portal/contract/security.ts';
import { SIGN_IN_PROVIDERS } from '@portal/contract/security.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { authenticators, identities, passkeys, recoveryCodes, sessions, users } from '@portal/db/schema/schema.ts';
import { and, desc, eq, gt, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { findEmailChange } from './change-email.ts';

type Security = EndpointOutput<typeof securityApi.get>;

export async function getSecurity(deps: AppDeps, actor: Actor): Promise<Security> {
  const { db } = deps.database;
  const [user] = await db.select().from(users).where(eq(users.id, actor.userId));
  return {
    email: actor.email,
    email_verified: user?.emailVerifiedAt !== null && user?.emailVerifiedAt !== undefined,
    email_change: await findEmailChange(deps, actor.userId),
    full_name: actor.fullName,
    phone: user?.phone ?? null,
    phone_verified: user?.phoneVerifiedAt !== null && user?.phoneVerifiedAt !== undefined,
    has_password: user?.passwordHash !== null && user?.passwordHash !== undefined,
    authenticator: await findAuthenticator(db, actor.userId),
    passkeys: await db
      .select({ passkey_id: passkeys.id, name: passkeys.name, created_at: passkeys.createdAt, last_used_at: passkeys.lastUsedAt })
      .from(passkeys)
      .where(eq(passkeys.userId, actor.userId))
      .orderBy(passkeys.createdAt),
    linked: await listLinkedProviders(db, actor.userId),
    sessions: await listSessions(deps, actor),
  };
}

async function findAuthenticator(db: Db, userId: string): Promise<Security['authenticator']> {
  const [app] = await db.select({ confirmedAt: authenticators.confirmedAt }).from(authenticators).where(eq(authenticators.userId, userId));
  if (!app?.confirmedAt) return null;
  const [codes] = await db
    .select({ remaining: sql`count(*)`.mapWith(Number) })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return { confirmed_at: app.confirmedAt, recovery_codes_left: codes?.remaining ?? 0 };
}

async function listLinkedProviders(db: Db, userId: string): Promise<Security['linked']> {
  const rows = await db
    .select({ provider: identities.provider, email: identities.email, linked_at: identities.linkedAt })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(identities.linkedAt);
  return rows.flatMap(({ provider, ...row }) => {
    const knownProvider = SIGN_IN_PROVIDERS.find((name) => name === provider);
    return knownProvider ? [{ provider: knownProvider, ...row }] : [];
  });
}

async function listSessions({ database, wallClock }: AppDeps, actor: Actor): Promise<Security['sessions']> {
  const rows = await database.db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      ip: sessions.ip,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.userId), gt(sessions.expiresAt, wallClock.now())))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(100);
  return rows.map(({ id, userAgent, ip, createdAt, lastSeenAt }) => ({
    session_id: id,
    is_this_one: id === actor.sessionId,
    device: describeDevice(userAgent),
    ip,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
  }));
}

/** User agents contain several browser names. The first match here is the one users know. */
const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const OPERATING_SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** Returns, for example, "Firefox on Windows". */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = OPERATING_SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent === '' ? 'Unknown device' : userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
