/** Determines whose money a credit is. Money of a third party is never paid to the trader: that would launder it. */
import { compareCompanyNames } from './compare-names.ts';
import { isHmrcRemitter } from './match-credit.ts';

/** HMRC isn't a company, whatever a company calls itself. */
const LEGAL_FORM = /\b(?:LTD|LIMITED|PLC|LLP|CYF|CYFYNGEDIG)\b\.?/i;

/** Bacs cuts a name after 18 characters. */
const CUT_LENGTH = 18;

/**
 * Whether a credit's sender is neither HMRC nor the trader. `names`: the company's at Companies House, also former ones, and at HMRC; not the
 * one that the trader typed in. A similar name counts as the trader's: two people see it before they pay.
 */
export function isThirdParty(remitter: string, names: readonly string[]): boolean {
  if (isHmrcRemitter(remitter) && !LEGAL_FORM.test(remitter)) return false;
  return names.every((name) => compareCompanyNames(remitter, name) === 'none' && !isCutName(remitter, name));
}

function isCutName(remitter: string, name: string): boolean {
  const toLetters = (text: string) => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return remitter.trim().length >= CUT_LENGTH - 1 && toLetters(name).startsWith(toLetters(remitter));
}
