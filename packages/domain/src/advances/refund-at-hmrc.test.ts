// Tests the facts about a repayment that software can see: docs/reference/hmrc.md section 8 (a credit charge in liabilities whose
// outstandingAmount becomes 0 or absent).
import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { getAdvanceTerms } from './advance-terms.ts';
import { evaluateRefundAtHmrc } from './refund-at-hmrc.ts';

const TODAY = plainDate('2026-11-10');
const REFUND = pence(4_000_00);
const owedCharge = { original: pence(-4_000_00), outstanding: pence(-4_000_00) };

describe('a refund at HMRC', () => {
  it.each([
    ['received yesterday, no charge yet', '2026-11-09', undefined, 'pass'],
    ['received 4 days ago, no charge yet: too early for a repayment', '2026-11-06', undefined, 'pass'],
    ['received 5 days ago, no charge: perhaps repaid to another account already', '2026-11-05', undefined, 'review'],
    ['received 30 days ago, no charge', '2026-10-11', undefined, 'review'],
    ['received yesterday, owed whole', '2026-11-09', owedCharge, 'pass'],
    ['received 30 days ago, owed whole', '2026-10-11', owedCharge, 'pass'],
    ['received 31 days ago, owed whole: an inquiry perhaps', '2026-10-10', owedCharge, 'review'],
    ['received 31 days ago, no charge: repaid as far as anybody can see', '2026-10-10', undefined, 'fail'],
    ['nothing left of it', '2026-11-09', { ...owedCharge, outstanding: pence(0) }, 'fail'],
    ['a part set off', '2026-11-09', { ...owedCharge, outstanding: pence(-3_000_00) }, 'fail'],
    ['cut', '2026-11-09', { original: pence(-3_000_00), outstanding: pence(-3_000_00) }, 'fail'],
    ['raised: a higher figure is not verified either', '2026-11-09', { original: pence(-5_000_00), outstanding: pence(-5_000_00) }, 'fail'],
    ['turned into a debt', '2026-11-09', { original: pence(900_00), outstanding: pence(900_00) }, 'fail'],
    ['not received', undefined, owedCharge, 'fail'],
  ] as const)('%s: %s', (_case, receivedOn, charge, outcome) => {
    const atHmrc = { receivedOn: receivedOn && plainDate(receivedOn), ...(charge ? { charge } : {}) };
    expect(evaluateRefundAtHmrc(REFUND, atHmrc, getAdvanceTerms(TODAY), TODAY).outcome).toBe(outcome);
  });

  it('names both figures when they differ', () => {
    const { finding } = evaluateRefundAtHmrc(
      REFUND,
      { receivedOn: TODAY, charge: { ...owedCharge, outstanding: pence(-3_000_00) } },
      getAdvanceTerms(TODAY),
      TODAY,
    );
    expect(finding).toContain('£3,000.00');
    expect(finding).toContain('£4,000.00');
  });
});
