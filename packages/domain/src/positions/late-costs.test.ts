// Penalties based on an unknown amount of tax: FA 1998 Sch 18 para 18 (CTM94060), FA 2009 Sch 55 paras 5 and 6.
import { describe, expect, it } from 'vitest';
import { toInstant } from '../clock.ts';
import { plainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { TaxFacts } from './tax-facts.ts';
import { calculatePosition } from './calculate-position.ts';

const AT = toInstant(Date.parse('2026-11-10T08:00:00Z'));

function createLateReturn(tax: Tax, end: string, due: string, today: string) {
  const start = plainDate('2024-04-06');
  const facts: TaxFacts = {
    obligations: {
      source: 'statement',
      asOf: AT,
      facts: [{ kind: 'return', start, end: plainDate(end), due: plainDate(due), status: 'open' }],
    },
  };
  return calculatePosition(tax, facts, plainDate(today)).detail.late;
}

describe('the penalty for a late return', () => {
  it.each([
    // 31 December 2024 + 18 months = 30 June 2026; due 31 December 2025, more than three months late: 200 pounds in both cases.
    { tax: 'ct', end: '2024-12-31', due: '2025-12-31', today: '2026-06-30', pence: 20_000, because: null },
    {
      tax: 'ct',
      end: '2024-12-31',
      due: '2025-12-31',
      today: '2026-07-01',
      pence: 20_000,
      because: '10% or 20% of tax unpaid 18 months after the end of the period, for a company tax return',
    },
    // Due 31 January 2026: 100 pounds plus 90 days at 10 pounds; from 1 August 2026 at least another 300.
    { tax: 'sa', end: '2025-04-05', due: '2026-01-31', today: '2026-07-31', pence: 100_000, because: null },
    {
      tax: 'sa',
      end: '2025-04-05',
      due: '2026-01-31',
      today: '2026-08-01',
      pence: 130_000,
      because: '5% of the tax due on a return over 6 months late, if that’s more than £300',
    },
  ] as const)(
    'of $tax on $today is an estimate only where the unknown tax would increase it',
    ({ tax, end, due, today, pence, because }) => {
      expect(createLateReturn(tax, end, due, today)).toMatchObject({
        late_submission_pence: pence,
        is_estimate: because !== null,
        estimate_reason: because,
      });
    },
  );
});

// A return due on or after 1 April 2026 costs 200 pounds, or 1,000 from the third failure in a row (FA 1998 Sch 18 para 17; CTM94050;
// policy paper of 26 November 2025).
describe('the penalty for a company’s third late return in a row', () => {
  const createYear = (end: string, due: string, receivedOn?: string) => ({
    kind: 'return' as const,
    start: plainDate(`${end.slice(0, 4)}-01-01`),
    end: plainDate(end),
    due: plainDate(due),
    ...(receivedOn === undefined ? { status: 'open' as const } : { status: 'fulfilled' as const, received: plainDate(receivedOn) }),
  });
  const getPenaltyAfter = (before: readonly ReturnType<typeof createYear>[]) =>
    calculatePosition(
      'ct',
      { obligations: { source: 'statement', asOf: AT, facts: [...before, createYear('2025-12-31', '2026-12-31')] } },
      plainDate('2027-02-01'),
    ).detail.late.late_submission_pence;

  it.each([
    {
      before: 'two late ones',
      returns: [createYear('2023-12-31', '2024-12-31', '2025-02-01'), createYear('2024-12-31', '2025-12-31', '2026-01-01')],
      pence: 100_000,
    },
    { before: 'one late one', returns: [createYear('2024-12-31', '2025-12-31', '2026-01-01')], pence: 20_000 },
    {
      before: 'one in time between',
      returns: [createYear('2023-12-31', '2024-12-31', '2025-02-01'), createYear('2024-12-31', '2025-12-31', '2025-12-31')],
      pence: 20_000,
    },
  ])('after $before is $pence pence', ({ returns, pence }) => {
    expect(getPenaltyAfter(returns)).toBe(pence);
  });
});
