/**
 * Determines the tenant of a request. Callers identify it in different ways: `company_id` is a trader's company or a practice, or the
 * client itself in a request about one client; a client is `client_id` or `client_company_id`; and a user who belongs to only one practice
 * may omit it in a read. Only this file reads those fields. Handlers receive a Tenant, whose kind depends on the access rule.
 */
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import type { Access } from '@portal/contract/endpoint.ts';
import { companyInput, idScalar } from '@portal/contract/scalars.ts';
import type { Db } from '@portal/db/database.ts';
import { runInScope } from '@portal/db/tenant-scope.ts';
import { allTenantsMemberships, sessions } from '@portal/db/schema/schema.ts';
import type { Clock } from '@portal/domain/clock.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';
import { z } from 'zod';
import { createNotFoundError, hasTenant } from './policies.ts';
import { getEffectiveUserId, hashToken } from './session.ts';

export type TraderTenant = { readonly kind: 'trader'; readonly companyId: string };
type PracticeTenant = { readonly kind: 'practice'; readonly practiceId: string };
export type ClientTenant = { readonly kind: 'client'; readonly practiceId: string; readonly clientId: string };
export type Tenant = TraderTenant | PracticeTenant | ClientTenant;

/** The tenant type for requests with this access rule. */
export type TenantFor<Rule extends Access> = Rule extends `company.${string}`
  ? TraderTenant
  : Rule extends 'client.companies'
    ? PracticeTenant | ClientTenant
    : Rule extends `practice.${string}`
      ? PracticeTenant
      : Rule extends `client.${string}`
        ? ClientTenant
        : undefined;

/** The fields that identify the tenant. Handlers receive the tenant instead. */
type TenantField<Rule extends Access> = Rule extends `client.${string}`
  ? 'company_id' | 'client_id' | 'client_company_id'
  : Rule extends `${'company' | 'practice'}.${string}`
    ? 'company_id'
    : never;

export type WithoutTenant<Input, Rule extends Access> = Omit<Input, TenantField<Rule>>;

/**
 * Returns the only practice of this session's user, or undefined if there are none or several. It grants nothing: the policies still
 * decide.
 */
export type OnlyPractice = (token: string) => Promise<string | undefined>;

export function prepareOnlyPractice(db: Db, wallClock: Clock): OnlyPractice {
  return async (token) => {
    const find = () =>
      db
        .select({ companyId: allTenantsMemberships.companyId })
        .from(sessions)
        .innerJoin(allTenantsMemberships, eq(allTenantsMemberships.userId, getEffectiveUserId(sql`${wallClock.now()}::timestamptz`)))
        .where(and(eq(sessions.tokenHash, hashToken(token)), inArray(allTenantsMemberships.role, PRACTICE_ROLES)))
        .limit(2);
    const rows = await runInScope({ kind: 'unchanged' }, find);
    return rows.length === 1 ? rows[0]?.companyId : undefined;
  };
}

/** Returns whether a read omits the practice. It then means the user's only practice, which the session check finds. */
export function isPracticeOmitted(access: Access, query: unknown): query is object {
  const isPracticeRule = access.startsWith('practice.') || access.startsWith('client.');
  return isPracticeRule && typeof query === 'object' && query !== null && !('company_id' in query && query.company_id !== undefined);
}

/**
 * Returns the query of a read with its client filled in, as listed in docs/product/specification.md section 7.3: a client given as
 * `company_id` ("keyed by company_id") becomes the client of the user's only practice.
 */
export async function completeQuery(
  onlyPractice: OnlyPractice,
  access: Access,
  query: unknown,
  token: string | undefined,
): Promise<unknown> {
  const namedInput = setBothClientIds(query ?? {}) as Record<string, unknown>;
  const { company_id: company, client_id: client } = namedInput;
  // For `client.companies`, company_id is already the practice, or the user's own company.
  if (!access.startsWith('client.') || access === 'client.companies' || client !== undefined || token === undefined) return namedInput;
  if (typeof company !== 'string' || !isId(company)) return namedInput;
  const practice = await onlyPractice(token);
  if (practice === undefined || company === practice) return namedInput;
  return setBothClientIds({ ...namedInput, company_id: practice, client_id: company });
}

/**
 * Sets both fields that identify a client. If a request has both, they must match. Otherwise access could be checked for one client and
 * data returned for another.
 */
export function setBothClientIds(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { client_id: id, client_company_id: repeatedClientId } = input as Record<string, unknown>;
  if ((id === undefined) === (repeatedClientId === undefined)) return input;
  return { ...input, client_id: id ?? repeatedClientId, client_company_id: id ?? repeatedClientId };
}

/** Returns the company that the caller must be a member of, before validation; undefined if it is missing or malformed. */
export function findCompanyId(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('company_id' in input)) return undefined;
  return typeof input.company_id === 'string' && isId(input.company_id) ? input.company_id.toLowerCase() : undefined;
}

const namedClient = z.object({ client_id: idScalar, client_company_id: idScalar });

/** Returns the tenant of a completed input. Throws if an id is malformed or the clients differ. */
export function findTenant(access: Access, input: unknown): Tenant | undefined {
  if (!hasTenant(access)) return undefined;
  const { company_id: id } = companyInput.parse(input);
  if (access.startsWith('company.')) return { kind: 'trader', companyId: id };
  if (access.startsWith('practice.') || access === 'client.companies') return { kind: 'practice', practiceId: id };
  const { client_id: clientId, client_company_id: repeatedClientId } = namedClient.parse(input);
  if (clientId !== repeatedClientId) throw createNotFoundError();
  return { kind: 'client', practiceId: id, clientId };
}

/** Returns the handler's input without the tenant's fields. */
export function omitTenant(input: Readonly<Record<string, unknown>>, tenant: Tenant | undefined): Record<string, unknown> {
  if (tenant === undefined) return input;
  const { company_id: _, ...rest } = input;
  if (tenant.kind !== 'client') return rest;
  const { client_id: _id, client_company_id: _repeatedClientId, ...otherFields } = rest;
  return otherFields;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}
