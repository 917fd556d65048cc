/**
 * Programs that a person connects to OpenTax with OAuth: their own assistant. What one may do at most, for how long, and where its sign-in may
 * return to. See docs/decisions/0067-mcp-server.md.
 */
import type { ApiScope } from './api-scopes.ts';

/** The scopes that a connected program may have. It sends nothing itself, so those for messages are not among them. */
export const PROGRAM_SCOPES = [
  'clients.read',
  'figures.read',
  'tasks.read',
  'tasks.write',
  'exports.read',
] as const satisfies readonly ApiScope[];
export type ProgramScope = (typeof PROGRAM_SCOPES)[number];

/** For the consent page and the settings. Narrower than for a key, because a program reaches its tools only. */
export const PROGRAM_SCOPE_NAMES: Readonly<Record<ProgramScope, string>> = {
  'clients.read': 'Search clients, and read what is due and their timelines',
  'figures.read': 'Read each tax in detail: periods, charges and payments',
  'tasks.read': 'Read proposals and drafts',
  'tasks.write': 'Prepare drafts and proposals, which a person reviews',
  'exports.read': 'Prepare links to download the client list',
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Between the consent and its exchange (RFC 6749 section 4.1.2 recommends at most ten minutes). */
export const CODE_TTL_MS = 2 * MINUTE_MS;
export const ACCESS_TOKEN_TTL_MS = 15 * MINUTE_MS;
/** A program that wasn't used for this long has to ask again. */
export const REFRESH_TOKEN_TTL_MS = 30 * DAY_MS;
/** However often it is used, a person consents again after a year, as with a key. */
export const PROGRAM_GRANT_TTL_MS = 365 * DAY_MS;
/** A registered program without a grant is deleted after this time. */
export const UNUSED_PROGRAM_TTL_MS = 30 * DAY_MS;

/** Calls of all programs of one person in 15 minutes, on all instances together. */
export const MAX_PROGRAM_CALLS = 1_000;
/** Programs that one network may register in 15 minutes. */
export const MAX_REGISTRATIONS = 20;
/** Calls of the token and revocation endpoints by one network in 15 minutes. Programs of many people may share one. */
export const MAX_TOKEN_CALLS = 600;
/** Programs connected to one practice by one person at the same time. */
export const MAX_PROGRAMS_PER_PERSON = 20;

export const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 500;
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the address belongs to the computer of the person, such as a program on their desk. */
export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);
}

/** Whether a sign-in may return to the address: https, or http on the person's own computer; without credentials and fragment (RFC 6749 section 3.1.2). */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH || !URL.canParse(uri) || uri.includes('#')) return false;
  const { protocol, username, password } = new URL(uri);
  return (protocol === 'https:' || isLoopback(uri)) && username === '' && password === '';
}

/**
 * Whether the address is one of the program's: exactly, except for the port on the person's own computer, which a desktop program learns when it
 * starts (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], uri: string): boolean {
  if (!isRedirectUri(uri)) return false;
  return (
    registered.includes(uri) || (isLoopback(uri) && registered.some((one) => isLoopback(one) && withoutPort(one) === withoutPort(uri)))
  );
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}
