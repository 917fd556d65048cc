/** Every story in the stories folder. To add a story, add a file there. */
import type { Story } from './stories/story.ts';

const FILES = import.meta.glob<Record<string, Story>>(['./stories/*.ts', '!./stories/story.ts', '!./stories/*-rows.ts'], { eager: true });

/** The normal refund comes first, followed by the rest sorted by title. */
export const STORIES: readonly Story[] = Object.values(FILES)
  .flatMap((file) => Object.values(file))
  .toSorted((a, b) => Number(b.key === 'normal-refund') - Number(a.key === 'normal-refund') || a.title.localeCompare(b.title));

/** Finds the story with this key, or else the default story. */
export function findStory(key: string | null): Story {
  const foundStory = STORIES.find((story) => story.key === key) ?? STORIES[0];
  if (foundStory === undefined) throw new RangeError('the demo has no story');
  return foundStory;
}
