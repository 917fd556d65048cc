import { describe, expect, it } from 'vitest';
import { priceRefund, type Price } from '../advances/price-refund.ts';
import type { AdvanceState } from '../advances/advance-states.ts';
import { toInstant } from '../clock.ts';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import type { ReturnState } from '../vat-returns/return-state.ts';
import { listCompanyTasks, type CompanyTaskFacts } from './list-company-tasks.ts';

const REFUND = pence(13_008_90);
const price = priceRefund(REFUND, 100, pence(5_00)) as Price;

const NOTHING_TO_DO: CompanyTaskFacts = {
  today: plainDate('2026-11-10'),
  hmrc: 'connected',
  permissionEndsAt: null,
  hasBooks: true,
  filingSoftware: undefined,
  hasBankAccount: true,
  returns: [],
  advance: undefined,
  differences: [],
};

const createReturn = (state: ReturnState, overrides: Partial<CompanyTaskFacts['returns'][number]> = {}) => ({
  obligation_id: `return-${state}`,
  period_end: plainDate('2026-09-30'),
  due_on: plainDate('2026-11-13'),
  state,
  overdue: false,
  estimate: { direction: 'repayment' as const, box5: REFUND },
  price,
  ...overrides,
});

const advanceWith = (
  state: AdvanceState,
  eligible = true,
  warning: NonNullable<CompanyTaskFacts['advance']>['warning'] = null,
): NonNullable<CompanyTaskFacts['advance']> => ({
  obligation_id: 'return-filed',
  state,
  eligible,
  price,
  needsFacts: false,
  validUntil: toInstant(Date.parse('2026-11-17T09:00:00Z')),
  needsConfirmation: true,
  warning,
});

const list = (facts: Partial<CompanyTaskFacts>) => listCompanyTasks({ ...NOTHING_TO_DO, ...facts });

describe('the tasks of a company', () => {
  it('are empty when nothing is left to do', () => {
    expect(list({ returns: [createReturn('filed'), createReturn('open_running')], advance: advanceWith('settled') })).toEqual([]);
  });

  it('join filing and the early refund', () => {
    expect(list({ returns: [createReturn('ready')] })).toMatchObject([
      {
        kind: 'file_return',
        level: 'to_do',
        title: 'File your VAT return to 30 September 2026',
        why: 'HMRC owes you £13,008.90. File now and you could get £12,878.81 early, usually within 24 hours of our checks.',
        due_on: '2026-11-13',
        working_days_left: 3,
        refund: { refund: 13_008_90, net: 12_878_81 },
      },
    ]);
  });

  it.each([
    ['payment', 'You owe HMRC £13,008.90. Your payment must reach HMRC by 13 November 2026.'],
    ['nil', 'There’s nothing to pay or reclaim, but HMRC still expects the return.'],
  ] as const)('say who pays for a return with a %s', (direction, explanation) => {
    expect(list({ returns: [createReturn('ready', { estimate: { direction, box5: REFUND }, price: null })] })[0]?.why).toBe(explanation);
  });

  it('begin with problems, then go by deadline', () => {
    const tasks = list({
      hasBankAccount: false,
      returns: [
        createReturn('ready'),
        createReturn('no_books', { overdue: true, due_on: plainDate('2026-08-07') }),
        createReturn('refused'),
      ],
      advance: advanceWith('quoted'),
    });
    expect(tasks.map(({ kind }) => kind)).toEqual([
      'add_books_for_period',
      'fix_return',
      'file_return',
      'accept_offer',
      'add_bank_account',
    ]);
  });

  it.each([
    ['not_connected', 'Connect HMRC', 'to_do'],
    ['declined', 'Connect HMRC', 'to_do'],
    ['lapsed', 'Connect HMRC again', 'problem'],
  ] as const)('include the connection that is %s', (hmrc, title, level) => {
    expect(list({ hmrc })).toMatchObject([{ title, level, page: 'linkHmrcAccount' }]);
  });

  it('ask for books, or for filing in the software that has the books', () => {
    expect(list({ hasBooks: false }).map(({ kind }) => kind)).toEqual(['add_books']);
    const foundTasks = list({ hasBooks: false, filingSoftware: 'FreeAgent', returns: [createReturn('no_books')] });
    expect(foundTasks.map(({ title }) => title)).toEqual(['File your VAT return to 30 September 2026 with FreeAgent']);
  });

  it.each([
    ['quoted', true, 'Get £12,878.81 early'],
    ['quoted', false, 'Fix what’s holding up your offer'],
    ['accepted', true, 'Tell HMRC to repay into your collection account'],
    ['payout_failed', true, 'Check your bank account'],
    ['shortfall', true, 'HMRC repaid less than you claimed'],
    ['collecting', true, 'HMRC repaid less than you claimed'],
  ] as const)('include an advance that is %s (eligible: %s)', (state, eligible, title) => {
    expect(list({ advance: advanceWith(state, eligible) }).map((task) => task.title)).toEqual([title]);
  });

  it.each([
    ['question', 'Reply to HMRC’s question'],
    ['late', 'HMRC is late with your refund'],
    ['reduced', 'HMRC may repay less than you claimed'],
    ['mandate_failed', 'Set up your Direct Debit again'],
  ] as const)('begin with a refund that HMRC may not repay as expected: %s', (warning, title) => {
    const tasks = list({ returns: [createReturn('ready')], advance: advanceWith('awaiting_hmrc', true, warning) });
    expect(tasks.map((task) => [task.level, task.title])).toEqual([
      ['problem', title],
      ['to_do', 'File your VAT return to 30 September 2026'],
    ]);
    expect(list({ advance: advanceWith('settled', true, warning) })).toEqual([]);
  });

  it('include a difference on an earlier refund, whatever the newest one needs', () => {
    const differences = [
      { obligation_id: 'return-filed', state: 'shortfall', refund: REFUND },
      { obligation_id: 'earlier', state: 'collecting', refund: REFUND },
    ] as const;
    const listShown = (facts: Partial<CompanyTaskFacts>) => list(facts).map(({ kind, obligation_id }) => [kind, obligation_id]);
    expect(listShown({ differences, advance: advanceWith('quoted') })).toEqual([
      ['shortfall', 'earlier'],
      ['accept_offer', 'return-filed'],
    ]);
    expect(listShown({ differences, advance: advanceWith('shortfall') })).toEqual([
      ['shortfall', 'earlier'],
      ['shortfall', 'return-filed'],
    ]);
    expect(listShown({ differences })).toHaveLength(2);
  });

  it('leave out a repayment that only an operator can look for', () => {
    expect(list({ advance: advanceWith('awaiting_hmrc', true, 'cleared') })).toEqual([]);
  });

  it.each(['paid', 'awaiting_hmrc', 'settled', 'withdrawn', 'declined'] as const)('include no advance that is %s', (state) => {
    expect(list({ advance: advanceWith(state) })).toEqual([]);
  });
});
