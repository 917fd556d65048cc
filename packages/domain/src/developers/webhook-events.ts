/** Webhook events. Each is recorded in the transaction that causes it (features/webhooks/record-webhook.ts). */

export const WEBHOOK_EVENTS = [
  'client.figures_changed',
  'clients.imported',
  'authorisation.changed',
  'client.person_joined',
  'team.member_joined',
  'task.created',
  'message.outcome',
  'hmrc.connection_ended',
  'return.filed',
  'advance.stage_changed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const WEBHOOK_EVENT_NAMES: Readonly<Record<WebhookEvent, string>> = {
  'client.figures_changed': 'A client’s figures for a tax changed',
  'clients.imported': 'Clients were imported',
  'authorisation.changed': 'A client’s HMRC authorisation changed',
  'client.person_joined': 'A client accepted an invitation',
  'team.member_joined': 'A team member accepted an invitation',
  'task.created': 'A task was created for a return that is due',
  'message.outcome': 'A message to a client was sent or failed',
  'hmrc.connection_ended': 'The connection to HMRC ended',
  'return.filed': 'HMRC accepted a return',
  'advance.stage_changed': 'An advance reached its next stage',
};

/** Sent only when a user asks for it, to try out an endpoint. */
export const TEST_EVENT = 'webhook.test';

export const PRACTICE_EVENTS = WEBHOOK_EVENTS.filter((event) => event !== 'return.filed' && event !== 'advance.stage_changed');
export const COMPANY_EVENTS = ['hmrc.connection_ended', 'return.filed', 'advance.stage_changed'] as const satisfies readonly WebhookEvent[];

export const MAX_ENDPOINTS = 10;
/** How long the old secret also signs events after a rotation. */
export const SECRET_OVERLAP_HOURS = 24;

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
/**
 * The delays between attempts: ten attempts in just over three days, as the specification suggests (standardwebhooks.com, "Retry
 * schedule").
 */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** An endpoint is switched off after failing for this long without a single success. */
export const DISABLED_AFTER_DAYS = 3;

/** Returns how long to wait after this many attempts; undefined after the last one. */
export function getRetryDelayMs(attempts: number): number | undefined {
  return RETRY_DELAYS_MS[attempts - 1];
}

/** Who or what switched an endpoint off: a person, too many failures, or the endpoint's own 410 response. */
export const DISABLED_REASONS = ['person', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
