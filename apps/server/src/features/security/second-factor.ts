/** Authenticator codes (RFC 6238) and recovery codes. No code can be used twice. */
import type { Db, Tx } from '@portal/db/database.ts';
import { authenticators, challenges, recoveryCodes, type SignInMethod } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { toEpochMs } from '@portal/domain/clock.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lt, sql } from '@portal/db/sql.ts';
import { generateSecret, generateURI, verify } from 'otplib';
import type { AppDeps } from '../../app-deps.ts';
import { hashToken, type Actor, type SecondFactor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { generateRecoveryCode, hashRecoveryCode, normaliseCode } from './recovery-code.ts';
import { clearAttempts, countAttempt, createAttemptsError, limitAttempts } from '../identity/limit-attempts.ts';
import { enqueueSecurityEmail } from '../identity/link-emails.ts';
import { lockSession } from '../identity/lock-session.ts';
import { assertKeepsFactor, assertMayAddFactor, completeEnrolment } from '../identity/operator-enrolment.ts';

const MAX_ATTEMPTS_PER_CHALLENGE = 5;
/** The limit per 15 minutes. At any time, three codes out of a million are valid. */
const MAX_ATTEMPTS_PER_USER = 10;
/** The owner gets an email after the fifth and the tenth wrong code, across all sign-ins. */
const ATTEMPTS_PER_EMAIL = 5;
const RECOVERY_CODE_COUNT = 10;
/** A code is accepted 30 seconds early or late, because clocks differ and typing takes time. */
const TOLERANCE_SECONDS = 30;
const STEP_SECONDS = 30;

/** Completes a sign-in that is waiting for its second factor. Returns the user, the sign-in method and the factor. */
export async function verifyChallenge(
  deps: AppDeps,
  { challenge, code, ip }: { challenge: string; code: string; ip: string },
): Promise<{ userId: string; method: SignInMethod; secondFactor: SecondFactor; assertProof: (tx: Tx) => Promise<void> }> {
  const { db } = deps.database;
  const isThisChallenge = and(eq(challenges.idHash, hashToken(challenge)), eq(challenges.kind, 'second_factor'));
  const [pendingSetup] = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(and(isThisChallenge, gt(challenges.expiresAt, deps.wallClock.now()), lt(challenges.attempts, MAX_ATTEMPTS_PER_CHALLENGE)))
    .returning({ userId: challenges.userId, method: challenges.signInMethod });
  if (!pendingSetup?.userId || !pendingSetup.method) {
    throw new AppError(
      'invalid',
      'identity.challenge_expired',
      'You took too long to sign in, or entered too many wrong codes. Sign in again.',
      {
        field: 'challenge',
      },
    );
  }
  const { userId } = pendingSetup;
  const secondFactor = await consumeCode(deps, { userId, ip }, code);
  const assertProof = async (tx: Tx): Promise<void> => {
    const usedChallenges = await tx.delete(challenges).where(isThisChallenge).returning({ idHash: challenges.idHash });
    // A concurrent correct response has already used the challenge, or a password reset has ended it: the first factor may have been stolen.
    if (usedChallenges.length === 0) throw createWrongCodeError();
  };
  return { userId, method: pendingSetup.method, secondFactor, assertProof };
}

/** The user who enters a code, either while logging in or in their session. */
type CodeEntry = { readonly userId: string; readonly sessionId?: string | undefined; readonly ip?: string };

/** Someone who types wrong codes has already passed the first factor, so the owner must be warned. */
async function reportGuessing(deps: AppDeps, { userId, sessionId, ip = '' }: CodeEntry): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: userId, action: 'identity.codes_rejected', subject: userId, ip };
    await recordAudit(tx, entry);
    const sentence =
      sessionId === undefined
        ? `Someone completed the first step of logging in to your account, from ${ip}, and then entered five wrong codes. They didn’t get in.`
        : 'Someone logged in to your account entered five wrong codes when asked to confirm their identity. If it wasn’t you, end all sessions in your profile and change your password.';
    await enqueueSecurityEmail(deps, tx, userId, sentence, 'Wrong codes entered');
  });
}

/**
 * Uses up a user's authenticator code or recovery code. Throws if it is neither. Attempts in a session are counted separately, so that
 * guesses on the login page can't stop the owner from confirming a change.
 */
export async function consumeCode(deps: AppDeps, entry: CodeEntry, code: string): Promise<SecondFactor> {
  const { userId, sessionId } = entry;
  const subject = sessionId === undefined ? `code:${userId}` : `code:${userId}:${sessionId}`;
  const attempts = await countAttempt(deps.database.db, deps.wallClock, subject);
  if (attempts > MAX_ATTEMPTS_PER_USER) throw createAttemptsError();
  const normalised = normaliseCode(code);
  const isAccepted = /^\d{6}$/.test(normalised)
    ? await consumeAppCode(deps, userId, normalised)
    : await consumeRecoveryCode(deps, userId, normalised);
  if (!isAccepted) {
    deps.recordSecurityEvent('second_factor_rejected', { reason: 'code', userId });
    // The count is fractional while it includes a share of the previous 15 minutes.
    const hasReachedReportThreshold = Math.floor(attempts / ATTEMPTS_PER_EMAIL) > Math.floor((attempts - 1) / ATTEMPTS_PER_EMAIL);
    if (hasReachedReportThreshold) await reportGuessing(deps, entry);
    throw createWrongCodeError();
  }
  // Operators use a factor many times a day, so only wrong codes count.
  await clearAttempts(deps.database.db, subject);
  return { type: /^\d{6}$/.test(normalised) ? 'TOTP' : 'OTHER', at: deps.clock.now(), reference: getFactorReference(userId) };
}

async function consumeAppCode(deps: AppDeps, userId: string, code: string): Promise<boolean> {
  const { db } = deps.database;
  const [app] = await db
    .select()
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  if (!app) return false;
  await resealWithNewestKey(deps, userId, app.secret);
  const step = await findTimeStep(deps, deps.tokenCipher.open(app.secret, `authenticator:${userId}`), code);
  return step !== undefined && (await saveUsedStep(db, userId, step));
}

/** Stores the newest step used. Of two concurrent requests with the same code, only one succeeds. */
async function saveUsedStep(db: Db | Tx, userId: string, step: number): Promise<boolean> {
  const rows = await db
    .update(authenticators)
    .set({ lastStep: step })
    .where(and(eq(authenticators.userId, userId), lt(authenticators.lastStep, step)))
    .returning({ userId: authenticators.userId });
  return rows.length > 0;
}

/** Finds the code's 30-second step. Phones use real time, so this uses the wall clock, not the sandbox's clock. */
async function findTimeStep(deps: AppDeps, secret: string, token: string): Promise<number | undefined> {
  const epoch = Math.floor(toEpochMs(deps.wallClock.now()) / 1000);
  const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS });
  if (!result.valid) return undefined;
  return Math.floor(epoch / STEP_SECONDS) + result.delta;
}

async function consumeRecoveryCode(deps: AppDeps, userId: string, code: string): Promise<boolean> {
  // Codes created by earlier versions were stored as an unsalted digest.
  const possibleCodes = [await hashRecoveryCode(userId, code), hashToken(`${userId}:${code}`)];
  const rows = await deps.database.db
    .update(recoveryCodes)
    .set({ usedAt: deps.clock.now() })
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, possibleCodes), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId });
  return rows.length > 0;
}

/** Re-encrypts the secret when it is first used after the key was replaced. */
async function resealWithNewestKey(deps: AppDeps, userId: string, sealedValue: string): Promise<void> {
  if (deps.tokenCipher.isNewest(sealedValue)) return;
  await deps.database.db
    .update(authenticators)
    .set({ secret: deps.tokenCipher.seal(deps.tokenCipher.open(sealedValue, `authenticator:${userId}`), `authenticator:${userId}`) })
    .where(and(eq(authenticators.userId, userId), eq(authenticators.secret, sealedValue)));
}

/** Creates a new secret, replacing any unconfirmed one. */
export async function startAuthenticatorSetup(deps: AppDeps, actor: Actor): Promise<{ secret: string; otpauth_url: string }> {
  const secret = generateSecret();
  const row = { secret: deps.tokenCipher.seal(secret, `authenticator:${actor.userId}`), createdAt: deps.clock.now() };
  const upsertedRows = await deps.database.db
    .insert(authenticators)
    .values({ userId: actor.userId, ...row })
    .onConflictDoUpdate({ target: authenticators.userId, set: row, setWhere: isNull(authenticators.confirmedAt) })
    .returning({ userId: authenticators.userId });
  if (upsertedRows.length === 0) {
    throw new AppError('conflict', 'identity.authenticator_present', 'You already have an authenticator app. Remove it first.');
  }
  return { secret, otpauth_url: generateURI({ issuer: deps.site.brand, label: actor.email, secret }) };
}

/** Confirms the app with a code. Returns the recovery codes, which are shown once. */
export async function confirmAuthenticator(
  deps: AppDeps,
  actor: Actor,
  code: string,
  ip: string,
): Promise<{ codes: string[]; secondFactor: SecondFactor }> {
  const { userId } = actor;
  await limitAttempts(deps.database.db, deps.wallClock, { [`authenticator:${userId}`]: MAX_ATTEMPTS_PER_USER });
  const [app] = await deps.database.db.select().from(authenticators).where(eq(authenticators.userId, userId));
  if (!app || app.confirmedAt !== null)
    throw new AppError('conflict', 'identity.no_authenticator', 'There’s no authenticator app to confirm. Start again.');
  const step = await findTimeStep(deps, deps.tokenCipher.open(app.secret, `authenticator:${userId}`), code);
  if (step === undefined) throw createWrongCodeError();
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode);
  const codeHashes = await Promise.all(codes.map((recoveryCode) => hashRecoveryCode(userId, normaliseCode(recoveryCode))));
  const at = deps.clock.now();
  const secondFactor: SecondFactor = { type: 'TOTP', at, reference: getFactorReference(userId) };
  await deps.database.db.transaction(async (tx) => {
    await lockSession(tx, actor);
    await assertMayAddFactor(tx, actor);
    const confirmedRows = await tx
      .update(authenticators)
      .set({ confirmedAt: at, lastStep: step })
      .where(and(eq(authenticators.userId, userId), eq(authenticators.secret, app.secret), isNull(authenticators.confirmedAt)))
      .returning({ userId: authenticators.userId });
    if (confirmedRows.length === 0)
      throw new AppError('conflict', 'identity.no_authenticator', 'There’s no authenticator app to confirm. Start again.');
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await tx.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })));
    if (actor.operatorStatus === 'enrolling') await completeEnrolment(deps, tx, { ...actor, secondFactor, ip });
    await recordSecurityChange(deps, tx, actor, 'authenticator_added', 'An authenticator app was added to your account.', ip);
  });
  return { codes, secondFactor };
}

export async function removeAuthenticator(deps: AppDeps, actor: Actor, code: string, ip: string): Promise<void> {
  await consumeCode(deps, { ...actor, ip }, code);
  await deps.database.db.transaction(async (tx) => {
    await tx.delete(authenticators).where(eq(authenticators.userId, actor.userId));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.userId));
    await assertKeepsFactor(tx, actor.userId);
    await recordSecurityChange(deps, tx, actor, 'authenticator_removed', 'The authenticator app was removed from your account.', ip);
  });
}

/** Every change to a sign-in method is emailed to the owner, because someone else may have made it. */
export async function recordSecurityChange(
  deps: AppDeps,
  tx: Tx,
  actor: Actor,
  event: string,
  sentence: string,
  ip: string,
): Promise<void> {
  const { userId } = actor;
  await recordAudit(tx, { companyId: NO_COMPANY, at: deps.clock.now(), actor: userId, action: `identity.${event}`, subject: userId, ip });
  await enqueueSecurityEmail(deps, tx, userId, sentence);
}

/** Returns the factor's reference for HMRC: stable and not secret. */
function getFactorReference(userId: string): string {
  return hashToken(`authenticator:${userId}`).slice(0, 22);
}

function createWrongCodeError(): AppError {
  return createInvalidFieldError('code', 'This code is wrong or has already been used. Wait for the next one, or use a recovery code.');
}
