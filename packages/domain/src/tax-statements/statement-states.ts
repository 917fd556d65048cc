/** The states of a tax statement import, and of its clients. */

/**
 * `reading`: being uploaded; no figures have changed. `ready`: a dry run. `importing`: figures are being applied. `failed`, `cancelled`:
 * stopped midway; it can be restarted.
 */
export const STATEMENT_STATES = ['reading', 'ready', 'importing', 'completed', 'failed', 'cancelled'] as const;
export type StatementState = (typeof STATEMENT_STATES)[number];

/** The outcome for one client's entries, as shown on screen. */
export const STATEMENT_OUTCOMES = ['waiting', 'taken', 'refused'] as const;
export type StatementOutcome = (typeof STATEMENT_OUTCOMES)[number];
