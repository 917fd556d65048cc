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

  constructor(sealContext: SealContext) {
    const message = 'We can’t verify our stored data at the moment. Nothing was changed. Try again in a few minutes.';
    super('unavailable', 'sealing_key.missing', message);
    this.place = sealContext;
  }
}

export function sealFacts(cipher: TokenCipher, sealContext: SealContext, facts: readonly SealedFact[]): string {
  return cipher.seal(JSON.stringify(facts), sealContext);
}

/** `key_missing`: this instance can't check the seal, because it lacks the seal's key. */
export type SealCheck = 'sealed' | 'not_sealed' | 'key_missing';

export function checkFacts(cipher: TokenCipher, seal: string | null, sealContext: SealContext, facts: readonly SealedFact[]): SealCheck {
  if (isKeyMissing(cipher, seal)) return 'key_missing';
  return tryOpenFacts(cipher, seal, sealContext) === JSON.stringify(facts) ? 'sealed' : 'not_sealed';
}

/**
 * Returns false without a seal, or with a seal for other values or another place. Throws a MissingKeyError if this instance lacks its key.
 */
export function areFactsSealed(cipher: TokenCipher, seal: string | null, sealContext: SealContext, facts: readonly SealedFact[]): boolean {
  return openFacts(cipher, seal, sealContext) === JSON.stringify(facts);
}

/**
 * Returns the facts sealed for the place, or undefined if there are none. Values sealed by versions that didn't bind them to a place never
 * count. Throws a MissingKeyError.
 */
export function openFacts(cipher: TokenCipher, seal: string | null, sealContext: SealContext): string | undefined {
  if (isKeyMissing(cipher, seal)) throw new MissingKeyError(sealContext);
  return tryOpenFacts(cipher, seal, sealContext);
}

function isKeyMissing({ keyIds }: TokenCipher, seal: string | null): boolean {
  const keyId = seal?.endsWith(BOUND_SUFFIX) ? /^([0-9a-f]{8})\./.exec(seal)?.[1] : undefined;
  return keyId !== undefined && !keyIds.includes(keyId);
}

/** Like `openFacts`, but also returns undefined if the key is missing. */
export function tryOpenFacts(cipher: TokenCipher, seal: string | null, sealContext: SealContext): string | undefined {
  if (!seal?.endsWith(BOUND_SUFFIX)) return undefined;
  try {
    return cipher.open(seal, sealContext);
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

/** The kind in `sealContext` becomes the event's reason. */
export function recordMissingKey({ recordSecurityEvent }: Recorder, sealContext: SealContext): void {
  recordSecurityEvent('key_missing', { reason: sealContext.slice(0, sealContext.indexOf(':')) });
}
