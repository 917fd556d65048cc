/** Client-side rate limiter: spaces calls out so that a provider's limit per second is not exceeded. */
import { setTimeout } from 'node:timers/promises';

/**
 * The slots that all instances share. The server keeps them in the database (features/sync/shared-rate-limiter.ts); a single process may
 * keep them in memory.
 */
export type SharedTurns = {
  /** Reserves the next slot, one interval after the previous one. Returns the milliseconds until it starts. */
  reserve(): Promise<number>;
  /** Moves all slots that are not yet reserved. */
  putOff(ms: number): Promise<void>;
};

/** Priority of a call. A `person` is waiting for the answer and goes before the queued calls of a `run` through many clients. */
export type Lane = 'person' | 'run';

/** Time and pauses in milliseconds. A port, so that tests need no real time. */
export type Clock = { now(): number; pause(ms: number): Promise<unknown> };

const REAL_CLOCK: Clock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

export type PaceSetting = {
  /** Our own rate: a little below the limit, because calls do not travel equally fast. */
  readonly perSecond: number;
  /** Calls that the provider allows in any one second. */
  readonly limit: number;
  /** Default: in memory. */
  readonly shared?: SharedTurns;
  /** Default: real time, because the provider counts in real time. */
  readonly clock?: Clock;
};

/** A sent call: the time of its slot and the time when it was sent. */
type Departure = { readonly turnAt: number; readonly leftAt: number };

/** The rate limiter of one provider in this process. */
export type Pace = {
  take(lane: Lane): Promise<Departure>;
  /**
   * Reports a response. It shows when the call arrived at the latest; later slots are postponed so that they do not catch up with a late
   * call.
   */
  noteAnswer(departure: Departure, wasRefused: boolean): void;
};

/** Slightly more than a second: the provider's clock may measure the window differently. */
const WINDOW_MS = 1_010;
/** After this idle time connections are closed. The next calls open new ones and arrive later, while the calls after them do not. */
const IDLE_MS = 4_000;
const COLD_MS = 2_000;
const COLD_SLACK_MS = 300;
/**
 * A slot that was missed by more than this part of an interval is skipped when other instances call too: their calls are on time, and one
 * second would contain one call too many.
 */
const MOST_LATE_PART = 0.5;
/** A machine that is always late must still get to call. */
const MOST_LET_GO = 3;
/**
 * A response that took longer than usual may have been sent late or processed slowly; the two cannot be told apart. At the start
 * and after a rejection the slower half counts as sent late. After ten minutes without a rejection only the slowest tenth does, because
 * every postponed slot costs time.
 */
const STRICT_MS = 600_000;
const USUAL_PART = { strict: 0.5, lenient: 0.9 } as const;
const ANSWERS_KEPT = 40;
/** A longer delay than this comes from slow processing. */
const MOST_PUT_OFF_MS = 250;

export function openPace({ perSecond, limit, clock = REAL_CLOCK, shared = turnsInMemory(perSecond, clock) }: PaceSetting): Pace {
  const gapMs = 1000 / perSecond;
  const queue = openQueue();
  const left: number[] = [];
  // The intervals leave room for a delay of this length.
  const lateBy = watchAnswers(limit * gapMs - WINDOW_MS, clock);
  let lastTurn: number | undefined;
  let isShared = false;
  /** Total postponement so far. A slot that was reserved earlier moves by the difference. */
  let putOffMs = 0;
  let coldUntil = Number.NEGATIVE_INFINITY;
  let isServing = false;
  const lastLeft = (): number => left.at(-1) ?? Number.NEGATIVE_INFINITY;

  /** Reserves only one slot at a time. Slots reserved ahead would delay users of other instances and ignore later postponements. */
  const takeTurn = async (): Promise<Turn> => {
    const takenAt = putOffMs;
    const waitMs = await shared.reserve();
    const at = clock.now() + waitMs;
    // When the new slot directly follows our last one, no other instance is calling. An idle limiter says nothing about it.
    if (waitMs > 0 && lastTurn !== undefined) isShared = at > lastTurn + 1.5 * gapMs;
    lastTurn = at;
    if (at - lastLeft() > IDLE_MS) coldUntil = at + COLD_MS;
    return { time: () => at + putOffMs - takenAt };
  };

  /** Late calls must not bunch up: the provider counts sent calls, not slots. */
  const untilItMayLeave = async (turn: Turn): Promise<void> => {
    const waitMs = (): number => {
      const window = (left.at(-limit) ?? Number.NEGATIVE_INFINITY) + WINDOW_MS + (turn.time() < coldUntil ? COLD_SLACK_MS : 0);
      return Math.max(turn.time(), window, lastLeft() + gapMs / 2) - clock.now();
    };
    // The slot may be postponed while it waits.
    for (let ms = waitMs(); ms > 0; ms = waitMs()) await clock.pause(Math.ceil(ms));
  };

  const serve = async (): Promise<void> => {
    let letGo = 0;
    while (queue.isWaiting()) {
      try {
        const turn = await takeTurn();
        await untilItMayLeave(turn);
        const departure = { turnAt: turn.time(), leftAt: clock.now() };
        if (isShared && departure.leftAt - departure.turnAt > gapMs * MOST_LATE_PART && letGo < MOST_LET_GO) {
          letGo += 1;
          continue;
        }
        letGo = 0;
        left.push(departure.leftAt);
        if (left.length > limit) left.shift();
        queue.next()?.resolve(departure);
      } catch (error) {
        queue.next()?.reject(error);
      }
    }
    isServing = false;
  };

  return {
    take: (lane) => {
      const departure = Promise.withResolvers<Departure>();
      queue.add(lane, departure);
      if (!isServing) {
        isServing = true;
        void serve();
      }
      return departure.promise;
    },
    noteAnswer: (departure, wasRefused) => {
      const ms = lateBy(departure, wasRefused);
      if (ms <= 0) return;
      putOffMs += ms;
      // The response must not be lost because of this. If the slots are unreachable, the next reservation fails and reports it.
      shared.putOff(ms).catch(() => undefined);
    },
  };
}

/** How much later than its slot plus `toleranceMs` a call may have arrived, judged by its response time. */
function watchAnswers(roomMs: number, clock: Clock): (departure: Departure, wasRefused: boolean) => number {
  const kept: number[] = [];
  let strictUntil = clock.now() + STRICT_MS;
  return ({ turnAt, leftAt }, wasRefused) => {
    const now = clock.now();
    if (wasRefused) strictUntil = now + STRICT_MS;
    const part = now < strictUntil ? USUAL_PART.strict : USUAL_PART.lenient;
    const usual = kept.toSorted((a, b) => a - b)[Math.floor(kept.length * part)] ?? 0;
    kept.push(now - leftAt);
    if (kept.length > ANSWERS_KEPT) kept.shift();
    return Math.min(now - turnAt - usual - roomMs, MOST_PUT_OFF_MS);
  };
}

/** Calls that a person waits for go first. */
function openQueue() {
  const waiting: Record<Lane, Waiter[]> = { person: [], run: [] };
  return {
    add: (lane: Lane, waiter: Waiter): void => void waiting[lane].push(waiter),
    isWaiting: (): boolean => waiting.person.length + waiting.run.length > 0,
    next: (): Waiter | undefined => waiting.person.shift() ?? waiting.run.shift(),
  };
}

type Turn = { time(): number };
type Waiter = { readonly resolve: (departure: Departure) => void; readonly reject: (reason: unknown) => void };

/**
 * A fetch that sends each call in its slot. `timeoutMs` then limits the wait for the response from when the call is sent. The
 * caller's own signal would also count the wait for the slot and abort every call in a long queue.
 */
export function paceCalls(fetch: typeof globalThis.fetch, pace: Pace, lane: Lane = 'person', timeoutMs?: number): typeof globalThis.fetch {
  return async (input, init) => {
    const departure = await pace.take(lane);
    const answer = await fetch(input, timeoutMs === undefined ? init : { ...init, signal: AbortSignal.timeout(timeoutMs) });
    pace.noteAnswer(departure, answer.status === 429);
    return answer;
  };
}

/** Slots of a single process. */
export function turnsInMemory(perSecond: number, clock: Clock = REAL_CLOCK): SharedTurns {
  const gapMs = 1000 / perSecond;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    reserve: async () => {
      const now = clock.now();
      const at = Math.max(nextAt, now);
      nextAt = at + gapMs;
      return at - now;
    },
    putOff: async (ms) => void (nextAt += ms),
  };
}
