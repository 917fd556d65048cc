/** The states of an import of tax statements, and of its clients. */

/**
 * `reading`: being uploaded, no figure has changed. `ready`: a dry run. `importing`: figures are applied. `failed`, `cancelled`: stopped
 * midway; it can be restarted.
 */
export const STATEMENT_STATES = ['reading', 'ready', 'importing', 'completed', 'failed', 'cancelled'] as const;
export type StatementState = (typeof STATEMENT_STATES)[number];

/** The outcome of the entries of one client, as shown on screen. */
export const STATEMENT_OUTCOMES = ['waiting', 'taken', 'refused'] as const;
export type StatementOutcome = (typeof STATEMENT_OUTCOMES)[number];
