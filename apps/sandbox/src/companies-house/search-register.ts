/** Searches companies by the words of their name or by number, best hits first, like the register's own search. */
import type { RegisterCompany } from './register-company.ts';

/**
 * Every word of the query must begin a word of the name. Exact names come first, then names that begin with the query; active companies
 * before dissolved ones.
 */
export function searchRegister(companies: Iterable<RegisterCompany>, query: string): RegisterCompany[] {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return [];
  const whole = wanted.join(' ');
  const hits: { company: RegisterCompany; rank: number }[] = [];
  for (const company of companies) {
    const rank = company.number === query.trim().toUpperCase() ? 0 : rankOf(company, wanted, whole);
    if (rank !== undefined) hits.push({ company, rank });
  }
  return hits
    .sort((a, b) => a.rank - b.rank || a.company.name.localeCompare(b.company.name) || a.company.number.localeCompare(b.company.number))
    .map(({ company }) => company);
}

function rankOf(company: RegisterCompany, wanted: readonly string[], whole: string): number | undefined {
  const words = wordsOf(company.name);
  if (!wanted.every((word) => words.some((one) => one.startsWith(word)))) return undefined;
  const name = words.join(' ');
  const rank = name === whole ? 1 : name.startsWith(whole) ? 2 : 4;
  return company.ceased_on ? rank + 1 : rank;
}

/**
 * Names that differ only in this way are the same by law: Company, LLP and Business (Names and Trading Disclosures) Regulations 2015,
 * schedule 3.
 */
export function isSameName(name: string, query: string): boolean {
  return wordsOf(name).join('') === wordsOf(query).join('');
}

/** Positions of the matched words in the title: pairs of first and last character, counted from 1. */
export function markMatches(company: RegisterCompany, query: string): { title: number[]; snippet: number[] } {
  const wanted = wordsOf(query);
  const title: number[] = [];
  for (const { 0: word, index } of company.name.matchAll(/[\p{L}\p{N}']+/gu)) {
    const match = wanted.find((one) => canonical(word).startsWith(one));
    if (match !== undefined) title.push(index + 1, index + Math.min(match.length, word.length));
  }
  return { title, snippet: [] };
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}']+/u)
    .map(canonical)
    .filter((word) => word !== '');
}

function canonical(word: string): string {
  const plain = word.toUpperCase().replaceAll("'", '');
  return plain === 'LIMITED' ? 'LTD' : plain;
}
