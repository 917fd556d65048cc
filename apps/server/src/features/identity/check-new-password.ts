/**
 * Rejects a new password that is easy to guess, contains the user's own details or was leaked (NIST SP 800-63B section 5.1.1.2, OWASP ASVS
 * 5.0 6.2.4, 6.2.11 and 6.2.12). There are no rules about kinds of characters.
 */
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';

type NewPassword = {
  /** The input field that an error names. */
  readonly field: string;
  readonly password: string;
  /** The user's email address and name, and anything else a stranger would try first. */
  readonly about: readonly string[];
};

/**
 * The minimum number of guesses an attacker needs: zxcvbn's “safely unguessable”, which also protects a stolen argon2id hash for a while.
 */
const MIN_GUESSES = 1e8;

/** Throws `invalid` for the field if the password is too weak or leaked. */
export async function assertGoodPassword(
  { leakedPasswords, logger, site }: Pick<AppDeps, 'leakedPasswords' | 'logger' | 'site'>,
  { field, password, about }: NewPassword,
): Promise<void> {
  const { estimateGuesses: countGuesses } = await import('./password-estimator.ts');
  if (countGuesses(password, [site.brand, ...about].flatMap(listWords)) < MIN_GUESSES) {
    throw createInvalidFieldError(
      field,
      'This password is easy to guess. Use three or more unrelated words, or let your browser suggest one.',
    );
  }
  if (!leakedPasswords) return;
  const leakCount = await leakedPasswords.countLeaks(password).catch((error: unknown) => {
    // A password can still be set if the list can't be reached, because it has passed the estimate above.
    logger.warn({ err: error }, 'identity: a new password could not be checked against leaked passwords');
    return 0;
  });
  if (leakCount > 0)
    throw createInvalidFieldError(field, 'This password appears in lists of leaked passwords that attackers try. Choose another one.');
}

/** Splits "Priya Shah" into the full text, the text without spaces, and each word. */
function listWords(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return [text, words.join(''), ...words].filter((word) => word.length > 2);
}
