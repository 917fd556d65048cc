/** HTTP calls to Companies House, with a key, a time limit and a rate limit. Every failure becomes a ProviderError. All calls are reads. */
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';
import type { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { faultWire } from './companies-house-wire.ts';

/**
 * `apiUrl` doesn't have a trailing slash: "https://api.company-information.service.gov.uk". `apiKey` is a REST key that must not leave the
 * server.
 */
export type CompaniesHouseHttpSettings = {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Time limit for one call; default 10 seconds. */
  readonly timeoutMs?: number;
};

export type CompaniesHouseHttp = {
  /** Returns undefined if the 404 response comes from the register itself. */
  read<Wire extends z.ZodType>(operation: string, path: string, wire: Wire): Promise<z.infer<Wire> | undefined>;
};

/** Each key is allowed 600 calls in five minutes, then gets 429 until the window ends (Companies House developer guide, rate limiting). */
const WINDOW_MS = 300_000;

export function createCompaniesHouseHttp(settings: CompaniesHouseHttpSettings): CompaniesHouseHttp {
  let closedWindow: { readonly fromMs: number; readonly untilMs: number } | undefined;

  /** A call during a closed window would get a 429, so it fails without being sent. */
  function throwWhileClosed(operation: string): void {
    const nowMs = toEpochMs(settings.clock.now());
    if (!closedWindow || nowMs < closedWindow.fromMs || nowMs >= closedWindow.untilMs) return;
    throw createError('throttled', operation, { status: 429, retryAfterSeconds: Math.ceil((closedWindow.untilMs - nowMs) / 1000) });
  }

  return {
    read: async (operation, path, wire) => {
      throwWhileClosed(operation);
      const { status, text, headers } = await send(settings, operation, path);
      if (status === 429) {
        const fromMs = toEpochMs(settings.clock.now());
        closedWindow = { fromMs, untilMs: getWindowEndMs(headers, fromMs) };
        throwWhileClosed(operation);
      }
      const body = parseJson(text);
      if (status === 200) {
        const parsedBody = wire.safeParse(body);
        if (parsedBody.success) return parsedBody.data;
        const fields = parsedBody.error.issues.map(({ path: field }) => field.join('.') || 'body').join(', ');
        throw createError('unavailable', operation, { status, detail: `unreadable response: ${fields}` });
      }
      const code = faultWire.safeParse(body).data;
      // A 404 with any other body comes from a proxy or a wrong URL. It doesn't mean that the company is unknown.
      if (status === 404 && code !== undefined) return undefined;
      const kind = status === 401 ? 'unauthorized' : status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable';
      throw createError(kind, operation, { status, ...(code === undefined ? {} : { code }) });
    },
  };
}

async function send(settings: CompaniesHouseHttpSettings, operation: string, path: string) {
  try {
    const response = await settings.fetch(`${settings.apiUrl}${path}`, {
      // The key is the user name and the password is empty. The "api_key" header in the published description doesn't exist.
      headers: { accept: 'application/json', authorization: `Basic ${Buffer.from(`${settings.apiKey}:`).toString('base64')}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 10_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw createError('unavailable', operation, {}, error);
  }
}

/** Returns the end of the window, at most one window away even if the header says otherwise. */
function getWindowEndMs(headers: Headers, nowMs: number): number {
  const resetAtMs = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000;
  return resetAtMs > nowMs && resetAtMs <= nowMs + WINDOW_MS ? resetAtMs : nowMs + WINDOW_MS;
}

function createError(
  kind: ProviderFailure,
  operation: string,
  facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>,
  cause?: unknown,
): ProviderError {
  return new ProviderError(kind, { provider: 'companies_house', operation, ...facts }, cause);
}
