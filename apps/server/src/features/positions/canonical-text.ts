/**
 * Returns the same text for equal JSON values. PostgreSQL's jsonb changes the order of members, so a value read back must be normalised
 * before comparison.
 */
export function toCanonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalText(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalText(member)}`);
  return `{${members.join(',')}}`;
}
