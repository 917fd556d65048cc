import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { SHORTFALL_CAUSES } from './infer-cause.ts';
import { getNextAction, OPEN_SHORTFALL_STATUSES, type NextActionFacts } from './shortfall-status.ts';

const FACTS: NextActionFacts = {
  status: 'watching',
  cause: 'late',
  openedOn: plainDate('2026-12-01'),
  refreshedOn: undefined,
  suspected: pence(0),
  refund: pence(400_000),
  next: undefined,
  directDebit: undefined,
  isWriteOffRequested: false,
  undecided: pence(0),
};
const DUE = { amount: pence(100_000), dueOn: plainDate('2026-12-15') };
const getAction = (changes: Partial<NextActionFacts>, today = '2026-12-02') => getNextAction({ ...FACTS, ...changes }, plainDate(today));

describe('the next action on a shortfall', () => {
  it.each([
    ['the trader refreshes first when HMRC is late', {}, undefined, 'trader', 'refresh'],
    ['we call once the trader has refreshed', { refreshedOn: plainDate('2026-12-01') }, undefined, 'us', 'Call the trader'],
    ['then we call', {}, '2026-12-09', 'us', 'Call the trader'],
    ['HMRC repays the reduced refund', { cause: 'reduced', suspected: pence(100_000) }, undefined, 'hmrc', '£1,000.00'],
    ['we check a refused refund', { cause: 'reduced', suspected: pence(400_000) }, undefined, 'us', 'claim £4,000.00'],
    ['we ask where the money went', { cause: 'cleared' }, undefined, 'us', 'Ask the trader'],
    ['the trader renews a mandate', { cause: 'mandate_failed' }, undefined, 'trader', 'Direct Debit again'],
    ['the trader pays', { status: 'due', next: DUE }, undefined, 'trader', 'Pay £1,000.00'],
    ['we call once it is overdue', { status: 'due', next: DUE }, '2026-12-16', 'us', 'was due on 15 December 2026'],
    [
      'we check a payment that may be for it',
      { status: 'due', next: DUE, undecided: DUE.amount },
      '2026-12-16',
      'us',
      'payment that we received',
    ],
    [
      'the bank collects',
      { status: 'due', next: DUE, directDebit: { amount: DUE.amount, chargeOn: DUE.dueOn } },
      undefined,
      'bank',
      'Collect',
    ],
    ['we answer a dispute', { status: 'disputed', next: DUE }, undefined, 'us', 'dispute'],
    ['a second person decides on a write-off', { status: 'due', next: DUE, isWriteOffRequested: true }, undefined, 'us', 'Approve'],
  ] as const)('is that %s', (_case, changes, today, actor, text) => {
    const action = getAction(changes, today);
    expect(action?.by).toBe(actor);
    expect(action?.text).toContain(text);
  });

  it('exists for every open case, whatever the cause', () => {
    for (const status of OPEN_SHORTFALL_STATUSES) {
      for (const cause of SHORTFALL_CAUSES) expect(getAction({ status, cause })?.text).not.toBe('');
    }
  });

  it.each(['settled', 'written_off', 'closed'] as const)('is none once the case is %s', (status) => {
    expect(getAction({ status })).toBeNull();
  });
});
