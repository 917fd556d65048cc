/**
 * Seals facts that stay readable in their row: a person who changes the row with SQL lacks the key, and the seal no longer fits. The seal is the facts
 * themselves, encrypted and authenticated for their place (token-cipher.ts), so that keys are replaced as for every other sealed value.
 */
import { BOUND, type SealedPlace, type TokenCipher } from './token-cipher.ts';

export type SealedFact = string | number | boolean | null;

export function sealFacts(cipher: TokenCipher, place: SealedPlace, facts: readonly SealedFact[]): string {
  return cipher.seal(JSON.stringify(facts), place);
}

/** False without a seal, with one of other facts or another place, and if this instance lacks its key. */
export function areFactsSealed(cipher: TokenCipher, seal: string | null, place: SealedPlace, facts: readonly SealedFact[]): boolean {
  return openFacts(cipher, seal, place) === JSON.stringify(facts);
}

/** What was sealed for the place; undefined if nothing was, or this instance lacks its key. Values of versions before places never count. */
export function openFacts(cipher: TokenCipher, seal: string | null, place: SealedPlace): string | undefined {
  if (!seal?.endsWith(BOUND)) return undefined;
  try {
    return cipher.open(seal, place);
  } catch {
    return undefined;
  }
}
