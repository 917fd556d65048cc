/** Client search, with the same normalisation for stored text and search text. */

/** The searchable details of a client; null if unknown. `name` and references are as stored. A member of a VAT group has `vat_group_vrn`. */
export type SearchableClient = { readonly name: string } & Readonly<Record<SearchableField, string | null>>;

/** The details other than the name, in the order in which matches on them are reported. */
export const SEARCHABLE_FIELDS = [
  'client_code',
  'vrn',
  'vat_group_vrn',
  'utr',
  'company_number',
  'nino',
  'paye_reference',
  'accounts_office_reference',
  'postcode',
  'email',
  'phone',
] as const;
export type SearchableField = (typeof SEARCHABLE_FIELDS)[number];

/**
 * Converts to lower case, without accents, apostrophes, dots, hyphens or slashes; "&" becomes "and", and every other character that isn't a
 * letter or digit becomes a space. For example, "O’Brien & Söhne Ltd." becomes "obrien and sohne ltd".
 */
export function normaliseSearchText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[\p{M}.'’‘`´ʼ/‐‑‒–—-]/gu, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the searchable text: the normalised words of the name, and each other detail without spaces. */
export function toSearchText(client: SearchableClient): string {
  const details = SEARCHABLE_FIELDS.map((field) => toSearchable(field, client[field] ?? ''));
  return [normaliseSearchText(client.name), ...details].filter((text) => text !== '').join(' ');
}

function toSearchable(field: SearchableField, value: string): string {
  if (field === 'email') return normaliseSearchText(value);
  return field === 'phone' ? toNationalNumber(value) : removeSpaces(normaliseSearchText(value));
}

/**
 * Returns the possible meanings of a search text: a client matches if it has all the words of at least one alternative, in any order. Empty
 * if the text has no letters or digits. The words don't contain special characters of SQL patterns.
 */
export function parseClientSearch(q: string): readonly (readonly string[])[] {
  const words = normaliseSearchText(q);
  // In "GB 123 4567 89 Harbour", the grouped digits are one number, and VAT numbers are stored without their country.
  const joinedDigits = words.replaceAll(/(?<=\d) (?=\d)/g, '').replaceAll(/\bgb ?(?=\d{9}\b)/g, '');
  const reference = toReference(q);
  // The separate digit groups of a reference ("12", "34") occur in most clients' numbers.
  const searchedTexts = reference !== '' && isOnlyReference(words) ? [reference] : [words, joinedDigits, reference];
  const alternatives = searchedTexts.map(splitWords).filter((list) => list.length > 0);
  const distinctAlternatives = new Map(alternatives.map((list) => [list.join(' '), list]));
  return [...distinctAlternatives.values()];
}

/** Requires at least five digits and no words from a name: "AB 12 34 56 C", but not "Unit 12345". */
function isOnlyReference(words: string): boolean {
  return words.replaceAll(/\D/g, '').length >= 5 && !/\p{L}{3}/u.test(words);
}

/** A client's longest reference has 13 characters; its codes and phone numbers may be longer. */
const MAX_REFERENCE_LENGTH = 24;

/** Returns the whole text as one reference ("AB 12 34 56 C", "+44 7700 900123", "12345 67890 K"), or "" if it can't be one. */
function toReference(q: string): string {
  if (/^\s*(?:\+|00)\s*44/.test(q)) return toNationalNumber(q);
  const reference = removeSpaces(normaliseSearchText(q));
  if (!/\d/.test(reference) || reference.length > MAX_REFERENCE_LENGTH) return '';
  // HMRC adds a K to the UTR in payment references.
  return reference.replace(/^gb(?=\d{9}$)/, '').replace(/^(\d{10})k$/, '$1');
}

/** "+44 (0)7700 900123" as "07700900123". */
function toNationalNumber(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  return /^\s*(?:\+|00)\s*44/.test(text) ? digits.replace(/^(?:00)?440?/, '0') : digits;
}

const MAX_WORDS = 8;

/** Omits "and" next to other words, so that "Smith Jones" and "Smith + Jones" also find "Smith & Jones". */
function splitWords(text: string): readonly string[] {
  const words = text.split(' ').filter((word) => word !== '');
  const searchWords = words.filter((word) => word !== 'and');
  return (searchWords.length > 0 ? searchWords : words).slice(0, MAX_WORDS);
}

/** Returns the matching detail other than the name; null if the name itself matches. */
export function findMatchedField(q: string, client: SearchableClient): SearchableField | null {
  const alternatives = parseClientSearch(q);
  const name = normaliseSearchText(client.name);
  if (alternatives.some((words) => includesAll(name, words))) return null;
  // The last alternative joins the most words, so it is the most likely meaning.
  for (const words of alternatives.toReversed()) {
    const foundField = SEARCHABLE_FIELDS.find((field) => includesAll(toSearchable(field, client[field] ?? ''), words));
    if (foundField !== undefined) return foundField;
  }
  return null;
}

const includesAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

const removeSpaces = (text: string): string => text.replaceAll(' ', '');
