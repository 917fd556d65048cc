/**
 * Apps that a user connects to OpenTax with OAuth, such as their own assistant: maximum permissions, lifetimes, and allowed redirect URIs.
 * See docs/decisions/0067-mcp-server.md.
 */
import type { ApiScope } from './api-scopes.ts';

/** The possible scopes of a connected app. Apps can't send anything themselves, so these exclude the scopes for messages. */
export const CONNECTED_APP_SCOPES = [
  'clients.read',
  'figures.read',
  'tasks.read',
  'tasks.write',
  'exports.read',
] as const satisfies readonly ApiScope[];
export type ConnectedAppScope = (typeof CONNECTED_APP_SCOPES)[number];

/** Names for the consent page and the settings. Narrower than for a key, because an app can reach only its tools. */
export const CONNECTED_APP_SCOPE_NAMES: Readonly<Record<ConnectedAppScope, string>> = {
  'clients.read': 'Search clients, and read what’s due and their timelines',
  'figures.read': 'Read each tax in detail: periods, charges and payments',
  'tasks.read': 'Read proposals and drafts',
  'tasks.write': 'Prepare drafts and proposals for someone to review',
  'exports.read': 'Prepare links to download the client list',
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The maximum time between consent and code exchange (RFC 6749 section 4.1.2 recommends at most ten minutes). */
export const CODE_TTL_MS = 2 * MINUTE_MS;
export const ACCESS_TOKEN_TTL_MS = 15 * MINUTE_MS;
/** An app must request consent again if it hasn't been used for this long. */
export const REFRESH_TOKEN_TTL_MS = 30 * DAY_MS;
/** After a year, the user must consent again, as with a key, no matter how often the app is used. */
export const CONNECTED_APP_GRANT_TTL_MS = 365 * DAY_MS;
/** A registered app without a grant is deleted after this long. */
export const UNUSED_CONNECTED_APP_TTL_MS = 30 * DAY_MS;

/** The maximum number of requests per user in 15 minutes, for all the user's apps and across all instances. */
export const MAX_CONNECTED_APP_CALLS = 1_000;
/** The maximum number of registrations per network in 15 minutes. */
export const MAX_REGISTRATIONS = 20;
/**
 * The maximum number of requests to the token and revocation endpoints per network in 15 minutes. The apps of many users may share a
 * network.
 */
export const MAX_TOKEN_CALLS = 600;
/** The maximum number of apps that a user can connect to one practice at a time. */
export const MAX_CONNECTED_APPS_PER_USER = 20;

export const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 500;
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns true if the URI is on the user's own computer, as for a desktop app. */
export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);
}

/**
 * Returns true if a sign-in may redirect to the URI: https, or http on the user's own computer, without credentials or a fragment (RFC 6749
 * section 3.1.2).
 */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH || !URL.canParse(uri) || uri.includes('#')) return false;
  const { protocol, username, password } = new URL(uri);
  return (protocol === 'https:' || isLoopback(uri)) && username === '' && password === '';
}

/**
 * Returns true if the app has registered the URI: an exact match, except for the port on the user's own computer, which a desktop app
 * learns only when it starts (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(registeredUris: readonly string[], uri: string): boolean {
  if (!isRedirectUri(uri)) return false;
  return (
    registeredUris.includes(uri) ||
    (isLoopback(uri) && registeredUris.some((item) => isLoopback(item) && stripPort(item) === stripPort(uri)))
  );
}

function stripPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}
