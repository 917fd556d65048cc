import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { parsePlainDate } from '../plain-date.ts';
import { containsReference, getCollectionReference } from './collection-reference.ts';
import { findCreditProblem, matchCredit, type MatchCandidate } from './match-credit.ts';

const juneCandidate: MatchCandidate = { id: 'june', state: 'awaiting_hmrc', outstanding: pence(1_000), reference: '123456789 2606' };
const septemberCandidate: MatchCandidate = {
  id: 'september',
  state: 'awaiting_hmrc',
  outstanding: pence(2_000),
  reference: '123456789 2609',
};
const owingCandidate: MatchCandidate = { id: 'owing', state: 'collecting', outstanding: pence(300), reference: '123456789 2603' };

const createCredit = (amount: number, remitter: string, reference = '') => ({ amount: pence(amount), remitter, reference });

describe('matching a credit', () => {
  it.each([
    ['the exact amount, from anyone', createCredit(1_000, 'Bacs 12'), [juneCandidate, septemberCandidate], 'june'],
    ['the exact rest of a shortfall', createCredit(300, 'Tess Exports'), [juneCandidate, owingCandidate], 'owing'],
    ['HMRC paid less, and one refund waits', createCredit(900, 'HMRC VAT', '123456789'), [juneCandidate, owingCandidate], 'june'],
    ['HMRC paid interest on top', createCredit(1_007, 'HM Revenue & Customs', '123456789'), [juneCandidate], 'june'],
    [
      'part of a shortfall with its reference',
      createCredit(100, 'Tess Exports', '123456789-2603'),
      [juneCandidate, owingCandidate],
      'owing',
    ],
    [
      'the reference decides between two advances',
      createCredit(1_000, 'Tess', '1234567892609'),
      [juneCandidate, { ...septemberCandidate, outstanding: pence(1_000) }],
      'september',
    ],
  ] as const)('%s', (_name, receivedAmount, candidates, advanceId) => {
    expect(matchCredit(receivedAmount, candidates, [])).toEqual({ advanceId });
  });

  it.each([
    ['nothing waits', createCredit(1_000, 'HMRC VAT'), [], [], /no advance awaiting payment/],
    [
      'two advances wait for the same amount',
      createCredit(1_000, 'HMRC VAT', '123456789'),
      [juneCandidate, { ...septemberCandidate, outstanding: pence(1_000) }],
      [],
      /2 advances/,
    ],
    ['another credit of the same amount is held', createCredit(1_000, 'HMRC VAT'), [juneCandidate], [pence(1_000)], /same amount/],
    ['a stranger paid less than the refund', createCredit(999, 'Somebody Ltd'), [juneCandidate], [], /Neither/],
    ['a stranger knows the reference and pays a penny', createCredit(1, 'Somebody Ltd', '123456789 2606'), [juneCandidate], [], /Neither/],
    ['a name that only holds the letters is not HMRC', createCredit(999, 'Benchmrc Ltd'), [juneCandidate], [], /Neither/],
    ['a company with HMRC in its name paid less', createCredit(999, 'HMRC Refund Partners Ltd'), [juneCandidate], [], /Neither/],
    ['a stranger paid more than the refund', createCredit(5_000, 'Somebody Ltd'), [juneCandidate], [], /Neither/],
    [
      'HMRC paid an amount that fits neither of two refunds',
      createCredit(900, 'HMRC VAT', '123456789'),
      [juneCandidate, septemberCandidate],
      [],
      /2 refunds/,
    ],
    ['HMRC paid, but only a shortfall is open', createCredit(900, 'HMRC VAT'), [owingCandidate], [], /isn’t waiting for a refund/],
  ] as const)('is left to an operator when %s', (_name, receivedAmount, candidates, held, problem) => {
    expect(matchCredit(receivedAmount, candidates, held)).toEqual({ problem: expect.stringMatching(problem) });
  });

  const marchRefund = { amount: pence(700), reference: '123456789 2603', shortfallReference: 'VR4K7M2Q9D' };
  it.each([
    ['nothing else waits', createCredit(700, 'HMRC VAT', '123456789'), [], /We wrote off £7\.00/],
    ['a stranger pays and nothing else waits', createCredit(50, 'Somebody Ltd'), [], /We wrote off £7\.00/],
    [
      'it names the case',
      createCredit(50, 'Tess Exports', 'vr4k 7m2q 9d'),
      [juneCandidate],
      /refers to a refund for which we wrote off £7\.00/,
    ],
    ['it names the period', createCredit(1_000, 'Tess Exports', '123456789-2603'), [juneCandidate], /refers to a refund/],
    [
      'both fit to the penny',
      createCredit(700, 'HMRC VAT', '123456789'),
      [{ ...juneCandidate, outstanding: pence(700) }],
      /exactly £7\.00/,
    ],
    // Otherwise the trader would owe the difference on a refund that HMRC hasn't repaid yet.
    ['HMRC paid less than the refund that waits', createCredit(900, 'HMRC VAT', '123456789'), [juneCandidate], /We wrote off £7\.00/],
    // Otherwise the excess would be paid to the trader.
    ['HMRC paid more than the refund that waits', createCredit(1_700, 'HMRC VAT', '123456789'), [juneCandidate], /We wrote off £7\.00/],
  ] as const)('is left to an operator after a write-off when %s', (_name, receivedAmount, candidates, problem) => {
    expect(matchCredit(receivedAmount, candidates, [], [marchRefund])).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('still matches what fits another refund to the penny, or names it, after a write-off', () => {
    expect(matchCredit(createCredit(1_000, 'HMRC VAT', '123456789'), [juneCandidate], [], [marchRefund])).toEqual({ advanceId: 'june' });
    expect(
      matchCredit(createCredit(100, 'Tess', '123456789 2603'), [{ ...owingCandidate, reference: '123456789 2603' }], [], [marchRefund]),
    ).toEqual({
      advanceId: 'owing',
    });
  });

  it('posts only pounds above zero', () => {
    expect(findCreditProblem({ amount: pence(1), currency: 'GBP' })).toBeUndefined();
    expect(findCreditProblem({ amount: pence(1_000), currency: 'EUR' })).toContain('EUR');
    expect(findCreditProblem({ amount: pence(0), currency: 'GBP' })).toContain('above zero');
    expect(findCreditProblem({ amount: pence(-5), currency: 'GBP' })).toContain('above zero');
  });
});

describe('the payment reference of an advance', () => {
  it('fits a Faster Payment and survives how banks change it', () => {
    const periodEnd = parsePlainDate('2026-09-30');
    const reference = periodEnd ? getCollectionReference('123456789', periodEnd) : '';
    expect(reference).toBe('123456789 2609');
    expect(reference.length).toBeLessThanOrEqual(18);
    for (const writtenReference of ['1234567892609', 'ref 123456789-2609', '123456789/2609 TESS'])
      expect(containsReference(writtenReference, reference)).toBe(true);
    for (const otherReference of ['123456789', '123456789 2606', '']) expect(containsReference(otherReference, reference)).toBe(false);
  });
});
