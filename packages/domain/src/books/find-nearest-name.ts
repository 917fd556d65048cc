/**
 * Returns the known name closest to the typed text: at most two edits away, or one is a prefix of the other. Undefined if none is close.
 */
export function findNearestName<Name extends string>(enteredName: string, names: readonly Name[]): Name | undefined {
  const text = enteredName
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .slice(0, 40);
  if (text === '') return undefined;
  const rankedNames = names
    .map((name) => ({
      name,
      edits: text.length > 2 && (name.startsWith(text) || text.startsWith(name)) ? 0 : computeLevenshteinDistance(text, name),
    }))
    .sort((a, b) => a.edits - b.edits);
  const closestName = rankedNames[0];
  return closestName && closestName.edits <= 2 && closestName.edits < closestName.name.length / 2 ? closestName.name : undefined;
}

/** Returns the Levenshtein distance. */
function computeLevenshteinDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replacedCost = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replacedCost, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
