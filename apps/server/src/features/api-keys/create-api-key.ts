/** Creates and revokes API keys. The key itself appears in one response only: we store its hash. */
import { randomUUID } from 'node:crypto';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { apiKeysApi } from '@portal/contract/api-keys.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { apiKeys } from '@portal/db/schema/schema.ts';
import { and, eq, gt, isNull, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { addMilliseconds, formatInstant, type Instant } from '@portal/domain/clock.ts';
import { API_SCOPE_NAMES, API_SCOPES, MAX_ACTIVE_KEYS, type ApiScope, type KeyLifetime } from '@portal/domain/developers/api-scopes.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockOpenCompany } from '../identity/lock-open-company.ts';
import { lockSession } from '../identity/lock-session.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { hashToken, generateToken, type Actor } from '../../http/session.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getSecurityReason } from '../identity/link-emails.ts';

const DAY_MS = 86_400_000;

export type KeyOwner = { readonly companyId: string; readonly kind: 'practice' | 'trader' };
export type KeyChange = { readonly owner: KeyOwner; readonly actor: Actor; readonly ip: string };
type NewKey = { readonly name: string; readonly scopes: readonly ApiScope[]; readonly days: KeyLifetime };

export function createApiKey(deps: AppDeps, change: KeyChange, input: NewKey): Promise<EndpointOutput<typeof apiKeysApi.create>> {
  const { owner, actor } = change;
  const { companyId } = owner;
  const key = `${getKeyPrefix(deps.site)}${generateToken()}`;
  return deps.database.db.transaction(async (tx) => {
    const now = deps.wallClock.now();
    // Two concurrent requests must not both pass the limit, and a practice that is being closed must not get a key.
    if (!(await lockOpenCompany(tx, companyId))) throw createNotFoundError();
    await lockSession(tx, actor);
    await assertKeyLimit(tx, companyId, now);
    const scopes = API_SCOPES.filter((scope) => input.scopes.includes(scope));
    const expiresAt = addMilliseconds(now, input.days * DAY_MS);
    const id = randomUUID();
    await tx.insert(apiKeys).values({
      companyId,
      id,
      userId: actor.userId,
      name: input.name,
      scopes,
      keyHash: hashToken(key),
      hint: `${key.slice(0, 9)}…${key.slice(-4)}`,
      createdAt: now,
      expiresAt,
    });
    await recordKeyChange(deps, tx, change, 'api_key.created', id, { name: input.name, scopes, expires_at: expiresAt });
    await enqueueCreatedEmail(deps, tx, change, { name: input.name, scopes, expiresAt });
    return { key_id: id, key, expires_at: expiresAt };
  });
}

/** Returns a prefix that marks keys of the sandbox, so that an app under test isn't mistaken for one that works on real figures. */
export function getKeyPrefix({ isHmrcSimulated }: Pick<AppDeps['site'], 'isHmrcSimulated'>): string {
  return isHmrcSimulated ? 'ptl_test_' : 'ptl_live_';
}

async function assertKeyLimit(tx: Tx, companyId: string, now: Instant): Promise<void> {
  const [row] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(apiKeys)
    .where(and(eq(apiKeys.companyId, companyId), isNull(apiKeys.revokedAt), gt(apiKeys.expiresAt, now)));
  if ((row?.count ?? 0) < MAX_ACTIVE_KEYS) return;
  throw createInvalidFieldError('name', `You have ${MAX_ACTIVE_KEYS} active keys, which is the limit. Revoke one you no longer need.`);
}

export function revokeApiKey(deps: AppDeps, change: KeyChange, keyId: string): Promise<{ done: true }> {
  const { companyId } = change.owner;
  return deps.database.db.transaction(async (tx) => {
    const isKey = and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, keyId));
    const [key] = await tx.select().from(apiKeys).where(isKey).for('update');
    if (!key) throw createNotFoundError();
    if (key.revokedAt !== null) return { done: true };
    await tx.update(apiKeys).set({ revokedAt: deps.wallClock.now(), revokedBy: change.actor.userId }).where(isKey);
    await recordKeyChange(deps, tx, change, 'api_key.revoked', keyId, { name: key.name });
    return { done: true };
  });
}

function recordKeyChange(
  deps: AppDeps,
  tx: Tx,
  { owner, actor, ip }: KeyChange,
  action: string,
  subject: string,
  after: object,
): Promise<void> {
  if (actor.credential) throw new AppError('bug', 'api_key.by_key', 'API keys can’t create or revoke keys.');
  return recordAudit(tx, { companyId: owner.companyId, at: deps.clock.now(), actor: actor.userId, action, subject, after, ip });
}

type CreatedKey = { readonly name: string; readonly scopes: readonly ApiScope[]; readonly expiresAt: Instant };

/** Informs the user whom the key acts for, in case someone else created it at their desk. */
function enqueueCreatedEmail(deps: AppDeps, tx: Tx, { owner, actor }: KeyChange, { name, scopes, expiresAt }: CreatedKey): Promise<void> {
  const page = owner.kind === 'practice' ? `${getSettingsPath('developers')}?company_id=${owner.companyId}` : PAGES.profile.path;
  return enqueueEmail(deps, tx, actor.email, {
    subject: 'A new API key acts for you',
    preheader: `“${name}” is valid until ${formatInstant(expiresAt)}.`,
    heading: 'A new API key acts for you',
    paragraphs: [
      `The API key “${name}” was created in your name and is valid until ${formatInstant(expiresAt)}. Software with this key can: ${scopes.map((scope) => API_SCOPE_NAMES[scope].toLowerCase()).join('; ')}.`,
    ],
    action: { label: 'See your API keys', path: page },
    notes: [
      'If you didn’t create it, revoke it now and choose “Set a new password” on the login page, which revokes all your API keys and disconnects all your apps.',
    ],
    reason: getSecurityReason(deps.site.brand),
  });
}
