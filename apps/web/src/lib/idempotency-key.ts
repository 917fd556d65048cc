import { ApiError } from './problem-to-error.ts';

/**
 * The key of one decision that moves money or files a return. A second click, a reload or a second tab sends the same key, so the server
 * does the work only once. Stored in local storage, which tabs share; the key isn't secret.
 */
const PREFIX = 'idempotency-key:';

/** Used if the browser blocks storage. The key then lasts only as long as the page. */
const inMemoryKeys = new Map<string, string>();

/** `decision` identifies the decision completely, for example "file:<obligation>:<figures version>". */
export function getOrCreateIdempotencyKey(decision: string): string {
  try {
    const storedKey = localStorage.getItem(PREFIX + decision);
    if (storedKey) return storedKey;
    const createdKey = createKey();
    localStorage.setItem(PREFIX + decision, createdKey);
    return createdKey;
  } catch {
    const storedKey = inMemoryKeys.get(decision) ?? createKey();
    inMemoryKeys.set(decision, storedKey);
    return storedKey;
  }
}

/** Call this when a decision definitely had no effect, so that retrying counts as a new decision. */
export function deleteIdempotencyKey(decision: string): void {
  inMemoryKeys.delete(decision);
  try {
    localStorage.removeItem(PREFIX + decision);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/**
 * Sends a decision with its idempotency key. If the response is lost, keeps the key, so that resending the decision returns the first
 * response. Deletes the key after a response, or after a rejection that had no effect, because the next attempt is a new decision.
 */
export async function sendWithIdempotencyKey<Result>(decision: string, send: (idempotencyKey: string) => Promise<Result>): Promise<Result> {
  try {
    const pendingResponse = await send(getOrCreateIdempotencyKey(decision));
    deleteIdempotencyKey(decision);
    return pendingResponse;
  } catch (error) {
    if (error instanceof ApiError && isRefusal(error)) deleteIdempotencyKey(decision);
    throw error;
  }
}

/** A conflict doesn't count as a rejection: the first request may still be running, or may have succeeded. */
function isRefusal({ status, code }: ApiError): boolean {
  return code === 'idempotency.key_reused' || (status >= 400 && status < 500 && status !== 409);
}

/** Creates a version 4 UUID (RFC 9562). `crypto.randomUUID` isn't available over plain HTTP from another computer. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
