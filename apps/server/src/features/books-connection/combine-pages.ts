/** Combines small pages, because storing each takes a statement and a commit of its own. */
const MIN_OBJECTS = 500;
/** If pages arrive slowly, those read so far are stored after this time. */
const MAX_WAIT_MS = 1_000;

/** `pages` is the number of pages that the objects were on. */
export type CombinedPages<Item> = { readonly objects: readonly Item[]; readonly pages: number };

/** If reading fails, the pages before it are returned first, so that they are stored. */
export async function* combinePages<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<CombinedPages<Item>> {
  let objects: Item[] = [];
  let count = 0;
  let startedAt = 0;
  try {
    for await (const page of pages) {
      if (count === 0) startedAt = performance.now();
      objects = count === 0 ? [...page] : objects.concat(page);
      count += 1;
      if (objects.length < MIN_OBJECTS && performance.now() - startedAt < MAX_WAIT_MS) continue;
      const combined = { objects, pages: count };
      count = 0;
      yield combined;
    }
  } catch (error) {
    if (count > 0) yield { objects, pages: count };
    throw error;
  }
  if (count > 0) yield { objects, pages: count };
}
