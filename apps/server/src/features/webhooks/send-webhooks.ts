/**
 * Sends a company's due webhooks, each at least once and always with the same id. Stores the attempt and the time of the next one before
 * the call, so that a delivery is only delayed if the process dies.
 */
import { webhookDeliveries, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNull, lte, sql } from '@portal/db/sql.ts';
import { addMilliseconds, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { getRetryDelayMs } from '@portal/domain/developers/webhook-events.ts';
import type { WebhookResult } from '@portal/providers/webhooks/webhook-sender.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordFailure, recordSuccess } from './endpoint-health.ts';

/** A batch is sent in parallel. Slow receivers delay only their own company's webhooks. */
const BATCH_SIZE = 10;
const TIME_BUDGET_MS = 60_000;
/** How long an attempt is reserved. Longer than any call takes, so a later attempt only starts if this one was lost. */
const LEASE_MS = 120_000;

type Delivery = typeof webhookDeliveries.$inferSelect;
type Endpoint = typeof webhookEndpoints.$inferSelect;

export async function sendWebhooks(deps: AppDeps, companyId: string, signal: AbortSignal): Promise<void> {
  const deadline = toEpochMs(deps.wallClock.now()) + TIME_BUDGET_MS;
  while (!signal.aborted && toEpochMs(deps.wallClock.now()) < deadline) {
    const batch = await claimBatch(deps, companyId);
    if (batch.length === 0) return;
    await Promise.all(batch.map(({ delivery, endpoint }) => attempt(deps, delivery, endpoint)));
  }
  await enqueueWebhooks(deps, deps.database.db, companyId);
}

export function enqueueWebhooks(deps: AppDeps, db: Parameters<AppDeps['enqueue']>[0], companyId: string): Promise<void> {
  return deps.enqueue(db, 'webhooks.send', { company_id: companyId }, { singletonKey: `webhooks.send:${companyId}` });
}

/** Lists companies with due deliveries to an endpoint that is switched on. */
export function listDueCompanies({ database: { db }, wallClock }: AppDeps): Promise<{ companyId: string }[]> {
  return db
    .selectDistinct({ companyId: webhookDeliveries.companyId })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, matchesEndpoint)
    .where(and(isDue(wallClock.now()), isNull(webhookEndpoints.disabledAt)));
}

const matchesEndpoint = and(
  eq(webhookEndpoints.companyId, webhookDeliveries.companyId),
  eq(webhookEndpoints.id, webhookDeliveries.endpointId),
);

const isDue = (now: Instant) => and(eq(webhookDeliveries.status, 'pending'), lte(webhookDeliveries.nextAttemptAt, now));

function claimBatch({ database, wallClock }: AppDeps, companyId: string): Promise<{ delivery: Delivery; endpoint: Endpoint }[]> {
  const now = wallClock.now();
  return database.db.transaction(async (tx) => {
    const dueDeliveries = await tx
      .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, matchesEndpoint)
      .where(and(eq(webhookDeliveries.companyId, companyId), isDue(now), isNull(webhookEndpoints.disabledAt)))
      .orderBy(webhookDeliveries.nextAttemptAt, webhookDeliveries.id)
      .limit(BATCH_SIZE)
      .for('update', { of: webhookDeliveries, skipLocked: true });
    const ids = dueDeliveries.map(({ delivery }) => delivery.id);
    if (ids.length === 0) return [];
    await tx
      .update(webhookDeliveries)
      .set({ attempts: sql`${webhookDeliveries.attempts} + 1`, lastAttemptAt: now, nextAttemptAt: addMilliseconds(now, LEASE_MS) })
      .where(and(eq(webhookDeliveries.companyId, companyId), inArray(webhookDeliveries.id, ids)));
    return dueDeliveries.map(({ delivery, endpoint }) => ({ delivery: { ...delivery, attempts: delivery.attempts + 1 }, endpoint }));
  });
}

async function attempt(deps: AppDeps, delivery: Delivery, endpoint: Endpoint): Promise<void> {
  const now = deps.wallClock.now();
  const message = { id: toMessageId(delivery.id), timestampSeconds: Math.floor(toEpochMs(now) / 1000), body: delivery.body };
  const result = await deps.webhooks.send(endpoint.url, message, openSecrets(deps, endpoint, now));
  await storeResult(deps, delivery, endpoint, result);
}

export function toMessageId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll('-', '')}`;
}

function openSecrets({ tokenCipher }: AppDeps, { companyId, id, secret, formerSecret, formerUntil }: Endpoint, now: Instant): string[] {
  const place = `webhook_secret:${companyId}:${id}` as const;
  const formerSecrets = formerSecret !== null && formerUntil !== null && formerUntil > now ? [tokenCipher.open(formerSecret, place)] : [];
  return [tokenCipher.open(secret, place), ...formerSecrets];
}

function storeResult(deps: AppDeps, delivery: Delivery, endpoint: Endpoint, { status, failure, durationMs }: WebhookResult): Promise<void> {
  const now = deps.wallClock.now();
  const delay = getRetryDelayMs(delivery.attempts);
  const isDone = failure === undefined;
  const hasEnded = isDone || delay === undefined;
  return deps.database.db.transaction(async (tx) => {
    await tx
      .update(webhookDeliveries)
      .set({
        status: isDone ? 'delivered' : hasEnded ? 'failed' : 'pending',
        nextAttemptAt: hasEnded ? null : addMilliseconds(now, delay),
        responseStatus: status,
        failure: failure ?? null,
        durationMs,
      })
      .where(and(eq(webhookDeliveries.companyId, delivery.companyId), eq(webhookDeliveries.id, delivery.id)));
    if (isDone) await recordSuccess(tx, endpoint);
    else await recordFailure(deps, tx, endpoint, { now, isGone: status === HTTP_GONE });
  });
}

/** Receivers unsubscribe with this status (Standard Webhooks specification). */
const HTTP_GONE = 410;
