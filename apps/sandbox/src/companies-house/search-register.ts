/** Searches companies by name or number and returns the best matches first, as the register does. */
import type { RegisterCompany } from './register-company.ts';

/**
 * Every word of the query must match the start of a word in the name. Exact names come first, then names that begin with the query, with
 * active companies before dissolved ones.
 */
export function searchRegister(companies: Iterable<RegisterCompany>, query: string): RegisterCompany[] {
  const queryWords = toWords(query);
  if (queryWords.length === 0) return [];
  const wholeQuery = queryWords.join(' ');
  const hits: { company: RegisterCompany; rank: number }[] = [];
  for (const company of companies) {
    const rank = company.number === query.trim().toUpperCase() ? 0 : getRank(company, queryWords, wholeQuery);
    if (rank !== undefined) hits.push({ company, rank });
  }
  return hits
    .sort((a, b) => a.rank - b.rank || a.company.name.localeCompare(b.company.name) || a.company.number.localeCompare(b.company.number))
    .map(({ company }) => company);
}

function getRank(company: RegisterCompany, queryWords: readonly string[], wholeQuery: string): number | undefined {
  const words = toWords(company.name);
  if (!queryWords.every((word) => words.some((nameWord) => nameWord.startsWith(word)))) return undefined;
  const name = words.join(' ');
  const rank = name === wholeQuery ? 1 : name.startsWith(wholeQuery) ? 2 : 4;
  return company.ceased_on ? rank + 1 : rank;
}

/**
 * Returns whether the names are the same under the Company, LLP and Business (Names and Trading Disclosures) Regulations 2015, schedule 3.
 */
export function isSameName(name: string, query: string): boolean {
  return toWords(name).join('') === toWords(query).join('');
}

/** Returns the positions of the matched words in the title, as pairs of first and last character counted from 1. */
export function markMatches(company: RegisterCompany, query: string): { title: number[]; snippet: number[] } {
  const queryWords = toWords(query);
  const title: number[] = [];
  for (const { 0: word, index } of company.name.matchAll(/[\p{L}\p{N}']+/gu)) {
    const match = queryWords.find((queryWord) => normaliseWord(word).startsWith(queryWord));
    if (match !== undefined) title.push(index + 1, index + Math.min(match.length, word.length));
  }
  return { title, snippet: [] };
}

function toWords(text: string): string[] {
  return text
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}']+/u)
    .map(normaliseWord)
    .filter((word) => word !== '');
}

function normaliseWord(word: string): string {
  const plainWord = word.toUpperCase().replaceAll("'", '');
  return plainWord === 'LIMITED' ? 'LTD' : plainWord;
}
