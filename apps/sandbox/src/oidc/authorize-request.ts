/** Reads, validates and responds to the app's authorisation request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { searchParams } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther, renderErrorBox } from '../simulator/responses.ts';
import { sendPage } from './pages.ts';
import type { IdentityContext } from './provider-profile.ts';

export type AuthorizeRequest = {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly isOffline: boolean;
  readonly isConsentForced: boolean;
  readonly includesGranted: boolean;
  readonly loginHint: string;
};

/**
 * Returns undefined for an invalid request, after sending the error response. An error about the client or redirect URI is
 * shown in the browser, because nothing may be sent to an unregistered URI (RFC 6749 section 4.1.2.1).
 */
export function readAuthorizeRequest(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): AuthorizeRequest | undefined {
  const { profile, redirectUris } = context;
  const query = searchParams(request);
  const showProblem = (problem: string) => void sendProblem(context, reply, problem);
  if (query.has('client_secret')) return showProblem('invalid_request: client_secret must not be sent here');
  if (query.get('client_id') !== profile.clientId) return showProblem('invalid_client: the client_id is unknown');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUris.includes(redirectUri)) {
    return showProblem(`redirect_uri_mismatch: ${redirectUri || 'no redirect_uri'} is not registered`);
  }
  const redirectProblem = profile.findRedirectProblem?.(redirectUri);
  if (redirectProblem !== undefined) return showProblem(`invalid_redirect_uri: ${redirectProblem}`);
  const redirectTarget = { redirectUri, state: query.get('state') };
  const sendError = (parameters: Readonly<Record<string, string>>) => void sendBack(reply, redirectTarget, parameters);
  const sendInvalidRequest = (description: string) => sendError({ error: 'invalid_request', error_description: description });
  if (query.get('response_type') !== 'code') return sendError({ error: 'unsupported_response_type' });
  const scopes = profile.scopes === undefined ? [] : (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (profile.scopes !== undefined && scopes.length === 0) return sendInvalidRequest('scope is required');
  if (scopes.some((scope) => profile.scopes?.[scope] === undefined)) return sendError({ error: 'invalid_scope' });
  const [challenge, method] = [query.get('code_challenge'), query.get('code_challenge_method')];
  if ((challenge === null) !== (method === null)) return sendInvalidRequest('code_challenge and code_challenge_method go together');
  if (method !== null && method !== 'S256') return sendInvalidRequest('code_challenge_method must be S256');
  if (challenge !== null && !/^[\w-]{43}$/.test(challenge)) return sendInvalidRequest('code_challenge is malformed');
  const nonce = query.get('nonce');
  return {
    ...redirectTarget,
    scopes,
    ...(nonce === null ? {} : { nonce }),
    ...(challenge === null ? {} : { codeChallenge: challenge }),
    isOffline: query.get('access_type') === 'offline',
    isConsentForced: query.get('prompt')?.split(' ').includes('consent') ?? false,
    includesGranted: query.get('include_granted_scopes') === 'true',
    loginHint: query.get('login_hint') ?? '',
  };
}

/** Redirects the browser to the app. */
export function sendBack(
  reply: FastifyReply,
  { redirectUri, state }: Pick<AuthorizeRequest, 'redirectUri' | 'state'>,
  parameters: Readonly<Record<string, string>>,
): FastifyReply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  return redirectSeeOther(reply, url.href);
}

export function sendProblem({ profile, applicationName }: IdentityContext, reply: FastifyReply, problem: string): FastifyReply {
  const applicationLabel = escapeHtml(applicationName ?? 'The application');
  return sendPage(reply, profile, {
    status: 400,
    title: 'Access blocked',
    main: `${renderErrorBox(problem)}<p>${applicationLabel} sent a request that ${escapeHtml(profile.brand)} would reject.</p>`,
  });
}
