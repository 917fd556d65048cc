/** A client as stored by the practice: its status, its assigned colleagues and the history of both. */

/** Status of a client, from first contact to the end of the engagement. */
export const CLIENT_STATUSES = ['lead', 'inviting', 'active', 'inactive', 'closed'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** The statuses of clients that the practice no longer acts for. */
export const FORMER_STATUSES: ClientStatus[] = ['inactive', 'closed'];

/** A practice member's roles for a client. */
export const DUTIES = ['manager', 'vat', 'payroll', 'deputy'] as const;
export type Duty = (typeof DUTIES)[number];

/** Kinds of bulk change to clients. */
export const CLIENT_CHANGE_KINDS = ['status', 'assign', 'unassign', 'hand_over'] as const;
export type ClientChangeKind = (typeof CLIENT_CHANGE_KINDS)[number];

/** State of a bulk change; a background job undoes it. */
export const CLIENT_CHANGE_STATES = ['made', 'undoing', 'undone'] as const;
export type ClientChangeState = (typeof CLIENT_CHANGE_STATES)[number];

/** Filters clients and tasks that aren't assigned to a member. */
export const UNASSIGNED = 'none';
