/**
 * The most that an API key, or an assistant that a user connects, can be permitted to do. Each scope's endpoints are in
 * contract/api-scope-access.ts.
 */

export const API_SCOPES = [
  'clients.read',
  'figures.read',
  'tasks.read',
  'messages.read',
  'exports.read',
  'clients.write',
  'clients.edit',
  'tasks.write',
  'clients.invite',
  'messages.write',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** Names used in the settings, on the consent page and in the API document. */
export const API_SCOPE_NAMES: Readonly<Record<ApiScope, string>> = {
  'clients.read': 'Read clients, deadlines, dashboards and the team',
  'figures.read': 'Read tax figures',
  'tasks.read': 'Read tasks and the list of client requests',
  'messages.read': 'Read messages to clients and their outcomes',
  'exports.read': 'Export clients as a file',
  'clients.write': 'Add notes, contacts and tags to clients',
  'clients.edit': 'Add clients and change their details',
  'tasks.write': 'Create and change tasks',
  'clients.invite': 'Invite clients to the client portal',
  'messages.write': 'Prepare and send messages to clients',
};

/** The scopes available to a trader's company; the rest concern a practice's clients. */
export const COMPANY_SCOPES = ['figures.read'] as const satisfies readonly ApiScope[];

/** The possible lifetimes of a key, in days. */
export const KEY_LIFETIMES = [7, 30, 90, 365] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];

/** The maximum number of active keys per practice or company. */
export const MAX_ACTIVE_KEYS = 20;

/** The maximum number of requests per key in 15 minutes, across all instances. */
export const MAX_CALLS_PER_KEY = 3_000;
