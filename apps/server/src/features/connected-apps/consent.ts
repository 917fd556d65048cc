/** A user's consent: the app's request as the page shows it, and the code that the app gets. */
import { randomUUID } from 'node:crypto';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { connectedAppsApi } from '@portal/contract/connected-apps.ts';
import {
  allTenantsMemberships,
  companies,
  connectedAppGrants,
  connectedAppTokens,
  memberships,
  sessions,
  users,
} from '@portal/db/schema/schema.ts';
import { and, asc, count, eq, gt, inArray, isNull } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, formatInstant } from '@portal/domain/clock.ts';
import {
  CODE_TTL_MS,
  CONNECTED_APP_GRANT_TTL_MS,
  CONNECTED_APP_SCOPE_NAMES,
  CONNECTED_APP_SCOPES,
  type ConnectedAppScope,
  isLoopback,
  isRegisteredRedirect,
  MAX_CONNECTED_APPS_PER_USER,
} from '@portal/domain/developers/connected-apps.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import type { Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { hashToken, generateToken, type Actor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockOpenCompany } from '../identity/lock-open-company.ts';
import { getSecurityReason } from '../identity/link-emails.ts';
import { findApp, type OauthApp } from './find-app.ts';
import { hasLiveToken } from './live-token.ts';
import { getResource, isOurResource } from './app-urls.ts';

type Request = Omit<ParsedEndpointInput<typeof connectedAppsApi.request>, 'company_id'>;
type ConsentRequest = EndpointOutput<typeof connectedAppsApi.request>;

/** A request whose app and redirect URI are known, so errors may be sent to the app. */
type CheckedRequest = {
  readonly app: OauthApp;
  readonly redirectUri: string;
  readonly scopes: readonly ConnectedAppScope[];
  readonly challenge: string;
};

export async function readRequest(deps: AppDeps, actor: Actor, request: Request): Promise<ConsentRequest> {
  const checkedRequest = await checkRequest(deps, request);
  if ('rejectTo' in checkedRequest) return { consent: null, reject_to: checkedRequest.rejectTo };
  const practices = await deps.database.db
    .select({ company_id: companies.id, name: companies.name })
    .from(allTenantsMemberships)
    .innerJoin(companies, and(eq(companies.id, allTenantsMemberships.companyId), isNull(companies.closedAt)))
    .where(and(eq(allTenantsMemberships.userId, actor.userId), inArray(allTenantsMemberships.role, PRACTICE_ROLES)))
    .orderBy(asc(companies.name), asc(companies.id));
  const { app, redirectUri, scopes } = checkedRequest;
  return {
    consent: {
      program: {
        name: app.name,
        redirect_host: new URL(redirectUri).host,
        is_local: isLoopback(redirectUri),
        described_by: app.describedBy ?? null,
      },
      scopes: [...scopes],
      practices,
      refuse_to: toRedirect(deps, redirectUri, request, { error: 'access_denied', error_description: 'The user declined.' }),
    },
    reject_to: null,
  };
}

/** Throws if the app or its redirect URI is unknown, because then nothing may be sent there (RFC 6749 section 4.1.2.1). */
async function checkRequest(deps: AppDeps, request: Request): Promise<CheckedRequest | { readonly rejectTo: string }> {
  const oauthApp = await findApp(deps, request.client_id);
  if (!oauthApp) {
    const sentence = 'We don’t recognise the app that sent you here. Remove the portal in the app and add it again.';
    throw new AppError('invalid', 'program.unknown', sentence);
  }
  const [onlyRedirectUri] = oauthApp.redirectUris;
  // The app's document is read again when the user consents. By then, it may contain a different redirect URI from the one they saw.
  const hasSingleRedirectUri = oauthApp.describedBy === undefined && oauthApp.redirectUris.length === 1;
  const redirectUri = request.redirect_uri ?? (hasSingleRedirectUri ? onlyRedirectUri : undefined);
  if (redirectUri === undefined || !isRegisteredRedirect(oauthApp.redirectUris, redirectUri)) {
    const sentence = 'The app asked us to send you to a URL that isn’t registered for it, so we’ve stopped.';
    throw new AppError('invalid', 'program.redirect_unknown', sentence);
  }
  const reject = (error: string, description: string) => ({
    rejectTo: toRedirect(deps, redirectUri, request, { error, error_description: description }),
  });
  if (request.response_type !== 'code') return reject('unsupported_response_type', 'response_type must be code');
  const challenge = request.code_challenge ?? '';
  if (request.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return reject('invalid_request', 'PKCE with code_challenge_method=S256 is required');
  if (request.resource !== undefined && !isOurResource(deps.site, request.resource))
    return reject('invalid_target', `resource must be ${getResource(deps.site)}`);
  const requestedScopes = (request.scope ?? '').split(' ').filter((scope) => scope !== '');
  const scopes =
    requestedScopes.length === 0 ? CONNECTED_APP_SCOPES : CONNECTED_APP_SCOPES.filter((scope) => requestedScopes.includes(scope));
  if (scopes.length === 0) return reject('invalid_scope', `Supported scopes: ${CONNECTED_APP_SCOPES.join(' ')}`);
  return { app: oauthApp, redirectUri, scopes, challenge };
}

/** Includes the issuer, so that an app that talks to several servers can't confuse them (RFC 9207). */
function toRedirect({ site }: AppDeps, redirectUri: string, { state }: Request, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  url.searchParams.set('iss', site.publicUrl);
  return url.href;
}

export type Approver = { readonly companyId: string; readonly actor: Actor; readonly ip: string };

export async function approveRequest(
  deps: AppDeps,
  { companyId, actor, ip }: Approver,
  { scopes: chosenScopes, ...request }: Request & { readonly scopes: readonly ConnectedAppScope[] },
): Promise<{ readonly redirect_to: string }> {
  const checkedRequest = await checkRequest(deps, request);
  if ('rejectTo' in checkedRequest) return { redirect_to: checkedRequest.rejectTo };
  const { app, redirectUri } = checkedRequest;
  const scopes = checkedRequest.scopes.filter((scope) => chosenScopes.includes(scope));
  // The page offers only the requested scopes.
  if (scopes.length !== new Set(chosenScopes).size)
    throw new AppError('invalid', 'program.scope_not_asked', 'Choose only from the permissions the app requests.', { field: 'scopes' });
  const code = generateToken();
  await deps.database.db.transaction(async (tx) => {
    if (!(await lockOpenCompany(tx, companyId)) || !(await isStillSignedIn(tx, companyId, actor))) throw createNotFoundError();
    const now = deps.wallClock.now();
    await assertBelowAppLimit(deps, tx, companyId, actor.userId);
    const id = randomUUID();
    const expiresAt = addMilliseconds(now, CONNECTED_APP_GRANT_TTL_MS);
    const shownRequest = { name: app.name, redirectHost: new URL(redirectUri).host, scopes };
    await tx.insert(connectedAppGrants).values({
      companyId,
      id,
      userId: actor.userId,
      clientId: app.clientId,
      ...shownRequest,
      createdAt: now,
      expiresAt,
    });
    await tx.insert(connectedAppTokens).values({
      companyId,
      grantId: id,
      kind: 'code',
      tokenHash: hashToken(code),
      scopes,
      resource: getResource(deps.site),
      codeChallenge: checkedRequest.challenge,
      redirectUri,
      createdAt: now,
      expiresAt: addMilliseconds(now, CODE_TTL_MS),
    });
    const after = { name: app.name, redirect_host: shownRequest.redirectHost, scopes, expires_at: expiresAt };
    await recordAudit(tx, { companyId, at: deps.clock.now(), actor: actor.userId, action: 'program.connected', subject: id, after, ip });
    await enqueueConnectedEmail(deps, tx, {
      companyId,
      actor,
      name: app.name,
      host: shownRequest.redirectHost,
      scopes,
      until: formatInstant(expiresAt),
    });
  });
  return { redirect_to: toRedirect(deps, redirectUri, request, { code }) };
}

/** While the app's document was being read, the user may have been removed, or may have reset a stolen password. */
async function isStillSignedIn(tx: Tx, companyId: string, { userId, sessionId }: Actor): Promise<boolean> {
  // A password reset also locks the user, so it either ends this session before this point or ends the new grant afterwards.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId ?? ''), eq(sessions.userId, userId)));
  const [member] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId), inArray(memberships.role, PRACTICE_ROLES)))
    .for('share');
  return session !== undefined && member !== undefined;
}

/** Ignores grants without a working code or refresh token, because they no longer give access. */
async function assertBelowAppLimit(deps: AppDeps, tx: Tx, companyId: string, userId: string): Promise<void> {
  const [row] = await tx
    .select({ active: count() })
    .from(connectedAppGrants)
    .where(
      and(
        eq(connectedAppGrants.companyId, companyId),
        eq(connectedAppGrants.userId, userId),
        isNull(connectedAppGrants.endedAt),
        gt(connectedAppGrants.expiresAt, deps.wallClock.now()),
        hasLiveToken(tx, deps.wallClock.now()),
      ),
    );
  if ((row?.active ?? 0) < MAX_CONNECTED_APPS_PER_USER) return;
  const sentence = `You’ve connected ${MAX_CONNECTED_APPS_PER_USER} apps, which is the limit.`;
  throw new AppError('conflict', 'program.too_many', `${sentence} Remove one in Settings first.`);
}

type ConnectedApp = {
  readonly companyId: string;
  readonly actor: Actor;
  readonly name: string;
  readonly host: string;
  readonly scopes: readonly ConnectedAppScope[];
  readonly until: string;
};

/** Warns the user, in case someone else consented at their desk. */
function enqueueConnectedEmail(deps: AppDeps, tx: Tx, { companyId, actor, name, host, scopes, until }: ConnectedApp): Promise<void> {
  const scopeNames = scopes.map((scope) => CONNECTED_APP_SCOPE_NAMES[scope].replace(/^[A-Z]/, (letter) => letter.toLowerCase())).join('; ');
  return enqueueEmail(deps, tx, actor.email, {
    subject: 'An app now acts for you',
    preheader: `“${name}” has access to your practice until ${until}.`,
    heading: 'An app now acts for you',
    paragraphs: [
      `The app “${name}”, which signed in from ${host}, was connected in your name. It has access until ${until}, or until you remove it. It can: ${scopeNames}.`,
    ],
    action: { label: 'See your apps', path: `${getSettingsPath('developers')}?company_id=${companyId}` },
    notes: [
      'If you didn’t connect it, remove it now and choose “Set a new password” on the login page, which disconnects all your apps and revokes all your API keys.',
    ],
    reason: getSecurityReason(deps.site.brand),
  });
}
