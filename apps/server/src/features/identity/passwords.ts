/** Passwords: argon2id with OWASP's current parameters (19 MiB, 2 passes), computed off the event loop. */
import { hash, verify } from '@node-rs/argon2';

const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Uses a random salt unless one is given. */
export function hashPassword(password: string, salt?: Uint8Array): Promise<string> {
  return hash(password, salt === undefined ? ARGON2_OPTIONS : { ...ARGON2_OPTIONS, salt });
}

/**
 * The hash of a random password. Checking against it takes as long as against a real one, so response times do not reveal whether an
 * address is registered.
 */
let dummyHash: Promise<string> | undefined;

/** Returns whether the password matches. Without a stored password it returns false after the same time. */
export async function isPasswordCorrect(storedHash: string | null | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword(crypto.randomUUID());
  const matches = await verify(storedHash ?? (await dummyHash), password);
  return matches && storedHash !== null && storedHash !== undefined;
}
