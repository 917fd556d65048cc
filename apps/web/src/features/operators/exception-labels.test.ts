import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import {
  describeAllocations,
  describeEffects,
  describeOutstanding,
  type AllocationTarget,
  type CompanyCredit,
} from './exception-labels.ts';

const ADVANCE = '01890000-0000-7000-8000-000000000003';
const CREDIT: CompanyCredit = {
  credit_id: '01890000-0000-7000-8000-000000000002',
  amount_pence: pence(100_000),
  currency: 'GBP',
  remitter: 'HMRC VAT',
  reference: '123456789',
  received_at: toInstant(Date.UTC(2026, 10, 20)),
  returned_at: null,
  returned_pence: pence(0),
  allocations: [],
  unallocated_pence: pence(100_000),
  awaits_approval: false,
};
const WRITTEN_OFF: AllocationTarget = {
  advance_id: ADVANCE,
  period_start: plainDate('2026-07-01'),
  period_end: plainDate('2026-09-30'),
  state: 'written_off',
  refund_pence: pence(400_000),
  outstanding_pence: pence(130_000),
  written_off_pence: pence(130_000),
};

describe('what a payment pays', () => {
  it('names the refund by its period', () => {
    const credit = { ...CREDIT, allocations: [{ advance_id: ADVANCE, amount_pence: pence(100_000), recovered_pence: pence(0) }] };
    expect(describeAllocations({ credits: [credit], targets: [WRITTEN_OFF] }, credit.credit_id)).toBe(
      '£1,000.00 to the refund for 1 July to 30 September 2026',
    );
  });
});

describe('a payment for a refund that was written off', () => {
  it('says what it does to the write-off before anything is requested', () => {
    expect(describeOutstanding(WRITTEN_OFF, CREDIT)).toBe('£1,300.00 written off. Matching a payment to it reverses the write-off.');
    expect(describeEffects(CREDIT, [WRITTEN_OFF], { [ADVANCE]: pence(100_000) })).toEqual([
      'Refund for 1 July to 30 September 2026: £300.00 stays written off.',
    ]);
    expect(describeEffects(CREDIT, [WRITTEN_OFF], { [ADVANCE]: pence(130_000) })[0]).toBe(
      'Refund for 1 July to 30 September 2026: settled.',
    );
  });

  it('says that reversing the match writes the difference off again, not that the trader owes it', () => {
    const matchedCredit = {
      ...CREDIT,
      allocations: [{ advance_id: ADVANCE, amount_pence: pence(100_000), recovered_pence: pence(100_000) }],
    };
    const target = { ...WRITTEN_OFF, outstanding_pence: pence(30_000), written_off_pence: pence(30_000) };
    expect(describeEffects(matchedCredit, [target], {})[0]).toBe('Refund for 1 July to 30 September 2026: £1,300.00 is written off again.');
  });
});

it('says what the trader will still owe of a shortfall', () => {
  const owingTarget = { ...WRITTEN_OFF, state: 'shortfall' as const, written_off_pence: pence(0) };
  expect(describeOutstanding(owingTarget, CREDIT)).toBe('£1,300.00 outstanding.');
  expect(describeEffects(CREDIT, [owingTarget], { [ADVANCE]: pence(100_000) })).toEqual([
    'Refund for 1 July to 30 September 2026: the trader will still owe £300.00.',
  ]);
});
