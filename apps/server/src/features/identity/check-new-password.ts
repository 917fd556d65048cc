/**
 * Rejects a new password that is easy to guess, that is made of the person's own words, or that was leaked (NIST SP 800-63B section 5.1.1.2, OWASP
 * ASVS 5.0 6.2.4, 6.2.11 and 6.2.12). There are no rules about kinds of characters.
 */
import { invalidField } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';

type NewPassword = {
  /** The input field that an error names. */
  readonly field: string;
  readonly password: string;
  /** The person's email address and name, and what else a stranger would try first. */
  readonly about: readonly string[];
};

/** The guesses that an attacker needs at least: zxcvbn's “safely unguessable”, which also protects a stolen argon2id hash for a while. */
const MIN_GUESSES = 1e8;

/** Throws `invalid` for the field unless the password is a good one. */
export async function assertGoodPassword(
  { leakedPasswords, logger, site }: Pick<AppDeps, 'leakedPasswords' | 'logger' | 'site'>,
  { field, password, about }: NewPassword,
): Promise<void> {
  const { countGuesses } = await import('./password-estimator.ts');
  if (countGuesses(password, [site.brand, ...about].flatMap(listWords)) < MIN_GUESSES) {
    throw invalidField(
      field,
      'This password is easy to guess. Use three or more words that don’t belong together, or let your browser suggest one.',
    );
  }
  if (!leakedPasswords) return;
  const leaks = await leakedPasswords.countLeaks(password).catch((error: unknown) => {
    // No one is kept from setting a password because the list can't be reached; the estimate above has passed.
    logger.warn({ err: error }, 'identity: a new password was not compared with leaked ones');
    return 0;
  });
  if (leaks > 0) throw invalidField(field, 'This password appears in lists of leaked passwords, so attackers try it. Choose another one.');
}

/** "Priya Shah": as it is, together, and each word. */
function listWords(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return [text, words.join(''), ...words].filter((word) => word.length > 2);
}
