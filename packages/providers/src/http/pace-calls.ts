/** Spaces calls out in time, so that a provider's limit per second is kept instead of met with refusals. */
import { setTimeout } from 'node:timers/promises';

/** The turns that all instances share. A port: the server keeps them in the database (features/sync/provider-pace.ts), a single process may keep them in memory. */
export type SharedTurns = {
  /** Takes the next one, a gap after the one before; answers in how many milliseconds it comes. */
  reserve(): Promise<number>;
  /** Moves all that nobody has taken yet. */
  putOff(ms: number): Promise<void>;
};

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
  readonly shared?: SharedTurns;
  /** Real time unless told: a provider counts by its own. */
  readonly clock?: Clock;
};

/** A call that has left: when its turn was, and when it went. */
type Departure = { readonly turnAt: number; readonly leftAt: number };

/** The turns of one provider at this instance. */
export type Pace = {
  take(lane: Lane): Promise<Departure>;
  /** Its answer is there, so it arrived before this moment: whoever arrived late must not be caught up with by those behind. */
  noteAnswer(departure: Departure, wasRefused: boolean): void;
};

/** A window that was just kept by our clock may be missed by the provider's. */
const WINDOW_MS = 1_010;
/** After so long without a call connections are closed: the next calls open new ones and arrive that much later than they leave, those after them do not. */
const IDLE_MS = 4_000;
const COLD_MS = 2_000;
const COLD_SLACK_MS = 300;
/** A turn missed by more of a gap is let go while other instances call too: theirs are on time, and one second would hold one call too many. */
const MOST_LATE_PART = 0.5;
/** A machine that is always late must still call some time. */
const MOST_LET_GO = 3;
/**
 * An answer that took longer than usual may have been asked late, or was slow in the making: nobody can tell. At first, and for so long after a refusal,
 * the slower half counts as asked late; where none is refused only the slowest tenth, because every turn put off is time lost.
 */
const STRICT_MS = 600_000;
const USUAL_PART = { strict: 0.5, lenient: 0.9 } as const;
const ANSWERS_KEPT = 40;
/** An answer that took longer still was slow in the making. */
const MOST_PUT_OFF_MS = 250;

export function openPace({ perSecond, limit, clock = REAL_CLOCK, shared = turnsInMemory(perSecond, clock) }: PaceSetting): Pace {
  const gapMs = 1000 / perSecond;
  const queue = openQueue();
  const left: number[] = [];
  // What the gaps have room for harms nobody.
  const lateBy = watchAnswers(limit * gapMs - WINDOW_MS, clock);
  let lastTurn: number | undefined;
  let isShared = false;
  /** By how much turns were put off so far: one that was taken before goes so much later. */
  let putOffMs = 0;
  let coldUntil = Number.NEGATIVE_INFINITY;
  let isServing = false;
  const lastLeft = (): number => left.at(-1) ?? Number.NEGATIVE_INFINITY;

  /** One turn and no more: those taken ahead would make people of other instances wait behind them, and would know nothing of calls put off since. */
  const takeTurn = async (): Promise<Turn> => {
    const takenAt = putOffMs;
    const waitMs = await shared.reserve();
    const at = clock.now() + waitMs;
    // A turn that follows upon ours was taken by nobody else in between; of an idle pace nothing can be told.
    if (waitMs > 0 && lastTurn !== undefined) isShared = at > lastTurn + 1.5 * gapMs;
    lastTurn = at;
    if (at - lastLeft() > IDLE_MS) coldUntil = at + COLD_MS;
    return { time: () => at + putOffMs - takenAt };
  };

  /** A turn taken late must not let the next ones bunch up: the provider counts departures, not turns. */
  const untilItMayLeave = async (turn: Turn): Promise<void> => {
    const waitMs = (): number => {
      const window = (left.at(-limit) ?? Number.NEGATIVE_INFINITY) + WINDOW_MS + (turn.time() < coldUntil ? COLD_SLACK_MS : 0);
      return Math.max(turn.time(), window, lastLeft() + gapMs / 2) - clock.now();
    };
    // It may be put off while it is waited for.
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
      // The answer is there and must not be lost for this. Where the turns cannot be reached, the next one cannot be had either, and its call says so.
      shared.putOff(ms).catch(() => undefined);
    },
  };
}

/** By how much more than `roomMs` a call may have arrived after its turn, as its answer tells. */
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

/** People first. */
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
 * A fetch whose calls leave when it is their turn. With `timeoutMs` an answer is waited for so long from then on, instead of by the caller's own
 * signal: that one would count the wait for the turn too, and end every call of a long queue before it has left.
 */
export function paceCalls(fetch: typeof globalThis.fetch, pace: Pace, lane: Lane = 'person', timeoutMs?: number): typeof globalThis.fetch {
  return async (input, init) => {
    const departure = await pace.take(lane);
    const answer = await fetch(input, timeoutMs === undefined ? init : { ...init, signal: AbortSignal.timeout(timeoutMs) });
    pace.noteAnswer(departure, answer.status === 429);
    return answer;
  };
}

/** Turns of one process alone. */
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
