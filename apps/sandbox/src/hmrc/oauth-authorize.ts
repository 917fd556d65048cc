/**
 * GET {www}/oauth/authorize and the pages after it (docs/reference/hmrc.md section 2): start page, sign-in, grant or deny, and the redirect
 * to the app.
 */
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, requestUrl, searchParams } from '../simulator/request.ts';
import { escapeHtml, redirectSeeOther } from '../simulator/responses.ts';
import { findArn } from '../hmrc-agent/agent-authority.ts';
import { sendApiError } from './hmrc-api-error.ts';
import { SANDBOX_CLIENT_ID, type HmrcContext } from './hmrc-context.ts';
import type { UserRecord } from './hmrc-records.ts';
import { createOauthError, generateToken, SCOPE_LABELS, SCOPES } from './oauth-tokens.ts';
import { sendPage } from './www-pages.ts';
import { buildSignInUrl, findSignedInUser, redirectToSignIn } from './www-sign-in.ts';

const CODE_MINUTES = 10;

type AuthorizeRequest = {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly codeChallenge?: string;
};

/** Shows the start page. With `sandbox_user=USER_ID`, that user grants access immediately. */
export function startAuthorize(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request);
  if (searchParams(request).has('sandbox_user')) {
    const user = findSignedInUser(context, request);
    if (!user) throw new AuthorizeError('invalid_request', 'sandbox_user names no test user');
    return grant(context, authorizeRequest, user, reply);
  }
  const next = `${context.wwwUrl}/oauth/grant${requestUrl(request).search}`;
  return sendPage(
    reply,
    200,
    'Authority to interact with HMRC on your behalf',
    `<p>A software application wants to access your tax information. Sign in first, then decide whether to give permission.</p>
<p>${renderScopeList(authorizeRequest)}</p>
<a class="button" href="${escapeHtml(next)}">Continue</a>`,
  );
}

/** GET /oauth/grant: shows the consent page to the signed-in user. */
export function showGrant(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request);
  const user = findSignedInUser(context, request);
  if (!user) return redirectToSignIn(context, request, reply);
  const action = escapeHtml(`${context.wwwUrl}/oauth/grant${requestUrl(request).search}`);
  const name = context.records.traders.get(user.vrn ?? '')?.organisationName ?? user.fullName;
  const otherUserUrl = escapeHtml(buildSignInUrl(context, request));
  return sendPage(
    reply,
    200,
    'Give permission',
    `<p>You’re signed in as <strong>${escapeHtml(name)}</strong>${escapeHtml(describeIdentity(user))}. <a href="${otherUserUrl}">Sign in as another user</a></p>
<p>The application wants to:</p>${renderScopeList(authorizeRequest)}
<p>Permission lasts 18 months. You can withdraw it at any time.</p>
<form method="post" action="${action}">
<button type="submit" name="decision" value="grant">Give permission</button>
<button type="submit" name="decision" value="deny" class="secondary">Do not give permission</button>
</form>`,
  );
}

function describeIdentity(user: UserRecord): string {
  const arn = findArn(user);
  if (arn !== undefined) return `, agent reference ${arn}. This covers the clients who have authorised you`;
  return user.vrn === undefined ? '' : `, VAT number ${user.vrn}`;
}

/** POST /oauth/grant */
export function decideGrant(context: HmrcContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const authorizeRequest = readAuthorizeRequest(context, request);
  const user = findSignedInUser(context, request);
  if (!user) return redirectToSignIn(context, request, reply);
  const decision = readForm(request).get('decision');
  if (decision === 'grant') return grant(context, authorizeRequest, user, reply);
  if (decision !== 'deny') return showGrant(context, request, reply);
  return redirectBack(reply, authorizeRequest, {
    error: 'access_denied',
    error_description: 'user denied the authorization',
    error_code: 'USER_DENIED_AUTHORIZATION',
  });
}

function grant(context: HmrcContext, authorizeRequest: AuthorizeRequest, user: UserRecord, reply: FastifyReply): FastifyReply {
  const code = generateToken();
  context.records.codes.put(code, {
    clientId: SANDBOX_CLIENT_ID,
    userId: user.userId,
    scopes: authorizeRequest.scopes,
    redirectUri: authorizeRequest.redirectUri,
    expiresAt: addMilliseconds(context.clock.now(), CODE_MINUTES * 60_000),
    ...(authorizeRequest.codeChallenge === undefined ? {} : { codeChallenge: authorizeRequest.codeChallenge }),
  });
  return redirectBack(reply, authorizeRequest, { code });
}

function redirectBack(reply: FastifyReply, authorizeRequest: AuthorizeRequest, parameters: Readonly<Record<string, string>>): FastifyReply {
  const url = new URL(authorizeRequest.redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (authorizeRequest.state !== null) url.searchParams.set('state', authorizeRequest.state);
  return redirectSeeOther(reply, url.href);
}

/** Shows errors in the browser instead of redirecting, because the redirect URI may not be trustworthy (RFC 6749 section 4.1.2.1). */
function readAuthorizeRequest(context: HmrcContext, request: FastifyRequest): AuthorizeRequest {
  const query = searchParams(request);
  const createInvalidError = (description: string) => new AuthorizeError('invalid_request', description);
  if (query.has('client_secret')) throw createInvalidError('client_secret must not be sent here');
  const missingName = ['client_id', 'redirect_uri', 'response_type', 'scope'].find((name) => !query.get(name));
  if (missingName !== undefined) throw createInvalidError(`${missingName} is required`);
  if (query.get('client_id') !== SANDBOX_CLIENT_ID) throw createInvalidError('client_id is invalid');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!context.redirectUris.includes(redirectUri)) throw createInvalidError('redirect_uri is invalid');
  if (query.get('response_type') !== 'code') throw new AuthorizeError('unsupported_response_type', 'response_type must be code');
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.some((scope) => !SCOPES.has(scope))) throw new AuthorizeError('invalid_scope', 'scope is invalid');
  const [challenge, method] = [query.get('code_challenge'), query.get('code_challenge_method')];
  if ((challenge === null) !== (method === null)) throw createInvalidError('code_challenge and code_challenge_method go together');
  if (method !== null && method !== 'S256') throw createInvalidError('code_challenge_method must be S256');
  if (challenge !== null && !/^[\w-]{43}$/.test(challenge)) throw createInvalidError('code_challenge is malformed');
  return { redirectUri, scopes, state: query.get('state'), ...(challenge === null ? {} : { codeChallenge: challenge }) };
}

class AuthorizeError extends Error {
  readonly error: string;
  constructor(error: string, description: string) {
    super(description);
    this.name = 'AuthorizeError';
    this.error = error;
  }
}

/** Handles errors of the browser pages. Responds with JSON, unless the browser requests a page. */
export function sendAuthorizeError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(thrown instanceof AuthorizeError)) throw thrown;
  const { error, message } = thrown;
  if (!(request.headers.accept ?? '').includes('text/html')) return sendApiError(createOauthError(400, error, message), request, reply);
  return sendPage(reply, 400, 'There is a problem', `<p>${escapeHtml(`${error}: ${message}`)}</p>`);
}

function renderScopeList({ scopes }: AuthorizeRequest): string {
  return `<ul>${scopes.map((scope) => `<li>${escapeHtml(SCOPE_LABELS[scope] ?? scope)}</li>`).join('')}</ul>`;
}
