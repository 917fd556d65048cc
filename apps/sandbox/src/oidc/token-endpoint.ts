/** The token endpoint: exchanges a code or a refresh token, with all its errors. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { addMilliseconds, toEpochMs, toInstant } from '@portal/domain/clock.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm } from '../simulator/request.ts';
import { readBasicCredentials } from '@portal/providers/oidc/client-credentials.ts';
import type { CodeRecord, RefreshRecord } from './identity-records.ts';
import type { GrantFacts, IdentityContext, Refusal, RefusalWire } from './provider-profile.ts';
import { sign } from './signing-keys.ts';

const REFUSAL_RESPONSES: Readonly<Record<Refusal, RefusalWire>> = {
  wrong_client: { status: 401, error: 'invalid_client' },
  bad_request: { status: 400, error: 'invalid_request' },
  unsupported_grant: { status: 400, error: 'unsupported_grant_type' },
  unknown_code: { status: 400, error: 'invalid_grant' },
  spent_code: { status: 400, error: 'invalid_grant' },
  expired_code: { status: 400, error: 'invalid_grant' },
  wrong_redirect: { status: 400, error: 'invalid_grant' },
  wrong_verifier: { status: 400, error: 'invalid_grant' },
  dead_refresh_token: { status: 400, error: 'invalid_grant' },
};

/** Only a user's newest 100 refresh tokens stay valid, as at Google. No other provider documents a higher limit. */
const MAX_REFRESH_TOKENS = 100;

type TokenIssue = {
  readonly code?: CodeRecord;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly realmId?: string;
  readonly signedInAt: string;
  readonly refresh?: RefreshRecord;
};

export async function handleTokenRequest(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isForm = (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded');
  const form = isForm ? readForm(request) : new URLSearchParams();
  if (!isKnownClient(context, request, form)) return toErrorResponse(context, reply, 'wrong_client');
  const issue = context.store.atomically(() => {
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return exchangeCode(context, form);
      case 'refresh_token':
        return exchangeRefreshToken(context, form);
      case null:
        return 'bad_request';
      default:
        return 'unsupported_grant';
    }
  });
  return typeof issue === 'string' ? toErrorResponse(context, reply, issue) : sendTokens(context, issue, request, reply);
}

function exchangeCode(context: IdentityContext, form: URLSearchParams): TokenIssue | Refusal {
  const { records, clock, profile } = context;
  const codeText = form.get('code') ?? '';
  if (codeText === '') return 'bad_request';
  const code = records.codes.get(codeText);
  if (!code) return 'unknown_code';
  if (code.isUsed) return 'spent_code';
  if (toEpochMs(code.expiresAt) <= toEpochMs(clock.now())) return 'expired_code';
  if (form.get('redirect_uri') !== code.redirectUri) return 'wrong_redirect';
  if (!isVerified(code.codeChallenge, form.get('code_verifier'))) return 'wrong_verifier';
  records.codes.put(codeText, { ...code, isUsed: true });
  const refresh = profile.shouldGrantRefreshToken(code) ? createRefreshToken(context, code) : undefined;
  return { ...code, code, ...(refresh === undefined ? {} : { refresh }) };
}

function exchangeRefreshToken(context: IdentityContext, form: URLSearchParams): TokenIssue | Refusal {
  const { records, clock, profile } = context;
  const token = form.get('refresh_token') ?? '';
  if (token === '') return 'bad_request';
  const usedToken = records.refreshTokens.get(token);
  const nowMs = toEpochMs(clock.now());
  if (!usedToken || toEpochMs(usedToken.expiresAt) <= nowMs) return 'dead_refresh_token';
  const renewal = profile.renew(usedToken, nowMs);
  if (renewal.kind === 'reject') return 'dead_refresh_token';
  if (renewal.kind === 'keep') {
    const extendedToken = { ...usedToken, usedAt: clock.now(), expiresAt: getExpiry(context, usedToken, nowMs) };
    records.refreshTokens.put(token, extendedToken);
    return { ...extendedToken, refresh: extendedToken };
  }
  if (renewal.kind === 'replace') {
    const oldExpiresAtMs = Math.min(renewal.oldUntilMs, toEpochMs(usedToken.expiresAt));
    records.refreshTokens.put(token, { ...usedToken, expiresAt: toInstant(oldExpiresAtMs) });
  }
  const refresh = createRefreshToken(context, usedToken);
  return { ...refresh, refresh };
}

/** With a rolling lifetime, the expiry restarts at each use. */
function getExpiry({ profile }: IdentityContext, usedToken: RefreshRecord, nowMs: number): RefreshRecord['expiresAt'] {
  return profile.refreshSeconds === undefined ? usedToken.expiresAt : toInstant(nowMs + profile.refreshSeconds * 1000);
}

function createRefreshToken(
  context: IdentityContext,
  granted: Pick<CodeRecord, 'subject' | 'scopes' | 'signedInAt' | 'realmId'>,
): RefreshRecord {
  const { records, clock, profile } = context;
  const token = generateToken();
  const now = clock.now();
  const refreshRecord: RefreshRecord = {
    token,
    subject: granted.subject,
    scopes: granted.scopes,
    signedInAt: granted.signedInAt,
    issuedAt: now,
    usedAt: now,
    expiresAt: addMilliseconds(now, (profile.refreshSeconds ?? 0) * 1000),
    ...(granted.realmId === undefined ? {} : { realmId: granted.realmId }),
  };
  records.refreshTokens.put(token, refreshRecord);
  const ownTokens = records.refreshTokens.list().filter(({ document }) => document.subject === granted.subject);
  for (const { key } of ownTokens.slice(0, -MAX_REFRESH_TOKENS)) records.refreshTokens.delete(key);
  return refreshRecord;
}

async function sendTokens(
  context: IdentityContext,
  issue: TokenIssue,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { profile, records, clock } = context;
  const person = records.people.get(issue.subject);
  if (!person) return toErrorResponse(context, reply, 'dead_refresh_token');
  const now = clock.now();
  const issuedAt = Math.floor(toEpochMs(now) / 1000);
  const facts = {
    person,
    scopes: issue.scopes,
    signedInAt: Math.floor(Date.parse(issue.signedInAt) / 1000),
    issuedAt,
    ...(issue.code?.nonce === undefined ? {} : { nonce: issue.code.nonce }),
    ...(issue.realmId === undefined ? {} : { realmId: issue.realmId }),
  };
  const seconds = profile.accessSeconds();
  const jwtClaims = profile.accessTokenClaims?.({ ...facts, accessToken: '' });
  const accessToken = jwtClaims
    ? await sign(context, undefined, { ...jwtClaims, iat: issuedAt, nbf: issuedAt, exp: issuedAt + seconds, jti: generateToken() })
    : generateToken();
  const expiresAt = addMilliseconds(now, seconds * 1000);
  const { subject, scopes } = issue;
  records.accessTokens.put(accessToken, {
    subject,
    scopes,
    signedInAt: now,
    expiresAt,
    ...(issue.realmId === undefined ? {} : { realmId: issue.realmId }),
  });
  const grant: GrantFacts = { ...facts, accessToken };
  const { refresh } = issue;
  const idToken = await createIdToken(context, grant);
  // Google omits the refresh token from a refresh response. A client that stores only the returned tokens loses it.
  const shouldOmitRefreshToken = refresh !== undefined && issue.code === undefined && profile.isKeptRefreshTokenOmitted === true;
  return reply
    .code(200)
    .header('cache-control', 'no-store')
    .send({
      token_type: profile.tokenType,
      access_token: accessToken,
      expires_in: seconds,
      ...(refresh === undefined || shouldOmitRefreshToken ? {} : { refresh_token: refresh.token }),
      ...(idToken === undefined ? {} : { id_token: idToken }),
      ...profile.replyExtras(grant, { headers: request.headers, ...(refresh === undefined ? {} : { refresh }) }),
    });
}

async function createIdToken(context: IdentityContext, grant: GrantFacts): Promise<string | undefined> {
  const { profile } = context;
  const { idTokenClaims } = profile;
  if (!idTokenClaims || !grant.scopes.includes('openid')) return undefined;
  const { issuedAt, nonce } = grant;
  const seconds = profile.idTokenSeconds ?? 3_600;
  return sign(context, profile.getKeyName?.(grant.person), {
    iat: issuedAt,
    exp: issuedAt + seconds,
    ...idTokenClaims(grant),
    ...(nonce === undefined || profile.isNonceIgnored === true ? {} : { nonce }),
  });
}

/** Returns the left half of the access token's hash (OpenID Connect Core 3.1.3.6). */
export function computeAtHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

function isKnownClient({ profile }: IdentityContext, { headers }: FastifyRequest, form: URLSearchParams): boolean {
  const basicCredentials = readBasicCredentials(headers.authorization ?? null);
  const formCredentials = { clientId: form.get('client_id') ?? '', clientSecret: form.get('client_secret') ?? '' };
  const credentials =
    profile.clientAuthentication === 'post'
      ? formCredentials
      : profile.clientAuthentication === 'basic'
        ? basicCredentials
        : (basicCredentials ?? formCredentials);
  return credentials !== undefined && credentials.clientId === profile.clientId && areEqual(credentials.clientSecret, profile.clientSecret);
}

function isVerified(challenge: string | undefined, verifier: string | null): boolean {
  if (challenge === undefined) return true;
  if (verifier === null || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return areEqual(createHash('sha256').update(verifier).digest('base64url'), challenge);
}

function toErrorResponse({ profile, clock }: IdentityContext, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, error, description } = profile.errors?.[refusal] ?? REFUSAL_RESPONSES[refusal];
  const extraMembers = profile.errorExtras?.(refusal, toEpochMs(clock.now())) ?? {};
  return reply.code(status).send({ error, ...(description === undefined ? {} : { error_description: description }), ...extraMembers });
}

function generateToken(): string {
  return randomBytes(32).toString('base64url');
}

function areEqual(a: string, b: string): boolean {
  const [leftDigest, rightDigest] = [createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest()];
  return timingSafeEqual(leftDigest, rightDigest);
}
