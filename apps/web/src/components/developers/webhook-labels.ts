import type { WebhookDelivery, WebhookEndpoint } from '@portal/contract/webhooks.ts';

export const DELIVERY_LABELS: Readonly<Record<WebhookDelivery['status'], string>> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Not delivered',
};

export const DISABLED_LABELS: Readonly<Record<Exclude<WebhookEndpoint['disabled'], null>, string>> = {
  person: 'Switched off',
  failing: 'Switched off after several days of failures',
  gone: 'Switched off: the receiver responded with 410',
};
