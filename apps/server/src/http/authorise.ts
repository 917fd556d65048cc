/** Who makes a call, and for which tenant: session, then policy (policies.ts), then the client that the call is about. */
import type { Access } from '@portal/contract/endpoint.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import type { FastifyRequest } from 'fastify';
import type { SeesClient } from './client-access.ts';
import { isTenants, nothingHere, refusalOf } from './policies.ts';
import {
  companyIdIn,
  completeQuery,
  leavesOutPractice,
  nameClientOnce,
  tenantIn,
  type OnlyPractice,
  type TenantOf,
} from './resolve-tenant.ts';
import { ONLY_PRACTICE, type Actor, type CheckSession } from './session.ts';

export type AuthoriseSettings = {
  readonly checkSession: CheckSession;
  readonly seesClient: SeesClient;
  readonly onlyPractice: OnlyPractice;
  /** Its name depends on how the portal is reached (session.ts). */
  readonly sessionCookie: string;
};

type Rule<A extends Access> = {
  readonly access: A;
  /** The tenant may be left out or named loosely (completeQuery): in reads. */
  readonly mayOmitTenant?: boolean;
};

export type Authorised<A extends Access> = {
  /** Undefined where a public call comes without a session. */
  readonly actor: A extends 'public' ? Actor | undefined : Actor;
  readonly tenant: TenantOf<A>;
  /** The call's fields with its tenant named in full, not yet parsed. */
  readonly raw: unknown;
  readonly sessionToken: string | undefined;
};

/** Throws unless the access rule allows the call. For routes outside the contract too (uploads, downloads, streams). */
export async function authorise<A extends Access>(
  settings: AuthoriseSettings,
  { access, mayOmitTenant = false }: Rule<A>,
  request: FastifyRequest,
  named: unknown,
): Promise<Authorised<A>> {
  const sessionToken = request.cookies[settings.sessionCookie];
  const given = mayOmitTenant ? await completeQuery(settings.onlyPractice, access, named, sessionToken) : nameClientOnce(named);
  const isLeftOut = mayOmitTenant && leavesOutPractice(access, given);
  const company = isLeftOut ? ONLY_PRACTICE : companyIdIn(given);
  const actor = sessionToken === undefined ? undefined : await settings.checkSession(sessionToken, company);
  const raw = isLeftOut && actor?.companyId !== undefined ? { ...given, company_id: actor.companyId } : given;
  const refusal = refusalOf(access, actor);
  // Signed-in people hear that an id is badly formed: the specification's client goes home by that wording.
  if (refusal?.kind === 'notFound' && isTenants(access)) companyInput.parse(raw);
  if (refusal) throw refusal;
  const tenant = tenantIn(access, raw);
  if (tenant?.kind === 'client' && !(actor && (await settings.seesClient(actor, tenant)))) throw nothingHere();
  // By refusalOf only a public call has no actor, and by tenantIn the tenant's kind is the rule's.
  return { actor, tenant, raw, sessionToken } as Authorised<A>;
}
