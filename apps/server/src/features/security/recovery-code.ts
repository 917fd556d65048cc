import { createHash, randomInt } from 'node:crypto';
import { hashPassword } from '../identity/passwords.ts';

/** Excludes letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** 20 characters from an alphabet of 31: 99 bits of entropy, such as "k3v9p-7xw2m-c5tqz-8hnrd". */
export function generateRecoveryCode(): string {
  const generateGroup = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, generateGroup).join('-');
}

/** Users may type codes in capitals, with spaces or hyphens anywhere. */
export function normaliseCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}

/**
 * Argon2id with one salt per user, so that a single hash finds the code among that user's codes. Random codes need no other salt, because
 * no two users have the same code.
 */
export function hashRecoveryCode(userId: string, code: string): Promise<string> {
  return hashPassword(code, createHash('sha256').update(`recovery:${userId}`).digest().subarray(0, 16));
}
