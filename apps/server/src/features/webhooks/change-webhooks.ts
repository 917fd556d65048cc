/** Adds, changes, tests and removes webhook endpoints. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { webhookDeliveries, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { MAX_ENDPOINTS, SECRET_OVERLAP_HOURS, TEST_EVENT, type WebhookEvent } from '@portal/domain/developers/webhook-events.ts';
import { generateWebhookSecret } from '@portal/providers/webhooks/sign-webhook.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockOpenCompany } from '../identity/lock-open-company.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { failPendingDeliveries } from './endpoint-health.ts';
import { composeBody } from './record-webhook.ts';
import { enqueueWebhooks } from './send-webhooks.ts';

export type WebhookChange = { readonly companyId: string; readonly actor: Actor; readonly ip: string };
type Endpoint = typeof webhookEndpoints.$inferSelect;
type Secret = { readonly endpoint_id: string; readonly secret: string };
type DoneResult = { readonly done: true };
type Settings = { readonly url: string; readonly events: readonly WebhookEvent[] };

const HOUR_MS = 3_600_000;

export function createWebhook(deps: AppDeps, change: WebhookChange, { url, events }: Settings): Promise<Secret> {
  assertAddress(deps, url);
  const { companyId, actor } = change;
  return deps.database.db.transaction(async (tx) => {
    await assertBelowEndpointLimit(tx, companyId);
    const [id, secret] = [randomUUID(), generateWebhookSecret()];
    const row = { companyId, id, url, events: [...new Set(events)], secret: seal(deps, companyId, id, secret) };
    await tx.insert(webhookEndpoints).values({ ...row, createdBy: actor.userId, createdAt: deps.wallClock.now() });
    await recordWebhookChange(deps, tx, change, 'webhook.added', id, { url, events });
    return { endpoint_id: id, secret };
  });
}

export function changeWebhook(
  deps: AppDeps,
  change: WebhookChange,
  id: string,
  input: Settings & { readonly is_on: boolean },
): Promise<DoneResult> {
  assertAddress(deps, input.url);
  return deps.database.db.transaction(async (tx) => {
    const existing = await lockEndpoint(tx, change.companyId, id);
    const wasOn = existing.disabledAt === null;
    await tx
      .update(webhookEndpoints)
      .set({
        url: input.url,
        events: [...new Set(input.events)],
        ...(input.is_on ? { disabledAt: null, disabledReason: null } : {}),
        ...(input.is_on && !wasOn ? { failingSince: null } : {}),
        ...(!input.is_on && wasOn ? { disabledAt: deps.wallClock.now(), disabledReason: 'person' as const } : {}),
      })
      .where(isEndpoint(existing));
    if (!input.is_on) await failPendingDeliveries(tx, existing);
    const { url, events } = existing;
    await recordWebhookChange(
      deps,
      tx,
      change,
      'webhook.changed',
      id,
      { url: input.url, events: input.events, is_on: input.is_on },
      { url, events, is_on: wasOn },
    );
    return { done: true };
  });
}

export function rotateSecret(deps: AppDeps, change: WebhookChange, id: string): Promise<Secret> {
  const { companyId } = change;
  return deps.database.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, companyId, id);
    const secret = generateWebhookSecret();
    const formerUntil = addMilliseconds(deps.wallClock.now(), SECRET_OVERLAP_HOURS * HOUR_MS);
    await tx
      .update(webhookEndpoints)
      .set({ secret: seal(deps, companyId, id, secret), formerSecret: endpoint.secret, formerUntil })
      .where(isEndpoint(endpoint));
    await recordWebhookChange(deps, tx, change, 'webhook.secret_rotated', id, { former_until: formerUntil });
    return { endpoint_id: id, secret };
  });
}

export function removeWebhook(deps: AppDeps, change: WebhookChange, id: string): Promise<DoneResult> {
  return deps.database.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, change.companyId, id);
    await tx.delete(webhookEndpoints).where(isEndpoint(endpoint));
    await recordWebhookChange(deps, tx, change, 'webhook.removed', id, { url: endpoint.url });
    return { done: true };
  });
}

export function testWebhook(deps: AppDeps, { companyId }: WebhookChange, endpointId: string): Promise<{ delivery_id: string }> {
  return deps.database.db.transaction(async (tx) => {
    assertEnabled(await lockEndpoint(tx, companyId, endpointId));
    const [id, now] = [randomUUID(), deps.wallClock.now()];
    const body = composeBody(TEST_EVENT, deps.clock.now(), { company_id: companyId });
    const row = { companyId, id, endpointId, event: TEST_EVENT, body, createdAt: now, status: 'pending' as const, nextAttemptAt: now };
    await tx.insert(webhookDeliveries).values(row);
    await enqueueWebhooks(deps, tx, companyId);
    return { delivery_id: id };
  });
}

/** Resends a delivery with all its attempts. The ID stays the same, so a receiver that already has it can ignore it. */
export function replayDelivery(deps: AppDeps, { companyId }: WebhookChange, endpointId: string, deliveryId: string): Promise<DoneResult> {
  return deps.database.db.transaction(async (tx) => {
    assertEnabled(await lockEndpoint(tx, companyId, endpointId));
    const replayedDeliveries = await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', attempts: 0, nextAttemptAt: deps.wallClock.now() })
      .where(
        and(eq(webhookDeliveries.companyId, companyId), eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.id, deliveryId)),
      )
      .returning({ id: webhookDeliveries.id });
    if (replayedDeliveries.length === 0) throw createNotFoundError();
    await enqueueWebhooks(deps, tx, companyId);
    return { done: true };
  });
}

function assertAddress({ webhooks }: AppDeps, url: string): void {
  const problem = webhooks.findAddressProblem(url);
  if (problem !== undefined) throw createInvalidFieldError('url', problem);
}

function assertEnabled({ disabledAt }: Endpoint): void {
  if (disabledAt !== null) throw createInvalidFieldError('endpoint_id', 'This endpoint is switched off. Switch it on first.');
}

/** Also waits if the company is being closed. */
async function assertBelowEndpointLimit(tx: Tx, companyId: string): Promise<void> {
  if (!(await lockOpenCompany(tx, companyId))) throw createNotFoundError();
  const [row] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.companyId, companyId));
  if ((row?.count ?? 0) >= MAX_ENDPOINTS)
    throw createInvalidFieldError('url', `You have ${MAX_ENDPOINTS} endpoints, which is the limit. Remove one first.`);
}

const isEndpoint = ({ companyId, id }: Pick<Endpoint, 'companyId' | 'id'>) =>
  and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.id, id));

async function lockEndpoint(tx: Tx, companyId: string, id: string): Promise<Endpoint> {
  const [endpoint] = await tx.select().from(webhookEndpoints).where(isEndpoint({ companyId, id })).for('update');
  if (!endpoint) throw createNotFoundError();
  return endpoint;
}

function seal({ tokenCipher }: AppDeps, companyId: string, id: string, secret: string): string {
  return tokenCipher.seal(secret, `webhook_secret:${companyId}:${id}`);
}

function recordWebhookChange(
  deps: AppDeps,
  tx: Tx,
  { companyId, actor, ip }: WebhookChange,
  action: string,
  subject: string,
  after: object,
  previous?: object,
): Promise<void> {
  return recordAudit(tx, { companyId, at: deps.clock.now(), actor: actor.userId, action, subject, before: previous, after, ip });
}
