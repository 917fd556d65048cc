/** The last step of every sign-in method: asks for the second factor if there is one, otherwise starts the session. */
import { PAGES } from '@portal/contract/pages.ts';
import type { loginOutput } from '@portal/contract/sign-in-schemas.ts';
import type { Tx } from '@portal/db/database.ts';
import { authenticators, challenges, knownDevices, passkeys, users, type SignInMethod } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, formatInstant } from '@portal/domain/clock.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller, Reply } from '../../http/serve-contract.ts';
import {
  endSession,
  hashToken,
  generateToken,
  rotateSession,
  getSessionCookieName,
  startSession,
  type Renewal,
  type SecondFactor,
} from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { completeEnrolment, findOperatorStatus } from './operator-enrolment.ts';
import { getHome } from './get-home.ts';
import { getSecurityReason } from './link-emails.ts';

/** The request of a sign-in, and the reply that sets its cookie. */
export type SignInContext = {
  readonly caller: Pick<Caller, 'ip' | 'userAgent' | 'deviceId'>;
  readonly reply: Reply;
  /** Throws if what let the user in has ended since it was checked. The user is locked, so a reset in progress has ended. */
  readonly assertProof?: (tx: Tx) => Promise<void>;
};
export type SignInResult = z.output<typeof loginOutput>;

const CHALLENGE_TTL_MS = 10 * 60_000;
const SESSION_COOKIE_SECONDS = 30 * 86_400;

/** `secondFactor` is the factor already confirmed. A passkey with user verification counts as both factors. */
export async function completeSignIn(
  deps: AppDeps,
  context: SignInContext,
  userId: string,
  method: SignInMethod,
  secondFactor?: SecondFactor,
): Promise<SignInResult> {
  const { db } = deps.database;
  if (!secondFactor) {
    const [authenticator] = await db
      .select({ userId: authenticators.userId })
      .from(authenticators)
      .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
    if (authenticator) return createSecondFactorChallenge(deps, userId, method);
  }
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!user) throw new Error('the user was deleted while signing in');
  const { caller, reply, assertProof } = context;
  const cookie = getSessionCookieName(deps.site.publicUrl);
  const previousToken = reply.request.cookies[cookie];
  const token = await db.transaction(async (tx) => {
    if (assertProof) {
      // A reset and our staff's “Log out” lock the user too, and end all sessions: one that starts now would outlast them.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('share');
      await assertProof(tx);
    }
    // Every sign-in starts a new session, so that a cookie planted beforehand is useless (session fixation).
    if (previousToken !== undefined) await endSession(tx, previousToken);
    await recordDevice(deps, tx, userId, user.email, caller);
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at: deps.clock.now(),
      actor: userId,
      action: 'identity.signed_in',
      subject: userId,
      after: { by: method, ...(secondFactor ? { second_factor: secondFactor.type } : {}) },
      ip: caller.ip,
    });
    if (method === 'enrolment' && secondFactor) {
      await completeEnrolment(deps, tx, { userId, secondFactor, ip: caller.ip });
    }
    const isConfirmed = secondFactor !== undefined || !(await hasPasskey(tx, userId));
    const { ip, userAgent } = caller;
    return startSession(tx, deps.wallClock, { userId, signInMethod: method, secondFactor, isConfirmed, ip, userAgent });
  });
  setSessionCookie(deps, reply, token);
  const operatorStatus = await findOperatorStatus(db, userId, method, secondFactor !== undefined);
  return getHome(db, { userId, operatorStatus }, deps.clock.now());
}

/** Checking a password takes a while, in which it may be replaced. */
export async function assertPasswordStays(tx: Tx, userId: string, passwordHash: string | null): Promise<void> {
  const [user] = await tx.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  if (user?.passwordHash !== passwordHash) throw createWrongCredentialsError();
}

export function createWrongCredentialsError(): AppError {
  return new AppError('unauthenticated', 'identity.wrong_credentials', 'The email address or password is incorrect.');
}

async function hasPasskey(tx: Tx, userId: string): Promise<boolean> {
  const foundPasskeys = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  return foundPasskeys.length > 0;
}

export function setSessionCookie(deps: AppDeps, reply: Reply, token: string): void {
  const { publicUrl } = deps.site;
  reply.setCookie(getSessionCookieName(publicUrl), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    maxAge: SESSION_COOKIE_SECONDS,
  });
}

/** Replaces the cookie after a change of rights, so that a copy of the old one is useless. */
export async function renewSessionCookie(deps: AppDeps, reply: Reply, renewal?: Renewal): Promise<void> {
  const token = reply.request.cookies[getSessionCookieName(deps.site.publicUrl)];
  const renewedToken = token === undefined ? undefined : await rotateSession(deps.database.db, deps.wallClock, token, renewal);
  if (renewedToken !== undefined) setSessionCookie(deps, reply, renewedToken);
}

async function createSecondFactorChallenge(deps: AppDeps, userId: string, method: SignInMethod): Promise<SignInResult> {
  const challenge = generateToken();
  const now = deps.wallClock.now();
  await deps.database.db.insert(challenges).values({
    idHash: hashToken(challenge),
    kind: 'second_factor',
    userId,
    signInMethod: method,
    createdAt: now,
    expiresAt: addMilliseconds(now, CHALLENGE_TTL_MS),
  });
  return { type: 'second_factor', challenge, home_path: `/v2/auth/second-factor?challenge=${challenge}` };
}

/** Identifies a browser by its persistent cookie, or by its user agent if it doesn't store cookies. */
export function hashDevice({ deviceId, userAgent }: Pick<Caller, 'deviceId' | 'userAgent'>): string {
  return hashToken(deviceId === undefined ? `agent:${userAgent}` : `device:${deviceId}`);
}

/** No email for the first device: the account was opened there. */
async function recordDevice(deps: AppDeps, tx: Tx, userId: string, email: string, caller: SignInContext['caller']): Promise<void> {
  const [knownDevice] = await tx
    .select({ hash: knownDevices.deviceHash })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .limit(1);
  const addedDevices = await tx
    .insert(knownDevices)
    .values({ userId, deviceHash: hashDevice(caller), firstSeenAt: deps.clock.now() })
    .onConflictDoNothing()
    .returning({ hash: knownDevices.deviceHash });
  if (!knownDevice || addedDevices.length === 0) return;
  const { brand } = deps.site;
  await enqueueEmail(deps, tx, email, {
    subject: `New sign-in to ${brand}`,
    preheader: 'Someone logged in to your account from a new browser.',
    heading: 'New sign-in to your account',
    paragraphs: ['Someone logged in to your account from a browser that we haven’t seen before.'],
    facts: [
      ['When', formatInstant(deps.clock.now())],
      ['IP address', caller.ip],
      ['Browser', caller.userAgent.slice(0, 200) || 'Unknown'],
    ],
    action: { label: 'Check your account', path: `${PAGES.profile.path}?tab=security` },
    notes: ['If this was you, you don’t need to do anything. If not, end the session and change your password.'],
    reason: getSecurityReason(brand),
  });
}
