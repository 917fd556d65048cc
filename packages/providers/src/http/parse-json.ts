/** Half a surrogate pair, or a NUL, can only be written as an escape in JSON (RFC 8259, section 7). */
const MAY_BE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * Returns the parsed body, or undefined if it isn't JSON. The schema then rejects undefined like any other wrong shape. Characters that
 * PostgreSQL can't store are left out or replaced: one that was pasted into a description must not make all of someone's books unreadable.
 */
export function parseJson(text: string): unknown {
  try {
    return MAY_BE_UNSTORABLE.test(text) ? JSON.parse(text, toStorable) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toStorable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
}
