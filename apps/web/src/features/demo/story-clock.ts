/** The demo's own time: it stands still until the visitor moves it. */
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { Moment, Story } from './stories/story.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export type StoryClock = {
  now(): Instant;
  /** The next moment of the story; undefined at its end. */
  nextMoment(): Moment | undefined;
  /** The moment that happened last. */
  lastMoment(): Moment;
  moveTo(at: Instant): void;
  moveOneDay(): void;
  startAgain(): void;
  subscribe(listener: () => void): () => void;
};

export function createStoryClock(story: Story): StoryClock {
  const [first] = story.moments;
  if (first === undefined) throw new RangeError('a story needs a moment');
  let now = story.startAt;
  const listeners = new Set<() => void>();
  const moveTo = (at: Instant): void => {
    now = at;
    for (const listener of listeners) listener();
  };
  // Moments a few seconds apart are one stage to a person: the clock goes to the last of them.
  const together = (moment: Moment): Moment =>
    story.moments.findLast(({ at }) => at >= moment.at && at <= addMilliseconds(moment.at, 30_000)) ?? moment;
  const nextMoment = (): Moment | undefined => {
    const next = story.moments.find(({ at }) => at > now);
    return next && together(next);
  };
  return {
    now: () => now,
    nextMoment,
    lastMoment: () => story.moments.findLast(({ at }) => at <= now) ?? first,
    moveTo,
    moveOneDay: () => moveTo(addMilliseconds(now, DAY_MILLISECONDS)),
    startAgain: () => moveTo(first.at),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
