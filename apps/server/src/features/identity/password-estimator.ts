/**
 * Estimates how many guesses a password takes. In a separate file because the dictionaries take 25 MB and are loaded only when the first
 * new password is set.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** The estimator is too slow for longer text (330 ms for 64 letters), which is strong enough if its start is. */
const MAX_ESTIMATED_LENGTH = 32;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_ESTIMATED_LENGTH });

/** `words` are those that an attacker would try first. */
export function estimateGuesses(password: string, words: string[]): number {
  return estimator.check(password.slice(0, MAX_ESTIMATED_LENGTH), words).guesses;
}
