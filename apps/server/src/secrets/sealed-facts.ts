/**
 * Seals facts that remain readable in their row: someone who changes the row with SQL lacks the key, and the seal no longer matches. The
 * seal is the facts themselves, encrypted and authenticated for their place (token-cipher.ts), so that keys are replaced as for every other
 * sealed value.
 */
import { AppError } from '@portal/domain/app-error.ts';
import type { RecordSecurityEvent } from '../observability/security-log.ts';
import { BOUND, type SealedPlace, type TokenCipher } from './token-cipher.ts';

export type SealedFact = string | number | boolean | null;

/** A decision can't be based on a value that this instance can't open; another instance may have its key. */
export class MissingKeyError extends AppError {
  readonly place: SealedPlace;

  constructor(place: SealedPlace) {
    const message = 'We can’t check what is stored at the moment. Nothing was changed. Try again in a few minutes.';
    super('unavailable', 'sealing_key.missing', message);
    this.place = place;
  }
}

export function sealFacts(cipher: TokenCipher, place: SealedPlace, facts: readonly SealedFact[]): string {
  return cipher.seal(JSON.stringify(facts), place);
}

/** `key_missing`: this instance can't check the seal, because it lacks the key that the seal names. */
export type SealCheck = 'sealed' | 'not_sealed' | 'key_missing';

export function checkFacts(cipher: TokenCipher, seal: string | null, place: SealedPlace, facts: readonly SealedFact[]): SealCheck {
  if (isKeyMissing(cipher, seal)) return 'key_missing';
  return tryOpenFacts(cipher, seal, place) === JSON.stringify(facts) ? 'sealed' : 'not_sealed';
}

/** Returns false without a seal, or with one for other facts or another place. Throws a MissingKeyError if this instance lacks its key. */
export function areFactsSealed(cipher: TokenCipher, seal: string | null, place: SealedPlace, facts: readonly SealedFact[]): boolean {
  return openFacts(cipher, seal, place) === JSON.stringify(facts);
}

/**
 * Returns the facts sealed for the place; undefined if there are none. Values from versions before places never count. Throws a
 * MissingKeyError.
 */
export function openFacts(cipher: TokenCipher, seal: string | null, place: SealedPlace): string | undefined {
  if (isKeyMissing(cipher, seal)) throw new MissingKeyError(place);
  return tryOpenFacts(cipher, seal, place);
}

function isKeyMissing({ keyIds }: TokenCipher, seal: string | null): boolean {
  const keyId = seal?.endsWith(BOUND) ? /^([0-9a-f]{8})\./.exec(seal)?.[1] : undefined;
  return keyId !== undefined && !keyIds.includes(keyId);
}

/** Like `openFacts`, but returns undefined without the key too. */
export function tryOpenFacts(cipher: TokenCipher, seal: string | null, place: SealedPlace): string | undefined {
  if (!seal?.endsWith(BOUND)) return undefined;
  try {
    return cipher.open(seal, place);
  } catch {
    return undefined;
  }
}

/**
 * Runs a job that decides by sealed facts. Facts that this instance can't open are left for one that can: `again` queues the job for later.
 * The log and the alert PortalKeyMissing report it.
 */
export async function skipUnlessOpened(deps: Recorder, work: () => Promise<void>, retryWork: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof MissingKeyError)) throw error;
    recordMissingKey(deps, error.place);
    await retryWork();
  }
}

type Recorder = { readonly recordSecurityEvent: RecordSecurityEvent };

/** The kind of `place` is the event's reason. */
export function recordMissingKey({ recordSecurityEvent }: Recorder, place: SealedPlace): void {
  recordSecurityEvent('key_missing', { reason: place.slice(0, place.indexOf(':')) });
}
