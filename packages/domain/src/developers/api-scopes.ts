/** What an API key, or an assistant that a person connects, may do at most. Which calls a scope opens: contract/api-scope-access.ts. */

export const API_SCOPES = [
  'clients.read',
  'figures.read',
  'tasks.read',
  'messages.read',
  'exports.read',
  'clients.write',
  'tasks.write',
  'clients.invite',
  'messages.write',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** For the settings, the consent page and the API document. */
export const API_SCOPE_NAMES: Readonly<Record<ApiScope, string>> = {
  'clients.read': 'Read clients, deadlines, dashboards and the team',
  'figures.read': 'Read tax figures',
  'tasks.read': 'Read tasks and the list of requests to clients',
  'messages.read': 'Read messages to clients and their outcomes',
  'exports.read': 'Export clients as a file',
  'clients.write': 'Add notes, contacts and tags to clients',
  'tasks.write': 'Create and change tasks',
  'clients.invite': 'Invite clients to their portal',
  'messages.write': 'Prepare and send messages to clients',
};

/** What a trader's company has: the other scopes are about a practice's clients. */
export const COMPANY_SCOPES = ['figures.read'] as const satisfies readonly ApiScope[];

/** For how many days a key may be valid. */
export const KEY_LIFETIMES = [7, 30, 90, 365] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

/** Keys of one practice or company that are valid at the same time. */
export const MAX_ACTIVE_KEYS = 20;

/** Calls of one key in 15 minutes, on all instances together. */
export const MAX_CALLS_PER_KEY = 3_000;
