/**
 * Reads JSON from a bookkeeping API. Retries after 429 (`Retry-After`), 5xx and lost connections, and turns failures into ProviderErrors.
 */
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';

export type BooksReaderDeps = {
  readonly provider: BooksProviderName;
  readonly fetch: typeof globalThis.fetch;
  /** Called before each call, because a long read can outlast a token. */
  readonly getAccessToken: () => Promise<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits for the provider's rate limits for this organisation. Default: no limit on our side. */
  readonly acquireSlot?: () => Promise<void>;
  readonly timeoutMs?: number;
  /** The number of attempts for one call. Default: 5, with waits in between. */
  readonly maxAttempts?: number;
  /** Default: real time. */
  readonly pause?: (ms: number) => Promise<unknown>;
};

export type BooksResponse = { readonly body: unknown; readonly headers: Headers };

export type BooksReader = {
  /** `operation` names the resource in error messages. */
  get(url: string, operation: string, headers?: Readonly<Record<string, string>>): Promise<BooksResponse>;
};

/** Xero allows 60 calls a minute, so an early call waits at most a minute. If the wait is longer, the job continues later. */
const MAX_WAIT_SECONDS = 65;
/** Intuit doesn't guarantee Retry-After: "wait 60 seconds" (docs/reference/providers.md section 2). */
const DEFAULT_WAIT_SECONDS: Readonly<Record<BooksReaderDeps['provider'], number>> = { xero: 5, quickbooks: 60, freeagent: 60 };
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_DETAIL_LENGTH = 300;

export function createBooksReader(deps: BooksReaderDeps): BooksReader {
  const pause = deps.pause ?? setTimeout;
  return {
    get: async (url, operation, headers = {}) => {
      for (let attempt = 1; ; attempt += 1) {
        await deps.acquireSlot?.();
        const result = await tryRead(deps, url, operation, headers);
        if (!(result instanceof ProviderError)) return result;
        const waitMs = findWaitMs(result, deps.provider, attempt);
        if (waitMs === undefined || attempt >= (deps.maxAttempts ?? MAX_ATTEMPTS)) throw result;
        await pause(waitMs);
      }
    },
  };
}

async function tryRead(
  deps: BooksReaderDeps,
  url: string,
  operation: string,
  headers: Readonly<Record<string, string>>,
): Promise<BooksResponse | ProviderError> {
  const { provider } = deps;
  const authorization = `Bearer ${await deps.getAccessToken()}`;
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(url, {
      headers: { accept: 'application/json', ...deps.headers, ...headers, authorization },
      redirect: 'manual',
      signal: AbortSignal.timeout(deps.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    return new ProviderError('unavailable', { provider, operation, detail: 'no response' }, error);
  }
  // 304: nothing has changed since the given time.
  if (response.status === 304) return { body: undefined, headers: response.headers };
  const body = parseJson(text);
  if (response.status === 200 && body !== undefined) return { body, headers: response.headers };
  if (response.status === 200) return new ProviderError('unavailable', { provider, operation, status: 200, detail: 'unreadable response' });
  return toProviderError(response, text, { provider, operation });
}

function toProviderError(
  response: Response,
  text: string,
  facts: { readonly provider: string; readonly operation: string },
): ProviderError {
  const retryAfterSeconds = parseRetryAfterSeconds(response.headers);
  const problem = response.headers.get('x-rate-limit-problem') ?? undefined;
  const requestId = response.headers.get('intuit_tid') ?? response.headers.get('xero-correlation-id') ?? undefined;
  return new ProviderError(toFailure(response.status), {
    ...facts,
    status: response.status,
    detail: text.slice(0, MAX_DETAIL_LENGTH),
    ...(problem === undefined ? {} : { code: problem }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function toFailure(status: number): ProviderFailure {
  if (status === 429) return 'throttled';
  if (status === 401) return 'unauthorized';
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable';
}

/** Returns how many milliseconds to wait before retrying the call; undefined if it shouldn't be retried. */
function findWaitMs({ failure, facts }: ProviderError, provider: BooksReaderDeps['provider'], attempt: number): number | undefined {
  if (failure === 'throttled') {
    const seconds = facts.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS[provider];
    return seconds > MAX_WAIT_SECONDS ? undefined : seconds * 1_000;
  }
  return failure === 'unavailable' ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : undefined;
}

/** Builds the schema of each list's response once, because compiling it takes longer than checking a page. */
export function createShapeCache<Shape>(
  build: (list: string, item: z.ZodType) => z.ZodType<Shape>,
): (list: string, item: z.ZodType) => z.ZodType<Shape> {
  const knownShapes = new Map<string, z.ZodType<Shape>>();
  return (list, item) => {
    const shape = knownShapes.get(list) ?? build(list, item);
    knownShapes.set(list, shape);
    return shape;
  };
}

/** Checks a response against its schema. The error names the field, but not its value. */
export function parseResponse<Shape>(shape: z.ZodType<Shape>, body: unknown, provider: string, operation: string): Shape {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`);
  throw new ProviderError('unavailable', { provider, operation, detail: `unreadable response: ${fields.join('; ')}` });
}
