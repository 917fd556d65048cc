/** The comment next to each expectation shows the calculation; the rules themselves are tested with their sources in uk-tax. */
import { describe, expect, it } from 'vitest';
import { toInstant } from '../clock.ts';
import { pence, ZERO } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ChargeFact, ObligationFact, TaxFacts } from './tax-facts.ts';
import { calculatePosition } from './calculate-position.ts';
import type { Position } from './position.ts';

const TODAY = plainDate('2026-11-10');
const AT = toInstant(Date.parse('2026-11-10T08:00:00Z'));
const createHmrcFacts = <Facts>(facts: Facts) => ({ source: 'hmrc' as const, asOf: AT, facts });
const createStatementFacts = <Facts>(facts: Facts) => ({ source: 'statement' as const, asOf: AT, facts });
const createPeriod = (start: string, end: string) => ({ start: plainDate(start), end: plainDate(end) });
const QUARTER = createPeriod('2026-04-01', '2026-06-30');
const NEXT_QUARTER = createPeriod('2026-07-01', '2026-09-30');

function createCharge(pounds: number, due: string | undefined, overrides: Partial<ChargeFact> = {}): ChargeFact {
  const amount = pence(pounds * 100);
  return { title: 'A charge', kind: 'tax', original: amount, outstanding: amount, ...(due ? { due: plainDate(due) } : {}), ...overrides };
}

function createVatReturn(start: string, end: string, due: string, overrides: Partial<ObligationFact> = {}): ObligationFact {
  return { kind: 'return', ...createPeriod(start, end), due: plainDate(due), status: 'open', ...overrides };
}

function listFigures(position: Position) {
  const { owed, overdue, overdueSince, refund, overdueReturns, penalty, interest } = position;
  return { owed, overdue, overdueSince, refund, overdueReturns, penalty, interest };
}
const NOTHING = { owed: ZERO, overdue: ZERO, overdueSince: null, refund: ZERO, overdueReturns: 0, penalty: ZERO, interest: ZERO };

type PositionCase = {
  readonly name: string;
  readonly tax: Tax;
  readonly facts: TaxFacts;
  readonly expected: Partial<ReturnType<typeof listFigures>>;
};
const CASES: readonly PositionCase[] = [
  { name: 'nothing is known', tax: 'vat', facts: {}, expected: {} },
  {
    // 95 days late: 1,000 x 7.75% x 95/365 = 20.17; 3% + 3% + 1,000 x 10% x 65/365 = 30 + 30 + 17.81.
    name: 'VAT is 95 days late',
    tax: 'vat',
    facts: { charges: createHmrcFacts([createCharge(1000, '2026-08-07', { period: QUARTER })]) },
    expected: {
      owed: pence(100_000),
      overdue: pence(100_000),
      overdueSince: plainDate('2026-08-07'),
      interest: pence(2_017),
      penalty: pence(7_781),
    },
  },
  {
    // 400 x 7.75% x 95/365 = 8.07; 12 + 12 + 400 x 10% x 65/365 = 7.12.
    name: 'part of it was paid',
    tax: 'vat',
    facts: { charges: createHmrcFacts([createCharge(1000, '2026-08-07', { period: QUARTER, outstanding: pence(40_000) })]) },
    expected: {
      owed: pence(40_000),
      overdue: pence(40_000),
      overdueSince: plainDate('2026-08-07'),
      interest: pence(807),
      penalty: pence(3_112),
    },
  },
  {
    // 700 left: 700 x 7.75% x 95/365 = 14.12; 21 + 21 + 700 x 10% x 65/365 = 12.47.
    name: 'a smaller credit is set off against the debt',
    tax: 'vat',
    facts: {
      charges: createHmrcFacts([
        createCharge(1000, '2026-08-07', { period: QUARTER }),
        createCharge(-300, undefined, { title: 'A credit' }),
      ]),
    },
    expected: {
      owed: pence(70_000),
      overdue: pence(70_000),
      overdueSince: plainDate('2026-08-07'),
      interest: pence(1_412),
      penalty: pence(5_447),
    },
  },
  {
    // 300 is unpaid until the credit's return arrives on 20 October, 700 until today: (300 x 74 + 700 x 95) x 7.75%/365 = 18.83; 30 + 30 +
    // (300 x 44 + 700 x 65) x 10%/365 = 16.08 (FA 2021 Sch 26 paras 5 to 7).
    name: 'a credit counts from the day of its return, not before',
    tax: 'vat',
    facts: {
      charges: createHmrcFacts([
        createCharge(1000, '2026-08-07', { period: QUARTER }),
        createCharge(-300, undefined, { title: 'A credit', period: NEXT_QUARTER }),
      ]),
      obligations: createHmrcFacts([
        { ...createVatReturn(NEXT_QUARTER.start, NEXT_QUARTER.end, '2026-11-07'), status: 'fulfilled', received: plainDate('2026-10-20') },
      ]),
    },
    expected: {
      owed: pence(70_000),
      overdue: pence(70_000),
      overdueSince: plainDate('2026-08-07'),
      interest: pence(1_883),
      penalty: pence(7_608),
    },
  },
  {
    // 500 x 74 x 7.75%/365 = 7.86; 15 + 15 + 500 x 44 x 10%/365 = 6.03.
    name: 'a credit that clears a debt late leaves what the lateness cost',
    tax: 'vat',
    facts: {
      charges: createHmrcFacts([
        createCharge(500, '2026-08-07', { period: QUARTER }),
        createCharge(-800, '2026-10-20', { title: 'A credit' }),
      ]),
    },
    expected: { refund: pence(30_000), interest: pence(786), penalty: pence(3_603) },
  },
  {
    name: 'a larger credit clears the debt and the rest comes back',
    tax: 'vat',
    facts: {
      charges: createHmrcFacts([
        createCharge(200, '2026-08-07', { period: QUARTER }),
        createCharge(-500, undefined, { title: 'A credit' }),
      ]),
    },
    expected: { refund: pence(30_000) },
  },
  {
    name: 'a credit is not kept for what is not due yet',
    tax: 'vat',
    facts: {
      charges: createHmrcFacts([
        createCharge(800, '2026-11-30', { period: QUARTER }),
        createCharge(-500, undefined, { title: 'A credit' }),
      ]),
    },
    expected: { owed: pence(80_000), refund: pence(50_000) },
  },
  {
    // One late return is one point, below the threshold: no penalty.
    name: 'a VAT return is late',
    tax: 'vat',
    facts: { obligations: createHmrcFacts([createVatReturn('2026-07-01', '2026-09-30', '2026-11-07')]) },
    expected: { overdueReturns: 1 },
  },
  {
    // The first late payment of a tax year is not a default, the second costs 1% of 1,500; 2,000 x 49 and 1,500 x 19 days at 7.75%: 20.81 +
    // 6.05.
    name: 'PAYE is late for two months',
    tax: 'paye',
    facts: {
      charges: createStatementFacts([
        createCharge(2000, '2026-09-22', { period: createPeriod('2026-08-06', '2026-09-05') }),
        createCharge(1500, '2026-10-22', { period: createPeriod('2026-09-06', '2026-10-05') }),
      ]),
    },
    expected: {
      owed: pence(350_000),
      overdue: pence(350_000),
      overdueSince: plainDate('2026-09-22'),
      interest: pence(2_686),
      penalty: pence(1_500),
    },
  },
  {
    // 10,000 x (7 days at 8% + 306 at 7.75%) / 365 = 665.07; late payment of corporation tax isn't penalised.
    name: 'corporation tax is late since New Year',
    tax: 'ct',
    facts: { charges: createStatementFacts([createCharge(10_000, '2026-01-01', { period: createPeriod('2024-04-01', '2025-03-31') })]) },
    expected: { owed: pence(1_000_000), overdue: pence(1_000_000), overdueSince: plainDate('2026-01-01'), interest: pence(66_507) },
  },
  {
    // Due after 1 April 2026 and not yet three months late: 200 pounds.
    name: 'a company tax return is late',
    tax: 'ct',
    facts: { obligations: createStatementFacts([createVatReturn('2024-10-01', '2025-09-30', '2026-09-30')]) },
    expected: { overdueReturns: 1, penalty: pence(20_000) },
  },
  {
    // 283 days: 1,000 x 7.75% x 283/365 = 60.09; 5% on 3 March and on 3 August.
    name: 'a balancing payment is late since January',
    tax: 'sa',
    facts: { charges: createHmrcFacts([createCharge(1000, '2026-01-31')]) },
    expected: {
      owed: pence(100_000),
      overdue: pence(100_000),
      overdueSince: plainDate('2026-01-31'),
      interest: pence(6_009),
      penalty: pence(10_000),
    },
  },
  {
    name: 'a payment on account is late, which costs interest alone',
    tax: 'sa',
    facts: { charges: createHmrcFacts([createCharge(1000, '2026-01-31', { kind: 'on_account' })]) },
    expected: { owed: pence(100_000), overdue: pence(100_000), overdueSince: plainDate('2026-01-31'), interest: pence(6_009) },
  },
  {
    // Interest and penalties charged by HMRC are owed, but bear no further interest here.
    name: 'HMRC has charged interest',
    tax: 'vat',
    facts: { charges: createHmrcFacts([createCharge(12, '2026-09-01', { kind: 'interest' })]) },
    expected: { owed: pence(1_200), overdue: pence(1_200), overdueSince: plainDate('2026-09-01') },
  },
  {
    name: 'the client is insolvent: what was read stays, nothing is added',
    tax: 'vat',
    facts: {
      isInsolvent: true,
      charges: createHmrcFacts([createCharge(1000, '2026-08-07', { period: QUARTER })]),
      obligations: createHmrcFacts([createVatReturn('2026-07-01', '2026-09-30', '2026-11-07')]),
    },
    expected: { owed: pence(100_000), overdue: pence(100_000), overdueSince: plainDate('2026-08-07') },
  },
];

describe('figures of a position', () => {
  it.each(CASES)('are right when $name', ({ tax, facts, expected }) => {
    expect(listFigures(calculatePosition(tax, facts, TODAY))).toEqual({ ...NOTHING, ...expected });
  });

  it('are due on the day itself and overdue from the next day', () => {
    const facts = { charges: createHmrcFacts([createCharge(10, '2026-11-10')]) };
    expect(calculatePosition('vat', facts, TODAY).overdue).toBe(ZERO);
    expect(calculatePosition('vat', facts, plainDate('2026-11-11')).overdue).toBe(pence(1_000));
  });

  it('are marked as an estimate when they use rates beyond the verified date', () => {
    const facts = { charges: createHmrcFacts([createCharge(1000, '2026-08-07', { period: QUARTER })]) };
    expect(calculatePosition('vat', facts, plainDate('2026-08-21'))).toMatchObject({ isEstimate: false });
    expect(calculatePosition('vat', facts, TODAY)).toMatchObject({ isEstimate: true });
    expect(calculatePosition('vat', facts, TODAY).detail.late.estimate_reason).toBe('HMRC interest rates after 21 August 2026');
  });
});

describe('penalty points', () => {
  it('come from HMRC when HMRC reports them', () => {
    const pointPeriods = [{ start: plainDate('2026-04-01'), end: plainDate('2026-06-30') }];
    const penalties = createHmrcFacts({ points: 4, threshold: 4, pointPeriods, lateSubmission: [], latePayment: [] });
    const { points, pointsThreshold, detail } = calculatePosition('vat', { penalties }, TODAY);
    expect([points, pointsThreshold, detail.late.points_source]).toEqual([4, 4, 'hmrc']);
    expect(detail.late.point_periods).toEqual(pointPeriods);
  });

  it('are counted from the returns otherwise', () => {
    const facts = { obligations: createHmrcFacts([createVatReturn('2026-07-01', '2026-09-30', '2026-11-07')]) };
    const { points, pointsThreshold, detail } = calculatePosition('vat', facts, TODAY);
    expect([points, pointsThreshold, detail.late.points_source]).toEqual([1, 4, 'rule']);
    expect(detail.late.point_periods).toEqual([{ start: '2026-07-01', end: '2026-09-30' }]);
  });
});

describe('due items', () => {
  const listDue = (tax: Tax, facts: TaxFacts) =>
    calculatePosition(tax, facts, TODAY).items.map(({ what, due_on, source }) => [what, due_on, source]);

  it('aren’t calculated for VAT, because HMRC sets its periods', () => {
    expect(listDue('vat', {})).toEqual([]);
    expect(calculatePosition('vat', {}, TODAY).detail.standing).toBe('no_data');
  });

  it('of PAYE fall on the 22nd of every month for a year', () => {
    const dates = listDue('paye', {});
    expect(dates[0]).toEqual(['payment', '2026-11-22', 'rule']);
    expect(dates).toHaveLength(12);
    expect(dates.at(-1)).toEqual(['payment', '2027-10-22', 'rule']);
  });

  it('of quarterly PAYE follow the quarters of the tax year', () => {
    expect(listDue('paye', { pays: 'quarterly' }).map(([, on]) => on)).toEqual(['2027-01-22', '2027-04-22', '2027-07-22', '2027-10-22']);
  });

  it('of corporation tax follow the year end and need one', () => {
    expect(listDue('ct', {})).toEqual([]);
    expect(listDue('ct', { yearEndOn: plainDate('2026-03-31') })).toEqual([
      ['payment', '2027-01-01', 'rule'],
      ['return', '2027-03-31', 'rule'],
    ]);
  });

  it('of Self Assessment fall in January and July', () => {
    expect(listDue('sa', {})).toEqual([
      ['return', '2027-01-31', 'rule'],
      ['payment', '2027-01-31', 'rule'],
      ['payment', '2027-01-31', 'rule'],
      ['payment', '2027-07-31', 'rule'],
    ]);
  });

  it('that we calculated are replaced by a charge for the same day or period', () => {
    expect(listDue('sa', { charges: createHmrcFacts([createCharge(900, '2027-01-31', { kind: 'balancing' })]) })).toEqual([
      ['return', '2027-01-31', 'rule'],
      ['payment', '2027-01-31', 'rule'],
      ['payment', '2027-01-31', 'hmrc'],
      ['payment', '2027-07-31', 'rule'],
    ]);
    const clearedCharge = createCharge(900, '2026-11-22', { period: createPeriod('2026-10-06', '2026-11-05'), outstanding: ZERO });
    expect(listDue('paye', { charges: createStatementFacts([clearedCharge]) })[0]).toEqual(['payment', '2026-12-22', 'rule']);
  });

  it('start with what is overdue', () => {
    const facts = {
      obligations: createHmrcFacts([
        createVatReturn('2026-10-01', '2026-12-31', '2027-02-07'),
        createVatReturn('2026-07-01', '2026-09-30', '2026-11-07'),
      ]),
    };
    expect(calculatePosition('vat', facts, TODAY).nextDue).toMatchObject({ what: 'return', due_on: '2026-11-07', source: 'hmrc' });
  });

  it('sum to the amount owed less refunds', () => {
    const facts = {
      charges: createHmrcFacts([
        createCharge(1000, '2026-08-07', { period: QUARTER }),
        createCharge(-1250, undefined, { title: 'A credit' }),
        createCharge(90, '2026-12-07'),
      ]),
    };
    const position = calculatePosition('vat', facts, TODAY);
    const total = position.items.reduce((sum, { amount_pence }) => sum + (amount_pence ?? 0), 0);
    expect(total).toBe(position.owed - position.refund);
    expect([position.owed, position.refund, position.detail.set_off_pence]).toEqual([pence(9_000), pence(25_000), pence(100_000)]);
  });

  it('have unique keys when a source lists a return twice', () => {
    const repeatedReturn = createVatReturn('2026-07-01', '2026-09-30', '2026-11-07');
    const { items } = calculatePosition('vat', { obligations: createHmrcFacts([repeatedReturn, repeatedReturn]) }, TODAY);
    expect(new Set(items.map(({ key }) => key)).size).toBe(2);
  });

  it('have unique keys for two identical charges', () => {
    const { items } = calculatePosition(
      'vat',
      { charges: createHmrcFacts([createCharge(1, '2026-12-07'), createCharge(1, '2026-12-07')]) },
      TODAY,
    );
    expect(new Set(items.map(({ key }) => key)).size).toBe(2);
  });
});

describe('a refund', () => {
  const calculatePositionWithCredit = (extraReturns: Partial<ObligationFact>[]) => {
    const [first, ...otherReturns] = extraReturns.map((extra) => createVatReturn('2026-07-01', '2026-09-30', '2026-11-07', extra));
    const credit = createCharge(-500, undefined, { title: 'VAT Return Credit Charge', period: createPeriod('2026-07-01', '2026-09-30') });
    return calculatePosition(
      'vat',
      { charges: createHmrcFacts([credit]), obligations: createHmrcFacts(first ? [first, ...otherReturns] : []) },
      TODAY,
    );
  };

  it('is expected 30 days after its return was received, which is our estimate rather than HMRC’s', () => {
    const { items } = calculatePositionWithCredit([{ status: 'fulfilled', received: plainDate('2026-10-20') }]);
    expect(items).toMatchObject([{ what: 'refund', due_on: '2026-11-19', amount_pence: -50_000, source: 'rule' }]);
  });

  it('is held while another return is late', () => {
    const latePeriod = { ...createPeriod('2026-04-01', '2026-06-30'), due: plainDate('2026-08-07') };
    expect(calculatePositionWithCredit([{ status: 'fulfilled', received: plainDate('2026-10-20') }, latePeriod]).detail.refund_held).toBe(
      true,
    );
    expect(calculatePositionWithCredit([{ status: 'fulfilled', received: plainDate('2026-10-20') }]).detail.refund_held).toBe(false);
  });
});

describe('periods', () => {
  it('combine the return and charge of the same dates, newest first', () => {
    const facts: TaxFacts = {
      obligations: createHmrcFacts([
        createVatReturn('2026-04-01', '2026-06-30', '2026-08-07', { status: 'fulfilled', received: plainDate('2026-08-01') }),
        createVatReturn('2026-07-01', '2026-09-30', '2026-11-07'),
        createVatReturn('2026-10-01', '2026-12-31', '2027-02-07'),
      ]),
      charges: createHmrcFacts([createCharge(1000, '2026-08-07', { period: QUARTER, outstanding: pence(25_000) })]),
    };
    expect(calculatePosition('vat', facts, TODAY).detail.periods).toMatchObject([
      { end: '2026-12-31', return_state: 'not_due', charged_pence: null },
      { end: '2026-09-30', return_state: 'overdue', charged_pence: null },
      { end: '2026-06-30', return_state: 'filed', received_on: '2026-08-01', charged_pence: 100_000, outstanding_pence: 25_000 },
    ]);
  });

  it('of corporation tax have a payment date even with a late return and no known amount', () => {
    const ctReturn = {
      kind: 'return' as const,
      ...createPeriod('2024-03-01', '2025-02-28'),
      due: plainDate('2026-02-28'),
      status: 'open' as const,
    };
    const { detail, overdue } = calculatePosition(
      'ct',
      { obligations: createStatementFacts([ctReturn]), yearEndOn: plainDate('2026-02-28') },
      TODAY,
    );
    // If the period ends at a month end, tax is due on the 1st of the tenth month (CTM01800): 28 February 2025 -> 1 December 2025, three
    // months before the return is due.
    const periodColumns = detail.periods.map(({ end, return_state, payment_due_on, charged_pence }) => [
      end,
      return_state,
      payment_due_on,
      charged_pence,
    ]);
    expect(periodColumns).toEqual([
      ['2026-02-28', 'not_due', '2026-12-01', null],
      ['2025-02-28', 'overdue', '2025-12-01', null],
    ]);
    expect(overdue).toBe(0);
  });

  it('show what is outstanding after set-off', () => {
    const facts = {
      charges: createHmrcFacts([
        createCharge(1000, '2026-08-07', { period: QUARTER }),
        createCharge(-300, '2026-10-20', { title: 'A credit', period: NEXT_QUARTER }),
      ]),
    };
    expect(calculatePosition('vat', facts, TODAY).detail.periods).toMatchObject([
      { start: NEXT_QUARTER.start, charged_pence: -30_000, outstanding_pence: 0 },
      { start: QUARTER.start, charged_pence: 100_000, outstanding_pence: 70_000 },
    ]);
  });
});
