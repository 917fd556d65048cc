/** A call: a valid request, and the parts of it that can be corrupted. */
import type { RandomSource } from '../../chaos/random.ts';
import type { SentRequest } from './send-request.ts';

/** A call in the form that the web app sends. */
export type Call = {
  readonly method: 'GET' | 'POST';
  /** The path below the origin, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: ReadonlyMap<string, string>;
  /** Every field that the call accepts, including those not sent this time. */
  readonly fields: readonly string[];
  /** Set if the call must be rejected without a session. */
  readonly needsSession: boolean;
  readonly needsKey: boolean;
  /** Set if the call names a tenant, so that another user's session must be rejected. */
  readonly belongsToTenant: boolean;
};

/** Other users' data, from this caller's point of view. */
export type ForeignDataSource = {
  readonly id: (field: string) => string | undefined;
  readonly session: () => string | undefined;
};

export type Corruption = {
  readonly description: string;
  /** The field that the error must name; undefined if more than one field is corrupted. */
  readonly field: string | undefined;
  /** Set if accepting the call would be a security fault. */
  readonly mustFail: boolean;
  readonly sent: SentRequest | { readonly bytes: string; readonly closesAfter: boolean };
};

export type Corrupt = (random: RandomSource, call: Call, foreignData: ForeignDataSource) => Corruption | undefined;

export function toSentRequest({ method, path, query, body, headers, cookies }: Call): SentRequest {
  const search = new URLSearchParams(query).toString();
  return {
    method,
    url: search === '' ? path : `${path}?${search}`,
    headers: { ...toCookieHeader(cookies), ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  };
}

function toCookieHeader(cookies: ReadonlyMap<string, string>): Record<string, string> {
  return cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}
