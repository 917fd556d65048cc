/** Client-side rate limiter: spaces calls out so that a provider's limit per second isn't exceeded. */
import { setTimeout } from 'node:timers/promises';
import { createCallQueue, type CallPriority } from './call-queue.ts';

/**
 * Slots shared by all instances. The server keeps them in the database (features/sync/shared-rate-limiter.ts); a single process may keep
 * them in memory.
 */
export type SharedRateLimiter = {
  /** Reserves the next slot, one interval after the previous one. Returns how many milliseconds remain until it starts. */
  reserve(): Promise<number>;
  /** Postpones all slots that haven't been reserved yet. */
  postpone(ms: number): Promise<void>;
};

/** Time and pauses in milliseconds. A port, so that tests don't need real time. */
export type RateLimiterClock = { now(): number; pause(ms: number): Promise<unknown> };

const SYSTEM_CLOCK: RateLimiterClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

export type RateLimiterOptions = {
  /** Our own rate, slightly below the limit because calls take varying times to arrive. */
  readonly perSecond: number;
  /** The number of calls that the provider allows in any one second. */
  readonly limit: number;
  /** Default: in memory. */
  readonly shared?: SharedRateLimiter;
  /** Default: real time, because the provider counts in real time. */
  readonly clock?: RateLimiterClock;
  /** Receives the number of calls waiting for a slot in this process, whenever it changes. */
  readonly onWaiting?: (priority: CallPriority, count: number) => void;
};

/** A sent call, with the time of its slot and the time it was sent. */
type SentCall = { readonly slotAt: number; readonly sentAt: number };

/** The rate limiter for one provider in this process. */
export type RateLimiter = {
  /**
   * `key`: the user or company that the call is for. Rejects with CallNotSentError if too many calls are waiting, or this one has waited
   * too long.
   */
  acquireSlot(priority: CallPriority, key?: string): Promise<SentCall>;
  /**
   * Reports a response, which shows the latest time the call can have arrived. Later slots are postponed so that they don't catch up with a
   * late call.
   */
  reportResponse(sentCall: SentCall, wasRejected: boolean): void;
};

/** Slightly more than a second, because the provider's clock may measure the window differently. */
const WINDOW_MS = 1_010;
/**
 * Connections are closed after being idle for this long. The next calls then arrive late because they open new connections, but the calls
 * after them don't.
 */
const IDLE_CONNECTION_MS = 4_000;
const COLD_START_MS = 2_000;
const COLD_START_SLACK_MS = 300;
/**
 * A slot missed by more than this fraction of an interval is skipped if other instances are also calling: their calls are on time, so one
 * second would contain one call too many.
 */
const MAX_LATE_FRACTION = 0.5;
/** Limits the number of skipped slots, so that a machine that is always late can still call. */
const MAX_SKIPPED_SLOTS = 3;
/**
 * A slow response may have been sent late or processed slowly; there's no way to tell. At the start and after a rejection, the slower half
 * counts as sent late. After ten minutes without a rejection, only the slowest tenth does, because every postponed slot costs time.
 */
const STRICT_PERIOD_MS = 600_000;
const USUAL_QUANTILE = { strict: 0.5, lenient: 0.9 } as const;
const MAX_SAMPLES = 40;
/** Delays longer than this are caused by slow processing. */
const MAX_POSTPONE_MS = 250;

export function createRateLimiter({
  perSecond,
  limit,
  clock = SYSTEM_CLOCK,
  shared = createInMemoryRateLimiter(perSecond, clock),
  onWaiting,
}: RateLimiterOptions): RateLimiter {
  const intervalMs = 1000 / perSecond;
  const queue = createCallQueue<SentCall>(clock.now, onWaiting);
  const sentTimes: number[] = [];
  // The margin between the intervals allows for a delay of this length.
  const measureDelay = createDelayMeter(limit * intervalMs - WINDOW_MS, clock);
  let lastSlotAt: number | undefined;
  let isShared = false;
  /** Total postponement so far. A slot reserved earlier moves by the difference. */
  let postponedMs = 0;
  let coldStartUntil = Number.NEGATIVE_INFINITY;
  let isServing = false;

  /** Reserves only one slot at a time. Slots reserved ahead would delay users on other instances and ignore later postponements. */
  const reserveSlot = async (): Promise<Slot> => {
    const postponedBefore = postponedMs;
    const waitMs = await shared.reserve();
    const dueAtMs = clock.now() + waitMs;
    // If the new slot directly follows our last one, no other instance is calling. An idle limiter can't detect this.
    if (waitMs > 0 && lastSlotAt !== undefined) isShared = dueAtMs > lastSlotAt + 1.5 * intervalMs;
    lastSlotAt = dueAtMs;
    if (dueAtMs - getTimeAt(sentTimes, -1) > IDLE_CONNECTION_MS) coldStartUntil = dueAtMs + COLD_START_MS;
    return { time: () => dueAtMs + postponedMs - postponedBefore };
  };

  /** Late calls must not bunch up, because the provider counts calls rather than slots. */
  const waitForSlot = async (slot: Slot): Promise<void> => {
    const waitMs = (): number => {
      const window = getTimeAt(sentTimes, -limit) + WINDOW_MS + (slot.time() < coldStartUntil ? COLD_START_SLACK_MS : 0);
      return Math.max(slot.time(), window, getTimeAt(sentTimes, -1) + intervalMs / 2) - clock.now();
    };
    // The slot may be postponed while the call waits.
    for (let ms = waitMs(); ms > 0; ms = waitMs()) await clock.pause(Math.ceil(ms));
  };

  const serveQueue = async (): Promise<void> => {
    isServing = true;
    let skippedSlots = 0;
    while (queue.hasWaiters()) {
      try {
        const slot = await reserveSlot();
        await waitForSlot(slot);
        const sentCall = { slotAt: slot.time(), sentAt: clock.now() };
        if (isShared && sentCall.sentAt - sentCall.slotAt > intervalMs * MAX_LATE_FRACTION && skippedSlots < MAX_SKIPPED_SLOTS) {
          skippedSlots += 1;
          continue;
        }
        skippedSlots = 0;
        sentTimes.push(sentCall.sentAt);
        if (sentTimes.length > limit) sentTimes.shift();
        queue.next()?.resolve(sentCall);
      } catch (error) {
        queue.next()?.reject(error);
      }
    }
    isServing = false;
  };

  return {
    acquireSlot: async (priority, key = '') => {
      const sentCall = Promise.withResolvers<SentCall>();
      queue.add(priority, key, sentCall);
      if (!isServing) void serveQueue();
      return sentCall.promise;
    },
    reportResponse: (sentCall, wasRejected) => {
      const ms = measureDelay(sentCall, wasRejected);
      if (ms <= 0) return;
      postponedMs += ms;
      // A failed postponement must not lose the response. If the slots can't be reached, the next reservation fails and reports it.
      shared.postpone(ms).catch(() => undefined);
    },
  };
}

/** Estimates, from the response time, how much later than its slot plus `toleranceMs` a call may have arrived. */
function createDelayMeter(toleranceMs: number, clock: RateLimiterClock): (sentCall: SentCall, wasRejected: boolean) => number {
  const samples: number[] = [];
  let strictPeriodEndsAt = clock.now() + STRICT_PERIOD_MS;
  return ({ slotAt, sentAt }, wasRejected) => {
    const now = clock.now();
    if (wasRejected) strictPeriodEndsAt = now + STRICT_PERIOD_MS;
    const quantile = now < strictPeriodEndsAt ? USUAL_QUANTILE.strict : USUAL_QUANTILE.lenient;
    const usualMs = samples.toSorted((a, b) => a - b)[Math.floor(samples.length * quantile)] ?? 0;
    samples.push(now - sentAt);
    if (samples.length > MAX_SAMPLES) samples.shift();
    return Math.min(now - slotAt - usualMs - toleranceMs, MAX_POSTPONE_MS);
  };
}

type Slot = { time(): number };

/** Creates a rate limiter whose slots are local to a single process. */
export function createInMemoryRateLimiter(perSecond: number, clock: RateLimiterClock = SYSTEM_CLOCK): SharedRateLimiter {
  const intervalMs = 1000 / perSecond;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    reserve: async () => {
      const now = clock.now();
      const startsAtMs = Math.max(nextAt, now);
      nextAt = startsAtMs + intervalMs;
      return startsAtMs - now;
    },
    postpone: async (ms) => void (nextAt += ms),
  };
}

/** Returns the time at `index` (negative from the end), or -Infinity if there is none. */
function getTimeAt(times: readonly number[], index: number): number {
  return times.at(index) ?? Number.NEGATIVE_INFINITY;
}
