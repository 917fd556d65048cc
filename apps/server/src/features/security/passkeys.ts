/** Passkeys (WebAuthn Level 3). The owner unlocks a passkey on their device, so it counts as both factors. */
import type { Tx } from '@portal/db/database.ts';
import { challenges, passkeys, type ChallengeKind } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { and, eq, gt } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { getPasskeyReference, hashToken, generateToken, type Actor, type SecondFactor } from '../../http/session.ts';
import { lockSession } from '../identity/lock-session.ts';
import { assertKeepsFactor, assertMayAddFactor, completeEnrolment } from '../identity/operator-enrolment.ts';
import { recordSecurityChange } from './second-factor.ts';

const CHALLENGE_TTL_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;

type PasskeyOptions = { challenge_id: string; options: Record<string, unknown> };

/** Returns the relying party. A passkey for another site is not valid here. */
function getRelyingParty({ publicUrl }: AppDeps['site']): { rpID: string; origin: string } {
  return { rpID: new URL(publicUrl).hostname, origin: new URL(publicUrl).origin };
}

/** The options don't name a user: the device offers its passkeys for this site. */
export async function startPasskeySignIn(deps: AppDeps): Promise<PasskeyOptions> {
  const options = await generateAuthenticationOptions({ rpID: getRelyingParty(deps.site).rpID, userVerification: 'required' });
  return saveChallenge(deps, 'passkey_sign_in', null, options);
}

export async function startPasskeyRegistration(deps: AppDeps, actor: Actor): Promise<PasskeyOptions> {
  const existing = await deps.database.db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, actor.userId));
  if (existing.length >= MAX_PASSKEYS) {
    throw new AppError('conflict', 'identity.too_many_passkeys', `You already have ${existing.length} passkeys. Remove one first.`);
  }
  const options = await generateRegistrationOptions({
    rpName: deps.site.brand,
    rpID: getRelyingParty(deps.site).rpID,
    userName: actor.email,
    userDisplayName: actor.fullName,
    userID: new TextEncoder().encode(actor.userId),
    excludeCredentials: existing,
    // EdDSA, ES256 and RS256: the algorithms that devices use.
    supportedAlgorithmIDs: [-8, -7, -257],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return saveChallenge(deps, 'passkey_add', actor.userId, options);
}

async function saveChallenge(
  deps: AppDeps,
  kind: ChallengeKind,
  userId: string | null,
  options: { challenge: string },
): Promise<PasskeyOptions> {
  const id = generateToken();
  const now = deps.wallClock.now();
  const expiresAt = addMilliseconds(now, CHALLENGE_TTL_MS);
  await deps.database.db
    .insert(challenges)
    .values({ idHash: hashToken(id), kind, userId, expected: options.challenge, createdAt: now, expiresAt });
  return { challenge_id: id, options: { ...options } };
}

/** A challenge can be used once, whether or not the response is correct. */
async function consumeChallenge(deps: AppDeps, kind: ChallengeKind, id: string, userId: string | null): Promise<string> {
  const [challenge] = await deps.database.db
    .delete(challenges)
    .where(and(eq(challenges.idHash, hashToken(id)), eq(challenges.kind, kind), gt(challenges.expiresAt, deps.wallClock.now())))
    .returning();
  if (!challenge?.expected || challenge.userId !== userId) throw createPasskeyRejectedError();
  return challenge.expected;
}

const base64url = z
  .string()
  .max(1400)
  .regex(/^[\w-]+$/);

/** The fields that we use without the library validating them. It validates everything else. */
const responseSchema = z.looseObject({ id: base64url, rawId: base64url, type: z.literal('public-key') });

export async function addPasskey(
  deps: AppDeps,
  actor: Actor,
  input: { challenge_id: string; name: string; response: unknown },
  ip: string,
): Promise<SecondFactor> {
  const { rpID, origin } = getRelyingParty(deps.site);
  const expectedChallenge = await consumeChallenge(deps, 'passkey_add', input.challenge_id, actor.userId);
  const response = parseResponse(input.response) as unknown as RegistrationResponseJSON;
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw createPasskeyRejectedError(error);
  });
  if (!verification.verified) throw createPasskeyRejectedError();
  const { id, publicKey, counter } = verification.registrationInfo.credential;
  const secondFactor = toSecondFactor(id, deps.clock.now());
  await deps.database.db.transaction(async (tx) => {
    await lockSession(tx, actor);
    await assertMayAddFactor(tx, actor);
    const addedPasskeys = await tx
      .insert(passkeys)
      .values({
        id,
        userId: actor.userId,
        name: input.name,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: (response.response.transports ?? []).filter((transport) => typeof transport === 'string').slice(0, 10),
        createdAt: deps.clock.now(),
      })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (addedPasskeys.length === 0) throw new AppError('conflict', 'identity.passkey_present', 'You’ve already added this passkey.');
    if (actor.operatorStatus === 'enrolling') await completeEnrolment(deps, tx, { ...actor, secondFactor, ip });
    await recordSecurityChange(deps, tx, actor, 'passkey_added', `The passkey “${input.name}” was added to your account.`, ip);
  });
  return secondFactor;
}

/** Registering and signing in both verify the user on the device. */
function toSecondFactor(passkeyId: string, at: Instant): SecondFactor {
  return { type: 'OTHER', at, reference: getPasskeyReference(passkeyId) };
}

/**
 * Returns the user whose passkey signed. The library rejects a counter that doesn't increase, which suggests a cloned key (WebAuthn section
 * 6.1.1).
 */
export async function verifyPasskeySignIn(
  deps: AppDeps,
  input: { challenge_id: string; response: unknown },
): Promise<{ userId: string; secondFactor: SecondFactor; assertProof: (tx: Tx) => Promise<void> }> {
  const { db } = deps.database;
  const { rpID, origin } = getRelyingParty(deps.site);
  const expectedChallenge = await consumeChallenge(deps, 'passkey_sign_in', input.challenge_id, null);
  const response = parseResponse(input.response) as unknown as AuthenticationResponseJSON;
  const [passkey] = await db.select().from(passkeys).where(eq(passkeys.id, response.id));
  if (!passkey) throw createPasskeyRejectedError();
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: passkey.id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.counter },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw createPasskeyRejectedError(error);
  });
  if (!verification.verified) throw createPasskeyRejectedError();
  const at = deps.clock.now();
  await db.update(passkeys).set({ counter: verification.authenticationInfo.newCounter, lastUsedAt: at }).where(eq(passkeys.id, passkey.id));
  const assertProof = async (tx: Tx): Promise<void> => {
    const rows = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, passkey.id));
    if (rows.length === 0) throw createPasskeyRejectedError();
  };
  return { userId: passkey.userId, secondFactor: toSecondFactor(passkey.id, at), assertProof };
}

export async function removePasskey(deps: AppDeps, actor: Actor, passkeyId: string, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [removedPasskey] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, actor.userId)))
      .returning({ name: passkeys.name });
    if (!removedPasskey) throw new AppError('notFound', 'identity.no_passkey', 'This passkey doesn’t exist. It may have been removed.');
    await assertKeepsFactor(tx, actor.userId);
    await recordSecurityChange(
      deps,
      tx,
      actor,
      'passkey_removed',
      `The passkey “${removedPasskey.name}” was removed from your account.`,
      ip,
    );
  });
}

function parseResponse(response: unknown): z.output<typeof responseSchema> {
  const parsed = responseSchema.safeParse(response);
  if (!parsed.success) throw createPasskeyRejectedError();
  return parsed.data;
}

/** The same error for every reason, so that an attacker learns nothing. */
function createPasskeyRejectedError(cause?: unknown): AppError {
  return new AppError(
    'invalid',
    'identity.passkey_rejected',
    'We couldn’t use this passkey. Try again, or use another sign-in method.',
    undefined,
    cause,
  );
}
