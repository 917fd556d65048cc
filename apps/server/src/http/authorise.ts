/** Decides who is making a request and for which tenant: session, then policy (policies.ts), then access to the client in the request. */
import { IDLE_HEADER } from '@portal/contract/client-device.ts';
import type { Access } from '@portal/contract/endpoint.ts';
import { isOpenToClients } from '@portal/contract/practice-rights.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyRequest } from 'fastify';
import { authoriseCredential, type CredentialSettings } from './authorise-credential.ts';
import { hasBearerToken } from './same-origin.ts';
import { setRequestUser } from '../observability/request-scope.ts';
import { readOwnClient, type FindOwnClient } from './own-client.ts';
import { hasTenant, createNotFoundError, findAccessError } from './policies.ts';
import { enterRequestScope } from './request-scope.ts';
import {
  findCompanyId,
  completeQuery,
  isPracticeOmitted,
  setBothClientIds,
  findTenant,
  type ClientTenant,
  type OnlyPractice,
  type TenantFor,
} from './resolve-tenant.ts';
import { getActingUserId, ONLY_PRACTICE, type Actor, type CheckSession } from './session.ts';

export type AuthoriseSettings = CredentialSettings & {
  readonly checkSession: CheckSession;
  readonly findOwnClient: FindOwnClient;
  readonly onlyPractice: OnlyPractice;
  /** The name depends on the portal's public URL (session.ts). */
  readonly sessionCookie: string;
};

type Rule<A extends Access> = {
  readonly access: A;
  /** The tenant may be omitted or identified in another way (completeQuery). Only for reads. */
  readonly mayOmitTenant?: boolean;
  /** The read calls a provider or sends something. */
  readonly hasEffect?: boolean | undefined;
  /** True for the only writes allowed to an operator viewing the portal as a user: to stop viewing, and to log out. */
  readonly endsViewing?: boolean | undefined;
  /** The request reaches HMRC on a user's behalf. */
  readonly callsHmrc?: boolean | undefined;
  /** A user must initiate the request (contract/endpoint.ts). */
  readonly needsPerson?: boolean | undefined;
  /** A stream, which ends with its session. */
  readonly needsSession?: boolean;
};

export type Authorised<A extends Access> = {
  /** Undefined in a public request without a session. */
  readonly actor: A extends 'public' ? Actor | undefined : Actor;
  readonly tenant: TenantFor<A>;
  /** The request's fields with the tenant filled in, but not yet parsed. */
  readonly raw: unknown;
  readonly sessionToken: string | undefined;
};

/**
 * An operator viewing the portal as a user can only read stored data: they can't change anything, and nothing is sent to a provider or a
 * mailbox.
 */
function assertOnlyReads({ method }: FastifyRequest, { hasEffect, endsViewing }: Rule<Access>): void {
  if (endsViewing === true || (method === 'GET' && hasEffect !== true)) return;
  throw new AppError(
    'forbidden',
    'view.read_only',
    'You’re viewing the portal as someone else, so you can’t change anything. Stop viewing first.',
  );
}

/** Throws unless the access rule allows the request. Also used for routes outside the contract (uploads, downloads, streams). */
export async function authorise<A extends Access>(
  settings: AuthoriseSettings,
  rule: Rule<A>,
  request: FastifyRequest,
  namedInput: unknown,
): Promise<Authorised<A>> {
  if (hasBearerToken(request)) return (await authoriseCredential(settings, rule, request, namedInput)) as Authorised<A>;
  const { access, mayOmitTenant = false } = rule;
  const sessionToken = request.cookies[settings.sessionCookie];
  const completedQuery = mayOmitTenant
    ? await completeQuery(settings.onlyPractice, access, namedInput, sessionToken)
    : setBothClientIds(namedInput);
  const isTenantOmitted = mayOmitTenant && isPracticeOmitted(access, completedQuery);
  const company = isTenantOmitted ? ONLY_PRACTICE : findCompanyId(completedQuery);
  const actor =
    sessionToken === undefined ? undefined : await settings.checkSession(sessionToken, company, request.headers[IDLE_HEADER] !== undefined);
  const rawInput = isTenantOmitted && actor?.companyId !== undefined ? { ...completedQuery, company_id: actor.companyId } : completedQuery;
  if (actor) setRequestUser(getActingUserId(actor));
  const accessError = findAccessError(access, actor);
  const ownTenant = accessError?.kind === 'notFound' ? await findOwnTenant(settings, access, actor, namedInput) : undefined;
  if (ownTenant) return enterAsClient(rule, request, ownTenant, { raw: rawInput, sessionToken });
  // Signed-in users get a validation error for a malformed ID, because the client in docs/product/specification.md redirects home if it
  // sees that wording.
  if (accessError?.kind === 'notFound' && hasTenant(access)) companyInput.parse(rawInput);
  if (accessError?.kind === 'notFound') settings.recordSecurityEvent('access_refused', { reason: access });
  if (accessError) throw accessError;
  if (actor?.viewing) assertOnlyReads(request, rule);
  const tenant = findTenant(access, rawInput);
  enterRequestScope(tenant, actor);
  if (tenant?.kind === 'client' && !(actor && (await settings.seesClient(actor, tenant)))) {
    // A practice member who isn't assigned to the client may be one of the client's own users.
    const sameOwn = await findOwnTenant(settings, access, actor, namedInput);
    if (sameOwn) return enterAsClient(rule, request, sameOwn, { raw: rawInput, sessionToken });
    settings.recordSecurityEvent('access_refused', { reason: access });
    throw createNotFoundError();
  }
  // After findAccessError, only a public request can lack an actor. After findTenant, the tenant's kind matches the rule.
  return { actor, tenant, raw: rawInput, sessionToken } as Authorised<A>;
}

type OwnClient = { readonly actor: Actor; readonly tenant: ClientTenant };

/** Finds the client that the requesting user belongs to, if the call is open to clients. */
async function findOwnTenant(
  settings: AuthoriseSettings,
  access: Access,
  actor: Actor | undefined,
  namedInput: unknown,
): Promise<OwnClient | undefined> {
  const client = actor && isOpenToClients(access) ? readOwnClient(namedInput) : undefined;
  if (!actor || !client) return undefined;
  const tenant = await settings.findOwnClient(actor.userId, client);
  return tenant && { actor: { ...actor, role: 'client', permissions: [], companyId: tenant.practiceId }, tenant };
}

function enterAsClient<A extends Access>(
  rule: Rule<A>,
  request: FastifyRequest,
  { actor, tenant }: OwnClient,
  { raw, sessionToken }: { raw: unknown; sessionToken: string | undefined },
): Authorised<A> {
  if (actor.viewing) assertOnlyReads(request, rule);
  enterRequestScope(tenant, actor);
  const ids = { company_id: tenant.practiceId, client_id: tenant.clientId, client_company_id: tenant.clientId };
  return { actor, tenant, raw: { ...(raw as object), ...ids }, sessionToken } as Authorised<A>;
}
