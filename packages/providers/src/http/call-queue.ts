/** The calls that wait for a slot of the rate limiter: by priority, and within one in rotation among those for whom they are made. */
import { CallNotSentError } from './was-never-sent.ts';

/**
 * - `urgent`: filing a return, accepting an offer, and renewing tokens; before everything else.
 * - `interactive`: a person with an authorisation at HMRC waits for it.
 * - `unverified`: a person without one waits for it, such as a look-up of a VAT number before signing up. Anyone can cause these.
 * - `background`: of a refresh or another job. Takes every second slot while `unverified` calls wait.
 */
export type CallPriority = 'urgent' | 'interactive' | 'unverified' | 'background';

type Limits = { readonly waitMs: number; readonly calls: number; readonly callsPerKey: number };

const UNLIMITED = Number.POSITIVE_INFINITY;

/** How long calls of each priority may wait, and how many may at once: in all, and of one person or company. */
const LIMITS: Readonly<Record<CallPriority, Limits>> = {
  urgent: { waitMs: 90_000, calls: UNLIMITED, callsPerKey: UNLIMITED },
  interactive: { waitMs: 90_000, calls: UNLIMITED, callsPerKey: UNLIMITED },
  unverified: { waitMs: 30_000, calls: 30, callsPerKey: 3 },
  background: { waitMs: UNLIMITED, calls: UNLIMITED, callsPerKey: UNLIMITED },
};

export type Waiter<Slot> = { readonly resolve: (slot: Slot) => void; readonly reject: (reason: unknown) => void };

type Waiting<Slot> = Waiter<Slot> & { readonly until: number };

export type CallQueue<Slot> = {
  /** `key`: the person or company. Throws if too many calls wait. */
  add(priority: CallPriority, key: string, waiter: Waiter<Slot>): void;
  hasWaiters(): boolean;
  /** Takes the next call out. Those that have waited too long are rejected. */
  next(): Waiter<Slot> | undefined;
};

export function createCallQueue<Slot>(
  now: () => number,
  onWaiting: (priority: CallPriority, count: number) => void = () => undefined,
): CallQueue<Slot> {
  // A Map keeps the order of insertion: the first key is next, and moves to the end when a call of it was taken.
  const waiting: Record<CallPriority, Map<string, Waiting<Slot>[]>> = {
    urgent: new Map(),
    interactive: new Map(),
    unverified: new Map(),
    background: new Map(),
  };
  let isBackgroundNext = true;

  const count = (priority: CallPriority): number => [...waiting[priority].values()].reduce((sum, { length }) => sum + length, 0);

  const take = (priority: CallPriority): Waiting<Slot> | undefined => {
    const [first] = waiting[priority];
    if (!first) return undefined;
    const [key, calls] = first;
    const call = calls.shift();
    waiting[priority].delete(key);
    if (calls.length > 0) waiting[priority].set(key, calls);
    onWaiting(priority, count(priority));
    return call;
  };

  const takeLessUrgent = (): Waiting<Slot> | undefined => {
    const order: readonly CallPriority[] = isBackgroundNext ? ['background', 'unverified'] : ['unverified', 'background'];
    isBackgroundNext = !isBackgroundNext;
    return order.reduce<Waiting<Slot> | undefined>((taken, priority) => taken ?? take(priority), undefined);
  };

  return {
    add: (priority, key, waiter) => {
      const { waitMs, calls, callsPerKey } = LIMITS[priority];
      const ofKey = waiting[priority].get(key) ?? [];
      if (ofKey.length >= callsPerKey || count(priority) >= calls) throw new CallNotSentError('throttled', 'too many calls are waiting');
      ofKey.push({ ...waiter, until: now() + waitMs });
      waiting[priority].set(key, ofKey);
      onWaiting(priority, count(priority));
    },
    hasWaiters: () => Object.values(waiting).some(({ size }) => size > 0),
    next: () => {
      for (;;) {
        const call = take('urgent') ?? take('interactive') ?? takeLessUrgent();
        if (!call || call.until >= now()) return call;
        call.reject(new CallNotSentError('throttled', 'it waited too long for a slot'));
      }
    },
  };
}
