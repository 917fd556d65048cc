/**
 * Checks again, during a long upload or download, that its user may still make the request. Otherwise someone who has left or logged out
 * could go on sending or receiving for as long as the connection lasts.
 */
import type { Access } from '@portal/contract/endpoint.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyRequest } from 'fastify';
import type { AuthoriseSettings } from './authorise.ts';
import { readToken } from './authorise-credential.ts';
import { findAccessError } from './policies.ts';
import type { Tenant } from './resolve-tenant.ts';
import type { Actor } from './session.ts';

/** The request as it was authorised. */
export type AuthorisedRequest = {
  readonly access: Access;
  readonly request: FastifyRequest;
  readonly actor: Actor;
  readonly tenant: Tenant | undefined;
};

/** Throws unless the user may still make the request. */
export async function recheckAccess(settings: AuthoriseSettings, authorised: AuthorisedRequest): Promise<void> {
  if (await hasAccess(settings, authorised)) return;
  const message = 'You were logged out, or lost access, before this had finished. Log in and try again.';
  throw new AppError('forbidden', 'request.access_ended', message);
}

async function hasAccess(settings: AuthoriseSettings, { access, request, actor, tenant }: AuthorisedRequest): Promise<boolean> {
  const companyId = tenant?.kind === 'trader' ? tenant.companyId : tenant?.practiceId;
  const current = await findCurrentActor(settings, request, actor, companyId);
  // An operator who has stopped viewing the portal as the user is someone else.
  if (current?.userId !== actor.userId) return false;
  // Someone in the practice may have made the request as one of the client's own users.
  if (actor.role === 'client') return tenant?.kind === 'client' && (await settings.findOwnClient(actor.userId, tenant)) !== undefined;
  if (findAccessError(access, current)) return false;
  return tenant?.kind !== 'client' || settings.seesClient(current, tenant);
}

async function findCurrentActor(
  settings: AuthoriseSettings,
  request: FastifyRequest,
  { credential, sessionId }: Actor,
  companyId: string | undefined,
): Promise<Actor | undefined> {
  if (credential) return (credential.program ? settings.checkAppToken : settings.checkApiKey)(readToken(request));
  return sessionId === undefined ? undefined : settings.checkSession({ sessionId }, companyId, true);
}
