import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { WebhookEndpoint, webhooksApi } from '@portal/contract/webhooks.ts';
import { webhookDeliveries, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { isId } from '../../http/resolve-tenant.ts';
import { toMessageId } from './send-webhooks.ts';

/** Lists endpoints without their secrets. */
export async function listWebhooks({ database: { db }, wallClock }: AppDeps, companyId: string): Promise<{ endpoints: WebhookEndpoint[] }> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.companyId, companyId))
    .orderBy(webhookEndpoints.createdAt, webhookEndpoints.id);
  const now = wallClock.now();
  return {
    endpoints: rows.map((row) => ({
      endpoint_id: row.id,
      url: row.url,
      events: [...row.events],
      created_at: row.createdAt,
      disabled: row.disabledAt === null ? null : (row.disabledReason ?? 'person'),
      failing_since: row.failingSince,
      former_secret_until: row.formerUntil !== null && row.formerUntil > now ? row.formerUntil : null,
    })),
  };
}

type WebhookPage = { readonly endpoint_id: string; readonly cursor?: string | undefined; readonly limit: number };

export async function listDeliveries(
  { database: { db } }: AppDeps,
  companyId: string,
  { endpoint_id: endpointId, cursor, limit }: WebhookPage,
): Promise<EndpointOutput<typeof webhooksApi.deliveries>> {
  const cursorPosition = cursor === undefined ? undefined : readCursor(cursor);
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.companyId, companyId),
        eq(webhookDeliveries.endpointId, endpointId),
        cursorPosition &&
          sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (${cursorPosition.createdAt}::timestamptz, ${cursorPosition.id}::uuid)`,
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    deliveries: page.map((row) => ({
      delivery_id: row.id,
      message_id: toMessageId(row.id),
      event: row.event,
      created_at: row.createdAt,
      status: row.status,
      attempts: row.attempts,
      last_attempt_at: row.lastAttemptAt,
      next_attempt_at: row.nextAttemptAt,
      response_status: row.responseStatus,
      failure: row.failure,
      duration_ms: row.durationMs,
      body: row.body,
    })),
    next_cursor: rows.length > limit && last ? `${last.createdAt}_${last.id}` : null,
  };
}

function readCursor(cursor: string): { createdAt: string; id: string } {
  const [at = '', id = ''] = cursor.split('_');
  const createdAt = parseInstant(at);
  if (createdAt === undefined || !isId(id)) throw createInvalidFieldError('cursor', 'Send the next_cursor of the previous page.');
  return { createdAt, id };
}
