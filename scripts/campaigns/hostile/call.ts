/** A call, as the right request and with what may be corrupted about it. */
import type { RandomSource } from '../../chaos/random.ts';
import type { Sent } from './send-request.ts';

/** A call as the web app would send it. */
export type Call = {
  readonly method: 'GET' | 'POST';
  /** Below the origin, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: ReadonlyMap<string, string>;
  /** Every field that the call accepts, also those that it doesn't send now. */
  readonly fields: readonly string[];
  /** Without a session it must be refused. */
  readonly needsSession: boolean;
  readonly needsKey: boolean;
  /** It names a tenant, so that another person's session must be refused. */
  readonly isTenants: boolean;
};

/** What belongs to others, for this call's person. */
export type Foreign = {
  readonly id: (field: string) => string | undefined;
  readonly session: () => string | undefined;
};

export type Corruption = {
  readonly description: string;
  /** The field that the error must name; undefined if more than a field is corrupted. */
  readonly field: string | undefined;
  /** Carrying it out would be a security fault. */
  readonly mustFail: boolean;
  readonly sent: Sent | { readonly bytes: string; readonly closesAfter: boolean };
};

export type Corrupt = (random: RandomSource, call: Call, foreign: Foreign) => Corruption | undefined;

export function toSent({ method, path, query, body, headers, cookies }: Call): Sent {
  const search = new URLSearchParams(query).toString();
  return {
    method,
    url: search === '' ? path : `${path}?${search}`,
    headers: { ...cookieHeader(cookies), ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}), ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  };
}

function cookieHeader(cookies: ReadonlyMap<string, string>): Record<string, string> {
  return cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}
