/** The parts to run, or none for all of them, and the words that select their test files. */
export type TestSelection = { readonly parts: readonly string[]; readonly fileFilters: readonly string[] };

/** Parses the arguments of `npm test`. A word that isn't a part selects test files, but only after a part, so that a typo runs nothing. */
export function parseTestArguments(words: readonly string[], partNames: readonly string[]): TestSelection | { readonly problem: string } {
  const parts = words.filter((word) => partNames.includes(word));
  const fileFilters = words.filter((word) => !partNames.includes(word));
  if (parts.length > 0 || fileFilters.length === 0) return { parts, fileFilters };
  const choices = `Choose from ${partNames.join(', ')}`;
  return {
    problem: `Unknown part “${fileFilters.join('”, “')}”. ${choices}. To run one file, name its part first: unit ${fileFilters[0]}`,
  };
}
