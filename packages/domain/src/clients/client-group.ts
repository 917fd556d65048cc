/** Limits on client groups. */

/** The limit is needed because all groups are in one response. */
export const MAX_CLIENT_GROUPS = 1000;
/** The limit lets one page of the client list show all clients of a group. */
export const MAX_GROUP_CLIENTS = 200;
export const MAX_CLIENT_GROUP_NAME_LENGTH = 80;
