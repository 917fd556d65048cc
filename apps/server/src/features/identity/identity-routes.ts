import type { identityApi } from '@portal/contract/identity.ts';
import { companies, memberships, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { asc, eq } from 'drizzle-orm';
import type { FastifyReply } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import type { Caller, Handlers } from '../../http/serve-contract.ts';
import { endSession, SESSION_COOKIE, startSession } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { homeOf } from './home-of.ts';
import { forgiveAttempts, limitAttempts } from './limit-attempts.ts';
import { fitsPassword, hashPassword } from './passwords.ts';
import { redeemLink, sendLink } from './sign-in-links.ts';

export function identityHandlers(deps: AppDeps): Handlers<typeof identityApi> {
  const { db } = deps.database;
  const limitMail = (email: string, caller: Caller) =>
    limitAttempts(db, deps.wallClock, { [`mail:${email}`]: 5, [`mail-ip:${caller.ip}`]: 60 });
  return {
    checkLogin: async ({ actor }) => {
      if (!actor) return {};
      const home = await homeOf(db, actor);
      return { ...home, user_id: actor.userId, email: actor.email, full_name: actor.fullName, is_operator: actor.isOperator };
    },
    login: async ({ input, caller, reply }) => {
      await limitAttempts(db, deps.wallClock, { [`login:${input.email}`]: 10, [`login-ip:${caller.ip}`]: 100 });
      const [user] = await db.select().from(users).where(eq(users.email, input.email));
      if (!(await fitsPassword(user?.passwordHash, input.password)) || !user) {
        throw new AppError('unauthenticated', 'identity.wrong_credentials', 'The e-mail address or the password is wrong.');
      }
      await forgiveAttempts(db, `login:${input.email}`);
      await db.transaction((tx) =>
        recordAudit(tx, {
          companyId: NO_COMPANY,
          at: deps.clock.now(),
          actor: user.id,
          action: 'identity.signed_in',
          subject: user.id,
          after: { by: 'password' },
          ip: caller.ip,
        }),
      );
      await signIn(deps, reply, caller, user.id, 'password');
      return homeOf(db, { userId: user.id, isOperator: user.isOperator });
    },
    signUp: async ({ input, caller }) => {
      await limitMail(input.email, caller);
      // The password is hashed before anything is looked up, so that the time is the same for a known address.
      const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
      await sendLink(deps, input.email, {
        full_name: input.full_name,
        phone: input.phone ?? null,
        password_hash: passwordHash,
        partner: input.partner ?? 'organic',
      });
      return { sent_to: input.email };
    },
    sendMagicLink: async ({ input, caller }) => {
      await limitMail(input.email, caller);
      await sendLink(deps, input.email, null);
      return { sent_to: input.email };
    },
    consumeLink: async ({ input, caller, reply }) => {
      await limitAttempts(db, deps.wallClock, { [`link-ip:${caller.ip}`]: 100 });
      const person = await redeemLink(deps, input.token, caller.ip);
      await signIn(deps, reply, caller, person.userId, 'link');
      return homeOf(db, person);
    },
    logout: async ({ sessionToken, reply }) => {
      if (sessionToken !== undefined) await endSession(db, sessionToken);
      reply.clearCookie(SESSION_COOKIE, { path: '/' });
      return { done: true };
    },
    userCompanies: ({ actor }) =>
      db
        .select({ company_id: companies.id, name: companies.name, kind: companies.kind, role: memberships.role })
        .from(memberships)
        .innerJoin(companies, eq(companies.id, memberships.companyId))
        .where(eq(memberships.userId, actor.userId))
        .orderBy(asc(companies.name)),
    companyName: ({ input }) => nameOf(deps, input.company_id),
    dashboardCompanyName: ({ input }) => nameOf(deps, input.company_id),
  };
}

async function nameOf(deps: AppDeps, companyId: string): Promise<{ name: string }> {
  const [company] = await deps.database.db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw nothingHere();
  return company;
}

/** A new session at every sign-in: a cookie that somebody planted before is worth nothing after. */
async function signIn(
  deps: AppDeps,
  reply: FastifyReply,
  caller: Caller,
  userId: string,
  signInMethod: 'password' | 'link',
): Promise<void> {
  const token = await startSession(deps.database.db, deps.wallClock, { userId, signInMethod, ip: caller.ip, userAgent: caller.userAgent });
  reply.setCookie(SESSION_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: deps.site.publicUrl.startsWith('https:'),
    maxAge: 30 * 86_400,
  });
}
