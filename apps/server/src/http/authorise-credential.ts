/**
 * Authorises a request with `Authorization: Bearer`: an API key or, in a tool call, an app's access token (features/mcp). It acts for one
 * user in one company: after the key's scopes, the policies decide as they would for that user's own request. No cookie is read, and
 * nothing outside that company is accessible.
 */
import type { Access } from '@portal/contract/endpoint.ts';
import { findScope } from '@portal/contract/api-scope-access.ts';
import { companyInput } from '@portal/contract/scalars.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { API_SCOPE_NAMES } from '@portal/domain/developers/api-scopes.ts';
import type { FastifyRequest } from 'fastify';
import { setRequestCredential, setRequestUser } from '../observability/request-scope.ts';
import type { RecordSecurityEvent } from '../observability/security-log.ts';
import type { SeesClient } from './client-access.ts';
import { createNotFoundError, findAccessError, hasTenant } from './policies.ts';
import { enterRequestScope } from './request-scope.ts';
import { findCompanyId, completeQuery, setBothClientIds, findTenant, type Tenant } from './resolve-tenant.ts';
import type { Actor, Credential } from './session.ts';
import { isToolCall } from './tool-call.ts';

/** Returns the user of a key or token with their role in its company, or undefined if it isn't valid. */
export type CheckApiKey = (token: string) => Promise<CredentialActor | undefined>;
export type CredentialActor = Actor & { readonly credential: Credential };
export type LimitCredential = (credential: Credential) => Promise<void>;

export type CredentialSettings = {
  readonly checkApiKey: CheckApiKey;
  /** Checks an app's token, which only the tools accept. */
  readonly checkAppToken: CheckApiKey;
  /** Throws if the key has exceeded its limit of calls. */
  readonly limitCredential: LimitCredential;
  readonly seesClient: SeesClient;
  readonly recordSecurityEvent: RecordSecurityEvent;
};

type CredentialRule = {
  readonly access: Access;
  /** The request reaches HMRC in a user's name. */
  readonly callsHmrc?: boolean | undefined;
  /** A user must initiate the request (contract/endpoint.ts). */
  readonly needsPerson?: boolean | undefined;
  /** A stream, which ends with the session it belongs to. */
  readonly needsSession?: boolean;
};

type AuthorisedCredential = {
  readonly actor: Actor | undefined;
  readonly tenant: Tenant | undefined;
  readonly raw: unknown;
  readonly sessionToken: undefined;
};

export async function authoriseCredential(
  settings: CredentialSettings,
  rule: CredentialRule,
  request: FastifyRequest,
  namedInput: unknown,
): Promise<AuthorisedCredential> {
  const { access } = rule;
  // Responses to public calls are the same for everyone.
  if (access === 'public') {
    enterRequestScope(undefined, undefined);
    return { actor: undefined, tenant: undefined, raw: setBothClientIds(namedInput), sessionToken: undefined };
  }
  const check = isToolCall() ? settings.checkAppToken : settings.checkApiKey;
  const person = await check(readToken(request));
  if (!person) {
    settings.recordSecurityEvent('access_refused', { reason: 'api_key' });
    const sentence = 'This API key isn’t valid. It may have expired or been revoked, or the person it acts for has left.';
    throw new AppError('unauthenticated', 'api_key.invalid', `${sentence} Create a new one in Settings.`);
  }
  const { credential } = person;
  setRequestUser(person.userId);
  setRequestCredential({ kind: credential.program ? 'program' : 'api_key', id: credential.id });
  // The tools have already counted their call, across all the user's apps.
  if (!credential.program) await settings.limitCredential(credential);
  assertScope(rule, request.method, credential);
  const rawInput = await completeInput(access, namedInput, request.method, credential);
  const company = findCompanyId(rawInput);
  const actor: Actor = company === credential.companyId ? person : { ...person, role: undefined, permissions: [] };
  const accessError = findAccessError(access, actor);
  if (accessError?.kind === 'notFound' && hasTenant(access)) companyInput.parse(rawInput);
  if (accessError?.kind === 'notFound') settings.recordSecurityEvent('access_refused', { reason: access });
  if (accessError) throw accessError;
  const tenant = findTenant(access, rawInput);
  enterRequestScope(tenant, actor);
  if (tenant?.kind === 'client' && !(await settings.seesClient(actor, tenant))) {
    settings.recordSecurityEvent('access_refused', { reason: access });
    throw createNotFoundError();
  }
  return { actor, tenant, raw: rawInput, sessionToken: undefined };
}

export function readToken({ headers }: FastifyRequest): string {
  return (headers.authorization ?? '').slice('Bearer '.length).trim();
}

/**
 * A key belongs to one company, so every call may omit the company. A read may pass a client as the company, as for a user in only one
 * practice.
 */
async function completeInput(access: Access, namedInput: unknown, method: string, { companyId }: Credential): Promise<unknown> {
  const input =
    method === 'GET' ? await completeQuery(async () => companyId, access, namedInput, '') : (setBothClientIds(namedInput ?? {}) as unknown);
  if (!hasTenant(access) || typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return 'company_id' in input && input.company_id !== undefined ? input : { ...input, company_id: companyId };
}

function assertScope(
  { access, callsHmrc, needsPerson, needsSession = false }: CredentialRule,
  method: string,
  { scopes }: Credential,
): void {
  if (access === 'operator' || access.startsWith('operator.')) throw createNotFoundError();
  const neededScope =
    needsSession || needsPerson
      ? undefined
      : findScope({ access, method: method === 'GET' || method === 'HEAD' ? 'GET' : 'POST', ...(callsHmrc ? { callsHmrc } : {}) });
  if (neededScope === undefined) {
    throw new AppError('forbidden', 'api_key.needs_person', 'Software can’t do this. Log in to the portal to do it yourself.');
  }
  if (!scopes.includes(neededScope)) {
    const name = `“${API_SCOPE_NAMES[neededScope]}” (${neededScope})`;
    throw new AppError('forbidden', 'api_key.scope_missing', `This key doesn’t have the scope ${name}. Create a key that has it.`, {
      scope: neededScope,
    });
  }
}
