/** GET {www}/oauth/authorize and what follows (FACTS 2): start page, sign-in, grant or deny, and back to the application. */
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { SimulatorCall } from '../simulator/simulator.ts';
import { escapeHtml } from '../simulator/responses.ts';
import { arnOf } from '../hmrc-agent/agent-authority.ts';
import { SANDBOX_CLIENT_ID, type HmrcContext } from './hmrc-context.ts';
import type { UserRecord } from './hmrc-records.ts';
import { newToken, refuse, SCOPE_WORDS, SCOPES } from './oauth-tokens.ts';
import { page, seeOther } from './www-pages.ts';
import { askToSignIn, signedInUser } from './www-sign-in.ts';

const CODE_MINUTES = 10;

type AuthorizeRequest = {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly codeChallenge?: string;
};

/** The start page; with `sandbox_user=USER_ID` that user grants at once. */
export function startAuthorize(context: HmrcContext, call: SimulatorCall): Response {
  const asked = readAuthorizeRequest(context, call);
  if (asked instanceof Response) return asked;
  if (call.url.searchParams.has('sandbox_user')) {
    const user = signedInUser(context, call);
    return user ? grant(context, asked, user) : showProblem(call, 'invalid_request', 'sandbox_user names no test user');
  }
  const next = `${context.wwwUrl}/oauth/grant${call.url.search}`;
  return page(
    200,
    'Authority to interact with HMRC on your behalf',
    `<p>A software application asks for access to your tax information. You will sign in and then decide.</p>
<p>${scopeList(asked)}</p>
<a class="button" href="${escapeHtml(next)}">Continue</a>`,
  );
}

/** GET /oauth/grant: the decision, for whoever is signed in. */
export function showGrant(context: HmrcContext, call: SimulatorCall): Response {
  const asked = readAuthorizeRequest(context, call);
  if (asked instanceof Response) return asked;
  const user = signedInUser(context, call);
  if (!user) return askToSignIn(context, call);
  const action = escapeHtml(`${context.wwwUrl}/oauth/grant${call.url.search}`);
  const name = context.records.traders.get(user.vrn ?? '')?.organisationName ?? user.fullName;
  const other = escapeHtml(`${context.wwwUrl}/sign-in?continue=${encodeURIComponent(call.url.pathname + call.url.search)}`);
  return page(
    200,
    'Give permission',
    `<p>You are signed in as <strong>${escapeHtml(name)}</strong>${escapeHtml(identityOf(user))}. <a href="${other}">Sign in as another user</a></p>
<p>The application wants to:</p>${scopeList(asked)}
<p>Permission lasts 18 months. You can take it back at any time.</p>
<form method="post" action="${action}">
<button type="submit" name="decision" value="grant">Give permission</button>
<button type="submit" name="decision" value="deny" class="secondary">Do not give permission</button>
</form>`,
  );
}

function identityOf(user: UserRecord): string {
  const arn = arnOf(user);
  if (arn !== undefined) return `, agent reference ${arn}: this reaches the clients who have authorised you`;
  return user.vrn === undefined ? '' : `, VAT number ${user.vrn}`;
}

/** POST /oauth/grant */
export function decideGrant(context: HmrcContext, call: SimulatorCall): Response {
  const asked = readAuthorizeRequest(context, call);
  if (asked instanceof Response) return asked;
  const user = signedInUser(context, call);
  if (!user) return askToSignIn(context, call);
  const decision = new URLSearchParams(call.bodyText).get('decision');
  if (decision === 'grant') return grant(context, asked, user);
  if (decision !== 'deny') return showGrant(context, call);
  return backTo(asked, {
    error: 'access_denied',
    error_description: 'user denied the authorization',
    error_code: 'USER_DENIED_AUTHORIZATION',
  });
}

function grant(context: HmrcContext, asked: AuthorizeRequest, user: UserRecord): Response {
  const code = newToken();
  context.records.codes.put(code, {
    clientId: SANDBOX_CLIENT_ID,
    userId: user.userId,
    scopes: asked.scopes,
    redirectUri: asked.redirectUri,
    expiresAt: addMilliseconds(context.clock.now(), CODE_MINUTES * 60_000),
    ...(asked.codeChallenge === undefined ? {} : { codeChallenge: asked.codeChallenge }),
  });
  return backTo(asked, { code });
}

function backTo(asked: AuthorizeRequest, parameters: Readonly<Record<string, string>>): Response {
  const url = new URL(asked.redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (asked.state !== null) url.searchParams.set('state', asked.state);
  return seeOther(url.href);
}

/** Faults are shown to the browser, never sent to a redirect address that could not be trusted. */
function readAuthorizeRequest(context: HmrcContext, call: SimulatorCall): AuthorizeRequest | Response {
  const query = call.url.searchParams;
  const invalid = (description: string) => showProblem(call, 'invalid_request', description);
  if (query.has('client_secret')) return invalid('client_secret must not be sent here');
  const missing = ['client_id', 'redirect_uri', 'response_type', 'scope'].find((name) => !query.get(name));
  if (missing !== undefined) return invalid(`${missing} is required`);
  if (query.get('client_id') !== SANDBOX_CLIENT_ID) return invalid('client_id is invalid');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!context.redirectUris.includes(redirectUri)) return invalid('redirect_uri is invalid');
  if (query.get('response_type') !== 'code') return showProblem(call, 'unsupported_response_type', 'response_type must be code');
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.some((scope) => !SCOPES.has(scope))) return showProblem(call, 'invalid_scope', 'scope is invalid');
  const [challenge, method] = [query.get('code_challenge'), query.get('code_challenge_method')];
  if ((challenge === null) !== (method === null)) return invalid('code_challenge and code_challenge_method go together');
  if (method !== null && method !== 'S256') return invalid('code_challenge_method must be S256');
  if (challenge !== null && !/^[\w-]{43}$/.test(challenge)) return invalid('code_challenge is malformed');
  return { redirectUri, scopes, state: query.get('state'), ...(challenge === null ? {} : { codeChallenge: challenge }) };
}

/** JSON, unless the browser asks for a page. */
function showProblem(call: SimulatorCall, error: string, description: string): Response {
  if (!(call.request.headers.get('accept') ?? '').includes('text/html')) return refuse(400, error, description);
  return page(400, 'There is a problem', `<p>${escapeHtml(`${error}: ${description}`)}</p>`);
}

function scopeList({ scopes }: AuthorizeRequest): string {
  return `<ul>${scopes.map((scope) => `<li>${escapeHtml(SCOPE_WORDS[scope] ?? scope)}</li>`).join('')}</ul>`;
}
