/** Where a VAT return stands, from what HMRC said, what the books hold and what became of our attempts to file it. */
import type { PlainDate } from '../plain-date.ts';

/** HMRC's own word for a return that it expects or has. */
export const OBLIGATION_STATUSES = ['open', 'fulfilled'] as const;
export type ObligationStatus = (typeof OBLIGATION_STATUSES)[number];

/** What became of one attempt to file. */
export const FILING_STATES = ['sending', 'unknown', 'accepted', 'refused', 'not_received'] as const;
export type FilingState = (typeof FILING_STATES)[number];

/** Where HMRC's receipt of a return comes from: its answer, or a later reading where the answer was lost. */
export const RECEIPT_SOURCES = ['answer', 'read_back'] as const;
export type ReceiptSource = (typeof RECEIPT_SOURCES)[number];

/** The newest attempt to file. `lost` = it was being sent by a process that is gone, or for too long: nobody here knows its outcome. */
export type FilingAttempt = { readonly state: FilingState; readonly lost: boolean };

export type ReturnFacts = {
  readonly periodEnd: PlainDate;
  readonly fulfilled: boolean;
  readonly hasFigures: boolean;
  readonly attempt: FilingAttempt | undefined;
};

/**
 * Where a return stands.
 * - `open_running`: the period has not ended. `no_books`: nothing in the books for it. `ready`: can be filed.
 * - `filing`: being sent now. `outcome_unknown`: sent, and HMRC's answer was lost: we find out by reading, never by sending again.
 * - `filed_awaiting_hmrc`: HMRC took it; its list of obligations does not show it yet. `filed`: HMRC shows it filed.
 * - `filed_elsewhere`: HMRC shows it filed, not through us. `refused`: HMRC refused it; nothing was filed.
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

/** The state for `today`; an attempt whose outcome is not known comes before everything else, because a second one must not start. */
export function returnStateOf(facts: ReturnFacts, today: PlainDate): ReturnState {
  const { attempt } = facts;
  if (attempt?.state === 'sending') return attempt.lost ? 'outcome_unknown' : 'filing';
  if (attempt?.state === 'unknown') return 'outcome_unknown';
  if (attempt?.state === 'accepted') return facts.fulfilled ? 'filed' : 'filed_awaiting_hmrc';
  if (facts.fulfilled) return 'filed_elsewhere';
  // The period ends at midnight: HMRC takes the return from the day after (403 TAX_PERIOD_NOT_ENDED before).
  if (facts.periodEnd >= today) return 'open_running';
  if (!facts.hasFigures) return 'no_books';
  return attempt?.state === 'refused' ? 'refused' : 'ready';
}

/** Whether a filing may begin in this state: after a refusal it may, with mended figures or at another time. */
export function mayFile(state: ReturnState): boolean {
  return state === 'ready' || state === 'refused';
}
