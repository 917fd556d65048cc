/**
 * Authenticates columns that stay readable. The seal is an encrypted copy of the values, bound to the row (token-cipher.ts): if someone
 * edits the row in SQL, the copy no longer matches. Keys rotate as for other sealed values.
 */
import { AppError } from '@portal/domain/app-error.ts';
import type { RecordSecurityEvent } from '../observability/security-log.ts';
import { BOUND_SUFFIX, type SealContext, type TokenCipher } from './token-cipher.ts';

export type SealedFact = string | number | boolean | null;

/** A decision can't be based on a value that this instance can't decrypt. Another instance may have its key. */
export class MissingKeyError extends AppError {
  readonly place: SealContext;

  constructor(place: SealContext) {
    const message = 'We can’t verify our stored data at the moment. Nothing was changed. Try again in a few minutes.';
    super('unavailable', 'sealing_key.missing', message);
    this.place = place;
  }
}

export function sealFacts(cipher: TokenCipher, place: SealContext, facts: readonly SealedFact[]): string {
  return cipher.seal(JSON.stringify(facts), place);
}

/** `key_missing`: this instance can't check the seal, because it lacks the seal's key. */
export type SealCheck = 'sealed' | 'not_sealed' | 'key_missing';

export function checkFacts(cipher: TokenCipher, seal: string | null, place: SealContext, facts: readonly SealedFact[]): SealCheck {
  if (isKeyMissing(cipher, seal)) return 'key_missing';
  return tryOpenFacts(cipher, seal, place) === JSON.stringify(facts) ? 'sealed' : 'not_sealed';
}

/**
 * Returns false without a seal, or with a seal for other values or another place. Throws a MissingKeyError if this instance lacks its key.
 */
export function areFactsSealed(cipher: TokenCipher, seal: string | null, place: SealContext, facts: readonly SealedFact[]): boolean {
  return openFacts(cipher, seal, place) === JSON.stringify(facts);
}

/**
 * Returns the facts sealed for the place, or undefined if there are none. Values sealed by versions that didn't bind them to a place never
 * count. Throws a MissingKeyError.
 */
export function openFacts(cipher: TokenCipher, seal: string | null, place: SealContext): string | undefined {
  if (isKeyMissing(cipher, seal)) throw new MissingKeyError(place);
  return tryOpenFacts(cipher, seal, place);
}

function isKeyMissing({ keyIds }: TokenCipher, seal: string | null): boolean {
  const keyId = seal?.endsWith(BOUND_SUFFIX) ? /^([0-9a-f]{8})\./.exec(seal)?.[1] : undefined;
  return keyId !== undefined && !keyIds.includes(keyId);
}

/** Like `openFacts`, but also returns undefined if the key is missing. */
export function tryOpenFacts(cipher: TokenCipher, seal: string | null, place: SealContext): string | undefined {
  if (!seal?.endsWith(BOUND_SUFFIX)) return undefined;
  try {
    return cipher.open(seal, place);
  } catch {
    return undefined;
  }
}

/**
 * Runs a job whose decision depends on sealed facts. Facts that this instance can't decrypt are left to one that can: `retryWork` queues
 * the job for later. The log and the alert PortalKeyMissing report this.
 */
export async function runIfFactsOpen(deps: Recorder, work: () => Promise<void>, retryWork: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof MissingKeyError)) throw error;
    recordMissingKey(deps, error.place);
    await retryWork();
  }
}

type Recorder = { readonly recordSecurityEvent: RecordSecurityEvent };

/** The kind in `place` becomes the event's reason. */
export function recordMissingKey({ recordSecurityEvent }: Recorder, place: SealContext): void {
  recordSecurityEvent('key_missing', { reason: place.slice(0, place.indexOf(':')) });
}
