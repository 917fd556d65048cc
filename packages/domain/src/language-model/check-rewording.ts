/**
 * Decides whether a language model's text may be offered instead of a draft. The model isn't trusted: every fact must occur exactly once
 * and in the same order, and every other word must be in the draft or on the list of ordinary words.
 */
import { isNegation, isOrdinaryWord, isQualifier } from './ordinary-words.ts';
import { maskFacts, PLACEHOLDER_PATTERN, isAtSentenceStart, normaliseApostrophes, unmaskFacts, type MaskedText } from './mask-facts.ts';

export const REWORDING_PROBLEMS = ['empty', 'length', 'facts', 'characters', 'words', 'names', 'meaning', 'same'] as const;
export type RewordingProblem = (typeof REWORDING_PROBLEMS)[number];

/** Why a text was dropped. `words` are the ones that caused it, if any. */
export type Rejection = { readonly problem: RewordingProblem; readonly words: readonly string[] };

export const PROBLEM_MESSAGES: Readonly<Record<RewordingProblem, string>> = {
  empty: 'It was empty.',
  length: 'It was much shorter or longer than your text.',
  facts: 'It left out, added, changed or reordered a figure, date, name, reference or field.',
  characters: 'It added digits, symbols, links or formatting that aren’t in your text.',
  words: 'It added words that aren’t in your text and aren’t allowed in a rewording.',
  names: 'It added a capitalised word that may be a name.',
  meaning: 'It added or left out words such as “not”, “before” or “at least”, so its meaning may have changed.',
  same: 'It was the same as your text.',
};

export type Rewording = { readonly text: string } | { readonly rejections: readonly Rejection[] };

/** The allowed length of a rewording in characters, as shares of the draft's. */
const [MIN_SHARE, MAX_SHARE] = [0.4, 1.6];
/** Leaves room for a greeting in a very short text. */
const SPARE_CHARACTERS = 60;
const MAX_WORDS_NAMED = 5;

/** `original` is the draft's text, and `maskedText` the same text with placeholders, as sent to the model. */
export function checkRewording(original: string, maskedText: MaskedText, modelText: string, names: readonly string[]): Rewording {
  const replyText = modelText.replaceAll('\r\n', '\n').trim();
  if (replyText === '') return { rejections: [{ problem: 'empty', words: [] }] };
  if (replyText.length > maskedText.text.length * MAX_SHARE + SPARE_CHARACTERS || replyText.length < maskedText.text.length * MIN_SHARE) {
    return { rejections: [{ problem: 'length', words: [] }] };
  }
  const rejections = [
    ...checkFacts(maskedText, replyText),
    ...checkCharacters(replyText),
    ...checkWords(maskedText, replyText),
    ...checkMeaning(maskedText, replyText),
  ];
  if (rejections.length > 0) return { rejections };
  const rewordedText = unmaskFacts(replyText, maskedText);
  if (rewordedText === original.trim()) return { rejections: [{ problem: 'same', words: [] }] };
  // Checks the final text again, regardless of the placeholders.
  const remasked = maskFacts(rewordedText, names);
  if (remasked.facts.join(' ') !== maskedText.facts.join(' ')) return { rejections: [{ problem: 'facts', words: [] }] };
  return { text: rewordedText };
}

function* checkFacts({ text: sentText, placeholders }: MaskedText, text: string): Generator<Rejection> {
  const foundPlaceholders = text.match(PLACEHOLDER_PATTERN) ?? [];
  const isSame =
    foundPlaceholders.length === placeholders.length &&
    foundPlaceholders.every((placeholder, index) => placeholder === placeholders[index]);
  const isGlued = isSame && placeholders.some((placeholder) => isChangedByNeighbours(sentText, text, placeholder));
  if (!isSame || isGlued) yield { problem: 'facts', words: [] };
}

/** A “-”, “(” or “/” next to a figure changes its meaning, as does anything attached without a space. */
function isChangedByNeighbours(sentText: string, text: string, placeholder: string): boolean {
  const [before, after] = getNeighbours(text, placeholder);
  const [sentBefore, sentAfter] = getNeighbours(sentText, placeholder);
  const isFree = /(?:^|[\s“"‘])$/.test(before) && /^(?:$|\s|['’]s(?:\s|$)|[.,;:!?]?["”’]?(?:\s|$))/.test(after);
  return !isFree && (before !== sentBefore || after !== sentAfter);
}

function getNeighbours(text: string, placeholder: string): readonly [string, string] {
  const place = text.indexOf(placeholder);
  const end = place + placeholder.length;
  return [text.slice(Math.max(0, place - 1), place), text.slice(end, end + 3)];
}

function* checkCharacters(text: string): Generator<Rejection> {
  const rest = text.replace(PLACEHOLDER_PATTERN, 'x');
  const isPlain = /^[\p{Script=Latin}\p{M} \n.,;:!?'’‘"“”()–-]*$/u.test(rest) && !/\n{3}| {3}/.test(rest);
  // “pay.example” and “--” aren't prose.
  const isProse = !/[.,;:!?][^\s.,;:!?'’"”)]|[.,;:!?–-]{4}|(?:^|\n)\s*[-–]|-{2}/.test(rest);
  if (!isPlain || !isProse) yield { problem: 'characters', words: [] };
}

const WORD_PATTERN = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

type Word = { readonly word: string; readonly written: string; readonly place: number };

function listWords(text: string): Word[] {
  // The replacement has the same length, so that positions don't change.
  const rest = text.replace(PLACEHOLDER_PATTERN, (placeholder) => '_'.repeat(placeholder.length));
  return [...rest.matchAll(WORD_PATTERN)].map(({ index, 0: writtenWord }) => ({
    word: normaliseApostrophes(writtenWord),
    written: writtenWord,
    place: index,
  }));
}

function* checkWords({ text: sentText }: MaskedText, text: string): Generator<Rejection> {
  const ownWords = new Set(listWords(sentText).map(({ word }) => word));
  const words = listWords(text);
  const unknownWords = words.filter(
    ({ word, written, place }) => !isPossessive(text, written, place) && !ownWords.has(word) && !isOrdinaryWord(word),
  );
  if (unknownWords.length > 0) yield { problem: 'words', words: listDistinctWords(unknownWords) };
  const capitalisedWords = words.filter(
    ({ word, written, place }) =>
      !/^i(?:'|$)/.test(word) && (/.\p{Lu}/u.test(written) || (/^\p{Lu}/u.test(written) && !isAtSentenceStart(text, place))),
  );
  if (capitalisedWords.length > 0) yield { problem: 'names', words: listDistinctWords(capitalisedWords) };
}

/** The “s” of “[[NAME_1]]’s”. */
const isPossessive = (text: string, writtenWord: string, place: number): boolean =>
  writtenWord === 's' && /\]\]['’]$/.test(text.slice(0, place));

const listDistinctWords = (words: readonly Word[]): string[] => [...new Set(words.map(({ written }) => written))].slice(0, MAX_WORDS_NAMED);

function* checkMeaning({ text: sentText, placeholders }: MaskedText, text: string): Generator<Rejection> {
  const joinNegations = (source: string): string => String(listWords(source).filter(({ word }) => isNegation(word)).length);
  const listAllQualifiers = (source: string): string => placeholders.map((placeholder) => joinQualifiers(source, placeholder)).join('|');
  if (joinNegations(sentText) !== joinNegations(text) || listAllQualifiers(sentText) !== listAllQualifiers(text))
    yield { problem: 'meaning', words: [] };
}

/** How many words before a fact may qualify it: “at least about £20”. */
const MAX_QUALIFIER_DISTANCE = 3;

function joinQualifiers(text: string, placeholder: string): string {
  const textBefore = text.slice(0, text.indexOf(placeholder));
  const sentence = textBefore.slice(Math.max(textBefore.lastIndexOf('. '), textBefore.lastIndexOf('\n'), textBefore.lastIndexOf(']]')) + 1);
  return listWords(sentence)
    .slice(-MAX_QUALIFIER_DISTANCE)
    .filter(({ word }) => isQualifier(word))
    .map(({ word }) => word)
    .join(' ');
}
