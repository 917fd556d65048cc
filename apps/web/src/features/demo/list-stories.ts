/** Every story in the stories folder. A new file there is all it takes to add a story. */
import type { Story } from './stories/story.ts';

const FILES = import.meta.glob<Record<string, Story>>(['./stories/*.ts', '!./stories/story.ts', '!./stories/*-rows.ts'], { eager: true });

/** The normal refund comes first, followed by the others in order of title. */
export const STORIES: readonly Story[] = Object.values(FILES)
  .flatMap((file) => Object.values(file))
  .toSorted((a, b) => Number(b.key === 'normal-refund') - Number(a.key === 'normal-refund') || a.title.localeCompare(b.title));

/** The story with that key, otherwise the default story. */
export function findStory(key: string | null): Story {
  const found = STORIES.find((story) => story.key === key) ?? STORIES[0];
  if (found === undefined) throw new RangeError('the demo has no story');
  return found;
}
