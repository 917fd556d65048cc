/**
 * The token endpoint (RFC 6749, OAuth 2.1): exchanges a code or a refresh token for an access token and the next refresh token. Each can be
 * used only once. A second use means that someone else has it, so the whole grant ends.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { companies, connectedAppGrants, connectedAppTokens } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import {
  ACCESS_TOKEN_TTL_MS,
  CONNECTED_APP_SCOPES,
  REFRESH_TOKEN_TTL_MS,
  type ConnectedAppScope,
} from '@portal/domain/developers/connected-apps.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { endGrant } from './end-apps.ts';
import { OauthError } from './oauth-error.ts';
import { isOurResource } from './app-urls.ts';
import { APP_TOKEN_PREFIX } from './check-app-token.ts';

export type IssuedTokens = {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
};

const secretSchema = z.string().min(1).max(200);
const tokenRequestSchema = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: secretSchema,
    redirect_uri: z.string().max(500).optional(),
    client_id: z.string().min(1).max(2000),
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/, 'code_verifier must have 43 to 128 unreserved characters'),
    resource: z.string().max(2000).optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: secretSchema,
    client_id: z.string().min(1).max(2000),
    scope: z.string().max(2000).optional(),
    resource: z.string().max(2000).optional(),
  }),
]);
type TokenRequest = z.output<typeof tokenRequestSchema>;
type TokenRow = { readonly token: typeof connectedAppTokens.$inferSelect; readonly grant: typeof connectedAppGrants.$inferSelect };

/** Throws OauthError. Its transaction commits even then, because a grant ended by a second use must stay ended. */
export async function exchangeToken(deps: AppDeps, form: Readonly<Record<string, string>>, ip: string): Promise<IssuedTokens> {
  const request = parseRequest(form);
  if (request.resource !== undefined && !isOurResource(deps.site, request.resource))
    throw new OauthError('invalid_target', 'The resource isn’t the one that this server issues tokens for.');
  const isCode = request.grant_type === 'authorization_code';
  const presentedToken = isCode ? request.code : request.refresh_token;
  const outcome = await deps.database.db.transaction(async (tx): Promise<IssuedTokens | OauthError> => {
    const row = await lockToken(tx, hashToken(presentedToken), isCode ? 'code' : 'refresh');
    const now = deps.wallClock.now();
    if (!row || row.grant.clientId !== request.client_id) return createInvalidGrantError();
    const { token, grant } = row;
    if (grant.endedAt !== null || grant.expiresAt <= now) return createInvalidGrantError();
    if (token.usedAt !== null) {
      await endGrant(tx, grant, { at: now, by: null });
      const reason = { name: grant.name, reason: isCode ? 'code_reused' : 'refresh_token_reused' };
      const entry = { companyId: grant.companyId, at: deps.clock.now(), actor: grant.userId, action: 'program.ended', subject: grant.id };
      await recordAudit(tx, { ...entry, after: reason, ip });
      deps.recordSecurityEvent('access_refused', { reason: 'program_token_reused' });
      return createInvalidGrantError();
    }
    if (token.expiresAt <= now) return createInvalidGrantError();
    if (request.grant_type === 'authorization_code' && !matchesCode(request, token)) return createInvalidGrantError();
    const scopes = request.grant_type === 'refresh_token' ? narrowScopes(grant.scopes, request.scope) : grant.scopes;
    if (scopes === undefined) return new OauthError('invalid_scope', 'The scope is wider than the user allowed.');
    await tx
      .update(connectedAppTokens)
      .set({ usedAt: now })
      .where(and(eq(connectedAppTokens.companyId, token.companyId), eq(connectedAppTokens.tokenHash, token.tokenHash)));
    return issue(tx, row, scopes, now);
  });
  if (outcome instanceof OauthError) throw outcome;
  return outcome;
}

const createInvalidGrantError = (): OauthError =>
  new OauthError('invalid_grant', 'The code or refresh token is no longer valid. Connect the app again.');

function parseRequest(form: Readonly<Record<string, string>>): TokenRequest {
  const { grant_type: type } = form;
  if (type !== 'authorization_code' && type !== 'refresh_token')
    throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  const parsed = tokenRequestSchema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OauthError('invalid_request', `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'badly formed'}`);
}

/** Locks the grant's row first, so that of two concurrent uses the second sees the first. */
async function lockToken(tx: Tx, tokenHash: string, kind: 'code' | 'refresh'): Promise<TokenRow | undefined> {
  const [foundToken] = await tx
    .select({ grant: connectedAppGrants })
    .from(connectedAppTokens)
    .innerJoin(
      connectedAppGrants,
      and(eq(connectedAppGrants.companyId, connectedAppTokens.companyId), eq(connectedAppGrants.id, connectedAppTokens.grantId)),
    )
    .innerJoin(companies, and(eq(companies.id, connectedAppTokens.companyId), isNull(companies.closedAt)))
    .where(and(eq(connectedAppTokens.tokenHash, tokenHash), eq(connectedAppTokens.kind, kind)))
    .for('update', { of: connectedAppGrants });
  if (!foundToken) return undefined;
  const [token] = await tx.select().from(connectedAppTokens).where(eq(connectedAppTokens.tokenHash, tokenHash));
  const isGrant = and(eq(connectedAppGrants.companyId, foundToken.grant.companyId), eq(connectedAppGrants.id, foundToken.grant.id));
  const [grant] = await tx.select().from(connectedAppGrants).where(isGrant);
  return token && grant && { token, grant };
}

type CodeRequest = Extract<TokenRequest, { grant_type: 'authorization_code' }>;

/** OAuth 2.1 no longer requires the redirect URI here; if one is sent, it must match. */
function matchesCode(
  { code_verifier: verifier, redirect_uri: uri }: CodeRequest,
  { codeChallenge, redirectUri }: TokenRow['token'],
): boolean {
  if (uri !== undefined && uri !== redirectUri) return false;
  const verifierHash = createHash('sha256').update(verifier).digest();
  const expectedDigest = Buffer.from(codeChallenge ?? '', 'base64url');
  return verifierHash.length === expectedDigest.length && timingSafeEqual(verifierHash, expectedDigest);
}

/** Returns the scopes of a refreshed token: all of them, or those requested. Undefined if one of them wasn't granted. */
function narrowScopes(
  grantedScopes: readonly ConnectedAppScope[],
  requestedScope: string | undefined,
): readonly ConnectedAppScope[] | undefined {
  const requestedScopes = (requestedScope ?? '').split(' ').filter((scope) => scope !== '');
  if (requestedScopes.length === 0) return grantedScopes;
  return requestedScopes.every((scope) => grantedScopes.some((item) => item === scope))
    ? CONNECTED_APP_SCOPES.filter((scope) => requestedScopes.includes(scope))
    : undefined;
}

async function issue(tx: Tx, { token, grant }: TokenRow, scopes: readonly ConnectedAppScope[], now: Instant): Promise<IssuedTokens> {
  const [accessToken, refresh] = [`${APP_TOKEN_PREFIX}${generateToken()}`, generateToken()];
  const sharedFields = { companyId: grant.companyId, grantId: grant.id, resource: token.resource, createdAt: now };
  const getExpiry = (ttlMs: number): Instant => {
    const expiresAt = addMilliseconds(now, ttlMs);
    return expiresAt < grant.expiresAt ? expiresAt : grant.expiresAt;
  };
  await tx.insert(connectedAppTokens).values([
    { ...sharedFields, kind: 'access', tokenHash: hashToken(accessToken), scopes, expiresAt: getExpiry(ACCESS_TOKEN_TTL_MS) },
    { ...sharedFields, kind: 'refresh', tokenHash: hashToken(refresh), scopes: grant.scopes, expiresAt: getExpiry(REFRESH_TOKEN_TTL_MS) },
  ]);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor(ACCESS_TOKEN_TTL_MS / 1000),
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}
