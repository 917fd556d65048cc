/** Webhooks of a practice or a trader's company (docs/decisions/0064-api-keys-and-webhooks.md). */
import {
  COMPANY_EVENTS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  PRACTICE_EVENTS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '@portal/domain/developers/webhook-events.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar } from './scalars.ts';

const MAX_URL_LENGTH = 500;

const webhookEndpoint = z.object({
  endpoint_id: idScalar,
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  created_at: instantScalar,
  /**
   * `failing`: switched off after several days without a success. `gone`: the receiver responded with 410. `person`: switched off by a
   * user.
   */
  disabled: z.nullable(z.enum(DISABLED_REASONS)),
  /** When deliveries began to fail; null if the last one succeeded. */
  failing_since: z.nullable(instantScalar),
  /** The time until which deliveries are also signed with the previous secret. */
  former_secret_until: z.nullable(instantScalar),
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

const delivery = z.object({
  delivery_id: idScalar,
  /** The value of the `webhook-id` header. */
  message_id: z.string(),
  event: z.string(),
  created_at: instantScalar,
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  last_attempt_at: z.nullable(instantScalar),
  next_attempt_at: z.nullable(instantScalar),
  response_status: z.nullable(z.int()),
  failure: z.nullable(z.string()),
  duration_ms: z.nullable(z.int()),
  /** The body as signed and sent. */
  body: z.string(),
});
export type WebhookDelivery = z.output<typeof delivery>;

const endpointInput = z.extend(companyInput, { endpoint_id: idScalar });

const urlScalar = z.string().check(z.trim(), z.minLength(1, 'Enter the webhook endpoint’s URL'), z.maxLength(MAX_URL_LENGTH));

/** A secret, which only the responses of create and rotate contain. */
const secretOutput = z.object({ endpoint_id: idScalar, secret: z.string() });

/** Describes the endpoints for webhook URLs, which are the same for a practice and a trader's company. */
function createWebhookEndpoints<Rule extends 'practice.api' | 'company.api'>(
  prefix: '/open-tax' | '/instant-vat',
  access: Rule,
  knownEvents: readonly WebhookEvent[],
) {
  const events = z
    .array(z.enum(knownEvents as readonly [WebhookEvent, ...WebhookEvent[]]))
    .check(z.minLength(1, 'Choose at least one event'), z.maxLength(WEBHOOK_EVENTS.length));
  return {
    list: endpoint({
      method: 'GET',
      path: `${prefix}/webhooks`,
      access,
      summary: 'List webhook endpoints',
      input: companyInput,
      output: z.object({ endpoints: z.array(webhookEndpoint) }),
    }),
    create: endpoint({
      method: 'POST',
      path: `${prefix}/webhooks`,
      access,
      summary: 'Add a webhook endpoint. Its secret is returned only in this response.',
      input: z.extend(companyInput, { url: urlScalar, events }),
      output: secretOutput,
      maxPerPerson: 30,
    }),
    change: endpoint({
      method: 'POST',
      path: `${prefix}/webhooks/change`,
      access,
      summary: 'Change an endpoint’s URL or events, or turn it on or off',
      input: z.extend(endpointInput, { url: urlScalar, events, is_on: z.boolean() }),
      output: doneOutput,
    }),
    rotate: endpoint({
      method: 'POST',
      path: `${prefix}/webhooks/rotate`,
      access,
      summary:
        'Replace an endpoint’s secret. For 24 hours, deliveries are signed with both secrets. The new one is returned only in this response.',
      input: endpointInput,
      output: secretOutput,
      maxPerPerson: 30,
    }),
    remove: endpoint({
      method: 'POST',
      path: `${prefix}/webhooks/remove`,
      access,
      summary: 'Remove an endpoint and its deliveries',
      input: endpointInput,
      output: doneOutput,
    }),
  };
}

/** Describes the endpoints for deliveries to those URLs. */
function createDeliveryEndpoints<Rule extends 'practice.api' | 'company.api'>(prefix: '/open-tax' | '/instant-vat', access: Rule) {
  return {
    test: endpoint({
      method: 'POST',
      path: `${prefix}/webhooks/test`,
      access,
      summary: 'Send a test event to an endpoint',
      input: endpointInput,
      output: z.object({ delivery_id: idScalar }),
      maxPerPerson: 60,
    }),
    deliveries: endpoint({
      method: 'GET',
      path: `${prefix}/webhooks/deliveries`,
      access,
      summary: 'List an endpoint’s deliveries, newest first, one page at a time',
      input: z.extend(endpointInput, {
        cursor: z.optional(z.string().check(z.maxLength(100))),
        limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100, 'Request at most 100 deliveries')), 20),
      }),
      output: z.object({ deliveries: z.array(delivery), next_cursor: z.nullable(z.string()) }),
    }),
    replay: endpoint({
      method: 'POST',
      path: `${prefix}/webhooks/replay`,
      access,
      summary: 'Redeliver an event, with the same ID and body',
      input: z.extend(endpointInput, { delivery_id: idScalar }),
      output: doneOutput,
      maxPerPerson: 120,
    }),
  };
}

export const webhooksApi = {
  ...createWebhookEndpoints('/open-tax', 'practice.api', PRACTICE_EVENTS),
  ...createDeliveryEndpoints('/open-tax', 'practice.api'),
};

export const companyWebhooksApi = {
  ...createWebhookEndpoints('/instant-vat', 'company.api', COMPANY_EVENTS),
  ...createDeliveryEndpoints('/instant-vat', 'company.api'),
};
