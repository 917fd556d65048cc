/** Calls waiting for a slot in the rate limiter: by priority, then rotating among their users or companies. */
import { CallNotSentError } from './was-never-sent.ts';

/**
 * - `urgent`: filing a return, accepting an offer, and refreshing tokens; before everything else.
 * - `interactive`: a user with an HMRC authorisation is waiting.
 * - `unverified`: a user without one is waiting, for example for a VAT number look-up before signing up. Anyone can trigger these.
 * - `background`: for a refresh or another job. Gets every second slot while `unverified` calls are waiting.
 */
export type CallPriority = 'urgent' | 'interactive' | 'unverified' | 'background';

type Limits = { readonly waitMs: number; readonly calls: number; readonly callsPerKey: number };

const UNLIMITED = Number.POSITIVE_INFINITY;

/** For each priority, the maximum wait and the maximum number of waiting calls: in total, and for one user or company. */
const LIMITS: Readonly<Record<CallPriority, Limits>> = {
  urgent: { waitMs: 90_000, calls: UNLIMITED, callsPerKey: UNLIMITED },
  interactive: { waitMs: 90_000, calls: UNLIMITED, callsPerKey: UNLIMITED },
  unverified: { waitMs: 30_000, calls: 30, callsPerKey: 3 },
  background: { waitMs: UNLIMITED, calls: UNLIMITED, callsPerKey: UNLIMITED },
};

export type Waiter<Slot> = { readonly resolve: (slot: Slot) => void; readonly reject: (reason: unknown) => void };

type QueuedWaiter<Slot> = Waiter<Slot> & { readonly until: number };

export type CallQueue<Slot> = {
  /** `key`: the user or company. Throws if too many calls are waiting. */
  add(priority: CallPriority, key: string, waiter: Waiter<Slot>): void;
  hasWaiters(): boolean;
  /** Removes and returns the next call. Calls that have waited too long are rejected. */
  next(): Waiter<Slot> | undefined;
};

export function createCallQueue<Slot>(
  now: () => number,
  onWaiting: (priority: CallPriority, count: number) => void = () => undefined,
): CallQueue<Slot> {
  // A Map keeps insertion order: the first key is next, and moves to the end once one of its calls has been taken.
  const waitingCalls: Record<CallPriority, Map<string, QueuedWaiter<Slot>[]>> = {
    urgent: new Map(),
    interactive: new Map(),
    unverified: new Map(),
    background: new Map(),
  };
  let isBackgroundNext = true;

  const count = (priority: CallPriority): number => [...waitingCalls[priority].values()].reduce((sum, { length }) => sum + length, 0);

  const dequeue = (priority: CallPriority): QueuedWaiter<Slot> | undefined => {
    const [first] = waitingCalls[priority];
    if (!first) return undefined;
    const [key, calls] = first;
    const call = calls.shift();
    waitingCalls[priority].delete(key);
    if (calls.length > 0) waitingCalls[priority].set(key, calls);
    onWaiting(priority, count(priority));
    return call;
  };

  const dequeueLessUrgent = (): QueuedWaiter<Slot> | undefined => {
    const order: readonly CallPriority[] = isBackgroundNext ? ['background', 'unverified'] : ['unverified', 'background'];
    isBackgroundNext = !isBackgroundNext;
    return order.reduce<QueuedWaiter<Slot> | undefined>((dequeued, priority) => dequeued ?? dequeue(priority), undefined);
  };

  return {
    add: (priority, key, waiter) => {
      const { waitMs, calls, callsPerKey } = LIMITS[priority];
      const keyWaiters = waitingCalls[priority].get(key) ?? [];
      if (keyWaiters.length >= callsPerKey || count(priority) >= calls)
        throw new CallNotSentError('throttled', 'too many calls are waiting');
      keyWaiters.push({ ...waiter, until: now() + waitMs });
      waitingCalls[priority].set(key, keyWaiters);
      onWaiting(priority, count(priority));
    },
    hasWaiters: () => Object.values(waitingCalls).some(({ size }) => size > 0),
    next: () => {
      for (;;) {
        const call = dequeue('urgent') ?? dequeue('interactive') ?? dequeueLessUrgent();
        if (!call || call.until >= now()) return call;
        call.reject(new CallNotSentError('throttled', 'the call waited too long in the queue'));
      }
    },
  };
}
