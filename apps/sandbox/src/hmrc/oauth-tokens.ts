/**
 * POST /oauth/token (docs/reference/hmrc.md section 2): code, refresh and client-credentials grants. Credentials are accepted in the form
 * body only.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { addMilliseconds, toEpochMs } from '@portal/domain/clock.ts';
import type { FastifyReply } from 'fastify';
import { readForm } from '../simulator/request.ts';
import type { TokenWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import { incrementCount } from './call-statistics.ts';
import type { HmrcRequest } from './gateway.ts';
import { HmrcApiError } from './hmrc-api-error.ts';
import { SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, type HmrcContext } from './hmrc-context.ts';
import type { GrantRecord } from './hmrc-records.ts';

const ACCESS_TOKEN_SECONDS = 14_400;

/** Scopes that a user can grant, with their descriptions on the consent page. */
export const SCOPE_LABELS: Readonly<Record<string, string>> = {
  'read:vat': 'view your VAT information',
  'write:vat': 'change your VAT information and send VAT returns',
  'read:self-assessment': 'view Self Assessment information',
  'write:self-assessment': 'change Self Assessment information',
  'read:sent-invitations': 'view the authorisation requests you have sent',
  'write:sent-invitations': 'send authorisation requests to your clients',
  'write:cancel-invitations': 'cancel authorisation requests',
  'read:check-relationship': 'check whether a client has authorised you',
  'write:relationships': 'end a client’s authorisation',
};

export const SCOPES: ReadonlySet<string> = new Set(Object.keys(SCOPE_LABELS));

export function handleTokenRequest(context: HmrcContext, request: HmrcRequest, reply: FastifyReply): FastifyReply {
  const isForm = (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded');
  return reply.send(issueTokens(context, isForm ? readForm(request) : new URLSearchParams()));
}

function issueTokens(context: HmrcContext, form: URLSearchParams): TokenWire {
  const missingName = ['client_id', 'client_secret', 'grant_type'].find((name) => !form.get(name));
  if (missingName !== undefined) throw createOauthError(400, 'invalid_request', `${missingName} is required`);
  if (form.get('client_id') !== SANDBOX_CLIENT_ID || !areSecretsEqual(form.get('client_secret') ?? '', SANDBOX_CLIENT_SECRET)) {
    throw createOauthError(401, 'invalid_client', 'invalid client id or secret');
  }
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(context, form);
    case 'refresh_token':
      return refresh(context, form);
    case 'client_credentials':
      return grantApplication(context, form);
    default:
      throw createOauthError(400, 'invalid_request', 'unsupported grant_type');
  }
}

/** Stores the user's authorisation and issues its first tokens. The authorisation ends 18 months later, even if tokens are refreshed. */
function exchangeCode(context: HmrcContext, form: URLSearchParams): TokenWire {
  const { records, clock, store } = context;
  const codeText = form.get('code') ?? '';
  if (codeText === '') throw createOauthError(400, 'invalid_request', 'code is required');
  return store.atomically(() => {
    const code = records.codes.get(codeText);
    if (!code || toEpochMs(code.expiresAt) <= toEpochMs(clock.now())) throw createOauthError(400, 'invalid_request', 'code is invalid');
    if (form.get('redirect_uri') !== code.redirectUri) throw createOauthError(400, 'invalid_request', 'redirect_uri is invalid');
    checkVerifier(code.codeChallenge, form.get('code_verifier'));
    records.codes.delete(codeText);
    const now = clock.now();
    const endsOn = new Date(now);
    endsOn.setUTCMonth(endsOn.getUTCMonth() + 18);
    const grant: GrantRecord = {
      grantId: generateToken(),
      clientId: code.clientId,
      userId: code.userId,
      scopes: code.scopes,
      grantedAt: now,
      expiresAt: addMilliseconds(now, endsOn.getTime() - toEpochMs(now)),
      revoked: false,
    };
    return { ...issuePair(context, grant), scope: grant.scopes.join(' ') };
  });
}

/** A refresh token works once and ends the old access token immediately. */
function refresh(context: HmrcContext, form: URLSearchParams): TokenWire {
  const { records, clock, store } = context;
  const token = form.get('refresh_token') ?? '';
  if (token === '') throw createOauthError(400, 'invalid_request', 'refresh_token is required');
  const pair = store.atomically(() => {
    const grantId = records.refreshTokens.get(token);
    const grant = grantId === undefined ? undefined : records.grants.get(grantId);
    const isValid = grant && !grant.revoked && grant.refreshToken === token && toEpochMs(grant.expiresAt) > toEpochMs(clock.now());
    incrementCount(context, isValid ? 'refreshed' : 'refreshRefused');
    return isValid ? issuePair(context, grant) : undefined;
  });
  if (!pair) throw createOauthError(400, 'invalid_grant', 'refresh_token is invalid');
  // HMRC's example response to a refresh doesn't have a scope either.
  return pair;
}

function grantApplication(context: HmrcContext, form: URLSearchParams): TokenWire {
  const scopes = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.some((scope) => !SCOPES.has(scope))) throw createOauthError(400, 'invalid_scope', 'scope is invalid');
  const accessToken = generateToken();
  const grantedScopes = scopes.length === 0 ? [...SCOPES] : scopes;
  context.records.accessTokens.put(accessToken, {
    clientId: SANDBOX_CLIENT_ID,
    scopes: grantedScopes,
    expiresAt: addMilliseconds(context.clock.now(), ACCESS_TOKEN_SECONDS * 1000),
  });
  return { access_token: accessToken, token_type: 'bearer', expires_in: ACCESS_TOKEN_SECONDS, scope: grantedScopes.join(' ') };
}

function issuePair(context: HmrcContext, grant: GrantRecord): TokenWire {
  const { records, clock } = context;
  const accessToken = generateToken();
  const refreshToken = generateToken();
  if (grant.accessToken !== undefined) records.accessTokens.delete(grant.accessToken);
  records.grants.put(grant.grantId, { ...grant, accessToken, refreshToken });
  records.refreshTokens.put(refreshToken, grant.grantId);
  const expiresAt = addMilliseconds(clock.now(), ACCESS_TOKEN_SECONDS * 1000);
  records.accessTokens.put(accessToken, { clientId: grant.clientId, grantId: grant.grantId, scopes: grant.scopes, expiresAt });
  return { access_token: accessToken, token_type: 'bearer', expires_in: ACCESS_TOKEN_SECONDS, refresh_token: refreshToken };
}

function checkVerifier(challenge: string | undefined, verifier: string | null): void {
  if (challenge === undefined) {
    if (verifier === null) return;
    throw createOauthError(400, 'invalid_request', 'code_verifier is unexpected');
  }
  if (verifier === null) throw createOauthError(400, 'invalid_request', 'code_verifier is required');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) throw createOauthError(400, 'invalid_request', 'code_verifier is malformed');
  const computedChallenge = createHash('sha256').update(verifier).digest('base64url');
  if (!areSecretsEqual(computedChallenge, challenge)) throw createOauthError(400, 'invalid_grant', 'code_verifier does not match');
}

export function generateToken(): string {
  return randomBytes(16).toString('hex');
}

/** Builds an error in the OAuth format, which differs from the APIs' format (RFC 6749 section 5.2). */
export function createOauthError(status: 400 | 401, error: string, description: string): HmrcApiError {
  return new HmrcApiError(status, { error, error_description: description });
}

function areSecretsEqual(a: string, b: string): boolean {
  const [leftDigest, rightDigest] = [createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest()];
  return timingSafeEqual(leftDigest, rightDigest);
}
