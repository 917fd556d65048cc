/**
 * Removes spaces, dots and hyphens, and converts a to z to capitals. Leaves other alphabets unchanged, because some of their letters would
 * become ours ("ſ" becomes "S") and turn an invalid reference into a valid one.
 */
export function normaliseReference(text: string): string {
  return text.replaceAll(/[\s.-]/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Returns the sum of the text's digits, each multiplied by the weight for its position. */
export function calculateWeightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits.charCodeAt(index) - 48), 0);
}
