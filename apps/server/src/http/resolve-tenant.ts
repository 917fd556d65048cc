/**
 * Which tenant a call is about. Callers name it loosely: `company_id` is a trader's company or a practice; where a call is about one client it
 * may be that client; a client is `client_id` or `client_company_id`; and a person of one practice may leave the practice out of a read. Only
 * this file reads those names. Handlers get a Tenant, whose kind follows from the call's access rule.
 */
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { Access } from '@portal/contract/endpoint.ts';
import { companyInput, idScalar } from '@portal/contract/scalars.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, sessions } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { isTenants, nothingHere } from './policies.ts';
import { hashToken } from './session.ts';

type TraderTenant = { readonly kind: 'trader'; readonly companyId: string };
type PracticeTenant = { readonly kind: 'practice'; readonly practiceId: string };
export type ClientTenant = { readonly kind: 'client'; readonly practiceId: string; readonly clientId: string };
export type Tenant = TraderTenant | PracticeTenant | ClientTenant;

/** The tenant of calls with this access rule. */
export type TenantOf<Rule extends Access> = Rule extends `company.${string}`
  ? TraderTenant
  : Rule extends `practice.${string}`
    ? PracticeTenant
    : Rule extends `client.${string}`
      ? ClientTenant
      : undefined;

/** The fields that name the tenant, which handlers do not see: they have the tenant itself. */
type TenantField<Rule extends Access> = Rule extends `client.${string}`
  ? 'company_id' | 'client_id' | 'client_company_id'
  : Rule extends `${'company' | 'practice'}.${string}`
    ? 'company_id'
    : never;

export type WithoutTenant<Input, Rule extends Access> = Omit<Input, TenantField<Rule>>;

/** The practice of a person with this session; undefined where there is none, or more than one. It opens nothing: the policies still decide. */
export type OnlyPractice = (token: string) => Promise<string | undefined>;

export function prepareOnlyPractice(db: Db): OnlyPractice {
  return async (token) => {
    const rows = await db
      .select({ companyId: memberships.companyId })
      .from(sessions)
      .innerJoin(memberships, eq(memberships.userId, sessions.userId))
      .where(and(eq(sessions.tokenHash, hashToken(token)), inArray(memberships.role, PRACTICE_ROLES)))
      .limit(2);
    return rows.length === 1 ? rows[0]?.companyId : undefined;
  };
}

/** Whether a read names no practice: then it means the only one that the person works in, which the session check finds. */
export function leavesOutPractice(access: Access, query: unknown): query is object {
  const isOfPractice = access.startsWith('practice.') || access.startsWith('client.');
  return isOfPractice && typeof query === 'object' && query !== null && !('company_id' in query && query.company_id !== undefined);
}

/**
 * The query of a read with its client filled in, as docs/product/specification.md section 7.3 lists it: a client named as `company_id` ("keyed by
 * company_id") becomes the client of the person's only practice.
 */
export async function completeQuery(
  onlyPractice: OnlyPractice,
  access: Access,
  query: unknown,
  token: string | undefined,
): Promise<unknown> {
  const named = nameClientOnce(query ?? {}) as Record<string, unknown>;
  const { company_id: company, client_id: client } = named;
  if (!access.startsWith('client.') || client !== undefined || token === undefined) return named;
  if (typeof company !== 'string' || !isId(company)) return named;
  const practice = await onlyPractice(token);
  if (practice === undefined || company === practice) return named;
  return nameClientOnce({ ...named, company_id: practice, client_id: company });
}

/** A client under both of its names. A call that gives both must mean the same client, or another one would be checked than answered. */
export function nameClientOnce(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { client_id: id, client_company_id: same } = input as Record<string, unknown>;
  if ((id === undefined) === (same === undefined)) return input;
  return { ...input, client_id: id ?? same, client_company_id: id ?? same };
}

/** The company whose member the caller must be, before anything is checked; undefined where none is named, or badly. */
export function companyIdIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('company_id' in input)) return undefined;
  return typeof input.company_id === 'string' && isId(input.company_id) ? input.company_id : undefined;
}

const namedClient = z.object({ client_id: idScalar, client_company_id: idScalar });

/** The tenant of a completed input. Throws on a badly formed id; two different clients are none. */
export function tenantIn(access: Access, input: unknown): Tenant | undefined {
  if (!isTenants(access)) return undefined;
  const { company_id: id } = companyInput.parse(input);
  if (access.startsWith('company.')) return { kind: 'trader', companyId: id };
  if (access.startsWith('practice.')) return { kind: 'practice', practiceId: id };
  const { client_id: clientId, client_company_id: same } = namedClient.parse(input);
  if (clientId !== same) throw nothingHere();
  return { kind: 'client', practiceId: id, clientId };
}

/** What a handler works on beside the tenant. */
export function withoutTenant(input: Readonly<Record<string, unknown>>, tenant: Tenant | undefined): Record<string, unknown> {
  if (tenant === undefined) return input;
  const { company_id: _, ...rest } = input;
  if (tenant.kind !== 'client') return rest;
  const { client_id: _id, client_company_id: _same, ...others } = rest;
  return others;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}
