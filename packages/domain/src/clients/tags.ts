/** A practice's own tags for a client, for example "Payroll bureau" or "Year end in March". */
import { createRejection, type Parsed, parsed } from '../parsed.ts';

export const MAX_TAGS = 10;
export const MAX_TAG_LENGTH = 30;

/** Returns tags without surrounding or repeated spaces. "VIP" and "vip" are the same tag; the first spelling is kept. */
export function parseTags(texts: readonly string[]): Parsed<readonly string[]> {
  const tags = new Map<string, string>();
  for (const tagText of texts) {
    const tag = tagText.trim().replaceAll(/\s+/g, ' ');
    if (tag === '') continue;
    if (/[\p{Cc},]/u.test(tag)) return createRejection('Use a few words without commas for the tag.');
    if (tag.length > MAX_TAG_LENGTH) return createRejection(`Tags can have at most ${MAX_TAG_LENGTH} characters. Shorten “${tag}”.`);
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  if (tags.size > MAX_TAGS) return createRejection(`A client can have at most ${MAX_TAGS} tags. Remove one first.`);
  return parsed([...tags.values()]);
}
