/**
 * Asks a signed-in user to reauthenticate before a change that could redirect money or let someone else in: with their passkey or
 * authenticator code, otherwise their password, otherwise a code by email. A stolen session alone isn't enough.
 */
import { randomInt } from 'node:crypto';
import { authenticators, challenges, passkeys, users } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, gt, isNotNull, lt, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { assertConfirmedRecently } from '../../http/policies.ts';
import { hashToken, generateToken, type Actor, type SecondFactor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { limitAttempts } from '../identity/limit-attempts.ts';
import { getSecurityReason } from '../identity/link-emails.ts';
import { isPasswordCorrect } from '../identity/passwords.ts';
import { verifyPasskeySignIn } from './passkeys.ts';
import { consumeCode } from './second-factor.ts';

const CODE_TTL_MS = 10 * 60_000;
const MAX_CODE_ATTEMPTS = 5;

/** A user's proof of who they are. */
export type IdentityProof = {
  readonly passkey?: { readonly challenge_id: string; readonly response: unknown } | undefined;
  readonly confirm_code?: string | undefined;
  readonly confirm_password?: string | undefined;
  readonly emailed_code?: string | undefined;
  readonly emailed_code_id?: string | undefined;
};

/** The input fields that an error refers to. */
type ProofFields = { readonly code: string; readonly password: string };
const DEFAULT_PROOF_FIELDS: ProofFields = { code: 'confirm_code', password: 'confirm_password' };

type ConfirmationMethods = { readonly hasStrongFactor: boolean; readonly passwordHash: string | null };

/**
 * Throws unless the user can change sign-in methods now: they have reauthenticated in the last ten minutes, with a second factor if they're
 * an operator. The web app then asks them to reauthenticate and resends the request. An operator's enrolment link is the exception, once.
 */
export function assertConfirmed({ wallClock }: AppDeps, actor: Actor): void {
  assertConfirmedRecently(actor, wallClock.now());
}

/** Throws unless the proof is of the strongest kind that the user has set up. Returns the second factor if one was used. */
export async function confirmPerson(
  deps: AppDeps,
  actor: Actor,
  proof: IdentityProof,
  fields: ProofFields = DEFAULT_PROOF_FIELDS,
): Promise<SecondFactor | undefined> {
  const { hasStrongFactor, passwordHash } = await getConfirmationMethods(deps, actor.userId);
  if (hasStrongFactor) {
    if (proof.passkey) return confirmPasskey(deps, actor, proof.passkey);
    if (proof.confirm_code !== undefined) return confirmAuthenticatorCode(deps, actor, proof.confirm_code, fields.code);
    throw createConfirmationNeededError('Use your passkey, or enter a code from your authenticator app.');
  }
  if (passwordHash !== null) {
    if (proof.confirm_password === undefined) throw createConfirmationNeededError('Enter your password.');
    await limitAttempts(deps.database.db, deps.wallClock, { [`password:${actor.userId}`]: 10 });
    if (!(await isPasswordCorrect(passwordHash, proof.confirm_password))) {
      deps.recordSecurityEvent('second_factor_rejected', { reason: 'password' });
      throw createInvalidFieldError(fields.password, 'This isn’t your password.');
    }
    return undefined;
  }
  if (proof.emailed_code === undefined || proof.emailed_code_id === undefined)
    throw createConfirmationNeededError('Enter the code that we email you.');
  await confirmEmailedCode(deps, actor, proof.emailed_code_id, proof.emailed_code);
  return undefined;
}

async function getConfirmationMethods(deps: AppDeps, userId: string): Promise<ConfirmationMethods> {
  const { db } = deps.database;
  const [user] = await db
    .select({
      passwordHash: users.passwordHash,
      hasPasskey: sql`exists (select 1 from ${passkeys} where ${passkeys.userId} = users.id)`.mapWith(Boolean),
    })
    .from(users)
    .where(eq(users.id, userId));
  const [app] = await db
    .select({ userId: authenticators.userId })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  return { hasStrongFactor: app !== undefined || user?.hasPasskey === true, passwordHash: user?.passwordHash ?? null };
}

async function confirmPasskey(deps: AppDeps, actor: Actor, passkey: NonNullable<IdentityProof['passkey']>): Promise<SecondFactor> {
  const { userId, secondFactor } = await verifyPasskeySignIn(deps, passkey);
  // Any passkey for this site can sign, but only the user's own counts.
  if (userId !== actor.userId)
    throw new AppError('invalid', 'identity.passkey_rejected', 'This passkey belongs to another account. Use your own.');
  return secondFactor;
}

async function confirmAuthenticatorCode(deps: AppDeps, actor: Actor, code: string, field: string): Promise<SecondFactor> {
  return consumeCode(deps, actor, code).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'invalid') throw createInvalidFieldError(field, error.message);
    throw error;
  });
}

/** Emails a six-digit code, valid for ten minutes and five attempts. Returns the ID that the browser sends with it. */
export async function emailCode(deps: AppDeps, actor: Actor): Promise<{ emailed_code_id: string }> {
  await limitAttempts(deps.database.db, deps.wallClock, { [`mail:${actor.email}`]: 5 });
  const id = generateToken();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const now = deps.wallClock.now();
  await deps.database.db.transaction(async (tx) => {
    await tx.insert(challenges).values({
      idHash: hashToken(id),
      kind: 'emailed_code',
      userId: actor.userId,
      expected: hashToken(`${id}:${code}`),
      createdAt: now,
      expiresAt: addMilliseconds(now, CODE_TTL_MS),
    });
    await enqueueEmail(deps, tx, actor.email, {
      subject: `${code} is your ${deps.site.brand} code`,
      preheader: 'Enter it to confirm your identity.',
      heading: `Your code is ${code}`,
      paragraphs: [
        'Enter this code to confirm a change to your bank account, your email or how you log in. It’s valid for 10 minutes.',
        'If you didn’t request it, someone else is using your account. Don’t give anyone the code, and end all sessions in your profile.',
      ],
      reason: getSecurityReason(deps.site.brand),
    });
  });
  return { emailed_code_id: id };
}

async function confirmEmailedCode(deps: AppDeps, actor: Actor, id: string, code: string): Promise<void> {
  const { db } = deps.database;
  const isThis = and(eq(challenges.idHash, hashToken(id)), eq(challenges.kind, 'emailed_code'), eq(challenges.userId, actor.userId));
  const [challenge] = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(and(isThis, gt(challenges.expiresAt, deps.wallClock.now()), lt(challenges.attempts, MAX_CODE_ATTEMPTS)))
    .returning({ expected: challenges.expected });
  if (!challenge)
    throw createInvalidFieldError('emailed_code', 'This code has expired, or there were too many wrong attempts. Request a new one.');
  if (challenge.expected !== hashToken(`${id}:${code.replaceAll(/\s/g, '')}`)) {
    deps.recordSecurityEvent('second_factor_rejected', { reason: 'emailed_code' });
    throw createInvalidFieldError('emailed_code', 'This code is wrong. Check the latest email from us.');
  }
  const usedChallenges = await db.delete(challenges).where(isThis).returning({ idHash: challenges.idHash });
  if (usedChallenges.length === 0) throw createInvalidFieldError('emailed_code', 'This code has already been used. Request a new one.');
}

function createConfirmationNeededError(howTo: string): AppError {
  return new AppError('forbidden', 'identity.confirmation_needed', `Confirm that it’s you before you change this. ${howTo}`);
}
