/**
 * Carries the double's webhooks: signed anew for every attempt, tried again with growing pauses for 72 hours of real time, kept in the store so that
 * neither a killed double nor a killed portal loses one. A kill between delivery and its note gives a duplicate, as at a real provider.
 */
import { epochOf, type Clock, type Instant } from '@portal/domain/clock.ts';
import type { DoubleStore } from '../../double/double-store.ts';
import { SIGNATURE_HEADER, type EventWire } from '../identity-check-wire.ts';
import { signIdentityWebhook } from '../identity-webhook.ts';
import { SANDBOX_IDENTITY_CHECK } from '../sandbox-credentials.ts';

/** Real time: `firstMs` doubles with each failure up to `longestMs`; after `giveUpMs` the event is dropped. */
export type CourierDelays = { readonly firstMs: number; readonly longestMs: number; readonly giveUpMs: number };
export const COURIER_DELAYS: CourierDelays = { firstMs: 500, longestMs: 15_000, giveUpMs: 72 * 3_600_000 };

export type CourierDeps = {
  readonly store: DoubleStore;
  readonly clock: Clock;
  readonly webhookUrl: string;
  readonly delays: CourierDelays;
};

/** A webhook on its way, acknowledged (`delivered_at`), or given up. */
export type SandboxIdentityWebhook = {
  readonly event_id: string;
  readonly type: string;
  readonly check_id: string;
  readonly attempts: number;
  readonly delivered_at?: Instant;
  readonly last_error?: string;
};

type Queued = SandboxIdentityWebhook & { readonly body: string; readonly queued_at_ms: number; readonly next_at_ms: number };

export type IdentityCourier = {
  /** Puts an event into the queue; call inside the transaction of what it tells of, then `wake`. */
  queue(event: EventWire): void;
  /** Looks for events that are due or will be. */
  wake(): void;
  /** Ends all attempts under way and starts no more. */
  stop(): Promise<void>;
  list(): SandboxIdentityWebhook[];
};

export function createIdentityCourier(deps: CourierDeps): IdentityCourier {
  const queued = deps.store.collection<Queued>('identity.webhooks_queued');
  const settled = deps.store.collection<SandboxIdentityWebhook>('identity.webhooks_settled');
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
    if (!stopping.signal.aborted) note(event, problem);
  }

  function note(event: Queued, problem: string | undefined): void {
    deps.store.atomically(() => {
      // A reset while the request was under way has forgotten the event.
      if (!queued.get(event.event_id)) return;
      const attempts = event.attempts + 1;
      const told = { event_id: event.event_id, type: event.type, check_id: event.check_id, attempts };
      const isGivenUp = Date.now() - event.queued_at_ms > deps.delays.giveUpMs;
      if (problem !== undefined && !isGivenUp) {
        const pauseMs = Math.min(deps.delays.longestMs, deps.delays.firstMs * 2 ** Math.min(event.attempts, 30));
        queued.put(event.event_id, { ...event, attempts, last_error: problem, next_at_ms: Date.now() + pauseMs });
        return;
      }
      queued.delete(event.event_id);
      settled.put(event.event_id, problem === undefined ? { ...told, delivered_at: deps.clock.now() } : { ...told, last_error: problem });
    });
  }

  return {
    queue: (event) => {
      const now = Date.now();
      const told = { event_id: event.id, type: event.type, check_id: event.check.id, attempts: 0 };
      queued.put(event.id, { ...told, body: JSON.stringify(event), queued_at_ms: now, next_at_ms: now });
    },
    wake,
    stop: async () => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all(flying.values());
    },
    list: () => [
      ...settled.list().map(({ document }) => document),
      ...queued.list().map(({ document: { body: _body, queued_at_ms: _queued, next_at_ms: _next, ...told } }) => told),
    ],
  };
}

/** Undefined where the receiver acknowledged, else why not. */
async function post({ webhookUrl, clock }: CourierDeps, body: string, stopping: AbortSignal): Promise<string | undefined> {
  const seconds = Math.floor(epochOf(clock.now()) / 1000);
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signIdentityWebhook(SANDBOX_IDENTITY_CHECK.webhookSecret, seconds, body),
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
