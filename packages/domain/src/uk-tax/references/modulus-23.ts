/**
 * HMRC's check letter: the sum of each character's value times its weight, mod 23, into a row of letters without I, O and U.
 * Authority: hmrc/domain Modulus23Check; hmrc/reference-checker LetterRemainderLookup.
 */
const CHECK_LETTERS = 'ABCDEFGHXJKLMNYPQRSTZVW';

/** The check letter of a reference of capitals and digits; the check letter's own place has weight 0. Letters count by `letterValues`. */
export function checkLetter(reference: string, weights: readonly number[], letterValues: LetterValues): string {
  let sum = 0;
  for (let place = 0; place < weights.length; place += 1) {
    const character = reference[place] ?? '0';
    sum += (weights[place] ?? 0) * (letterValues[character] ?? Number(character));
  }
  return CHECK_LETTERS[sum % 23] ?? '';
}

/** The number that each letter counts for. */
export type LetterValues = Readonly<Record<string, number>>;

/** A = 33, B = 34 and so on to Z = 58, as references of other taxes and of agents count. */
export const LETTERS_IN_ORDER: LetterValues = Object.fromEntries(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, index) => [letter, 33 + index]),
);
