/** A member's groups: labels such as an office or a department, in the practice's own words. */
import { createRejection, type Parsed, parsed } from '../parsed.ts';

export const MAX_GROUPS = 5;
export const MAX_GROUP_LENGTH = 40;

/** Returns groups without surrounding or repeated spaces. "Leeds" and "leeds" are the same group; the first spelling is kept. */
export function parseGroups(texts: readonly string[]): Parsed<readonly string[]> {
  const groups = new Map<string, string>();
  for (const labelText of texts) {
    const group = labelText.trim().replaceAll(/\s+/g, ' ');
    if (group === '') continue;
    if (/[\p{Cc},]/u.test(group)) return createRejection('Use a few words without commas for the group name.');
    if (group.length > MAX_GROUP_LENGTH)
      return createRejection(`Group names can have at most ${MAX_GROUP_LENGTH} characters. Shorten “${group}”.`);
    if (!groups.has(group.toLowerCase())) groups.set(group.toLowerCase(), group);
  }
  if (groups.size > MAX_GROUPS) return createRejection(`A team member can be in at most ${MAX_GROUPS} groups. Remove one first.`);
  return parsed([...groups.values()]);
}
