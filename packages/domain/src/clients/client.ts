/** What a practice stores about a client: its status, the assigned colleagues and the history of both. */

/** From first contact to the end of the engagement. */
export const CLIENT_STATUSES = ['lead', 'inviting', 'active', 'inactive', 'closed'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** The role of a practice member for a client. */
export const DUTIES = ['manager', 'vat', 'payroll', 'deputy'] as const;
export type Duty = (typeof DUTIES)[number];

/** What a change of many clients at once did. */
export const CLIENT_CHANGE_KINDS = ['status', 'assign', 'unassign'] as const;
export type ClientChangeKind = (typeof CLIENT_CHANGE_KINDS)[number];

/** A change, and its undoing by a job. */
export const CLIENT_CHANGE_STATES = ['made', 'undoing', 'undone'] as const;
export type ClientChangeState = (typeof CLIENT_CHANGE_STATES)[number];
