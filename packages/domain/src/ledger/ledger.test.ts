import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence, sumPence } from '../money.ts';
import {
  postMatchedCredit,
  postPayout,
  postRepayment,
  postReturnedCredit,
  postReturnedPayout,
  postShortfall,
  postUnmatchedCredit,
  postWriteOff,
  type LedgerLine,
} from './ledger.ts';

const amount = fc.integer({ min: 1, max: 100_000_000 }).map(pence);
const total = (lines: readonly LedgerLine[]) => sumPence(lines.map((line) => line.amount));
const sumOn = (lines: readonly LedgerLine[], account: string) =>
  sumPence(lines.filter((line) => line.account === account).map((line) => line.amount));

describe('ledger postings', () => {
  it('sum to zero for any amounts', () => {
    fc.assert(
      fc.property(amount, amount, amount, (fee, net, received) => {
        const payout = { refund: pence(fee + net), fee, net };
        const all = [
          postPayout(payout),
          postReturnedPayout(payout),
          postRepayment({ received, receivable: payout.refund }),
          postShortfall(fee),
          postUnmatchedCredit(received),
          postWriteOff(fee),
          postMatchedCredit(received, 'due_from_trader'),
          postReturnedCredit(received),
        ];
        for (const lines of all) expect(total(lines)).toBe(0);
      }),
    );
  });

  it('of a payout and its return leave every account unchanged', () => {
    const payout = { refund: pence(1_000_00), fee: pence(10_00), net: pence(990_00) };
    const lines = [...postPayout(payout), ...postReturnedPayout(payout)];
    for (const account of ['cash', 'fee_income', 'refunds_receivable']) expect(sumOn(lines, account)).toBe(0);
  });

  it('of a payout that does not add up throw before they can be stored', () => {
    expect(() => postPayout({ refund: pence(1_000_00), fee: pence(10_00), net: pence(991_00) })).toThrow(/balance/);
  });

  it('of a repayment with interest credit the excess over the refund to the trader', () => {
    const lines = postRepayment({ received: pence(1_003_50), receivable: pence(1_000_00) });
    expect(sumOn(lines, 'refunds_receivable')).toBe(-1_000_00);
    expect(sumOn(lines, 'owed_to_trader')).toBe(-3_50);
  });
});
