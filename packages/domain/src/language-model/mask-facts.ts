/**
 * Replaces figures, dates, names, references, addresses and merge fields with numbered placeholders, so that a language model can reword a
 * letter without seeing them. Only words in lower case, ordinary words at the start of a sentence, and punctuation remain.
 */
import { isOrdinaryWord } from './ordinary-words.ts';

/** `facts` are in text order; the first placeholder is numbered 1. */
export type MaskedText = { readonly text: string; readonly facts: readonly string[]; readonly placeholders: readonly string[] };

export const PLACEHOLDER_PATTERN = /\[\[[A-Z]+_\d+\]\]/g;

const MONTHS =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const LOWER_MONTHS = 'january|february|april|june|july|august|september|october|november|december';
const DAY_NAMES = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const RELATIVE_DAYS = '[Tt]oday|[Tt]omorrow|[Yy]esterday|[Tt]onight|[Ff]ortnight';
const UNITS =
  '%|per cent|percent|pence|pounds|pennies|points?|(?:working |calendar |business )?(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?)';
const NUMBER_WORDS =
  '(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|half|double|twice|triple|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)';

/** Each kind of fact, in order of precedence. Each pattern runs in time linear in the length of the text. */
const KINDS: readonly (readonly [kind: string, pattern: string])[] = [
  ['FIELD', '\\{[^{}\\n]{0,60}\\}'],
  [
    'ADDRESS',
    '[^\\s@]{1,80}@[^\\s@]{1,255}|https?:\\S{1,2000}|www\\.\\S{1,2000}|\\p{L}[\\p{L}\\p{N}-]{0,63}(?:\\.[\\p{L}\\p{N}-]{2,63}){1,8}(?:/\\S{0,2000})?',
  ],
  [
    'DATE',
    `(?<![\\p{L}\\p{N}])(?:(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:${MONTHS})(?: \\d{1,2}(?:st|nd|rd|th)?,?)?(?: \\d{4})?|${LOWER_MONTHS}|${DAY_NAMES}|${RELATIVE_DAYS})(?![\\p{L}\\p{N}])`,
  ],
  [
    'NUMBER',
    `[\\p{L}£$€+#−/-]{0,40}\\p{N}[\\p{L}\\p{N}£$€%+/.,:'’#&_=−–-]{0,80}(?: ?(?:${UNITS})(?!\\p{L}))?|(?<!\\p{L})${NUMBER_WORDS}(?:[ -]${NUMBER_WORDS}){0,6}(?: (?:${UNITS}))?(?!\\p{L})`,
  ],
  ['NAME', "\\p{Lu}[\\p{L}\\p{M}'’&-]*(?:(?: | & | and | of | the |\\. ?)\\p{Lu}[\\p{L}\\p{M}'’&-]*)*"],
  // Everything except letters, spaces and ordinary punctuation, plus letters in other scripts.
  ['OTHER', '[^\\p{Script=Latin}\\p{M}\\p{N} \\n.,;:!?\'’‘"“”()–-]+'],
];
const FACT_PATTERN = new RegExp(KINDS.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|'), 'gu');
const TRAILING_PUNCTUATION = /[.,;:!?'’–-]+$/;
/** Capitalised words that aren't names. */
const PRONOUN_PATTERN = /^I(?:['’](?:m|d|ll|ve))?$/;

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `names` are hidden however they are written: those of the client, its users, the practice and the team. */
export function maskFacts(text: string, names: readonly string[]): MaskedText {
  const facts: string[] = [];
  const placeholders: string[] = [];
  const mask = (kind: string, fact: string): string => {
    facts.push(fact);
    const placeholder = `[[${kind}_${facts.length}]]`;
    placeholders.push(placeholder);
    return placeholder;
  };
  const knownNames = findKnownNames(text, names);
  let maskedText = '';
  let place = 0;
  while (place < text.length) {
    const next = findNextFact(text, place, knownNames);
    if (next === null) break;
    maskedText += text.slice(place, next.start) + mask(next.kind, text.slice(next.start, next.end));
    place = next.end;
  }
  return { text: maskedText + text.slice(place), facts, placeholders };
}

type FoundFact = { readonly kind: string; readonly start: number; readonly end: number };

function findKnownNames(text: string, names: readonly string[]): readonly FoundFact[] {
  const nameList = [...new Set(names.map((name) => name.trim()))]
    .filter((name) => name.length > 1)
    .toSorted((left, right) => right.length - left.length);
  if (nameList.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${nameList.map(escape).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(pattern)].map(({ index, 0: name }) => ({ kind: 'NAME', start: index, end: index + name.length }));
}

/** Finds the next fact from a position: a known name, or a match for one of the patterns. A fact that overlaps a name ends before it. */
function findNextFact(text: string, from: number, knownNames: readonly FoundFact[]): FoundFact | null {
  const name = knownNames.find(({ start }) => start >= from) ?? null;
  for (let place = from; place < text.length;) {
    FACT_PATTERN.lastIndex = place;
    const match = FACT_PATTERN.exec(text);
    if (match === null || (name && match.index >= name.start)) return name;
    const nameFact = toFoundFact(text, match);
    if (nameFact) return name && nameFact.end > name.start ? { ...nameFact, end: name.start } : nameFact;
    place = match.index + getFirstWord(match[0]).length;
  }
  return name;
}

function toFoundFact(text: string, match: RegExpExecArray): FoundFact | null {
  const kind = KINDS.map(([name]) => name).find((name) => match.groups?.[name] !== undefined) ?? 'OTHER';
  const fact = kind === 'FIELD' || kind === 'OTHER' ? match[0] : match[0].replace(TRAILING_PUNCTUATION, '');
  const end = match.index + fact.length;
  if (kind !== 'NAME') return { kind, start: match.index, end };
  const word = getFirstWord(fact).replace(TRAILING_PUNCTUATION, '');
  if (PRONOUN_PATTERN.test(word)) return null;
  // “Your” just begins a sentence; in “Your VAT return”, only “VAT” is a name.
  if (isAtSentenceStart(text, match.index) && isOrdinaryWord(normaliseApostrophes(word))) return null;
  return { kind, start: match.index, end };
}

const getFirstWord = (text: string): string => /^\S+/.exec(text)?.[0] ?? text;

/** Returns true if a word at this position begins a sentence, a line or a quotation. */
export function isAtSentenceStart(text: string, place: number): boolean {
  return /(?:^|\n|[.!?:]['’"”)]*\s)[\s(“"‘]*$/.test(text.slice(Math.max(0, place - 40), place)) || place === 0;
}

/** Converts a word to the form used in the lists. */
export const normaliseApostrophes = (word: string): string => word.toLowerCase().replaceAll('’', "'");

/** Replaces the placeholders with the facts. */
export function unmaskFacts(text: string, { facts, placeholders }: MaskedText): string {
  const factByPlaceholder = new Map(placeholders.map((placeholder, index) => [placeholder, facts[index] ?? '']));
  return text.replace(PLACEHOLDER_PATTERN, (placeholder) => factByPlaceholder.get(placeholder) ?? placeholder);
}
