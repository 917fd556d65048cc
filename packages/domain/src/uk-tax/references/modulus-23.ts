/**
 * HMRC's check letters, without I, O and U, indexed by the weighted sum of character values mod 23.
 * Source: hmrc/domain Modulus23Check; hmrc/reference-checker LetterRemainderLookup.
 */
const CHECK_LETTERS = 'ABCDEFGHXJKLMNYPQRSTZVW';

/**
 * Returns the check letter for a reference of capitals and digits. The check letter's position has weight 0; letters count by
 * `letterValues`.
 */
export function getCheckLetter(reference: string, weights: readonly number[], letterValues: LetterValues): string {
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1) {
    const character = reference[index] ?? '0';
    sum += (weights[index] ?? 0) * (letterValues[character] ?? Number(character));
  }
  return CHECK_LETTERS[sum % 23] ?? '';
}

/** The numeric value of each letter. */
export type LetterValues = Readonly<Record<string, number>>;

/** A = 33 to Z = 58: used in agent references and references for taxes other than PAYE. */
export const LETTERS_IN_ORDER: LetterValues = Object.fromEntries(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, index) => [letter, 33 + index]),
);
