import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { canFile, getReturnState, type FilingAttempt, type ReturnState } from './return-state.ts';

const TODAY = plainDate('2026-11-10');
const ENDED = plainDate('2026-10-31');

type StateRow = [
  what: string,
  facts: { fulfilled?: boolean; hasFigures?: boolean; periodEnd?: string; attempt?: FilingAttempt },
  state: ReturnState,
];

describe('the status of a VAT return', () => {
  it.each<StateRow>([
    ['its period runs to today', { periodEnd: '2026-11-10' }, 'open_running'],
    ['its period ended yesterday and the books have it', { periodEnd: '2026-11-09' }, 'ready'],
    ['the books hold nothing for it', { hasFigures: false }, 'no_books'],
    ['it is being sent', { attempt: { state: 'sending', lost: false } }, 'filing'],
    ['the process that sent it is gone', { attempt: { state: 'sending', lost: true } }, 'outcome_unknown'],
    ['the answer was lost', { attempt: { state: 'unknown', lost: false } }, 'outcome_unknown'],
    ['the answer was lost and HMRC shows it filed', { fulfilled: true, attempt: { state: 'unknown', lost: false } }, 'outcome_unknown'],
    ['HMRC took it and does not show it yet', { attempt: { state: 'accepted', lost: false } }, 'filed_awaiting_hmrc'],
    ['HMRC took it and shows it', { fulfilled: true, attempt: { state: 'accepted', lost: false } }, 'filed'],
    ['HMRC shows it filed without us', { fulfilled: true }, 'filed_elsewhere'],
    ['HMRC refused it', { attempt: { state: 'refused', lost: false } }, 'refused'],
    ['HMRC never received it', { attempt: { state: 'not_received', lost: false } }, 'ready'],
  ])('when %s', (_case, { fulfilled = false, hasFigures = true, periodEnd = ENDED, attempt }, state) => {
    expect(getReturnState({ periodEnd: plainDate(periodEnd), fulfilled, hasFigures, attempt }, TODAY)).toBe(state);
  });

  it('allows filing only when no filing is under way or done', () => {
    const states: ReturnState[] = [
      'ready',
      'refused',
      'filing',
      'outcome_unknown',
      'filed',
      'filed_awaiting_hmrc',
      'filed_elsewhere',
      'open_running',
      'no_books',
    ];
    expect(states.filter(canFile)).toEqual(['ready', 'refused']);
  });
});
