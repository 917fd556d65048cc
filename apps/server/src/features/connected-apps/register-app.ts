/** Registers an app dynamically (RFC 7591). Registration gives no access: a user has to consent afterwards. */
import { randomUUID } from 'node:crypto';
import { connectedAppGrants, registeredApps } from '@portal/db/schema/schema.ts';
import { and, lt, notExists, sql, eq } from '@portal/db/sql.ts';
import { addMilliseconds, toEpochMs } from '@portal/domain/clock.ts';
import {
  CONNECTED_APP_SCOPES,
  isRedirectUri,
  MAX_REDIRECT_URIS,
  MAX_REGISTRATIONS,
  UNUSED_CONNECTED_APP_TTL_MS,
} from '@portal/domain/developers/connected-apps.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { OauthError } from './oauth-error.ts';
import { appNameSchema } from './app-name.ts';

const registrationSchema = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: appNameSchema,
});

/** Every app is a public client, which authenticates with PKCE, so it gets no secret, whatever it requests. */
export async function registerApp({ database: { db }, wallClock }: AppDeps, body: unknown, ip: string): Promise<object> {
  await limitAttempts(db, wallClock, { [`program-registration:${toNetwork(ip)}`]: MAX_REGISTRATIONS });
  const parsed = registrationSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OauthError('invalid_client_metadata', `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'badly formed'}`);
  }
  const { redirect_uris: redirectUris, client_name: name } = parsed.data;
  const refusedUri = redirectUris.find((uri) => !isRedirectUri(uri));
  if (refusedUri !== undefined) {
    throw new OauthError('invalid_redirect_uri', 'A redirect URI must be https, or http on localhost, without credentials or fragment.');
  }
  const id = randomUUID();
  const createdAt = wallClock.now();
  await db.insert(registeredApps).values({ id, name, redirectUris, createdAt });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(toEpochMs(createdAt) / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: CONNECTED_APP_SCOPES.join(' '),
  };
}

/** Deletes registrations that no user has consented to. */
export async function purgeApps({ database: { db }, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  const grants = db
    .select({ id: connectedAppGrants.id })
    .from(connectedAppGrants)
    .where(eq(connectedAppGrants.clientId, sql`${registeredApps.id}::text`));
  await db
    .delete(registeredApps)
    .where(and(lt(registeredApps.createdAt, addMilliseconds(wallClock.now(), -UNUSED_CONNECTED_APP_TTL_MS)), notExists(grants)));
}
