/**
 * A reference as people write it, without spaces, dots and hyphens and in capitals. Only a to z are raised: other alphabets
 * have letters that would turn into ours ("ſ" into "S"), and a reference that was never issued must not become one that was.
 */
export function tidyReference(text: string): string {
  return text.replaceAll(/[\s.-]/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** The sum of the digits of a text, each times the weight at its place. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits.charCodeAt(place) - 48), 0);
}
