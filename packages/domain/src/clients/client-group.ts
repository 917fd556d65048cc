/** Limits of groups of clients. */

/** All groups are in one response. */
export const MAX_CLIENT_GROUPS = 1000;
/** One page of the client list shows all clients of a group. */
export const MAX_GROUP_CLIENTS = 200;
export const MAX_CLIENT_GROUP_NAME = 80;
