import { describe, expect, it } from 'vitest';
import { ADVANCE_STATES } from '../advances/advance-states.ts';
import { plainDate } from '../plain-date.ts';
import { getLastShownDay, getProposalStage, isAnswerable, isFinalStage, type ProposalFacts } from './proposal-stage.ts';

const NEW: ProposalFacts = {
  proposedOn: plainDate('2026-03-01'),
  isSeen: false,
  isStarted: false,
  endedAs: null,
  advanceState: null,
  reached: null,
};
const MARCH_31 = plainDate('2026-03-31');
const APRIL_1 = plainDate('2026-04-01');

describe('the stage of a proposed early refund', () => {
  it('expires after 30 days only if no one has started', () => {
    expect(getProposalStage(NEW, MARCH_31)).toBe('proposed');
    expect(getProposalStage({ ...NEW, isSeen: true }, MARCH_31)).toBe('seen');
    expect(getProposalStage({ ...NEW, isSeen: true }, APRIL_1)).toBe('expired');
    expect(getProposalStage({ ...NEW, isStarted: true }, APRIL_1)).toBe('started');
  });

  it('stays at what was reached when the client’s company is no longer found', () => {
    const soldProposal = { ...NEW, isStarted: true, reached: 'paid' } as const;
    expect(getProposalStage(soldProposal, APRIL_1)).toBe('paid');
    expect(isAnswerable(getProposalStage(soldProposal, APRIL_1))).toBe(false);
  });

  it('keeps a user’s decision, whatever the advance does later', () => {
    const startedFacts = { ...NEW, isStarted: true, advanceState: 'paid' } as const;
    for (const endedAs of ['declined', 'withdrawn'] as const) expect(getProposalStage({ ...startedFacts, endedAs }, APRIL_1)).toBe(endedAs);
    expect(getProposalStage({ ...startedFacts, endedAs: 'replaced' }, APRIL_1)).toBe('ended');
  });

  it('can be declined or withdrawn exactly until an offer is accepted, in every state of the advance', () => {
    const answerableStates = ADVANCE_STATES.filter((advanceState) =>
      isAnswerable(getProposalStage({ ...NEW, isStarted: true, advanceState }, MARCH_31)),
    );
    expect(answerableStates).toEqual(['quoted', 'expired']);
    const finishedStates = ADVANCE_STATES.filter((advanceState) =>
      isFinalStage(getProposalStage({ ...NEW, isStarted: true, advanceState }, MARCH_31)),
    );
    expect(finishedStates).toEqual(['declined', 'withdrawn']);
  });
});

describe('the client’s card', () => {
  const [STARTED_ON, ACCEPTED_ON, PAID_ON, SETTLED_ON] = ['2026-01-01', '2026-01-03', '2026-01-05', '2026-02-01'].map(plainDate);
  const facts = { startedOn: STARTED_ON ?? null, acceptedOn: ACCEPTED_ON ?? null, paidOn: PAID_ON ?? null, settledOn: SETTLED_ON ?? null };
  const unknownFacts = { ...facts, acceptedOn: null, paidOn: null, settledOn: null };

  it.each([
    ['stays while it is open', { ...facts, stage: 'started' }, null],
    ['stays for 30 days after it was settled', { ...facts, stage: 'settled' }, '2026-03-03'],
    ['stays for 90 days after it was paid, if it never settles', { ...facts, settledOn: null, stage: 'paid' }, '2026-04-05'],
    ['counts from the start if the company is no longer linked', { ...unknownFacts, stage: 'paid' }, '2026-04-01'],
  ] as const)('%s', (_case, shownStage, last) => {
    expect(getLastShownDay(shownStage)).toBe(last);
  });
});
