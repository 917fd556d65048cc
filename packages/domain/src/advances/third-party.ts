/** Determines whose payment a credit is. A third party's payment is never paid to the trader: that would launder it. */
import { compareCompanyNames } from './compare-names.ts';
import { isHmrcRemitter } from './match-credit.ts';

/** Bacs truncates a name to 18 characters. */
const TRUNCATED_LENGTH = 18;

/**
 * Returns true if a credit's sender is neither HMRC nor the trader. `names`: the company's current and former names at Companies House and
 * its name at HMRC, but not the one the trader entered. A similar name counts as the trader's, because two operators see it before they
 * pay.
 */
export function isThirdParty(remitter: string, names: readonly string[]): boolean {
  if (isHmrcRemitter(remitter)) return false;
  return names.every((name) => compareCompanyNames(remitter, name) === 'none' && !isTruncatedName(remitter, name));
}

function isTruncatedName(remitter: string, name: string): boolean {
  const toLetters = (text: string) => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return remitter.trim().length >= TRUNCATED_LENGTH - 1 && toLetters(name).startsWith(toLetters(remitter));
}
