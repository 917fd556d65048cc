// Tests that the totals of a PAYE year say what they don't include: an unknown month isn't nil.
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { describePayeYear } from './paye-months.tsx';

const createMonth = (chargedAmount: number | null) => ({
  month: 1,
  start: plainDate('2026-04-06'),
  end: plainDate('2026-05-05'),
  due_on: plainDate('2026-05-22'),
  charged_pence: chargedAmount === null ? null : pence(chargedAmount),
  outstanding_pence: chargedAmount === null ? null : pence(0),
  source: 'statement' as const,
  as_of: null,
});
const year = { client_id: 'c', others: [], charged_pence: pence(12_000), outstanding_pence: pence(2_000) };

it('names months without a known amount beside the sums', () => {
  const text = '£120.00 charged in the year, £20.00 of it outstanding.';
  expect(describePayeYear({ ...year, months: [createMonth(12_000)] })).toBe(text);
  expect(describePayeYear({ ...year, months: [createMonth(12_000), createMonth(null)] })).toBe(
    `${text} Excludes months whose amounts aren’t known.`,
  );
  expect(describePayeYear({ ...year, charged_pence: null, outstanding_pence: null, months: [createMonth(null)] })).toMatch(
    /^No amounts are known/,
  );
});
