/** Sessions: a random cookie, stored only as a hash and checked in one query together with the user's role in the requested company. */
import type { ApiScope } from '@portal/domain/developers/api-scopes.ts';
import type { OperatorRole, OperatorStatus } from '@portal/domain/identity/operator-roles.ts';
import type { Role } from '@portal/domain/identity/roles.ts';
import type { MembershipPermission } from '@portal/domain/identity/membership-permission.ts';
import { hash, randomBytes } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { allTenantsMemberships, operators, sessions, users, type SecondFactorType, type SignInMethod } from '@portal/db/schema/schema.ts';
import { addMilliseconds, toEpochMs, type Clock, type Instant } from '@portal/domain/clock.ts';
import { and, eq, gt, isNull, ne, or, sql, type Placeholder, type SQL } from '@portal/db/sql.ts';

/** Over https the browser enforces the prefix: no other host or subdomain can set the cookie (RFC 6265bis section 4.1.3). */
export function getSessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-portal_session' : 'portal_session';
}

const DAY_MS = 86_400_000;
/** A session ends after this time without a request, and after SESSION_TTL_MS at the latest. */
const SESSION_IDLE_TTL_MS = 7 * DAY_MS;
const SESSION_TTL_MS = 30 * DAY_MS;
/** An operator's session is shorter, because it can move money. */
export const OPERATOR_SESSION_TTL_MS = 8 * 3_600_000;
export const OPERATOR_IDLE_TTL_MS = 30 * 60_000;
/** `last_seen_at` is updated at most this often, because a write on every request would cost more than the check. */
const LAST_SEEN_INTERVAL_MS = 5 * 60_000;
const OPERATOR_LAST_SEEN_INTERVAL_MS = 60_000;

/** Returns the user responsible for the actor's actions. An operator viewing the portal as someone else is responsible in person. */
export function getActingUserId({ viewing, userId }: Pick<Actor, 'viewing' | 'userId'>): string {
  return viewing?.operatorId ?? userId;
}

/** The second factor and when it was used. `reference` is an id, never the secret. */
export type SecondFactor = { readonly type: SecondFactorType; readonly at: Instant; readonly reference: string };

/** Returns a passkey's `reference`: a hash, because the passkey's ID would let others recognise the key. */
export function getPasskeyReference(passkeyId: string): string {
  return hashToken(`passkey:${passkeyId}`).slice(0, 22);
}

/** Set while an operator views the portal as the actor. Such a session can't change anything (authorise.ts). */
export type Viewing = { readonly operatorId: string; readonly until: Instant };

/** A key or token that acts for the user, with its maximum rights. `program`: an app that the user connected; absent for an API key. */
export type Credential = {
  readonly id: string;
  readonly companyId: string;
  readonly scopes: readonly ApiScope[];
  readonly program?: { readonly name: string; readonly clientId: string };
};

/** The user who makes a request. */
export type Actor = {
  readonly userId: string;
  readonly email: string;
  readonly fullName: string;
  /** Whether the user is an operator who is enabled, enrolled and signed in with a second factor. */
  readonly isOperator: boolean;
  /** The roles of an operator; absent for everyone else. */
  readonly operatorRoles?: readonly OperatorRole[];
  /** Absent for users who are not our staff, and while an operator views the portal as someone else. */
  readonly operatorStatus?: OperatorStatus;
  /** When this session last confirmed a second factor, by the wall clock. */
  readonly factorAt?: Instant;
  /** When the user last reauthenticated in this session, by logging in or later, by the wall clock. */
  readonly confirmedAt?: Instant;
  readonly viewing?: Viewing;
  /** Set if a request is made with a key or token of the user (authorise-credential.ts). */
  readonly credential?: Credential;
  readonly signInMethod: SignInMethod | 'api_key';
  /** The second factor of this sign-in, for HMRC's multi-factor header; absent if there was none. */
  readonly secondFactor?: SecondFactor;
  /** The session's public id; absent for requests by scripts. */
  readonly sessionId?: string;
  /** The role in the requested company; undefined if the user has none. */
  readonly role: Role | undefined;
  /** The user's permissions beyond the role; absent without a role. */
  readonly permissions?: readonly MembershipPermission[];
  /** The company of the role; absent if there is none, and for requests by scripts. */
  readonly companyId?: string;
};

/** Used instead of a company ID: the practice of a user who works in only one. */
export const ONLY_PRACTICE = Symbol('only practice');
export type NamedCompany = string | typeof ONLY_PRACTICE | undefined;
/** The session's secret, or its id during a long request, because the secret may be replaced. */
type SessionKey = string | { readonly sessionId: string };
/** `isIdle`: a user didn't cause the request, so it doesn't keep the session alive. */
export type CheckSession = (session: SessionKey, company: NamedCompany, isIdle?: boolean) => Promise<Actor | undefined>;

export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Creates a secret for a cookie or a link: 32 random bytes. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url');
}

type NewSession = {
  readonly userId: string;
  readonly signInMethod: SignInMethod;
  readonly secondFactor?: SecondFactor | undefined;
  /** False if the user has a stronger method than the one they logged in with. */
  readonly isConfirmed?: boolean;
  readonly ip: string;
  readonly userAgent: string;
};

/** Starts a session and returns its secret. */
export async function startSession(
  db: Db | Tx,
  wallClock: Clock,
  { secondFactor, isConfirmed = true, ...session }: NewSession,
): Promise<string> {
  const token = generateToken();
  const now = wallClock.now();
  await db.insert(sessions).values({
    tokenHash: hashToken(token),
    ...session,
    secondFactorType: secondFactor?.type ?? null,
    secondFactorAt: secondFactor?.at ?? null,
    secondFactorReference: secondFactor?.reference ?? null,
    factorAt: secondFactor ? now : null,
    confirmedAt: isConfirmed ? now : null,
    userAgent: session.userAgent.slice(0, 400),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: addMilliseconds(now, SESSION_TTL_MS),
  });
  return token;
}

export async function endSession(db: Db | Tx, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
}

/** Ends every session of a user except `exceptSessionId`. */
export async function endAllSessions(db: Db | Tx, userId: string, exceptSessionId?: string): Promise<void> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), exceptSessionId === undefined ? undefined : ne(sessions.id, exceptSessionId)));
}

/** The user's new proof of identity in the current session. */
export type Renewal = { readonly secondFactor?: SecondFactor | undefined; readonly isConfirmed?: boolean };

/** Replaces the secret of a session whose rights have changed, so that the old cookie is useless. Undefined if the session has ended. */
export async function rotateSession(
  db: Db | Tx,
  wallClock: Clock,
  token: string,
  { secondFactor, isConfirmed = false }: Renewal = {},
): Promise<string | undefined> {
  const renewedToken = generateToken();
  const now = wallClock.now();
  const factor = secondFactor && {
    factorAt: now,
    secondFactorType: secondFactor.type,
    secondFactorAt: secondFactor.at,
    secondFactorReference: secondFactor.reference,
  };
  const rows = await db
    .update(sessions)
    .set({ tokenHash: hashToken(renewedToken), ...factor, ...(isConfirmed || secondFactor ? { confirmedAt: now } : {}) })
    .where(eq(sessions.tokenHash, hashToken(token)))
    .returning({ id: sessions.id });
  return rows.length > 0 ? renewedToken : undefined;
}

/** Returns the user whose rights a session has: its own user, or the one whose portal an operator is viewing. */
export function getEffectiveUserId(now: SQL | Placeholder): SQL<string> {
  return sql<string>`case when ${sessions.viewUntil} > ${now} then ${sessions.viewAs} else ${sessions.userId} end`;
}

/** Prepares the statement of the session check once per database. */
export function prepareSessionCheck(db: Db, wallClock: Clock): CheckSession {
  const byToken = prepareStatement(db, 'session_check', eq(sessions.tokenHash, sql.placeholder('session')));
  const byId = prepareStatement(db, 'session_recheck', eq(sessions.id, sql.placeholder('session')));
  return async (key, namedInput, isIdle = false) => {
    const now = wallClock.now();
    const [statement, session] = typeof key === 'string' ? [byToken, hashToken(key)] : [byId, key.sessionId];
    // Sessions, users and memberships don't belong to a tenant, so the connection can keep the scope of its last request.
    const check = () =>
      statement.execute({
        session,
        companyId: namedInput === ONLY_PRACTICE ? null : (namedInput ?? NO_COMPANY),
        now,
        idleSince: addMilliseconds(now, -SESSION_IDLE_TTL_MS),
        operatorIdleSince: addMilliseconds(now, -OPERATOR_IDLE_TTL_MS),
        operatorCreatedSince: addMilliseconds(now, -OPERATOR_SESSION_TTL_MS),
      });
    const [row] = await runInScope({ kind: 'unchanged' }, check);
    if (!row) return undefined;
    const interval = row.operatorRoles === null ? LAST_SEEN_INTERVAL_MS : OPERATOR_LAST_SEEN_INTERVAL_MS;
    if (!isIdle && toEpochMs(now) - toEpochMs(row.lastSeenAt) > interval) await updateLastSeen(db, row.sessionId, now);
    return toActor(row, now);
  };
}

function prepareStatement(db: Db, name: string, isSession: SQL) {
  const onlyPractice = sql`(select (array_agg(own.company_id))[1] from ${allTenantsMemberships} as own
    where own.user_id = ${users.id} and own.role in ('practice_admin', 'team_member') having count(*) = 1)`;
  const company = sql`coalesce(${sql.placeholder('companyId')}::uuid, ${onlyPractice})`;
  return (
    db
      .select({
        userId: users.id,
        email: users.email,
        fullName: users.fullName,
        ownerId: sessions.userId,
        viewUntil: sessions.viewUntil,
        operatorRoles: operators.roles,
        enrolledAt: operators.enrolledAt,
        signInMethod: sessions.signInMethod,
        sessionId: sessions.id,
        secondFactorType: sessions.secondFactorType,
        secondFactorAt: sessions.secondFactorAt,
        secondFactorReference: sessions.secondFactorReference,
        factorAt: sessions.factorAt,
        confirmedAt: sessions.confirmedAt,
        role: allTenantsMemberships.role,
        permissions: allTenantsMemberships.permissions,
        companyId: allTenantsMemberships.companyId,
        lastSeenAt: sessions.lastSeenAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, getEffectiveUserId(sql.placeholder('now'))))
      // A disabled operator is an ordinary user.
      .leftJoin(operators, and(eq(operators.userId, sessions.userId), isNull(operators.disabledAt)))
      .leftJoin(allTenantsMemberships, and(eq(allTenantsMemberships.userId, users.id), eq(allTenantsMemberships.companyId, company)))
      .where(
        and(
          isSession,
          gt(sessions.expiresAt, sql.placeholder('now')),
          gt(sessions.lastSeenAt, sql.placeholder('idleSince')),
          or(
            isNull(operators.userId),
            and(
              gt(sessions.lastSeenAt, sql.placeholder('operatorIdleSince')),
              gt(sessions.createdAt, sql.placeholder('operatorCreatedSince')),
            ),
          ),
        ),
      )
      .prepare(name)
  );
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof prepareStatement>['execute']>>[number];

function toActor(row: SessionRow, now: Instant): Actor | undefined {
  const { userId, email, fullName, signInMethod, sessionId, companyId, factorAt, confirmedAt } = row;
  const { secondFactorType: type, secondFactorAt: at, secondFactorReference: reference } = row;
  const isViewing = row.viewUntil !== null && row.viewUntil > now;
  const status = getOperatorStatus(row);
  // A former operator can't view the portal as someone else any more either.
  if (isViewing && status !== 'active') return undefined;
  return {
    userId,
    email,
    fullName,
    signInMethod,
    sessionId,
    isOperator: status === 'active' && !isViewing,
    ...(status === 'active' && !isViewing ? { operatorRoles: row.operatorRoles ?? [] } : {}),
    ...(status !== undefined && !isViewing ? { operatorStatus: status } : {}),
    ...(factorAt === null ? {} : { factorAt }),
    ...(confirmedAt === null ? {} : { confirmedAt }),
    ...(type !== null && at !== null ? { secondFactor: { type, at, reference: reference ?? '' } } : {}),
    ...(isViewing && row.viewUntil !== null ? { viewing: { operatorId: row.ownerId, until: row.viewUntil } } : {}),
    // Only client_people makes someone a client (own-client.ts).
    role: row.role === 'client' ? undefined : (row.role ?? undefined),
    ...(row.permissions === null ? {} : { permissions: row.permissions }),
    ...(companyId === null ? {} : { companyId }),
  };
}

/**
 * A user who hasn't used the enrolment link isn't an operator yet: their account may be older than the invitation, and others may know its
 * password.
 */
function getOperatorStatus({ operatorRoles, enrolledAt, signInMethod, factorAt }: SessionRow): OperatorStatus | undefined {
  if (operatorRoles === null) return undefined;
  if (enrolledAt === null) return signInMethod === 'enrolment' ? 'enrolling' : undefined;
  return factorAt === null ? 'needs_factor' : 'active';
}

/** The nil UUID, which belongs to no company. */
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

async function updateLastSeen(db: Db, id: string, now: Instant): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
}
