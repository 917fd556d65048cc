import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { identityApi } from '@portal/contract/identity.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, knownDevices, memberships, users, type LoginLinkPurpose, type SignInMethod } from '@portal/db/schema/schema.ts';
import type { AppError } from '@portal/domain/app-error.ts';
import { and, eq, ne } from '@portal/db/sql.ts';
import { isTraderRole } from '@portal/domain/identity/roles.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Caller, Handlers, Reply } from '../../http/serve-contract.ts';
import { assertSameOrigin } from '../../http/same-origin.ts';
import { endSession, getActingUserId, getSessionCookieName, type Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { listOwnClients } from '../client-portal/own-clients.ts';
import { toWireAccess } from '../company-people/wire-access.ts';
import { toWirePermissions } from '../team/team-access.ts';
import { listConnectionNotices } from '../connections/list-connection-notices.ts';
import { recordViewEnd } from '../viewing/record-view-end.ts';
import { assertGoodPassword } from './check-new-password.ts';
import { assertPasswordStays, completeSignIn, createWrongCredentialsError, hashDevice, type SignInResult } from './complete-sign-in.ts';
import { findBrowser, ensureBrowserCookie } from '../../http/browser-cookie.ts';
import { getHome } from './get-home.ts';
import { clearAttempts, limitAttempts, toNetwork } from './limit-attempts.ts';
import { isPasswordCorrect, hashPassword } from './passwords.ts';
import { readReferral } from './read-referral.ts';
import { previewLink, redeemLink, sendLink } from './sign-in-links.ts';

export function identityHandlers(deps: AppDeps): Handlers<typeof identityApi> {
  const { db } = deps.database;
  const limitEmails = (email: string, caller: Caller) =>
    limitAttempts(db, deps.wallClock, { [`mail:${email}`]: 5, [`mail-ip:${toNetwork(caller.ip)}`]: 60 });
  return {
    checkLogin: ({ actor }) => describeSession(deps, actor),
    login: async ({ input, caller, reply }) => {
      const [user] = await db
        .select({ id: users.id, passwordHash: users.passwordHash, knownDevice: knownDevices.deviceHash })
        .from(users)
        .leftJoin(knownDevices, and(eq(knownDevices.userId, users.id), eq(knownDevices.deviceHash, hashDevice(caller))))
        .where(eq(users.email, input.email));
      // The owner's own browser has a separate count, so that strangers who guess cannot lock the owner out.
      const attemptKey = user?.knownDevice ? `login:${input.email}:${user.knownDevice}` : `login:${input.email}`;
      await limitAttempts(db, deps.wallClock, { [attemptKey]: 10, [`login-ip:${toNetwork(caller.ip)}`]: 100 });
      if (!(await isPasswordCorrect(user?.passwordHash, input.password)) || !user) throw rejectPassword(deps, user?.id);
      await clearAttempts(db, attemptKey);
      const { id: userId, passwordHash } = user;
      const assertProof = (tx: Tx) => assertPasswordStays(tx, userId, passwordHash);
      return completeSignIn(deps, { caller, reply, assertProof }, userId, 'password');
    },
    signUp: async ({ input, caller, reply }) => {
      await limitEmails(input.email, caller);
      if (input.password !== undefined) {
        await assertGoodPassword(deps, { field: 'password', password: input.password, about: [input.email, input.full_name] });
      }
      // Hash the password before any lookup, so that the response time doesn't depend on whether the email address is registered.
      const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
      await sendLink(deps, {
        email: input.email,
        purpose: 'sign_in',
        browser: ensureBrowserCookie(reply, deps.site),
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
      // The specification defines this as a GET, although it sends an email. Therefore reject cross-site requests, such as images and
      // links.
      assertSameOrigin(reply.request);
      await limitEmails(input.email, caller);
      await sendLink(deps, { email: input.email, purpose: 'sign_in' });
      return { sent_to: input.email };
    },
    previewLink: async ({ input, caller }) => {
      await limitAttempts(db, deps.wallClock, { [`link-ip:${toNetwork(caller.ip)}`]: 100 });
      return previewLink(deps, input.token);
    },
    consumeLink: async ({ input, caller, reply }) => {
      await limitAttempts(db, deps.wallClock, { [`link-ip:${toNetwork(caller.ip)}`]: 100 });
      return signInWithLink(deps, { caller, reply }, input.token);
    },
    logout: async (call) => {
      await logOut(deps, call);
      return { done: true };
    },
    ...companyHandlers(deps),
  };
}

async function logOut(
  deps: AppDeps,
  { sessionToken, actor, caller, reply }: Parameters<Handlers<typeof identityApi>['logout']>[0],
): Promise<void> {
  if (sessionToken !== undefined && actor) {
    const at = deps.clock.now();
    const userId = getActingUserId(actor);
    await deps.database.db.transaction(async (tx) => {
      await endSession(tx, sessionToken);
      await recordViewEnd(tx, actor, { at, ip: caller.ip });
      await recordAudit(tx, { companyId: NO_COMPANY, at, actor: userId, action: 'identity.signed_out', subject: userId, ip: caller.ip });
    });
  }
  reply.clearCookie(getSessionCookieName(deps.site.publicUrl), { path: '/', secure: deps.site.publicUrl.startsWith('https:') });
}

function rejectPassword(deps: AppDeps, userId: string | undefined): AppError {
  const error = createWrongCredentialsError();
  deps.recordSecurityEvent('sign_in_failed', { reason: error.code, userId });
  return error;
}

/** Every other link counts as an emailed link. */
const METHOD_BY_LINK_PURPOSE: Readonly<Partial<Record<LoginLinkPurpose, SignInMethod>>> = { hmrc: 'hmrc', enrol: 'enrolment' };

async function signInWithLink(deps: AppDeps, { caller, reply }: { caller: Caller; reply: Reply }, token: string): Promise<SignInResult> {
  const { userId, purpose, product } = await redeemLink(deps, token, findBrowser(reply.request, deps.site), caller.ip);
  const signInResult = await completeSignIn(deps, { caller, reply }, userId, METHOD_BY_LINK_PURPOSE[purpose] ?? 'link');
  // The user may be on a different device from the one used to sign up.
  return signInResult.type === 'new' && product === 'open_tax'
    ? { ...signInResult, home_path: getPracticeStepPath('practice') }
    : signInResult;
}

async function describeSession(deps: AppDeps, actor: Actor | undefined): Promise<EndpointOutput<typeof identityApi.checkLogin>> {
  if (!actor) return {};
  const { db } = deps.database;
  const now = deps.clock.now();
  const [home, connectionNotices] = [await getHome(db, actor, now), await listConnectionNotices(db, actor.userId, now)];
  return {
    ...home,
    user_id: actor.userId,
    email: actor.email,
    full_name: actor.fullName,
    is_operator: actor.isOperator,
    ...(actor.operatorRoles ? { operator_roles: [...actor.operatorRoles] } : {}),
    ...(actor.operatorStatus ? { operator_status: actor.operatorStatus } : {}),
    ...(actor.viewing ? { viewing: { until: actor.viewing.until } } : {}),
    ...(connectionNotices.length > 0 ? { grant_notices: connectionNotices } : {}),
  };
}

/** The user's companies, by name. */
function companyHandlers(deps: AppDeps): Pick<Handlers<typeof identityApi>, 'userCompanies' | 'companyName' | 'dashboardCompanyName'> {
  return {
    userCompanies: async ({ actor }) => {
      const ownCompanies = await deps.database.db
        .select({
          company_id: companies.id,
          name: companies.name,
          kind: companies.kind,
          role: memberships.role,
          permissions: memberships.permissions,
        })
        .from(memberships)
        .innerJoin(companies, eq(companies.id, memberships.companyId))
        .where(and(eq(memberships.userId, actor.userId), ne(memberships.role, 'client')));
      const clients = await listOwnClients(deps.database.db, actor.userId);
      // Two practices can have the same company as their client.
      const isTwice = (name: string): boolean => clients.filter((other) => other.name === name).length > 1;
      const asClient = clients.map(({ client_id, name, practice }) => ({
        company_id: client_id,
        name: isTwice(name) ? `${name} (${practice})` : name,
        kind: 'client' as const,
        role: 'client',
        permissions: [],
      }));
      const asMember = ownCompanies.map(({ role, permissions, ...company }) => ({
        ...company,
        role,
        permissions: isTraderRole(role) ? toWireAccess({ role, permissions }).permissions : toWirePermissions({ role, permissions }),
      }));
      return [...asMember, ...asClient].toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB'));
    },
    companyName: ({ tenant }) => getCompanyName(deps, tenant.companyId),
    dashboardCompanyName: ({ tenant }) => getCompanyName(deps, tenant.companyId),
  };
}

async function getCompanyName(deps: AppDeps, companyId: string): Promise<{ name: string }> {
  const [company] = await deps.database.db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  if (!company) throw createNotFoundError();
  return company;
}
