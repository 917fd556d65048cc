/**
 * Tests Self Assessment's separate items: payments on account, balancing payment, quarterly updates and final declaration (TMA 1970 ss59A,
 * 59B).
 */
import { describe, expect, it } from 'vitest';
import { toInstant } from '../clock.ts';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { calculatePosition } from './calculate-position.ts';
import type { ChargeFact, ObligationFact, TaxFacts } from './tax-facts.ts';

const AT = toInstant(Date.parse('2026-11-10T08:00:00Z'));
const TODAY = plainDate('2026-11-10');
const createHmrcFacts = <Facts>(facts: Facts) => ({ source: 'hmrc' as const, asOf: AT, facts });
const TAX_YEAR = { start: plainDate('2026-04-06'), end: plainDate('2027-04-05') };
const LAST_YEAR = { start: plainDate('2025-04-06'), end: plainDate('2026-04-05') };

const createCharge = (kind: ChargeFact['kind'], amount: number, due: string, period: typeof TAX_YEAR): ChargeFact => ({
  title: kind,
  kind,
  original: pence(amount),
  outstanding: pence(amount),
  due: plainDate(due),
  period,
});
/** Updates are cumulative: the fourth has the dates of the tax year (docs/reference/hmrc.md section 6.2). */
const update = (end: string, due: string): ObligationFact => ({
  kind: 'update',
  start: TAX_YEAR.start,
  end: plainDate(end),
  due: plainDate(due),
  status: 'open',
});
const createDeclaration = (overrides: Partial<ObligationFact> = {}): ObligationFact => ({
  kind: 'return',
  ...LAST_YEAR,
  due: plainDate('2027-01-31'),
  status: 'open',
  ...overrides,
});

const FACTS: TaxFacts = {
  charges: createHmrcFacts([
    createCharge('balancing', 120_001, '2027-01-31', LAST_YEAR),
    createCharge('on_account', 150_000, '2027-01-31', TAX_YEAR),
    createCharge('on_account', 150_001, '2027-07-31', TAX_YEAR),
  ]),
  obligations: createHmrcFacts([
    createDeclaration(),
    { kind: 'return', ...TAX_YEAR, due: plainDate('2028-01-31'), status: 'open' },
    update('2026-10-05', '2026-11-07'),
    update('2027-01-05', '2027-02-07'),
    update('2027-04-05', '2027-05-07'),
  ]),
};

describe('Self Assessment', () => {
  it('has separate items with their own dates and amounts', () => {
    const items = calculatePosition('sa', FACTS, TODAY).items.map(({ kind, due_on, amount_pence }) => [kind, due_on, amount_pence]);
    expect(items).toEqual([
      ['quarterly_update', '2026-11-07', null],
      ['final_declaration', '2027-01-31', null],
      ['balancing_payment', '2027-01-31', 120_001],
      ['payment_on_account', '2027-01-31', 150_000],
      ['quarterly_update', '2027-02-07', null],
      ['quarterly_update', '2027-05-07', null],
      ['payment_on_account', '2027-07-31', 150_001],
      ['final_declaration', '2028-01-31', null],
    ]);
  });

  it('shows a tax year with its own return date, never that of a quarterly update', () => {
    const { periods } = calculatePosition('sa', FACTS, TODAY).detail;
    expect(periods.map(({ start, end, return_due_on: on }) => [start, end, on])).toEqual([
      ['2026-04-06', '2027-04-05', '2028-01-31'],
      ['2025-04-06', '2026-04-05', '2027-01-31'],
    ]);
  });

  it('shows half of the payments on account on 31 January and half on 31 July', () => {
    const [year] = calculatePosition('sa', FACTS, TODAY).detail.periods;
    expect(year).toMatchObject({ payment_due_on: '2027-01-31', charged_pence: 300_001 });
    expect(year?.payments).toEqual([
      { kind: 'payment_on_account', due_on: '2027-01-31', charged_pence: 150_000, outstanding_pence: 150_000 },
      { kind: 'payment_on_account', due_on: '2027-07-31', charged_pence: 150_001, outstanding_pence: 150_001 },
    ]);
  });

  it('shows quarterly updates apart from the tax years', () => {
    expect(calculatePosition('sa', FACTS, TODAY).detail.quarterly_updates.map(({ end, due_on, state }) => [end, due_on, state])).toEqual([
      ['2027-04-05', '2027-05-07', 'not_due'],
      ['2027-01-05', '2027-02-07', 'not_due'],
      ['2026-10-05', '2026-11-07', 'overdue'],
    ]);
  });

  it('counts an overdue quarterly update apart from overdue returns, and without the penalty of a late return', () => {
    const latePosition = calculatePosition('sa', FACTS, TODAY);
    expect(latePosition).toMatchObject({ overdueReturns: 0, overdueUpdates: 1, penalty: 0 });
    expect(calculatePosition('sa', FACTS, plainDate('2027-02-08'))).toMatchObject({ overdueReturns: 1, overdueUpdates: 2 });
  });

  it('has no calculated payments once HMRC has the return and its account shows none', () => {
    const obligations = createHmrcFacts([createDeclaration({ status: 'fulfilled', received: plainDate('2026-10-01') })]);
    const listKinds = (facts: TaxFacts) => calculatePosition('sa', facts, TODAY).items.map(({ kind }) => kind);
    expect(listKinds({ obligations, charges: createHmrcFacts([]) })).toEqual([]);
    expect(listKinds({ obligations })).toEqual(['balancing_payment', 'payment_on_account', 'payment_on_account']);
  });
});

describe('penalties that HMRC has charged', () => {
  const period = { start: plainDate('2026-04-01'), end: plainDate('2026-06-30') };
  const createPenalty = (overrides: Partial<ChargeFact>): ChargeFact => ({
    title: 'Late submission penalty',
    kind: 'penalty',
    original: pence(20_000),
    outstanding: pence(20_000),
    due: plainDate('2026-12-01'),
    period,
    ...overrides,
  });
  const penalties = createHmrcFacts({ points: 4, threshold: 4, lateSubmission: [createPenalty({})], latePayment: [] });

  it('are owed, and shown apart from tax', () => {
    const { owed, penalty: estimatedPenalty, items } = calculatePosition('vat', { penalties, charges: createHmrcFacts([]) }, TODAY);
    expect([owed, estimatedPenalty]).toEqual([20_000, 0]);
    expect(items).toMatchObject([{ kind: 'penalty', due_on: '2026-12-01', amount_pence: 20_000, source: 'hmrc' }]);
  });

  it('count once if the list of charges has them too', () => {
    const charges = createHmrcFacts([createPenalty({ title: 'VAT Late Submission Pen' })]);
    expect(calculatePosition('vat', { penalties, charges }, TODAY)).toMatchObject({ owed: 20_000, items: [{ amount_pence: 20_000 }] });
    const repeatedPenalties = createHmrcFacts({ points: 5, lateSubmission: [createPenalty({}), createPenalty({})], latePayment: [] });
    expect(calculatePosition('vat', { penalties: repeatedPenalties, charges }, TODAY).owed).toBe(40_000);
  });

  it('for late payment reduce what we expect HMRC still to charge', () => {
    const tax: ChargeFact = {
      title: 'VAT',
      kind: 'tax',
      original: pence(100_000),
      outstanding: pence(100_000),
      due: plainDate('2026-08-07'),
      period,
    };
    // 95 days late: 30 + 30 + 1,000 x 10% x 65/365 = 77.81 in total (FA 2021 Sch 26); HMRC has charged the first 60.
    const first = createPenalty({ title: 'First late payment penalty', original: pence(6_000), outstanding: pence(6_000) });
    const postedPenalties = createHmrcFacts({ points: 0, lateSubmission: [], latePayment: [first] });
    expect(calculatePosition('vat', { charges: createHmrcFacts([tax]) }, TODAY).penalty).toBe(7_781);
    expect(calculatePosition('vat', { charges: createHmrcFacts([tax]), penalties: postedPenalties }, TODAY)).toMatchObject({
      penalty: 1_781,
      owed: 106_000,
    });
  });
});

describe('a charge without a due date', () => {
  it('of VAT is due with its return, otherwise one month and seven days after its period', () => {
    const period = { start: plainDate('2026-07-01'), end: plainDate('2026-09-30') };
    const tax: ChargeFact = { title: 'VAT', kind: 'tax', original: pence(5_000), outstanding: pence(5_000), period };
    expect(calculatePosition('vat', { charges: createHmrcFacts([tax]) }, TODAY)).toMatchObject({
      overdue: 5_000,
      items: [{ due_on: '2026-11-07', amount_pence: 5_000 }],
    });
    const obligations = createHmrcFacts([{ kind: 'return' as const, ...period, due: plainDate('2026-11-30'), status: 'open' as const }]);
    expect(calculatePosition('vat', { charges: createHmrcFacts([tax]), obligations }, TODAY)).toMatchObject({ overdue: 0, owed: 5_000 });
  });
});
