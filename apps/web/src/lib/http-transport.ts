/**
 * API requests over HTTP: the URL comes from the contract, cookies are included, redirects aren't followed,
 * and errors follow docs/product/specification.md section 8.
 */
import { IDLE_HEADER } from '@portal/contract/client-device.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { isIdle } from './is-idle.ts';
import { getClientDeviceHeader } from './client-device.ts';
import { savePostLoginPath } from './post-login-path.ts';
import { ApiError, toApiError } from './problem-to-error.ts';
import { PORTAL_BASE } from './settings.ts';

export type RequestOptions = {
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** What to do if the session has expired. By default, the browser opens the login page. */
  readonly unauthorized?: 'go_to_login' | 'throw';
};

/** Resolves to the response's JSON or rejects with an ApiError. The demo's transport responds from memory. */
export type Transport = (endpoint: Endpoint, input: Readonly<Record<string, unknown>>, options: RequestOptions) => Promise<unknown>;

/** Returns a request's URL, with the input as the query for a GET. Omits undefined members. */
export function getRequestUrl(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): string {
  if (endpoint.method !== 'GET') return `${PORTAL_BASE}${endpoint.path}`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined) query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const queryText = query.toString();
  return `${PORTAL_BASE}${endpoint.path}${queryText === '' ? '' : `?${queryText}`}`;
}

function getRequestHeaders(endpoint: Endpoint, options: RequestOptions): Record<string, string> {
  return {
    accept: 'application/json',
    ...(endpoint.method === 'GET' && isIdle() ? { [IDLE_HEADER]: '1' } : {}),
    ...(endpoint.method === 'GET' ? {} : { 'content-type': 'application/json' }),
    ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
    ...(endpoint.callsHmrc ? getClientDeviceHeader() : {}),
  };
}

/**
 * An empty body means {} (docs/product/specification.md section 7.1). A body that isn't JSON comes from an intermediary, not our server.
 */
export async function readJson(response: Response): Promise<unknown> {
  const responseText = await response.text();
  if (responseText.trim() === '') return {};
  try {
    return JSON.parse(responseText);
  } catch {
    return response.ok
      ? Promise.reject(
          new ApiError({ status: response.status, code: 'answer.unreadable', message: 'We couldn’t read the response. Try again.' }),
        )
      : {};
  }
}

const LOGIN_REDIRECT = /\/login\?(.*&)?next=/;

/** `goTo` navigates away from the page. */
export function createHttpTransport(dependencies: { fetch: typeof fetch; goTo: (url: string) => void }): Transport {
  const rejectUnauthorized = (options: RequestOptions): never => {
    if (options.unauthorized !== 'throw') {
      savePostLoginPath();
      dependencies.goTo(`${PORTAL_BASE}/login`);
    }
    throw new ApiError({ status: 401, code: 'session.unauthorized', message: 'Unauthorized' });
  };
  return async (endpoint, input, options) => {
    const response = await dependencies
      .fetch(getRequestUrl(endpoint, input), {
        method: endpoint.method,
        credentials: 'include',
        redirect: 'manual',
        headers: getRequestHeaders(endpoint, options),
        ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(input) }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      })
      .catch((cause: unknown) => {
        if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
        throw new ApiError({ status: 0, code: 'network.unreachable', message: getUnreachableMessage(endpoint) });
      });
    if (response.type === 'opaqueredirect' || LOGIN_REDIRECT.test(response.url)) return rejectUnauthorized(options);
    // A wrong password returns a 401 from a public endpoint, and the user must see the reason where they typed it.
    if (response.status === 401 && endpoint.access !== 'public') return rejectUnauthorized(options);
    const body = await readJson(response);
    if (response.status === 200 || response.status === 201) return body;
    const error = toApiError(response.status, body);
    if (error.message.includes('company_id: badly formed')) dependencies.goTo(`${PORTAL_BASE}/home`);
    throw error;
  };
}

function getUnreachableMessage(endpoint: Endpoint): string {
  return endpoint.method === 'GET'
    ? 'We couldn’t connect. Check your internet connection and try again.'
    : 'We lost the connection, so we don’t know whether this went through. Check your internet connection, then reload the page to check before you try again.';
}
