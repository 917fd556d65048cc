import { describe, expect, it } from 'vitest';
import { createCallQueue, type CallPriority } from './call-queue.ts';

/** Creates a queue on a test clock that records the order in which calls are sent. */
function openQueue() {
  let now = 0;
  const queue = createCallQueue<'slot'>(() => now);
  const sentCalls: string[] = [];
  const rejectedCalls: string[] = [];
  const add = (name: string, priority: CallPriority, key = ''): void =>
    queue.add(priority, key, { resolve: () => void sentCalls.push(name), reject: () => void rejectedCalls.push(name) });
  const dequeue = (): string | undefined => {
    const count = sentCalls.length;
    queue.next()?.resolve('slot');
    return sentCalls[count];
  };
  const dequeueAll = (): string[] => {
    const names: string[] = [];
    for (let name = dequeue(); name !== undefined; name = dequeue()) names.push(name);
    return names;
  };
  return { add, take: dequeue, takeAll: dequeueAll, rejected: rejectedCalls, wait: (ms: number) => (now += ms) };
}

const THROTTLED_FAILURE = expect.objectContaining({ failure: 'throttled' });

describe('calls that wait for a slot', () => {
  it('are sent in order of priority, filings first', () => {
    const { add, takeAll } = openQueue();
    for (const priority of ['background', 'unverified', 'interactive', 'urgent'] as const) add(priority, priority);
    expect(takeAll().slice(0, 2)).toEqual(['urgent', 'interactive']);
  });

  it('from one user don’t make another wait for more than one of them', () => {
    const { add, take } = openQueue();
    for (let call = 0; call < 200; call += 1) add('eager', 'interactive', 'eager');
    add('patient 1', 'interactive', 'patient');
    add('patient 2', 'interactive', 'patient');
    expect([take(), take(), take(), take()]).toEqual(['eager', 'patient 1', 'eager', 'patient 2']);
  });

  it('of users without an HMRC authorisation delay none from a user who has one, however many users there are', () => {
    const { add, take } = openQueue();
    for (let person = 0; person < 30; person += 1) add('free', 'unverified', String(person));
    add('trader', 'interactive', 'trader');
    expect(take()).toBe('trader');
  });

  it('from those users are rejected once 30 wait, or three from one of them', () => {
    const { add } = openQueue();
    for (let call = 0; call < 3; call += 1) add('eager', 'unverified', 'eager');
    expect(() => add('eager', 'unverified', 'eager')).toThrow(THROTTLED_FAILURE);
    for (let person = 0; person < 27; person += 1) add('free', 'unverified', String(person));
    expect(() => add('late', 'unverified', 'late')).toThrow(THROTTLED_FAILURE);
    expect(() => add('trader', 'interactive', 'trader')).not.toThrow();
  });

  it('from jobs and those users each get every second slot', () => {
    const { add, takeAll } = openQueue();
    for (let call = 0; call < 3; call += 1) add('job', 'background', 'practice');
    for (let call = 0; call < 3; call += 1) add('free', 'unverified', 'person');
    expect(takeAll()).toEqual(['job', 'free', 'job', 'free', 'job', 'free']);
  });

  it('are rejected when they have waited too long, except those from jobs', () => {
    const { add, takeAll, rejected, wait } = openQueue();
    for (const priority of ['background', 'unverified', 'interactive', 'urgent'] as const) add(priority, priority);
    wait(30_001);
    add('late', 'interactive');
    wait(60_000);
    expect(takeAll()).toEqual(['late', 'background']);
    expect(rejected.toSorted()).toEqual(['interactive', 'unverified', 'urgent']);
  });
});
