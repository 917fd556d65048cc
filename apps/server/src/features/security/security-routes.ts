import type { securityApi } from '@portal/contract/security.ts';
import { sessions } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import type { Caller, Handlers, Reply } from '../../http/serve-contract.ts';
import { endAllSessions, type Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { completeSignIn, renewSessionCookie } from '../identity/complete-sign-in.ts';
import { changePassword, resetPassword } from './change-password.ts';
import { unlinkProvider } from '../identity/link-identity.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { addPasskey, startPasskeyRegistration, startPasskeySignIn, removePasskey, verifyPasskeySignIn } from './passkeys.ts';
import { getSecurity } from './security-queries.ts';
import { completeEnrolment } from '../identity/operator-enrolment.ts';
import { cancelEmailChange, confirmEmailChange, previewEmailChange, requestEmailChange } from './change-email.ts';
import { assertConfirmed, confirmPerson, emailCode } from './confirm-person.ts';
import { verifyChallenge, startAuthenticatorSetup, confirmAuthenticator, removeAuthenticator } from './second-factor.ts';
import { sendLink } from '../identity/sign-in-links.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type SecurityHandlers = Handlers<typeof securityApi>;
type EmailHandlerName = 'requestEmailChange' | 'cancelEmailChange' | 'previewEmailChange' | 'confirmEmailChange';
type PublicHandlerName = 'requestPasswordReset' | 'resetPassword' | 'completeSecondFactor' | 'passkeySignInOptions' | 'passkeySignIn';

export function securityHandlers(deps: AppDeps): SecurityHandlers {
  return { ...createPublicHandlers(deps), ...createEmailHandlers(deps), ...createAccountHandlers(deps) };
}

function createPublicHandlers(deps: AppDeps): Pick<SecurityHandlers, PublicHandlerName> {
  const limitEachTo = (limits: Readonly<Record<string, number>>) => limitAttempts(deps.database.db, deps.wallClock, limits);
  return {
    requestPasswordReset: async ({ input, caller }) => {
      await limitEachTo({ [`mail:${input.email}`]: 5, [`mail-ip:${toNetwork(caller.ip)}`]: 60 });
      await sendLink(deps, { email: input.email, purpose: 'reset' });
      return { sent_to: input.email };
    },
    resetPassword: async ({ input, caller }) => {
      await limitEachTo({ [`link-ip:${toNetwork(caller.ip)}`]: 100 });
      await resetPassword(deps, input.token, input.password, caller.ip);
      return { done: true };
    },
    completeSecondFactor: async ({ input, caller, reply }) => {
      await limitEachTo({ [`second-factor-ip:${toNetwork(caller.ip)}`]: 100 });
      const { userId, method, secondFactor, assertProof } = await verifyChallenge(deps, { ...input, ip: caller.ip });
      return assertSignedIn(await completeSignIn(deps, { caller, reply, assertProof }, userId, method, secondFactor));
    },
    passkeySignInOptions: async ({ caller }) => {
      await limitEachTo({ [`passkey-ip:${toNetwork(caller.ip)}`]: 200 });
      return startPasskeySignIn(deps);
    },
    passkeySignIn: async ({ input, caller, reply }) => {
      await limitEachTo({ [`passkey-ip:${toNetwork(caller.ip)}`]: 200 });
      const { userId, secondFactor, assertProof } = await verifyPasskeySignIn(deps, input);
      return assertSignedIn(await completeSignIn(deps, { caller, reply, assertProof }, userId, 'passkey', secondFactor));
    },
  };
}

function createEmailHandlers(deps: AppDeps): Pick<SecurityHandlers, EmailHandlerName> {
  const limitLinks = (ip: string) => limitAttempts(deps.database.db, deps.wallClock, { [`link-ip:${toNetwork(ip)}`]: 100 });
  return {
    requestEmailChange: async ({ input, actor, caller }) => {
      assertConfirmed(deps, actor);
      return requestEmailChange(deps, actor, input.email, caller.ip);
    },
    cancelEmailChange: async ({ actor, caller }) => {
      await cancelEmailChange(deps, actor, caller.ip);
      return { done: true };
    },
    previewEmailChange: async ({ input, caller }) => {
      await limitLinks(caller.ip);
      return previewEmailChange(deps, input.token);
    },
    confirmEmailChange: async ({ input, caller }) => {
      await limitLinks(caller.ip);
      return confirmEmailChange(deps, input.token, caller.ip);
    },
  };
}

function createAccountHandlers(deps: AppDeps): Omit<SecurityHandlers, PublicHandlerName | EmailHandlerName> {
  const { db } = deps.database;
  return {
    get: ({ actor }) => getSecurity(deps, actor),
    changePassword: async ({ input, actor, caller, reply }) => {
      await limitAttempts(db, deps.wallClock, { [`password:${actor.userId}`]: 10 });
      await changePassword(deps, actor, { currentPassword: input.current_password, newPassword: input.new_password }, caller.ip);
      await renewSessionCookie(deps, reply);
      return { done: true };
    },
    endSession: async ({ input, actor, caller }) => {
      await endOwnSessions(deps, actor, input.session_id, caller.ip);
      return { done: true };
    },
    confirmFactor: async ({ input, actor, caller, reply }) => {
      await confirmFactor(deps, actor, input, { caller, reply });
      return { done: true };
    },
    emailConfirmationCode: ({ actor }) => emailCode(deps, actor),
    checkConfirmed: async ({ actor }) => {
      assertConfirmed(deps, actor);
      return { done: true };
    },
    startAuthenticatorSetup: async ({ actor }) => {
      assertConfirmed(deps, actor);
      return startAuthenticatorSetup(deps, actor);
    },
    confirmAuthenticator: async ({ input, actor, caller, reply }) => {
      assertConfirmed(deps, actor);
      const { codes, secondFactor } = await confirmAuthenticator(deps, actor, input.code, caller.ip);
      await renewSessionCookie(deps, reply, { secondFactor });
      return { recovery_codes: codes };
    },
    removeAuthenticator: async ({ input, actor, caller, reply }) => {
      await removeAuthenticator(deps, actor, input.code, caller.ip);
      await renewSessionCookie(deps, reply);
      return { done: true };
    },
    startPasskeyRegistration: async ({ actor }) => {
      assertConfirmed(deps, actor);
      return startPasskeyRegistration(deps, actor);
    },
    addPasskey: async ({ input, actor, caller, reply }) => {
      assertConfirmed(deps, actor);
      const secondFactor = await addPasskey(deps, actor, input, caller.ip);
      // The device has just verified its owner, as an operator's session requires.
      await renewSessionCookie(deps, reply, actor.operatorStatus === undefined ? { isConfirmed: true } : { secondFactor });
      return { done: true };
    },
    removePasskey: async ({ input, actor, caller, reply }) => {
      assertConfirmed(deps, actor);
      await removePasskey(deps, actor, input.passkey_id, caller.ip);
      await renewSessionCookie(deps, reply);
      return { done: true };
    },
    unlink: async ({ input, actor, caller, reply }) => {
      assertConfirmed(deps, actor);
      await unlinkProvider(deps, actor, input.provider, caller.ip);
      await renewSessionCookie(deps, reply);
      return { done: true };
    },
  };
}

const FIELDS = { code: 'code', password: 'password' };

/**
 * Reauthenticates the user in the current session. Replaces the cookie too, so that a copy of the old one is useless. An operator needs a
 * second factor.
 */
async function confirmFactor(
  deps: AppDeps,
  actor: Actor,
  { code, passkey, password, ...emailed }: EndpointInput<typeof securityApi.confirmFactor>,
  { caller, reply }: { caller: Caller; reply: Reply },
): Promise<void> {
  if (code === undefined && passkey === undefined && password === undefined && emailed.emailed_code === undefined) {
    throw new AppError('invalid', 'identity.no_proof', 'Send a code, a passkey, a password or an emailed code.');
  }
  const secondFactor = await confirmPerson(deps, actor, { passkey, confirm_code: code, confirm_password: password, ...emailed }, FIELDS);
  await deps.database.db.transaction(async (tx) => {
    if (actor.operatorStatus === 'enrolling' && secondFactor) await completeEnrolment(deps, tx, { ...actor, secondFactor, ip: caller.ip });
    const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: actor.userId, action: 'identity.factor_confirmed' };
    await recordAudit(tx, { ...entry, subject: actor.userId, after: { second_factor: secondFactor?.type ?? null }, ip: caller.ip });
  });
  await renewSessionCookie(deps, reply, { secondFactor, isConfirmed: true });
}

/** Ends one session by its public ID, or all except the current one. */
async function endOwnSessions(deps: AppDeps, actor: Actor, sessionId: string | undefined, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    if (sessionId === undefined) await endAllSessions(tx, actor.userId, actor.sessionId);
    else {
      const isOwnSession = and(eq(sessions.id, sessionId), eq(sessions.userId, actor.userId));
      const endedSessions = UUID.test(sessionId) ? await tx.delete(sessions).where(isOwnSession).returning({ id: sessions.id }) : [];
      if (endedSessions.length === 0)
        throw new AppError('notFound', 'identity.no_session', 'This session doesn’t exist. It may have ended already.');
    }
    const after = { sessions: sessionId === undefined ? 'all others' : 'one' };
    const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: actor.userId, action: 'identity.session_ended' };
    await recordAudit(tx, { ...entry, subject: actor.userId, after, ip });
  });
}

/** Narrows the type: after the second factor, nothing more is required. */
function assertSignedIn<Result extends { type: string }>(signInResult: Result): Exclude<Result, { type: 'second_factor' }> {
  if (signInResult.type === 'second_factor') throw new Error('a second factor was required twice');
  return signInResult as Exclude<Result, { type: 'second_factor' }>;
}
