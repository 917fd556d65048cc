/** Compares names of companies and people in different registers, to decide whether they refer to the same one. */

/** `close`: probably the same, so an operator decides. `none`: different. */
export const NAME_MATCHES = ['match', 'close', 'none'] as const;
export type NameMatch = (typeof NAME_MATCHES)[number];

/** Endings of company names and their abbreviations, in English and Welsh (Companies Act 2006 s58 to s59, LLP Act 2000 Schedule para 2). */
const LEGAL_FORMS: readonly (readonly [ending: string, form: string])[] = [
  ['PUBLIC LIMITED COMPANY', 'plc'],
  ['CWMNI CYFYNGEDIG CYHOEDDUS', 'plc'],
  ['PLC', 'plc'],
  ['CCC', 'plc'],
  ['LIMITED LIABILITY PARTNERSHIP', 'llp'],
  ['PARTNERIAETH ATEBOLRWYDD CYFYNGEDIG', 'llp'],
  ['LLP', 'llp'],
  ['PAC', 'llp'],
  ['COMPANY LIMITED', 'ltd'],
  ['CO LIMITED', 'ltd'],
  ['CO LTD', 'ltd'],
  ['LIMITED', 'ltd'],
  ['LTD', 'ltd'],
  ['CYFYNGEDIG', 'ltd'],
  ['CYF', 'ltd'],
];

/** Words that don't help to identify a company. */
const GENERIC_WORDS: ReadonlySet<string> = new Set([
  'AND',
  'COMPANY',
  'CO',
  'UK',
  'GB',
  'GROUP',
  'HOLDINGS',
  'SERVICES',
  'SOLUTIONS',
  'TRADING',
  'INTERNATIONAL',
  'CONSULTING',
  'ENTERPRISES',
]);

/** Separates a company's name from its trading names. */
const TRADING_AS = /\s(?:T\s?\/\s?A|TRADING AS|YN MASNACHU FEL)\s/;

type PlainName = { readonly words: readonly string[]; readonly form: string | undefined };

/**
 * Compares two company names. Case, punctuation, accents, "the", "&" and the way Limited, plc or LLP is written make no difference. A
 * trading name, a shortened name, a misspelling or another legal form is `close`.
 */
export function compareCompanyNames(a: string, b: string): NameMatch {
  const [namesA, namesB] = [splitTradingNames(a), splitTradingNames(b)];
  const [[firstA], [firstB]] = [namesA, namesB];
  if (firstA === undefined || firstB === undefined) return 'none';
  const nameMatch = comparePlainNames(firstA, firstB);
  if (nameMatch === 'match') return 'match';
  const isTradingName = namesA.some((nameA) => namesB.some((nameB) => comparePlainNames(nameA, nameB) !== 'none'));
  return nameMatch === 'close' || isTradingName ? 'close' : 'none';
}

/**
 * Like `compareCompanyNames`, for a company with known former names. If both names belong to it and one is a former name, the result is
 * `close`, because HMRC and banks learn of name changes late (Companies Act 2006 s77 to s81).
 */
export function compareWithFormerNames(
  company: { readonly names: readonly string[]; readonly former: readonly string[] },
  a: string,
  b: string,
): NameMatch {
  const match = compareCompanyNames(a, b);
  const allNames = [...company.names, ...company.former];
  const isKnownName = (name: string) => allNames.some((known) => compareCompanyNames(name, known) !== 'none');
  return match === 'none' && company.former.length > 0 && isKnownName(a) && isKnownName(b) ? 'close' : match;
}

/** Returns true if a name ends like a company's or LLP's: "Limited", "plc", "LLP" or their Welsh forms. */
export function hasLegalForm(name: string): boolean {
  return splitTradingNames(name)[0]?.form !== undefined;
}

/** Returns the weakest of several results. */
export function getWeakestMatch(matches: readonly NameMatch[]): NameMatch {
  if (matches.includes('none')) return 'none';
  return matches.includes('close') ? 'close' : 'match';
}

function splitTradingNames(name: string): PlainName[] {
  return toPlainText(name)
    .split(TRADING_AS)
    .map(toPlainName)
    .filter(({ words }) => words.length > 0);
}

function toPlainText(text: string): string {
  const unaccentedText = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return unaccentedText
    .toUpperCase()
    .replaceAll(/['’‘.]/g, '')
    .replaceAll('&', ' AND ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function toPlainName(text: string): PlainName {
  const words = text
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  const wordsWithoutThe = words[0] === 'THE' ? words.slice(1) : words;
  const joinedName = wordsWithoutThe.join(' ');
  const legalForm = LEGAL_FORMS.find(([legalEnding]) => joinedName === legalEnding || joinedName.endsWith(` ${legalEnding}`));
  if (!legalForm) return { words: wordsWithoutThe, form: undefined };
  return { words: wordsWithoutThe.slice(0, wordsWithoutThe.length - legalForm[0].split(' ').length), form: legalForm[1] };
}

function comparePlainNames(a: PlainName, b: PlainName): NameMatch {
  const hasDifferentForm = a.form !== undefined && b.form !== undefined && a.form !== b.form;
  const [textA, textB] = [a.words.join(''), b.words.join('')];
  if (textA === textB) return hasDifferentForm ? 'close' : 'match';
  return isShortened(a.words, b.words) || isMisspelled(textA, textB) ? 'close' : 'none';
}

/** Returns true if one name contains every word of the other, in any order, and at least one of those words identifies the company. */
function isShortened(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  return shorter.every((word) => longer.includes(word)) && shorter.some((word) => word.length > 2 && !GENERIC_WORDS.has(word));
}

/** Allows up to two wrong letters in a name of eight letters or more, and one in a name of five or more. */
function isMisspelled(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  const allowedDifferences = length >= 8 ? 2 : length >= 5 ? 1 : 0;
  return allowedDifferences > 0 && Math.abs(a.length - b.length) <= allowedDifferences && countEdits(a, b) <= allowedDifferences;
}

/** Returns the Levenshtein distance: the number of letters to add, remove or replace. */
function countEdits(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of [...b].entries()) {
      const replacedCost = (previous[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      current.push(Math.min(replacedCost, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

const TITLES: ReadonlySet<string> = new Set([
  'MR',
  'MRS',
  'MS',
  'MISS',
  'MX',
  'DR',
  'SIR',
  'DAME',
  'LORD',
  'LADY',
  'PROF',
  'PROFESSOR',
  'REV',
]);

/**
 * Compares a person's name in spoken order ("Tessa Bright") with a registered one, whose surname may come first ("BRIGHT, Tessa Jane").
 * Only the surname and the first forename count. `close`: only an initial or a short form matches, such as Tom for Thomas.
 */
export function comparePersonNames(a: string, b: string): NameMatch {
  const [first, second] = [toPersonName(a), toPersonName(b)];
  if (first === undefined || second === undefined || first.surname !== second.surname) return 'none';
  if (first.forename === second.forename) return 'match';
  const [shorter, longer] =
    first.forename.length <= second.forename.length ? [first.forename, second.forename] : [second.forename, first.forename];
  return shorter !== '' && longer.startsWith(shorter.length <= 3 ? shorter.slice(0, 1) : shorter) ? 'close' : 'none';
}

function toPersonName(name: string): { surname: string; forename: string } | undefined {
  const plainName = toPlainText(name);
  const comma = plainName.indexOf(',');
  const nameInSpokenOrder = comma < 0 ? plainName : `${plainName.slice(comma + 1)} ${plainName.slice(0, comma)}`;
  const words = nameInSpokenOrder.split(/[^\p{L}]+/u).filter((word) => word !== '' && !TITLES.has(word));
  const surnameLength =
    comma < 0
      ? 1
      : plainName
          .slice(0, comma)
          .split(/[^\p{L}]+/u)
          .filter((word) => word !== '').length;
  if (words.length <= surnameLength) return undefined;
  // A two-part surname is written with a hyphen, a space or neither; only the last word is certain to be part of it.
  return { surname: words.at(-1) ?? '', forename: words[0] ?? '' };
}
