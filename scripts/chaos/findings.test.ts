import { describe, expect, it } from 'vitest';
import { listViolations, type Findings } from './findings.ts';

const PASSING_FINDINGS: Findings = {
  returnsAtHmrc: 1,
  payoutsAtBank: 1,
  paidTwice: 0,
  ledgerDifferencePence: 0,
  postedPence: 3_000,
  refundPence: 1_000,
  receivedPence: 1_000,
  state: 'settled',
};

describe('listViolations', () => {
  it('finds nothing when everything happened exactly once', () => {
    expect(listViolations(PASSING_FINDINGS, { failureReason: undefined })).toEqual([]);
  });

  it.each<[Partial<Findings>, string]>([
    [{ returnsAtHmrc: 0 }, '0 returns at HMRC'],
    [{ returnsAtHmrc: 2 }, '2 returns at HMRC'],
    [{ payoutsAtBank: 2 }, '2 payouts at the bank'],
    [{ paidTwice: 1 }, 'the bank carried out equal payments under different keys'],
    [{ ledgerDifferencePence: -5 }, 'the ledger differs by -5 pence'],
    [{ postedPence: 4_000 }, '4000 pence were posted for a refund of 1000'],
    [{ receivedPence: 0 }, '0 of 1000 pence were received'],
    [{ state: 'paying' }, 'the advance ended paying'],
  ])('reports %o', (changes, sentence) => {
    expect(listViolations({ ...PASSING_FINDINGS, ...changes }, { failureReason: undefined })).toEqual([sentence]);
  });

  it('reports why the trader could not continue', () => {
    expect(listViolations(PASSING_FINDINGS, { failureReason: 'not settled in 60 s' })).toEqual(['not settled in 60 s']);
  });
});
