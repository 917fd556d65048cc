/** Every story of the folder beside this: a new file there is a new story in the demo, and nothing else needs to know. */
import type { Story } from './stories/story.ts';

const FILES = import.meta.glob<Record<string, Story>>(['./stories/*.ts', '!./stories/story.ts', '!./stories/*-rows.ts'], { eager: true });

/** The usual way first, the others by title. */
export const STORIES: readonly Story[] = Object.values(FILES)
  .flatMap((file) => Object.values(file))
  .toSorted((a, b) => Number(b.key === 'normal-refund') - Number(a.key === 'normal-refund') || a.title.localeCompare(b.title));

/** The story of that name; the usual one for a name that is none. */
export function findStory(key: string | null): Story {
  const found = STORIES.find((story) => story.key === key) ?? STORIES[0];
  if (found === undefined) throw new RangeError('the demo has no story');
  return found;
}
