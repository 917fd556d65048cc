import type { OutputOf } from '@portal/contract/endpoint.ts';
import type { identityApi } from '@portal/contract/identity.ts';
import { practiceStepPath } from '@portal/contract/practice.ts';
import { companies, knownDevices, memberships, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { nothingHere } from '../../http/policies.ts';
import type { Caller, Handlers, Reply } from '../../http/serve-contract.ts';
import { refuseOtherOrigins } from '../../http/same-origin.ts';
import { endSession, sessionCookieName, type Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { listGrantNotices } from '../connections/list-grant-notices.ts';
import { admitPerson, deviceHashOf, type Admitted } from './admit-person.ts';
import { findBrowser, markBrowser } from '../../http/browser-cookie.ts';
import { homeOf } from './home-of.ts';
import { forgiveAttempts, limitAttempts, networkOf } from './limit-attempts.ts';
import { fitsPassword, hashPassword } from './passwords.ts';
import { readReferral } from './read-referral.ts';
import { lookAtLink, redeemLink, sendLink } from './sign-in-links.ts';

export function identityHandlers(deps: AppDeps): Handlers<typeof identityApi> {
  const { db } = deps.database;
  const limitMail = (email: string, caller: Caller) =>
    limitAttempts(db, deps.wallClock, { [`mail:${email}`]: 5, [`mail-ip:${networkOf(caller.ip)}`]: 60 });
  return {
    checkLogin: ({ actor }) => tellWho(deps, actor),
    login: async ({ input, caller, reply }) => {
      const [user] = await db
        .select({ id: users.id, passwordHash: users.passwordHash, knownDevice: knownDevices.deviceHash })
        .from(users)
        .leftJoin(knownDevices, and(eq(knownDevices.userId, users.id), eq(knownDevices.deviceHash, deviceHashOf(caller))))
        .where(eq(users.email, input.email));
      // The owner's own browser has its own count, so that strangers who guess cannot lock the owner out.
      const account = user?.knownDevice ? `login:${input.email}:${user.knownDevice}` : `login:${input.email}`;
      await limitAttempts(db, deps.wallClock, { [account]: 10, [`login-ip:${networkOf(caller.ip)}`]: 100 });
      if (!(await fitsPassword(user?.passwordHash, input.password)) || !user) {
        throw new AppError('unauthenticated', 'identity.wrong_credentials', 'The email address or the password is wrong.');
      }
      await forgiveAttempts(db, account);
      return admitPerson(deps, { caller, reply }, user.id, 'password');
    },
    signUp: async ({ input, caller, reply }) => {
      await limitMail(input.email, caller);
      // Hash the password before any lookup, so that the time is the same for a registered address.
      const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
      await sendLink(deps, {
        email: input.email,
        purpose: 'sign_in',
        browser: markBrowser(reply, deps.site),
        signUp: {
          full_name: input.full_name,
          phone: input.phone ?? null,
          password_hash: passwordHash,
          referral: readReferral(reply.request.cookies, input.partner, deps.clock.now()),
          ...(input.product === undefined ? {} : { product: input.product }),
        },
      });
      return { sent_to: input.email };
    },
    sendMagicLink: async ({ input, caller, reply }) => {
      // The specification makes this a GET, although it sends an email. So cross-site requests, such as images and links, are rejected.
      refuseOtherOrigins(reply.request);
      await limitMail(input.email, caller);
      await sendLink(deps, { email: input.email, purpose: 'sign_in' });
      return { sent_to: input.email };
    },
    lookAtLink: async ({ input, caller }) => {
      await limitAttempts(db, deps.wallClock, { [`link-ip:${networkOf(caller.ip)}`]: 100 });
      return lookAtLink(deps, input.token);
    },
    consumeLink: async ({ input, caller, reply }) => {
      await limitAttempts(db, deps.wallClock, { [`link-ip:${networkOf(caller.ip)}`]: 100 });
      return useLink(deps, { caller, reply }, input.token);
    },
    logout: async ({ sessionToken, actor, caller, reply }) => {
      if (sessionToken !== undefined && actor) {
        const entry = { companyId: NO_COMPANY, at: deps.clock.now(), actor: actor.userId, action: 'identity.signed_out' };
        await db.transaction(async (tx) => {
          await endSession(tx, sessionToken);
          await recordAudit(tx, { ...entry, subject: actor.userId, ip: caller.ip });
        });
      }
      reply.clearCookie(sessionCookieName(deps.site.publicUrl), { path: '/', secure: deps.site.publicUrl.startsWith('https:') });
      return { done: true };
    },
    ...companiesOf(deps),
  };
}

async function useLink(deps: AppDeps, { caller, reply }: { caller: Caller; reply: Reply }, token: string): Promise<Admitted> {
  const { userId, purpose, product } = await redeemLink(deps, token, findBrowser(reply.request, deps.site), caller.ip);
  const admitted = await admitPerson(deps, { caller, reply }, userId, purpose === 'hmrc' ? 'hmrc' : 'link');
  // Even on another device than the one used to sign up.
  return admitted.type === 'new' && product === 'open_tax' ? { ...admitted, home_path: practiceStepPath('practice') } : admitted;
}

async function tellWho(deps: AppDeps, actor: Actor | undefined): Promise<OutputOf<typeof identityApi.checkLogin>> {
  if (!actor) return {};
  const { db } = deps.database;
  const now = deps.clock.now();
  const [home, grantNotices] = [await homeOf(db, actor, now), await listGrantNotices(db, actor.userId, now)];
  return {
    ...home,
    user_id: actor.userId,
    email: actor.email,
    full_name: actor.fullName,
    is_operator: actor.isOperator,
    ...(grantNotices.length > 0 ? { grant_notices: grantNotices } : {}),
  };
}

/** The user's companies, by name. */
function companiesOf(deps: AppDeps): Pick<Handlers<typeof identityApi>, 'userCompanies' | 'companyName' | 'dashboardCompanyName'> {
  return {
    userCompanies: ({ actor }) =>
      deps.database.db
        .select({ company_id: companies.id, name: companies.name, kind: companies.kind, role: memberships.role })
        .from(memberships)
        .innerJoin(companies, eq(companies.id, memberships.companyId))
        .where(eq(memberships.userId, actor.userId))
        .orderBy(asc(companies.name)),
    companyName: ({ tenant }) => nameOf(deps, tenant.companyId),
    dashboardCompanyName: ({ tenant }) => nameOf(deps, tenant.companyId),
  };
}

async function nameOf(deps: AppDeps, companyId: string): Promise<{ name: string }> {
  const [company] = await deps.database.db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw nothingHere();
  return company;
}
