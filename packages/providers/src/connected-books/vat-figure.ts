import type { BooksCopy } from './books-provider.ts';

/** Returns every object in a short list from the copy. */
export async function readCopiedObjects(copy: BooksCopy, resource: string): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const page of copy.pages(resource)) items.push(...page);
  return items;
}
