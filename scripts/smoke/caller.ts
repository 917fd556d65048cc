/** HTTP client for one portal user: keeps cookies, sends a browser's headers, and parses responses with the contract. */
import type { Blob } from 'node:buffer';
import { CLIENT_DEVICE_HEADER, type ClientDevice } from '@portal/contract/client-device.ts';
import type { Endpoint, EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Problem } from '@portal/contract/problem.ts';

/** Longer than any of the portal's time limits for a provider. */
const CALL_TIMEOUT_MS = 60_000;
/** Enough for the largest file on a small machine. */
const UPLOAD_TIMEOUT_MS = 170_000;

const DEVICE: ClientDevice = {
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  screens: [{ width: 1920, height: 1080, scaling_factor: 1, colour_depth: 24 }],
  window: { width: 1440, height: 900 },
  utc_offset_minutes: 0,
};

export type Page = { readonly status: number; readonly text: string; readonly location: string | undefined };

export type Caller = {
  /** Calls an endpoint of the contract; throws PortalError if the portal responds with a problem. */
  call<E extends Endpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options?: { readonly idempotencyKey?: string },
  ): Promise<EndpointOutput<E>>;
  /** Sends a file as the request body. */
  upload(path: string, query: Readonly<Record<string, string>>, file: Blob): Promise<unknown>;
  /** Opens a page below /portal as a browser would, without following redirects. */
  open(path: string): Promise<Page>;
};

/** A problem response from the portal, with its status, code and message. */
export class PortalError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Partial<Problem>) {
    super(formatMessage(problem) || `the portal returned ${status}`);
    this.name = 'PortalError';
    this.status = status;
    this.code = problem.code ?? '';
    this.details = problem.details ?? {};
  }
}

export type CallerOptions = {
  /** Sent, together with `port`, as the forwarded address of the user's connection. */
  readonly ip?: string;
  readonly port?: number;
  /** Receives every response from the portal. */
  readonly onAnswer?: (response: Response) => void;
};

/** `portalUrl` ends in /portal. */
export function createCaller(portalUrl: string, { ip = '198.51.100.7', port = 51_543, onAnswer }: CallerOptions = {}): Caller {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${portalUrl}${path}`, {
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...init,
      redirect: 'manual',
      headers: {
        'user-agent': DEVICE.user_agent,
        [CLIENT_DEVICE_HEADER]: encodeURIComponent(JSON.stringify(DEVICE)),
        'x-forwarded-for': ip,
        'x-forwarded-client-port': String(port),
        ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) storeCookie(cookies, line);
    onAnswer?.(response);
    return response;
  };
  return {
    call: async (endpoint, input, { idempotencyKey } = {}) => {
      const key: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const response =
        endpoint.method === 'GET'
          ? await send(`${endpoint.path}?${new URLSearchParams(input as Record<string, string>)}`)
          : await send(endpoint.path, {
              method: 'POST',
              body: JSON.stringify(input),
              headers: { 'content-type': 'application/json', ...key },
            });
      return endpoint.output.parse(await readJson(response)) as EndpointOutput<typeof endpoint>;
    },
    upload: async (path, query, file) =>
      readJson(
        await send(`${path}?${new URLSearchParams(query)}`, {
          method: 'POST',
          body: file,
          signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
          headers: { 'content-type': 'application/octet-stream' },
        }),
      ),
    open: async (path) => {
      const response = await send(path, { headers: { accept: 'text/html' } });
      return { status: response.status, text: await response.text(), location: response.headers.get('location') ?? undefined };
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  const responseText = await response.text();
  const body = parseJson(responseText);
  if (response.ok && body !== undefined) return body;
  throw new PortalError(response.status, typeof body === 'object' && body !== null ? body : { message: responseText.slice(0, 200) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Formats a problem's message: a sentence, or reasons by field. */
function formatMessage({ message }: Partial<Problem>): string {
  if (typeof message === 'string') return message;
  return Object.entries(message ?? {})
    .map(([field, reason]) => `${field}: ${reason}`)
    .join('; ');
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';');
  const [name = '', ...rest] = pair.split('=');
  const value = rest.join('=');
  if (value === '' || /;\s*max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}
