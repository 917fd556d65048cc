/** What the application asks for in the browser's address: read, checked, and answered. */
import type { SimulatorCall } from '../simulator/simulator.ts';
import { escapeHtml } from '../simulator/responses.ts';
import { errorBox, seeOther } from '../hmrc/www-pages.ts';
import { page } from './pages.ts';
import type { IdentityContext } from './provider-profile.ts';

export type AuthorizeRequest = {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly isOffline: boolean;
  readonly mustAsk: boolean;
  readonly addsGranted: boolean;
  readonly loginHint: string;
};

/** A wrong client or address is shown to the browser; only what the address may be told is sent back to it. */
export function readAuthorizeRequest(context: IdentityContext, { url }: SimulatorCall): AuthorizeRequest | Response {
  const { profile, redirectUris } = context;
  const query = url.searchParams;
  if (query.has('client_secret')) return showProblem(context, 'invalid_request: client_secret must not be sent here');
  if (query.get('client_id') !== profile.clientId) return showProblem(context, 'invalid_client: the client_id is unknown');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!redirectUris.includes(redirectUri)) {
    return showProblem(context, `redirect_uri_mismatch: ${redirectUri || 'no redirect_uri'} is not registered`);
  }
  const refused = profile.refuseRedirect?.(redirectUri);
  if (refused !== undefined) return showProblem(context, `invalid_redirect_uri: ${refused}`);
  const back = { redirectUri, state: query.get('state') };
  const invalid = (description: string) => backTo(back, { error: 'invalid_request', error_description: description });
  if (query.get('response_type') !== 'code') return backTo(back, { error: 'unsupported_response_type' });
  const scopes = profile.scopes === undefined ? [] : (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (profile.scopes !== undefined && scopes.length === 0) return invalid('scope is required');
  if (scopes.some((scope) => profile.scopes?.[scope] === undefined)) return backTo(back, { error: 'invalid_scope' });
  const [challenge, method] = [query.get('code_challenge'), query.get('code_challenge_method')];
  if ((challenge === null) !== (method === null)) return invalid('code_challenge and code_challenge_method go together');
  if (method !== null && method !== 'S256') return invalid('code_challenge_method must be S256');
  if (challenge !== null && !/^[\w-]{43}$/.test(challenge)) return invalid('code_challenge is malformed');
  const nonce = query.get('nonce');
  return {
    ...back,
    scopes,
    ...(nonce === null ? {} : { nonce }),
    ...(challenge === null ? {} : { codeChallenge: challenge }),
    isOffline: query.get('access_type') === 'offline',
    mustAsk: query.get('prompt')?.split(' ').includes('consent') ?? false,
    addsGranted: query.get('include_granted_scopes') === 'true',
    loginHint: query.get('login_hint') ?? '',
  };
}

export function backTo(
  { redirectUri, state }: Pick<AuthorizeRequest, 'redirectUri' | 'state'>,
  parameters: Readonly<Record<string, string>>,
): Response {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  return seeOther(url.href);
}

export function showProblem({ profile, applicationName }: IdentityContext, problem: string): Response {
  const who = escapeHtml(applicationName ?? 'The application');
  return page(
    profile,
    400,
    'Access blocked',
    `${errorBox(problem)}<p>${who} sent a request that ${escapeHtml(profile.brand)} would refuse.</p>`,
  );
}
