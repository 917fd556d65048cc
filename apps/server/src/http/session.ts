/** Sessions: a random cookie, kept only as a hash, checked in one query together with the person's role in the company a call names. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { memberships, sessions, users, type Role } from '@portal/db/schema/schema.ts';
import { addMilliseconds, epochOf, type Clock, type Instant } from '@portal/domain/clock.ts';
import { and, eq, gt, sql } from 'drizzle-orm';

export const SESSION_COOKIE = 'portal_session';

const DAY_MS = 86_400_000;
/** A session ends after so long without a call, and in any case after the absolute time. */
const IDLE_MS = 7 * DAY_MS;
const ABSOLUTE_MS = 30 * DAY_MS;
/** `last_seen_at` is written at most this often: a write on every call would cost more than the check. */
const TOUCH_MS = 5 * 60_000;

/** Who makes a call. */
export type Actor = {
  readonly userId: string;
  readonly email: string;
  readonly fullName: string;
  readonly isOperator: boolean;
  readonly signInMethod: 'password' | 'link';
  /** The role in the company that the call names; undefined where there is none. */
  readonly role: Role | undefined;
};

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A new secret for a cookie or a link: 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Starts a session and answers its secret. */
export async function startSession(
  db: Db | Tx,
  wallClock: Clock,
  session: { userId: string; signInMethod: 'password' | 'link'; ip: string; userAgent: string },
): Promise<string> {
  const token = newToken();
  const now = wallClock.now();
  await db.insert(sessions).values({
    tokenHash: hashToken(token),
    ...session,
    userAgent: session.userAgent.slice(0, 400),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: addMilliseconds(now, ABSOLUTE_MS),
  });
  return token;
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
}

/** Prepares the session check of one database: the same statement for every call. */
export function prepareSessionCheck(
  db: Db,
  wallClock: Clock,
): (token: string, companyId: string | undefined) => Promise<Actor | undefined> {
  const statement = db
    .select({
      userId: users.id,
      email: users.email,
      fullName: users.fullName,
      isOperator: users.isOperator,
      signInMethod: sessions.signInMethod,
      role: memberships.role,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.companyId, sql.placeholder('companyId'))))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        gt(sessions.expiresAt, sql.placeholder('now')),
        gt(sessions.lastSeenAt, sql.placeholder('idleSince')),
      ),
    )
    .prepare('session_check');
  return async (token, companyId) => {
    const now = wallClock.now();
    const tokenHash = hashToken(token);
    const [row] = await statement.execute({
      tokenHash,
      companyId: companyId ?? NO_COMPANY,
      now,
      idleSince: addMilliseconds(now, -IDLE_MS),
    });
    if (!row) return undefined;
    if (epochOf(now) - epochOf(row.lastSeenAt) > TOUCH_MS) await touch(db, tokenHash, now);
    const { lastSeenAt: _, role, ...person } = row;
    return { ...person, role: role ?? undefined };
  };
}

/** The nil UUID: no company has it. */
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

async function touch(db: Db, tokenHash: string, now: Instant): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash));
}
