/**
 * Client for Pwned Passwords' range search, or a mirror of it (haveibeenpwned.com/API/v3#PwnedPasswords). Only the first five characters of
 * the password's SHA-1 are sent; padding hides even how many passwords have that prefix.
 */
import { createHash } from 'node:crypto';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';

export type LeakedPasswords = {
  /** Returns how many leaks contain the password; 0 if none. */
  countLeaks(password: string): Promise<number>;
};

export type PwnedPasswordsSettings = {
  /** Without a trailing slash: "https://api.pwnedpasswords.com". */
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Time limit for one call; default 3 seconds, because a user is waiting. */
  readonly timeoutMs?: number;
};

const PREFIX_LENGTH = 5;
/** A line contains the rest of a hash and a count. Padding lines have a count of 0. */
const LINE = /^([0-9A-F]{35}):(\d+)$/i;

export function createPwnedPasswordsClient(settings: PwnedPasswordsSettings): LeakedPasswords {
  return {
    countLeaks: async (password) => {
      const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
      const [prefix, suffix] = [hash.slice(0, PREFIX_LENGTH), hash.slice(PREFIX_LENGTH)];
      const lines = await readRange(settings, prefix);
      return lines.find((line) => line.rest === suffix)?.count ?? 0;
    },
  };
}

async function readRange(settings: PwnedPasswordsSettings, prefix: string): Promise<{ rest: string; count: number }[]> {
  const { status, headers, text } = await getRange(settings, prefix);
  const retryAfterSeconds = parseRetryAfterSeconds(headers);
  if (status === 429) throw createError('throttled', { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  if (status !== 200) throw createError(status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable', { status });
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [, suffix, count] = LINE.exec(line) ?? [];
      if (suffix === undefined) throw createError('unavailable', { status, detail: 'The response doesn’t match the published format.' });
      return { rest: suffix.toUpperCase(), count: Number(count) };
    });
}

async function getRange(settings: PwnedPasswordsSettings, prefix: string): Promise<{ status: number; headers: Headers; text: string }> {
  try {
    const response = await settings.fetch(`${settings.apiUrl}/range/${prefix}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'portal' },
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 3_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw createError('unavailable', {}, error);
  }
}

function createError(failure: ProviderFailure, facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>, cause?: unknown): ProviderError {
  return new ProviderError(failure, { provider: 'pwned_passwords', operation: 'range', ...facts }, cause);
}
