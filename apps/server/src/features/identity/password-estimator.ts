/** Estimates how many guesses a password takes. A file of its own, because the dictionaries take 25 MB: it is loaded with the first new password. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** A longer text takes the estimator too long (330 ms for 64 letters), and is strong enough if its beginning is. */
const MAX_ESTIMATED_LENGTH = 32;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_ESTIMATED_LENGTH });

/** `words`: what an attacker would try first. */
export function countGuesses(password: string, words: string[]): number {
  return estimator.check(password.slice(0, MAX_ESTIMATED_LENGTH), words).guesses;
}
