/** Derives the status of a VAT return from HMRC's obligations, the uploaded books and the filing attempts. */
import type { PlainDate } from '../plain-date.ts';

/** HMRC's status of a return: still expected, or received. */
export const OBLIGATION_STATUSES = ['open', 'fulfilled'] as const;
export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];

/** The outcome of one attempt to file. */
export const FILING_STATES = ['sending', 'unknown', 'accepted', 'refused', 'not_received'] as const;
export type FilingState = (typeof FILING_STATES)[number];

/** The source of HMRC's receipt: its response, or a later read if that response was lost. */
export const RECEIPT_SOURCES = ['answer', 'read_back'] as const;
export type ReceiptSource = (typeof RECEIPT_SOURCES)[number];

/** The newest attempt to file. `lost`: the sending process has ended or taken too long, so we don't know the outcome. */
export type FilingAttempt = { readonly state: FilingState; readonly lost: boolean };

export type ReturnFacts = {
  readonly periodEnd: PlainDate;
  readonly fulfilled: boolean;
  readonly hasFigures: boolean;
  readonly attempt: FilingAttempt | undefined;
};

/**
 * Status of a return.
 * - `open_running`: the period hasn't ended. `no_books`: the books have no rows for it. `ready`: can be filed.
 * - `filing`: being sent now. `outcome_unknown`: sent, but HMRC's response was lost; we find out by reading, never by sending again.
 * - `filed_awaiting_hmrc`: HMRC accepted it, but its obligations don't show it yet. `filed`: HMRC shows it as filed.
 * - `filed_elsewhere`: HMRC shows it as filed, but not through us. `refused`: HMRC rejected it; nothing was filed.
 */
export const RETURN_STATES = [
  'open_running',
  'no_books',
  'ready',
  'filing',
  'outcome_unknown',
  'filed_awaiting_hmrc',
  'filed',
  'filed_elsewhere',
  'refused',
] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

/** Returns the status on `today`. An attempt with an unknown outcome takes precedence, because a second one must not start. */
export function getReturnState(facts: ReturnFacts, today: PlainDate): ReturnState {
  const { attempt } = facts;
  if (attempt?.state === 'sending') return attempt.lost ? 'outcome_unknown' : 'filing';
  if (attempt?.state === 'unknown') return 'outcome_unknown';
  if (attempt?.state === 'accepted') return facts.fulfilled ? 'filed' : 'filed_awaiting_hmrc';
  if (facts.fulfilled) return 'filed_elsewhere';
  // HMRC accepts a return only from the day after the period ends; before that, it responds with 403 TAX_PERIOD_NOT_ENDED.
  if (facts.periodEnd >= today) return 'open_running';
  if (!facts.hasFigures) return 'no_books';
  return attempt?.state === 'refused' ? 'refused' : 'ready';
}

/** Returns true if filing may start. A return that HMRC rejected may be filed again. */
export function canFile(state: ReturnState): boolean {
  return state === 'ready' || state === 'refused';
}

/** Returns true if a user may adjust the boxes without uploading books: the return has figures and is neither filed nor being filed. */
export function canAdjust(state: ReturnState): boolean {
  return state === 'open_running' || canFile(state);
}
