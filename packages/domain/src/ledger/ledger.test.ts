import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence, sumPence } from '../money.ts';
import {
  postCredit,
  postMatchedCredit,
  postPayout,
  postReturnedCredit,
  postReturnedPayout,
  postReturnedSurplus,
  postReversedMatch,
  postShortfall,
  postSurplusPayout,
  postWriteOff,
  type LedgerLine,
} from './ledger.ts';

const amount = fc.integer({ min: 1, max: 100_000_000 }).map(pence);
const sumLines = (lines: readonly LedgerLine[]) => sumPence(lines.map((line) => line.amount));
const sumAccount = (lines: readonly LedgerLine[], account: string) =>
  sumPence(lines.filter((line) => line.account === account).map((line) => line.amount));

describe('ledger postings', () => {
  it('sum to zero for any amounts', () => {
    fc.assert(
      fc.property(amount, amount, amount, (fee, net, received) => {
        const payout = { refund: pence(fee + net), fee, net };
        const all = [
          postPayout(payout),
          postReturnedPayout(payout),
          postShortfall(fee),
          postCredit(received),
          postSurplusPayout(received),
          postReturnedSurplus(received),
          postReversedMatch(payout.refund, { receivable: fee, due: net }),
          postWriteOff(fee),
          postMatchedCredit(received, 'due_from_trader'),
          postReturnedCredit(received),
        ];
        for (const lines of all) expect(sumLines(lines)).toBe(0);
      }),
    );
  });

  it('of a payout and its return leave every account unchanged', () => {
    const payout = { refund: pence(1_000_00), fee: pence(10_00), net: pence(990_00) };
    const lines = [...postPayout(payout), ...postReturnedPayout(payout)];
    for (const account of ['cash', 'fee_income', 'refunds_receivable']) expect(sumAccount(lines, account)).toBe(0);
  });

  it('of a payout that does not add up throw before they can be stored', () => {
    expect(() => postPayout({ refund: pence(1_000_00), fee: pence(10_00), net: pence(991_00) })).toThrow(/balance/);
  });

  it('of a match and its reversal leave every account unchanged', () => {
    // HMRC paid £310 of £420, which created a shortfall of £110. Then the match turned out to be wrong.
    const lines = [
      ...postMatchedCredit(pence(310_00), 'refunds_receivable'),
      ...postShortfall(pence(110_00)),
      ...postReversedMatch(pence(310_00), { receivable: pence(420_00), due: pence(-110_00) }),
    ];
    for (const account of ['owed_to_trader', 'refunds_receivable', 'due_from_trader']) expect(sumAccount(lines, account)).toBe(0);
  });
});
