/** Spaces calls out in time, so that a provider's limit per second is kept instead of met with refusals. */
import { setTimeout } from 'node:timers/promises';

/**
 * Takes so many turns, a gap apart, out of those that all instances share; answers in how many milliseconds the first one comes.
 * A port: the server keeps it in the database (features/sync/provider-pace.ts), a single process may keep it in memory.
 */
export type ReserveTurns = (count: number) => Promise<number>;

/** Whose call it is: a `person` who waits takes the next turn, before what a `run` through many clients has waiting. */
export type Lane = 'person' | 'run';

/** Time in milliseconds, and waiting for it: a port, so that a test needs no seconds of its own. */
export type Clock = { now(): number; pause(ms: number): Promise<unknown> };

const REAL_CLOCK: Clock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };

export type PaceSetting = {
  /** What we allow ourselves: a little less than the limit, because calls do not travel equally fast. */
  readonly perSecond: number;
  /** What the provider allows in any one second. */
  readonly limit: number;
  /** In memory unless told. */
  readonly reserve?: ReserveTurns;
  /** Real time unless told: a provider counts by its own. */
  readonly clock?: Clock;
};

/** The turns of one provider at this instance. */
export type Pace = { take(lane: Lane): Promise<void> };

/** Turns taken ahead of time: more would make people of other instances wait behind them. */
const MOST_AHEAD = 2;
/** A window that was just kept by our clock may be missed by the provider's. */
const WINDOW_MS = 1_010;
/** After so long without a call connections are closed: the next calls open new ones and arrive that much later than they leave, those after them do not. */
const IDLE_MS = 4_000;
const COLD_MS = 2_000;
const COLD_SLACK_MS = 300;
/** A turn missed by more is let go while other instances call too: theirs are on time, and one second would hold one call too many. */
const MOST_LATE_MS = 30;
/** A machine that is always late must still call some time. */
const MOST_LET_GO = 3;

export function openPace({ perSecond, limit, clock = REAL_CLOCK, reserve = reserveInMemory(perSecond, clock) }: PaceSetting): Pace {
  const gapMs = 1000 / perSecond;
  const waiting: Record<Lane, Waiter[]> = { person: [], run: [] };
  const left: number[] = [];
  let turns: number[] = [];
  let lastTurn: number | undefined;
  let isShared = false;
  let turnAt = 0;
  let coldUntil = Number.NEGATIVE_INFINITY;
  let isServing = false;
  const queued = (): number => waiting.person.length + waiting.run.length;

  const nextTurn = async (): Promise<number> => {
    if (turns.length === 0) {
      const count = Math.min(queued(), MOST_AHEAD);
      const waitMs = await reserve(count);
      const firstAt = clock.now() + waitMs;
      // Turns that follow upon ours were taken by nobody else in between; of an idle pace nothing can be told.
      if (waitMs > 0 && lastTurn !== undefined) isShared = firstAt > lastTurn + 1.5 * gapMs;
      lastTurn = firstAt + (count - 1) * gapMs;
      turns = Array.from({ length: count }, (_, index) => firstAt + index * gapMs);
    }
    const turn = turns.shift() ?? clock.now();
    turnAt = turn;
    // A turn taken late must not let the next ones bunch up: the provider counts departures, not turns.
    if (turn - (left.at(-1) ?? Number.NEGATIVE_INFINITY) > IDLE_MS) coldUntil = turn + COLD_MS;
    const window = (left.at(-limit) ?? Number.NEGATIVE_INFINITY) + WINDOW_MS + (turn < coldUntil ? COLD_SLACK_MS : 0);
    return Math.max(turn, window, (left.at(-1) ?? Number.NEGATIVE_INFINITY) + gapMs / 2);
  };

  const serve = async (): Promise<void> => {
    let letGo = 0;
    while (queued() > 0) {
      try {
        const waitMs = (await nextTurn()) - clock.now();
        if (waitMs > 0) await clock.pause(Math.ceil(waitMs));
        if (isShared && clock.now() - turnAt > MOST_LATE_MS && letGo < MOST_LET_GO) {
          letGo += 1;
          continue;
        }
        letGo = 0;
        left.push(clock.now());
        if (left.length > limit) left.shift();
        (waiting.person.shift() ?? waiting.run.shift())?.resolve();
      } catch (error) {
        (waiting.person.shift() ?? waiting.run.shift())?.reject(error);
      }
    }
    isServing = false;
  };

  return {
    take: (lane) => {
      const turn = Promise.withResolvers<undefined>();
      waiting[lane].push({ resolve: () => turn.resolve(undefined), reject: turn.reject });
      if (!isServing) {
        isServing = true;
        void serve();
      }
      return turn.promise;
    },
  };
}

type Waiter = { readonly resolve: () => void; readonly reject: (reason: unknown) => void };

/**
 * A fetch whose calls leave when it is their turn. With `timeoutMs` an answer is waited for so long from then on, instead of by the caller's own
 * signal: that one would count the wait for the turn too, and end every call of a long queue before it has left.
 */
export function paceCalls(fetch: typeof globalThis.fetch, pace: Pace, lane: Lane = 'person', timeoutMs?: number): typeof globalThis.fetch {
  return async (input, init) => {
    await pace.take(lane);
    return fetch(input, timeoutMs === undefined ? init : { ...init, signal: AbortSignal.timeout(timeoutMs) });
  };
}

/** Turns of one process alone. */
export function reserveInMemory(perSecond: number, clock: Clock = REAL_CLOCK): ReserveTurns {
  const gapMs = 1000 / perSecond;
  let nextAt = Number.NEGATIVE_INFINITY;
  return async (count) => {
    const now = clock.now();
    const firstAt = Math.max(nextAt, now);
    nextAt = firstAt + count * gapMs;
    return firstAt - now;
  };
}
