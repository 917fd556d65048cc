/** An invoice's refunds never exceed it, to the penny. The amounts are calculated by hand. */
import { describe, expect, it } from 'vitest';
import { pence, type Pence } from '../money.ts';
import { calculateRefund, getCreditedAmounts, getRefundableAmounts, type Refund, type RefundChoice, type RefundFacts } from './refund.ts';

/** £64.00 and £9.00 with £14.60 VAT: £87.60. */
const FACTS: RefundFacts = {
  invoice: {
    netPence: pence(73_00),
    vatPence: pence(14_60),
    lines: [
      { description: 'Practice', quantity: 1, amountPence: pence(64_00) },
      { description: 'Extra connections', quantity: 10, amountPence: pence(9_00) },
    ],
  },
  creditedAmounts: { netPence: pence(0), vatPence: pence(0) },
  refunds: [],
  paidPence: pence(87_60),
};
const chooseAmount = (total: number): RefundChoice => ({ kind: 'amount', totalPence: pence(total) });
const chooseLines = (...chosenLines: readonly (readonly [number, number])[]): RefundChoice => ({
  kind: 'lines',
  lines: chosenLines.map(([position, net]) => ({ position, amountPence: pence(net) })),
});
function refund(facts: RefundFacts, choice: RefundChoice): Refund {
  const calculation = calculateRefund(facts, choice);
  if (typeof calculation === 'string') throw new Error(calculation);
  return calculation;
}
const addRefunds = (facts: RefundFacts, ...earlierRefunds: readonly Refund[]): RefundFacts => ({
  ...facts,
  refunds: [...facts.refunds, ...earlierRefunds],
});
const sum = (madeRefunds: readonly Refund[], name: 'netPence' | 'vatPence' | 'totalPence') =>
  madeRefunds.reduce((total, item) => total + item[name], 0);

describe('a refund', () => {
  it('in full is the invoice', () => {
    expect(refund(FACTS, { kind: 'all' })).toEqual({
      netPence: 73_00,
      vatPence: 14_60,
      totalPence: 87_60,
      lines: [
        { position: 0, amountPence: 64_00 },
        { position: 1, amountPence: 9_00 },
      ],
    });
  });

  it('of an amount is a sixth VAT, spread over the lines', () => {
    // £10.00 is £8.33 and £1.67; £8.33 × 64/73 = £7.30.
    expect(refund(FACTS, chooseAmount(10_00))).toEqual({
      netPence: 8_33,
      vatPence: 1_67,
      totalPence: 10_00,
      lines: [
        { position: 0, amountPence: 7_30 },
        { position: 1, amountPence: 1_03 },
      ],
    });
  });

  it('of a line adds its VAT, and leaves the rest of the invoice', () => {
    const first = refund(FACTS, chooseLines([1, 9_00]));
    expect(first).toMatchObject({ netPence: 9_00, vatPence: 1_80, totalPence: 10_80 });
    const laterFacts = addRefunds(FACTS, first);
    expect(getRefundableAmounts(laterFacts)).toEqual({
      totalPence: 76_80,
      lines: [
        { position: 0, amountPence: 64_00 },
        { position: 1, amountPence: 0 },
      ],
    });
    expect(calculateRefund(laterFacts, chooseLines([1, 1]))).toBe('more_than_line');
  });

  it('of a discounted line is at most what was paid for it', () => {
    // 25% off £73.00 is £18.25: £16.00 for the first line and £2.25 for the second.
    const discountedFacts: RefundFacts = {
      ...FACTS,
      invoice: {
        netPence: pence(54_75),
        vatPence: pence(10_95),
        lines: [...FACTS.invoice.lines, { description: 'Promotion code', quantity: null, amountPence: pence(-18_25) }],
      },
      paidPence: pence(65_70),
    };
    expect(getRefundableAmounts(discountedFacts).lines.map(({ amountPence }) => amountPence)).toEqual([48_00, 6_75]);
    expect(calculateRefund(discountedFacts, chooseLines([1, 9_00]))).toBe('more_than_line');
  });

  it.each([7, 3_33, 29_20])('repeated by %i pence adds up to exactly the invoice', (step) => {
    const madeRefunds: Refund[] = [];
    for (
      let remaining = getRefundableAmounts(FACTS).totalPence;
      remaining > 0;
      remaining = getRefundableAmounts(addRefunds(FACTS, ...madeRefunds)).totalPence
    )
      madeRefunds.push(refund(addRefunds(FACTS, ...madeRefunds), chooseAmount(Math.min(step, remaining))));
    expect([sum(madeRefunds, 'netPence'), sum(madeRefunds, 'vatPence'), sum(madeRefunds, 'totalPence')]).toEqual([73_00, 14_60, 87_60]);
    // At every step, VAT is within a penny of one sixth.
    let [total, vat] = [0, 0];
    for (const refund of madeRefunds) {
      total += refund.totalPence;
      vat += refund.vatPence;
      expect(Math.abs(vat - total / 6)).toBeLessThanOrEqual(0.5);
      expect(refund.lines.reduce((net, line) => net + line.amountPence, 0)).toBe(refund.netPence);
    }
  });

  it('by lines, then amounts, then the rest adds up to exactly the invoice', () => {
    const madeRefunds: Refund[] = [];
    for (const choice of [
      chooseLines([0, 1_01], [1, 2_02]),
      chooseAmount(3_33),
      chooseLines([1, 33]),
      chooseAmount(1),
      { kind: 'all' } as const,
    ])
      madeRefunds.push(refund(addRefunds(FACTS, ...madeRefunds), choice));
    expect([sum(madeRefunds, 'netPence'), sum(madeRefunds, 'vatPence')]).toEqual([73_00, 14_60]);
  });

  it.each<[string, RefundFacts, RefundChoice]>([
    ['more_than_left', FACTS, chooseAmount(87_61)],
    ['nothing_chosen', FACTS, chooseAmount(0)],
    ['nothing_chosen', FACTS, chooseLines([0, 0])],
    ['more_than_line', FACTS, chooseLines([0, 64_01])],
    ['more_than_line', FACTS, chooseLines([0, -1])],
    ['more_than_line', FACTS, chooseLines([5, 1])],
    ['more_than_line', FACTS, chooseLines([0, 1], [0, 1])],
    ['nothing_left', { ...FACTS, paidPence: pence(0) }, { kind: 'all' }],
  ])('is rejected as %s', (problem, facts, choice) => {
    expect(calculateRefund(facts, choice)).toBe(problem);
  });

  it('pays back no more than was collected, when a credit paid the rest', () => {
    const facts = { ...FACTS, paidPence: pence(76_80) };
    expect(refund(facts, { kind: 'all' })).toMatchObject({ totalPence: 76_80, netPence: 64_00, vatPence: 12_80 });
  });
});

describe('a credit for later payments', () => {
  const createDocument = (id: string, net: number, correctsId: string | null = null) => ({
    id,
    netPence: pence(net),
    vatPence: pence(net / 5) as Pence,
    correctsId,
  });

  it('reduces what can be paid back of its invoice, and then of the one before', () => {
    const documents = [createDocument('first', 73_00), createDocument('change', 9_00), createDocument('credit', -20_00, 'change')];
    expect(getCreditedAmounts(documents, 'change', [])).toEqual({ netPence: 9_00, vatPence: 1_80 });
    expect(getCreditedAmounts(documents, 'first', [])).toEqual({ netPence: 11_00, vatPence: 2_20 });
    const facts = { ...FACTS, creditedAmounts: getCreditedAmounts(documents, 'first', []) };
    expect(refund(facts, { kind: 'all' })).toMatchObject({ netPence: 62_00, vatPence: 12_40 });
  });

  it('carries over to the previous invoice as far as the one that it names is refunded', () => {
    const documents = [createDocument('first', 100_00), createDocument('change', 20_00), createDocument('credit', -60_00, 'change')];
    const refunds = [{ invoiceId: 'change', netPence: pence(20_00), vatPence: pence(4_00) }];
    expect(getCreditedAmounts(documents, 'change', refunds)).toEqual({ netPence: 0, vatPence: 0 });
    expect(getCreditedAmounts(documents, 'first', refunds)).toEqual({ netPence: 60_00, vatPence: 12_00 });
  });
});
