/**
 * Sends a simulator's webhooks. Each attempt is signed separately, and failures are retried with increasing delays for 72 hours of real
 * time. Webhooks are stored, so none is lost if the simulator or the portal is killed. A kill between a delivery and its record causes a
 * duplicate, as with a real provider.
 */
import type { Clock, Instant } from '@portal/domain/clock.ts';
import type { SimulatorStore } from './simulator-store.ts';

/** Delays in real time. `firstMs` doubles with each failure up to `maxMs`; after `maxRetryMs` the event is dropped. */
export type WebhookDelays = { readonly firstMs: number; readonly maxMs: number; readonly maxRetryMs: number };

const DEFAULT_DELAYS: WebhookDelays = { firstMs: 500, maxMs: 15_000, maxRetryMs: 72 * 3_600_000 };
const TIMEOUT_MS = 10_000;

/** The fields of an event that the control page lists. A provider may add more. */
type ListedEvent = { readonly event_id: string; readonly type: string };

/** A webhook that is queued, acknowledged (`delivered_at`) or dropped. */
export type SandboxWebhook<Event extends ListedEvent = ListedEvent> = Event & {
  readonly attempts: number;
  readonly delivered_at?: Instant;
  readonly last_error?: string;
};

type QueuedEvent<Event extends ListedEvent> = {
  readonly webhook: SandboxWebhook<Event>;
  readonly body: string;
  readonly queued_at_ms: number;
  readonly next_at_ms: number;
};

export type WebhookSenderDeps = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  /** Provider name, used as a prefix of the collection names. */
  readonly provider: string;
  readonly webhookUrl: string;
  readonly delays?: WebhookDelays | undefined;
  /** Returns the signature headers for a body, signed at the current time. */
  readonly sign: (body: string) => Readonly<Record<string, string>>;
};

export type WebhookSender<Event extends ListedEvent = ListedEvent> = {
  /** Queues an event. Call it inside the transaction that makes the change: delivery starts after that, even if the request is cut off. */
  queue(event: Event, body: unknown): void;
  /** Schedules delivery of all queued events. */
  wake(): void;
  /** Aborts current deliveries and starts no more. */
  stop(): Promise<void>;
  /** Returns acknowledged and dropped events, then queued ones. */
  list(): SandboxWebhook<Event>[];
};

export function createWebhookSender<Event extends ListedEvent>(deps: WebhookSenderDeps): WebhookSender<Event> {
  const queuedEvents = deps.store.collection<QueuedEvent<Event>>(`${deps.provider}.webhooks_queued`);
  const settledEvents = deps.store.collection<SandboxWebhook<Event>>(`${deps.provider}.webhooks_settled`);
  const timers = new Map<string, NodeJS.Timeout>();
  const attemptsInFlight = new Map<string, Promise<void>>();
  const stopController = new AbortController();

  function wake(): void {
    if (stopController.signal.aborted) return;
    for (const { key, document } of queuedEvents.list()) {
      if (timers.has(key) || attemptsInFlight.has(key)) continue;
      const timer = setTimeout(() => startAttempt(key), Math.max(0, document.next_at_ms - Date.now()));
      timer.unref();
      timers.set(key, timer);
    }
  }

  function startAttempt(key: string): void {
    timers.delete(key);
    const attemptPromise = attempt(key).finally(() => {
      attemptsInFlight.delete(key);
      wake();
    });
    attemptsInFlight.set(key, attemptPromise);
  }

  async function attempt(key: string): Promise<void> {
    const event = queuedEvents.get(key);
    if (!event) return;
    const problem = await postWebhook(deps, event.body, stopController.signal);
    if (!stopController.signal.aborted) recordAttempt(event, problem);
  }

  function recordAttempt(event: QueuedEvent<Event>, problem: string | undefined): void {
    const key = event.webhook.event_id;
    deps.store.atomically(() => {
      // The event was deleted by a reset during the request.
      if (!queuedEvents.get(key)) return;
      const { firstMs, maxMs, maxRetryMs } = deps.delays ?? DEFAULT_DELAYS;
      const { attempts } = event.webhook;
      const webhook = { ...event.webhook, attempts: attempts + 1, ...(problem === undefined ? {} : { last_error: problem }) };
      const isAbandoned = Date.now() - event.queued_at_ms > maxRetryMs;
      if (problem !== undefined && !isAbandoned) {
        const pauseMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempts, 30));
        queuedEvents.put(key, { ...event, webhook, next_at_ms: Date.now() + pauseMs });
        return;
      }
      queuedEvents.delete(key);
      settledEvents.put(key, problem === undefined ? toDelivered(webhook, deps.clock.now()) : webhook);
    });
  }

  return {
    queue: (event, body) => {
      const now = Date.now();
      queuedEvents.put(event.event_id, {
        webhook: { ...event, attempts: 0 },
        body: JSON.stringify(body),
        queued_at_ms: now,
        next_at_ms: now,
      });
      setImmediate(wake);
    },
    wake,
    stop: async () => {
      stopController.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all(attemptsInFlight.values());
    },
    list: () => [...settledEvents.list().map(({ document }) => document), ...queuedEvents.list().map(({ document }) => document.webhook)],
  };
}

function toDelivered<Event extends ListedEvent>(
  { last_error: _before, ...webhook }: SandboxWebhook<Event>,
  at: Instant,
): SandboxWebhook<Event> {
  return { ...(webhook as SandboxWebhook<Event>), delivered_at: at };
}

/** Returns undefined if the receiver acknowledged the webhook, otherwise the reason for the failure. */
async function postWebhook({ webhookUrl, sign }: WebhookSenderDeps, body: string, stopSignal: AbortSignal): Promise<string | undefined> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  stopSignal.addEventListener('abort', abort);
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sign(body) },
      body,
      redirect: 'manual',
      signal: controller.signal,
    });
    await response.body?.cancel();
    return response.ok ? undefined : `answered ${response.status}`;
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  } finally {
    clearTimeout(timer);
    stopSignal.removeEventListener('abort', abort);
  }
}
