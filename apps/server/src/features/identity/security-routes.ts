import type { securityApi } from '@portal/contract/identity-security.ts';
import { sessions } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers, Reply } from '../../http/serve-contract.ts';
import { endSessionsOf, rotateSession, type SecondFactor } from '../../http/session.ts';
import { admitPerson, setSessionCookie } from './admit-person.ts';
import { changePassword, resetPassword } from './change-password.ts';
import { unlinkProvider } from './identities.ts';
import { limitAttempts } from './limit-attempts.ts';
import { addPasskey, beginPasskey, beginPasskeySignIn, removePasskey, signInByPasskey } from './passkeys.ts';
import { readSecurity } from './read-security.ts';
import { answerChallenge, beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './second-factor.ts';
import { sendLink } from './sign-in-links.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type SecurityHandlers = Handlers<typeof securityApi>;
type WithoutSession = 'requestPasswordReset' | 'resetPassword' | 'finishSecondFactor' | 'passkeySignInOptions' | 'passkeySignIn';

export function securityHandlers(deps: AppDeps): SecurityHandlers {
  return { ...waysBackIn(deps), ...ownAccount(deps) };
}

function waysBackIn(deps: AppDeps): Pick<SecurityHandlers, WithoutSession> {
  const limit = (limits: Readonly<Record<string, number>>) => limitAttempts(deps.database.db, deps.wallClock, limits);
  return {
    requestPasswordReset: async ({ input, caller }) => {
      await limit({ [`mail:${input.email}`]: 5, [`mail-ip:${caller.ip}`]: 60 });
      await sendLink(deps, { email: input.email, purpose: 'reset' });
      return { sent_to: input.email };
    },
    resetPassword: async ({ input, caller }) => {
      await limit({ [`link-ip:${caller.ip}`]: 100 });
      await resetPassword(deps, input.token, input.password, caller.ip);
      return { done: true };
    },
    finishSecondFactor: async ({ input, caller, reply }) => {
      await limit({ [`second-factor-ip:${caller.ip}`]: 100 });
      const { userId, method, secondFactor } = await answerChallenge(deps, input.challenge, input.code);
      return signedIn(await admitPerson(deps, { caller, reply }, userId, method, secondFactor));
    },
    passkeySignInOptions: async ({ caller }) => {
      await limit({ [`passkey-ip:${caller.ip}`]: 200 });
      return beginPasskeySignIn(deps);
    },
    passkeySignIn: async ({ input, caller, reply }) => {
      await limit({ [`passkey-ip:${caller.ip}`]: 200 });
      const { userId, secondFactor } = await signInByPasskey(deps, input);
      return signedIn(await admitPerson(deps, { caller, reply }, userId, 'passkey', secondFactor));
    },
  };
}

function ownAccount(deps: AppDeps): Omit<SecurityHandlers, WithoutSession> {
  const { db } = deps.database;
  return {
    get: ({ actor }) => readSecurity(deps, actor),
    changePassword: async ({ input, actor, caller, reply, sessionToken }) => {
      await limitAttempts(db, deps.wallClock, { [`password:${actor.userId}`]: 10 });
      await changePassword(deps, actor, { current: input.current_password, next: input.new_password }, caller.ip);
      await rotate(deps, reply, sessionToken);
      return { done: true };
    },
    endSession: async ({ input, actor }) => {
      if (input.session_id === undefined) {
        await endSessionsOf(db, actor.userId, actor.sessionId);
        return { done: true };
      }
      const named = and(eq(sessions.id, input.session_id), eq(sessions.userId, actor.userId));
      const ended = UUID.test(input.session_id) ? await db.delete(sessions).where(named).returning({ id: sessions.id }) : [];
      if (ended.length === 0) throw new AppError('notFound', 'identity.no_session', 'There is no such session; it may have ended.');
      return { done: true };
    },
    beginAuthenticator: ({ actor }) => beginAuthenticator(deps, actor),
    confirmAuthenticator: async ({ input, actor, caller, reply, sessionToken }) => {
      const { codes, secondFactor } = await confirmAuthenticator(deps, actor, input.code, caller.ip);
      await rotate(deps, reply, sessionToken, secondFactor);
      return { recovery_codes: codes };
    },
    removeAuthenticator: async ({ input, actor, caller, reply, sessionToken }) => {
      await removeAuthenticator(deps, actor, input.code, caller.ip);
      await rotate(deps, reply, sessionToken);
      return { done: true };
    },
    beginPasskey: ({ actor }) => beginPasskey(deps, actor),
    addPasskey: async ({ input, actor, caller, reply, sessionToken }) => {
      await addPasskey(deps, actor, input, caller.ip);
      await rotate(deps, reply, sessionToken);
      return { done: true };
    },
    removePasskey: async ({ input, actor, caller }) => {
      await removePasskey(deps, actor, input.passkey_id, caller.ip);
      return { done: true };
    },
    unlink: async ({ input, actor, caller }) => {
      await unlinkProvider(deps, actor.userId, input.provider, caller.ip);
      return { done: true };
    },
  };
}

/** A change of rights changes the cookie: whoever had the old one has nothing. */
async function rotate(deps: AppDeps, reply: Reply, token: string | undefined, secondFactor?: SecondFactor): Promise<void> {
  const renewed = token === undefined ? undefined : await rotateSession(deps.database.db, token, secondFactor);
  if (renewed !== undefined) setSessionCookie(deps, reply, renewed);
}

/** After the second factor nothing more is asked. */
function signedIn<Answer extends { type: string }>(answer: Answer): Exclude<Answer, { type: 'second_factor' }> {
  if (answer.type === 'second_factor') throw new Error('a second factor was asked for twice');
  return answer as Exclude<Answer, { type: 'second_factor' }>;
}
