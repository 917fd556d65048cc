/** Passwords: argon2id with OWASP's current parameters (19 MiB, 2 passes), computed off the event loop. */
import { hash, verify } from '@node-rs/argon2';

const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, SETTINGS);
}

/**
 * The hash of a random password. Checking against it takes as long as against a real one, so response times do not reveal who is
 * registered.
 */
let decoy: Promise<string> | undefined;

/** Whether the password matches. Returns false, after the same time, if there is no password. */
export async function fitsPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const fits = await verify(stored ?? (await decoy), password);
  return fits && stored !== null && stored !== undefined;
}
