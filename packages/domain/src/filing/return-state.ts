/** Where a VAT return stands, from what HMRC said, what the books hold and what became of our attempts to file it. */
import type { PlainDate } from '../plain-date.ts';

/** The newest attempt to file. `lost` = it was being sent by a process that is gone, or for too long: nobody here knows its outcome. */
export type FilingAttempt = { readonly state: 'sending' | 'unknown' | 'accepted' | 'refused' | 'not_received'; readonly lost: boolean };

export type ReturnFacts = {
  readonly periodEnd: PlainDate;
  readonly fulfilled: boolean;
  readonly hasFigures: boolean;
  readonly attempt: FilingAttempt | undefined;
};

export type ReturnState =
  | 'open_running'
  | 'no_books'
  | 'ready'
  | 'filing'
  | 'outcome_unknown'
  | 'filed_awaiting_hmrc'
  | 'filed'
  | 'filed_elsewhere'
  | 'refused';

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
