/**
 * Carries the double's webhooks: signed anew for every attempt, tried again with growing pauses for 72 hours of real time,
 * kept in the store so that neither a killed double nor a killed portal loses one. A kill between delivery and its note gives a duplicate, as at the real one.
 */
import { createPrivateKey, generateKeyPairSync, randomUUID, sign, type JsonWebKey } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import type { Collection, DoubleStore } from '../double/double-store.ts';
import type { SandboxWebhook } from './truelayer-controls.ts';
import type { KnownEventWire } from './truelayer-wire.ts';

export type CourierDeps = {
  readonly store: DoubleStore;
  readonly clock: Clock;
  readonly webhookUrl: string;
  /** Where the double serves its public keys; named in every signature. */
  readonly jwksUrl: string;
  readonly delays: CourierDelays;
};

/** Real time: `firstMs` doubles with each failure up to `longestMs`; after `giveUpMs` the event is dropped. */
export type CourierDelays = { readonly firstMs: number; readonly longestMs: number; readonly giveUpMs: number };

export const COURIER_DELAYS: CourierDelays = { firstMs: 500, longestMs: 15_000, giveUpMs: 72 * 3_600_000 };

type QueuedWebhook = SandboxWebhook & { readonly body: string; readonly queued_at_ms: number; readonly next_at_ms: number };
type SigningKey = { readonly kid: string; readonly privateJwk: JsonWebKey; readonly publicJwk: JsonWebKey };

export type WebhookCourier = {
  /** Puts an event into the queue; call inside the transaction of what it tells of, then `wake`. */
  queue(event: KnownEventWire): void;
  /** Looks for events that are due or will be. */
  wake(): void;
  /** Ends all attempts under way and starts no more. */
  stop(): Promise<void>;
  publicKeys(): { keys: object[] };
  list(): SandboxWebhook[];
};

export function createWebhookCourier(deps: CourierDeps): WebhookCourier {
  const queued = deps.store.collection<QueuedWebhook>('truelayer.webhooks_queued');
  const settled = deps.store.collection<SandboxWebhook>('truelayer.webhooks_settled');
  const timers = new Map<string, NodeJS.Timeout>();
  const flying = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  function wake(): void {
    if (stopping.signal.aborted) return;
    for (const { key, document } of queued.list()) {
      if (timers.has(key) || flying.has(key)) continue;
      const timer = setTimeout(() => fly(key), Math.max(0, document.next_at_ms - Date.now()));
      timer.unref();
      timers.set(key, timer);
    }
  }

  function fly(key: string): void {
    timers.delete(key);
    const flight = attempt(key).finally(() => {
      flying.delete(key);
      wake();
    });
    flying.set(key, flight);
  }

  async function attempt(key: string): Promise<void> {
    const event = queued.get(key);
    if (!event) return;
    const problem = await post(deps, event.body, stopping.signal);
    if (stopping.signal.aborted) return;
    noteAttempt(deps, { queued, settled }, event, problem);
  }

  return {
    queue: (event) => {
      const now = Date.now();
      queued.put(event.event_id, {
        event_id: event.event_id,
        type: event.type,
        attempts: 0,
        body: JSON.stringify(event),
        queued_at_ms: now,
        next_at_ms: now,
      });
    },
    wake,
    stop: async () => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all(flying.values());
    },
    publicKeys: () => {
      const { kid, publicJwk } = signingKey(deps.store);
      return { keys: [{ ...publicJwk, kid, alg: 'ES512', use: 'sig' }] };
    },
    list: () => [
      ...settled.list().map(({ document }) => document),
      ...queued.list().map(({ document: { event_id, type, attempts, last_error } }) => ({
        event_id,
        type,
        attempts,
        ...(last_error === undefined ? {} : { last_error }),
      })),
    ],
  };
}

type Places = { readonly queued: Collection<QueuedWebhook>; readonly settled: Collection<SandboxWebhook> };

function noteAttempt(
  { store, clock, delays }: CourierDeps,
  { queued, settled }: Places,
  event: QueuedWebhook,
  problem: string | undefined,
): void {
  store.atomically(() => {
    const key = event.event_id;
    // A reset while the request was under way has forgotten the event.
    if (!queued.get(key)) return;
    const attempts = event.attempts + 1;
    const note = { event_id: key, type: event.type, attempts };
    if (problem === undefined) {
      queued.delete(key);
      settled.put(key, { ...note, delivered_at: clock.now() });
    } else if (Date.now() - event.queued_at_ms > delays.giveUpMs) {
      queued.delete(key);
      settled.put(key, { ...note, last_error: problem });
    } else {
      const pauseMs = Math.min(delays.longestMs, delays.firstMs * 2 ** Math.min(event.attempts, 30));
      queued.put(key, { ...event, attempts, last_error: problem, next_at_ms: Date.now() + pauseMs });
    }
  });
}

/** Undefined where the receiver acknowledged, else why not. */
async function post(deps: CourierDeps, body: string, stopping: AbortSignal): Promise<string | undefined> {
  const timestamp = deps.clock.now().replace(/\.\d+Z$/, 'Z');
  try {
    const response = await fetch(deps.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tl-webhook-timestamp': timestamp,
        'tl-signature': signWebhook(deps, timestamp, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(10_000)]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `answered ${response.status}`;
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  }
}

/** Written by hand from TrueLayer's signing specification, because their library signs requests but not webhooks (it cannot name a `jku`). */
function signWebhook(deps: CourierDeps, timestamp: string, body: string): string {
  const { kid, privateJwk } = signingKey(deps.store);
  const header = base64url(
    JSON.stringify({ alg: 'ES512', kid, tl_version: '2', tl_headers: 'X-Tl-Webhook-Timestamp,Content-Type', jku: deps.jwksUrl }),
  );
  const path = new URL(deps.webhookUrl).pathname;
  const payload = base64url(`POST ${path}\nX-Tl-Webhook-Timestamp: ${timestamp}\nContent-Type: application/json\n${body}`);
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
  const signature = sign('sha512', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${header}..${signature.toString('base64url')}`;
}

function signingKey(store: DoubleStore): SigningKey {
  const keys = store.collection<SigningKey>('truelayer.webhook_key');
  const held = keys.get('current');
  if (held) return held;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const made = { kid: randomUUID(), privateJwk: privateKey.export({ format: 'jwk' }), publicJwk: publicKey.export({ format: 'jwk' }) };
  keys.put('current', made);
  return made;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
