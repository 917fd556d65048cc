/**
 * The key of one decision that moves money or files (a return, an advance), kept until the decision is over: a second click,
 * a reload or a second tab sends the same key, and the server does the work once. Local storage, because tabs share it; the key is no secret.
 */
const PREFIX = 'idempotency-key:';

/** Where the browser refuses storage (private modes), the key lives as long as the page: the server still refuses a second filing by its own records. */
const inMemoryKeys = new Map<string, string>();

/** The key of a decision, made the first time it is asked for. `decision` names it whole, for example "file:<obligation>:<figures version>". */
export function getOrCreateIdempotencyKey(decision: string): string {
  try {
    const stored = localStorage.getItem(PREFIX + decision);
    if (stored) return stored;
    const created = createKey();
    localStorage.setItem(PREFIX + decision, created);
    return created;
  } catch {
    const stored = inMemoryKeys.get(decision) ?? createKey();
    inMemoryKeys.set(decision, stored);
    return stored;
  }
}

/** Ends a decision that certainly had no effect (refused before anything happened), so that deciding anew is a new act. */
export function deleteIdempotencyKey(decision: string): void {
  inMemoryKeys.delete(decision);
  try {
    localStorage.removeItem(PREFIX + decision);
  } catch {
    // Nothing was stored where storage is refused.
  }
}

/** A version 4 UUID (RFC 9562); `crypto.randomUUID` is missing where the portal is opened by plain http from another computer. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
