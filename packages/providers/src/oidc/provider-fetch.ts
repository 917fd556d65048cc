/** Creates the fetch for openid-client: it calls the provider or its simulator and turns every failure into a ProviderError. */
import type { FetchBody } from 'openid-client';
import { z } from 'zod';
import { wasNeverSent } from '../http/was-never-sent.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import type { SignInDeps, SignInProviderName } from './sign-in-port.ts';

/** The provider's URLs (origin and path), each with its operation name: { "https://oauth2.googleapis.com/token": "token" }. */
export type ProviderAddresses = Readonly<Record<string, string>>;

export type ProviderRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: FetchBody;
};
export type ProviderFetch = (input: string | URL, request?: ProviderRequest) => Promise<Response>;

const DEFAULT_TIMEOUT_MS = 15_000;

const oauthErrorWire = z.object({ error: z.string(), error_description: z.string().optional() });

/** Returns only successful responses, whose bodies it has read; throws a ProviderError otherwise. */
export function fetchFromProvider(
  provider: SignInProviderName,
  addresses: ProviderAddresses,
  deps: Pick<SignInDeps, 'serverUrl' | 'fetch' | 'timeoutMs'>,
): ProviderFetch {
  const origins = new Set(Object.keys(addresses).map((address) => new URL(address).origin));
  return async (input, request = {}) => {
    const url = new URL(input);
    const operation = `${provider}.${addresses[url.origin + url.pathname] ?? 'call'}`;
    const isWrite = request.method === 'POST';
    const target = deps.serverUrl === undefined ? url : toSimulatorUrl(url, origins, deps.serverUrl);
    if (!target) throw new ProviderError('refused', { provider, operation, detail: `the simulator does not replace ${url.origin}` });
    const providerResponse = await send(target, { provider, operation, isWrite }, request, deps);
    if (providerResponse.status >= 200 && providerResponse.status < 300) {
      // The response is a gateway's page instead of a configuration or keys. openid-client would report it like an unreadable token
      // response, after which a code may have been used up.
      if (!isWrite && parseJson(providerResponse.bodyText) === undefined)
        throw new ProviderError('unavailable', { provider, operation, status: providerResponse.status, detail: 'unreadable response' });
      return new Response(providerResponse.bodyText, { status: providerResponse.status, headers: providerResponse.headers });
    }
    throw toProviderError(providerResponse, { provider, operation, isWrite });
  };
}

type Call = { readonly provider: SignInProviderName; readonly operation: string; readonly isWrite: boolean };
type ProviderResponse = { readonly status: number; readonly headers: Headers; readonly bodyText: string };

/** A simulator serves all of a provider's hosts at one URL. Other hosts are rejected, so that no call reaches the real provider. */
function toSimulatorUrl(url: URL, origins: ReadonlySet<string>, serverUrl: string): URL | undefined {
  return origins.has(url.origin) ? new URL(serverUrl.replace(/\/$/, '') + url.pathname + url.search) : undefined;
}

async function send(
  target: URL,
  call: Call,
  { method = 'GET', headers = {}, body }: ProviderRequest,
  deps: Pick<SignInDeps, 'fetch' | 'timeoutMs'>,
): Promise<ProviderResponse> {
  try {
    const response = await deps.fetch(target, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(deps.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, bodyText: await response.text() };
  } catch (error) {
    const wasSent = !wasNeverSent(error);
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const detail = !wasSent ? 'no connection' : isTimeout ? 'no response in time' : 'the connection was lost';
    // If the response is lost, a code or refresh token may have been used up.
    throw new ProviderError(call.isWrite && wasSent ? 'unknown' : 'unavailable', { ...toErrorFacts(call), detail }, error);
  }
}

function toProviderError(providerResponse: ProviderResponse, call: Call): ProviderError {
  const oauthError = oauthErrorWire.safeParse(parseJson(providerResponse.bodyText)).data;
  const code = oauthError?.error;
  const retryAfterSeconds = parseRetryAfterSeconds(providerResponse.headers);
  const requestId = providerResponse.headers.get('x-ms-request-id') ?? providerResponse.headers.get('intuit_tid') ?? undefined;
  return new ProviderError(toProviderFailure(providerResponse.status, code, call.isWrite), {
    ...toErrorFacts(call),
    status: providerResponse.status,
    ...(code === undefined ? {} : { code }),
    ...(oauthError?.error_description === undefined ? {} : { detail: oauthError.error_description.slice(0, 300) }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function toProviderFailure(status: number, code: string | undefined, isWrite: boolean): ProviderFailure {
  if (status === 429) return 'throttled';
  // The code, refresh token or consent is no longer valid: the user must sign in again.
  if (code === 'invalid_grant' || code === 'interaction_required' || code === 'consent_required') return 'unauthorized';
  // A wrong client secret is also a 401, but the user can't fix it.
  if (code !== undefined && status < 500) return 'refused';
  if (status === 401) return 'unauthorized';
  if (status >= 400 && status < 500 && status !== 408) return 'refused';
  return isWrite ? 'unknown' : 'unavailable';
}

function toErrorFacts({ provider, operation }: Call): ProviderErrorFacts {
  return { provider, operation };
}
