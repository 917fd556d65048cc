/** Verifies and parses TrueLayer webhooks. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { AppError } from '@portal/domain/app-error.ts';
import { parseInstant, type Instant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { extractJku, extractKid, verify, type HttpMethod } from 'truelayer-signing';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError } from '../http/provider-error.ts';
import { describePayoutFailure } from './payout-failure.ts';
import type { PaymentEvent, ReceivedWebhook } from './truelayer-port.ts';
import {
  externalPaymentReceivedEventWire,
  jwksWire,
  otherEventWire,
  payoutExecutedEventWire,
  payoutFailedEventWire,
} from './truelayer-wire.ts';

export type WebhookSettings = {
  readonly webhookJwksUrls: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs?: number;
};

/** The provider's public keys by ID, as PEM, because the signing library's own conversion takes longer than the rest of a webhook. */
type CachedKeys = { readonly pemByKeyId: ReadonlyMap<string, string>; readonly fetchedAtMs: number };

/**
 * The minimum interval between two reads of the keys. An unknown key ID triggers a new read, so forged IDs could otherwise cause endless
 * requests.
 */
const MIN_REFETCH_INTERVAL_MS = 5_000;

export function createWebhookVerifier(settings: WebhookSettings): (webhook: ReceivedWebhook) => Promise<PaymentEvent> {
  const cachedKeys = new Map<string, CachedKeys>();
  /** Webhooks that arrive while the keys are being read share that read: forged ones would otherwise start one each. */
  const reads = new Map<string, Promise<CachedKeys>>();

  function readKeys(jku: string): Promise<CachedKeys> {
    const read = reads.get(jku) ?? fetchKeys(settings, jku).finally(() => reads.delete(jku));
    reads.set(jku, read);
    return read;
  }

  async function findKey(jku: string, kid: string): Promise<string | undefined> {
    const cachedKey = cachedKeys.get(jku);
    // Uses real time, because the sandbox clock can stop or jump.
    if (cachedKey && (cachedKey.pemByKeyId.has(kid) || performance.now() - cachedKey.fetchedAtMs < MIN_REFETCH_INTERVAL_MS))
      return cachedKey.pemByKeyId.get(kid);
    const refetchedKeys = await readKeys(jku);
    cachedKeys.set(jku, refetchedKeys);
    return refetchedKeys.pemByKeyId.get(kid);
  }

  return async (webhook) => {
    const body = decodeBody(webhook.rawBody);
    const headers = toSingleHeaders(webhook.headers);
    const signature = headers['tl-signature'];
    if (!signature) throw createUnauthenticatedError('The request has no Tl-Signature header.');
    const { jku, kid } = readSigner(signature);
    // The sender chooses the URL of the keys, so only URLs on our own list can be trusted.
    if (!jku || !settings.webhookJwksUrls.includes(jku))
      throw createUnauthenticatedError('The signature refers to keys that don’t belong to the provider.');
    const publicKeyPem = await findKey(jku, kid);
    if (publicKeyPem === undefined) throw createUnauthenticatedError('The provider has no key with this ID.');
    try {
      verify({
        publicKeyPem,
        signature,
        method: 'POST' as HttpMethod,
        path: webhook.path,
        headers,
        requiredHeaders: ['X-Tl-Webhook-Timestamp'],
        body,
      });
    } catch (error) {
      throw createUnauthenticatedError('The signature doesn’t match the request.', error);
    }
    return readEvent(body);
  };
}

async function fetchKeys(settings: WebhookSettings, jku: string): Promise<CachedKeys> {
  try {
    const response = await settings.fetch(jku, { redirect: 'error', signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000) });
    const keys = jwksWire.parse(await response.json());
    const pemByKeyId = keys.keys.map((key): [string, string] => [key.kid, toPem(key)]);
    return { pemByKeyId: new Map(pemByKeyId), fetchedAtMs: performance.now() };
  } catch (error) {
    throw new ProviderError('unavailable', { provider: 'truelayer', operation: 'webhook_keys' }, error);
  }
}

const toPem = (key: JsonWebKey): string => createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();

function readSigner(signature: string): { jku: string | undefined; kid: string } {
  try {
    return { jku: extractJku(signature), kid: extractKid(signature) };
  } catch (error) {
    throw createUnauthenticatedError('The Tl-Signature can’t be read.', error);
  }
}

function decodeBody(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    throw createUnauthenticatedError('The body is not UTF-8.', error);
  }
}

function toSingleHeaders(headers: ReceivedWebhook['headers']): Record<string, string> {
  const toSingleChunk: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') toSingleChunk[name.toLowerCase()] = value;
  }
  return toSingleChunk;
}

/** Called only on a signed body, so an unreadable one is the provider's fault rather than an attack. */
function readEvent(text: string): PaymentEvent {
  const body = parseJson(text);
  const head = otherEventWire.safeParse(body);
  if (!head.success) throw createUnreadableError('event');
  const eventId = head.data.event_id;
  switch (head.data.type) {
    case 'payout_executed': {
      const event = payoutExecutedEventWire.safeParse(body);
      if (!event.success) throw createUnreadableError(head.data.type);
      return { type: 'payout_executed', eventId, payoutId: event.data.payout_id, executedAt: parseEventInstant(event.data.executed_at) };
    }
    case 'payout_failed': {
      const event = payoutFailedEventWire.safeParse(body);
      if (!event.success) throw createUnreadableError(head.data.type);
      const { payout_id, failed_at, failure_reason } = event.data;
      const wasReturned = failure_reason === 'returned';
      return {
        type: 'payout_failed',
        eventId,
        payoutId: payout_id,
        failedAt: parseEventInstant(failed_at),
        failureReason: describePayoutFailure(failure_reason),
        wasReturned,
      };
    }
    case 'external_payment_received': {
      const event = externalPaymentReceivedEventWire.safeParse(body);
      if (!event.success) throw createUnreadableError(head.data.type);
      const { transaction_id, merchant_account_id, amount_in_minor, settled_at, remitter } = event.data;
      return {
        type: 'credit_received',
        eventId,
        accountId: merchant_account_id,
        transactionId: transaction_id,
        amountPence: pence(amount_in_minor),
        settledAt: parseEventInstant(settled_at),
        ...(remitter ? { remitterName: remitter.account_holder_name } : {}),
        ...(remitter?.reference ? { reference: remitter.reference } : {}),
      };
    }
    default:
      return { type: 'other', eventId, name: head.data.type };
  }
}

function parseEventInstant(text: string): Instant {
  const parsed = parseInstant(text);
  if (!parsed) throw createUnreadableError('time');
  return parsed;
}

function createUnreadableError(subject: string): ProviderError {
  return new ProviderError('unavailable', {
    provider: 'truelayer',
    operation: 'webhook',
    detail: `The ${subject} doesn’t match the published format.`,
  });
}

function createUnauthenticatedError(reason: string, cause?: unknown): AppError {
  return new AppError('unauthenticated', 'payments.webhook_not_signed', reason, undefined, cause);
}
