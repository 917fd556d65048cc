/** The demo's own clock. It moves only when the visitor moves it. */
import { addMilliseconds, parseInstant, type Instant } from '@portal/domain/clock.ts';
import type { Story, StoryMoment } from './stories/story.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** How far the clock may go beyond the story's last moment. By then, the next return is due. */
const MAX_DAYS_AFTER_END = 200;

/** Formats a time for the demo's URL, to the second and without characters that need escaping, for example 20261105T080005Z. */
export const formatUrlTime = (at: Instant): string => at.replace(/\.\d+/, '').replaceAll(/[-:]/g, '');

/** Parses the time in the URL. Returns undefined if it is invalid or outside the story. */
function parseUrlTime(text: string | null, story: Story): Instant | undefined {
  const iso = (text ?? '').replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z');
  const at = parseInstant(iso);
  const [first, last] = [story.moments[0]?.at, story.moments.at(-1)?.at];
  if (at === undefined || first === undefined || last === undefined) return undefined;
  return at >= first && at <= addMilliseconds(last, MAX_DAYS_AFTER_END * DAY_MILLISECONDS) ? at : undefined;
}

export type StoryClock = {
  /** The clock's time when a visitor opens the demo, as written in the URL. */
  readonly startTime: string;
  now(): Instant;
  /** Returns the story's next moment, or undefined at its end. */
  findNextMoment(): StoryMoment | undefined;
  /** Returns the most recent moment. */
  getLastMoment(): StoryMoment;
  moveTo(at: Instant): void;
  moveForwardOneDay(): void;
  restart(): void;
  subscribe(listener: () => void): () => void;
};

/** `from` is the time in the URL, so that reloading the page or opening a shared link continues from there. */
export function createStoryClock(story: Story, from: string | null = null): StoryClock {
  const [first] = story.moments;
  if (first === undefined) throw new RangeError('a story needs at least one moment');
  let now = parseUrlTime(from, story) ?? story.startAt;
  const listeners = new Set<() => void>();
  const moveTo = (at: Instant): void => {
    now = at;
    for (const listener of listeners) listener();
  };
  // Moments a few seconds apart look like one stage, so skip to the last of them.
  const findLastMomentOfStage = (moment: StoryMoment): StoryMoment =>
    story.moments.findLast(({ at }) => at >= moment.at && at <= addMilliseconds(moment.at, 30_000)) ?? moment;
  const findNextMoment = (): StoryMoment | undefined => {
    const next = story.moments.find(({ at }) => at > now);
    return next && findLastMomentOfStage(next);
  };
  return {
    startTime: formatUrlTime(story.startAt),
    now: () => now,
    findNextMoment,
    getLastMoment: () => story.moments.findLast(({ at }) => at <= now) ?? first,
    moveTo,
    moveForwardOneDay: () => moveTo(addMilliseconds(now, DAY_MILLISECONDS)),
    restart: () => moveTo(first.at),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
