/** Passwords: argon2id at OWASP's current settings (19 MiB, 2 passes), off the event loop. */
import { hash, verify } from '@node-rs/argon2';

const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, SETTINGS);
}

/** A hash of nothing anyone knows: checking against it takes as long as against a real one, so that the time tells nobody who is registered. */
let decoy: Promise<string> | undefined;

/** Whether the password fits; false, after the same time, where there is no password to fit. */
export async function fitsPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const fits = await verify(stored ?? (await decoy), password);
  return fits && stored !== null && stored !== undefined;
}
