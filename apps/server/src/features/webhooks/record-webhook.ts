/**
 * Records an event for every webhook endpoint that subscribes to it, in the event's own transaction: a delivery exists if and only if the
 * event is committed. Bodies contain IDs and states, but no names or amounts; receivers read those with their API key.
 */
import type { Tx } from '@portal/db/database.ts';
import { webhookDeliveries, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { sql } from '@portal/db/sql.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { WebhookEvent } from '@portal/domain/developers/webhook-events.ts';

type EventData = Readonly<Record<string, unknown>>;
type Events = {
  readonly companyId: string;
  readonly event: WebhookEvent;
  readonly at: Instant;
  /** One item per event. */
  readonly data: readonly EventData[];
};

/** One statement for any number of events, because most companies don't have an endpoint, and a refresh changes thousands of clients. */
export async function recordWebhooks(tx: Tx, { companyId, event, at, data }: Events): Promise<void> {
  const bodies = data.map((item) => composeBody(event, at, { company_id: companyId, ...item }));
  await tx.execute(sql`
    insert into ${webhookDeliveries} (company_id, id, endpoint_id, event, body, created_at, status, next_attempt_at)
    select e.company_id, gen_random_uuid(), e.id, ${event}::text, body, now(), 'pending', now()
    from ${webhookEndpoints} e cross join jsonb_array_elements_text(${JSON.stringify(bodies)}::jsonb) as bodies(body)
    where e.company_id = ${companyId}::uuid and e.disabled_at is null and ${event}::text = any(e.events)`);
}

export function composeBody(type: string, timestamp: Instant, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

/** The part of an audit entry that webhooks use. */
type AuditedChange = {
  readonly companyId: string;
  readonly at: Instant;
  readonly action: string;
  readonly subject: string;
  readonly after?: unknown;
};

type ReportedAction = { readonly event: WebhookEvent; readonly data: (change: AuditedChange) => EventData };

/** Audited changes that also trigger webhooks, by their action in the audit trail. */
const REPORTED_ACTIONS: Readonly<Record<string, ReportedAction>> = {
  'clients.imported': { event: 'clients.imported', data: ({ subject }) => ({ import_id: subject }) },
  'client.person_joined': { event: 'client.person_joined', data: ({ subject }) => ({ client_id: subject }) },
  'team.joined': { event: 'team.member_joined', data: ({ subject }) => ({ user_id: subject }) },
  'work.created_by_obligation': { event: 'task.created', data: ({ after }) => ({ client_ids: readField(after, 'client_ids') ?? [] }) },
  'hmrc.ended': { event: 'hmrc.connection_ended', data: ({ after }) => ({ reason: readField(after, 'because') ?? null }) },
  'return.accepted': { event: 'return.filed', data: ({ subject }) => ({ obligation_id: subject }) },
};

/** Call this for every audit entry. */
export async function recordAuditedWebhook(tx: Tx, change: AuditedChange): Promise<void> {
  const foundWebhook = findWebhook(change);
  if (foundWebhook)
    await recordWebhooks(tx, { companyId: change.companyId, at: change.at, event: foundWebhook.event, data: [foundWebhook.data] });
}

/** Returns the webhook for an audit entry, or undefined if it doesn't trigger one. */
export function findWebhook(change: AuditedChange): { readonly event: WebhookEvent; readonly data: EventData } | undefined {
  const { action, subject, after } = change;
  if (action.startsWith('authorisation.')) {
    const data = { client_id: subject, tax: readField(after, 'tax') ?? null, status: readField(after, 'status') ?? null };
    return { event: 'authorisation.changed', data };
  }
  // The only entries about an advance that have a state come from transition-advance.ts.
  const state = readField(after, 'state');
  if (action.startsWith('advance.') && state !== undefined) return { event: 'advance.stage_changed', data: { advance_id: subject, state } };
  const reportedAction = REPORTED_ACTIONS[action];
  return reportedAction && { event: reportedAction.event, data: reportedAction.data(change) };
}

function readField(after: unknown, name: string): unknown {
  return typeof after === 'object' && after !== null ? (after as Record<string, unknown>)[name] : undefined;
}
