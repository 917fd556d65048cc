// Tests that a tax card shows what is overdue and the next deadline, and labels penalties and interest separately from tax.
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { listDeadlineFacts, listOwedByType } from './card-deadlines.tsx';
import type { PositionDetail } from './client-page.ts';
import { formatYearRow, toYearRows } from './self-assessment-years.tsx';

afterEach(cleanup);

type Item = PositionDetail['items'][number];
const createItem = (kind: Item['kind'], due: string, amount: number | null): Item => ({
  key: `${kind} ${due}`,
  what: amount === null && kind !== 'payment' ? 'return' : kind === 'refund' ? 'refund' : 'payment',
  kind,
  due_on: plainDate(due),
  amount_pence: amount === null ? null : pence(amount),
  title: kind,
  period_start: null,
  period_end: null,
  source: 'hmrc',
  as_of: null,
});
const createCharge = (
  kind: PositionDetail['charges'][number]['kind'],
  outstanding: number,
  setOff = 0,
): PositionDetail['charges'][number] => ({
  key: kind,
  title: kind,
  kind,
  period_start: null,
  period_end: null,
  due_on: null,
  original_pence: pence(outstanding),
  outstanding_pence: pence(outstanding),
  set_off_pence: pence(setOff),
  days_late: 0,
  penalty_pence: pence(0),
  interest_pence: pence(0),
  source: 'hmrc',
  as_of: null,
});
const createDetail = (overrides: Partial<PositionDetail>): PositionDetail => ({
  tax: 'vat',
  standing: 'read',
  computed_on: plainDate('2026-11-22'),
  set_off_pence: pence(0),
  refund_held: false,
  late: {
    points: null,
    points_threshold: null,
    points_source: null,
    point_periods: [],
    late_submission_pence: pence(0),
    late_payment_pence: pence(0),
    interest_pence: pence(0),
    is_estimate: false,
    estimate_reason: null,
  },
  periods: [],
  quarterly_updates: [],
  charges: [],
  payments: [],
  items: [],
  ...overrides,
});

const toTexts = (facts: ReturnType<typeof listDeadlineFacts>) =>
  facts.map(({ label, value }) => [label, [...render(<div>{value}</div>).container.textContent].join('')]);

it('shows both the overdue items and the next deadline', () => {
  const items = [
    createItem('return', '2026-11-07', null),
    createItem('payment', '2026-08-07', 40_050),
    createItem('payment', '2026-12-07', 120_000),
    createItem('quarterly_update', '2026-12-07', null),
    createItem('return', '2027-02-07', null),
    createItem('refund', '2026-11-25', -5_000),
  ];
  expect(toTexts(listDeadlineFacts(createDetail({ items })))).toEqual([
    ['Overdue items', 'Payment of £400.50, due 7 August 2026Return, due 7 November 2026'],
    ['Next deadline', '7 December 2026Payment of £1,200.00Quarterly update'],
  ]);
});

it('counts an item due today as the next deadline, not as overdue', () => {
  const items = [createItem('payment', '2026-11-22', null)];
  expect(toTexts(listDeadlineFacts(createDetail({ items })))).toEqual([['Next deadline', '22 November 2026Payment, amount not known']]);
  expect(toTexts(listDeadlineFacts(createDetail({})))).toEqual([['Next deadline', 'None known']]);
});

it('shows four overdue items, and the others on demand', () => {
  const items = ['01', '02', '03', '04', '05', '06'].map((month) => createItem('payment', `2026-${month}-22`, 100));
  expect(toTexts(listDeadlineFacts(createDetail({ items })))[0]?.[1]).toMatch(/22 April 2026and 2 more.*22 May 2026.*22 June 2026$/);
});

it('labels charged penalties and interest apart from tax', () => {
  const charges = [
    createCharge('tax', 10_000, 1_000),
    createCharge('penalty', 20_000),
    createCharge('interest', 321),
    createCharge('credit', -1_000),
  ];
  expect(listOwedByType(createDetail({ charges }))).toEqual([
    { label: 'Of which tax', value: '£90.00' },
    { label: 'Of which penalties', value: '£200.00' },
    { label: 'Of which interest', value: '£3.21' },
  ]);
  expect(listOwedByType(createDetail({ charges: [createCharge('tax', 10_000)] }))).toEqual([]);
});

it('lists the return and each payment of a tax year with its own date', () => {
  const createPayment = (due: string, amount: number) => ({
    kind: 'payment_on_account' as const,
    due_on: plainDate(due),
    charged_pence: pence(amount),
    outstanding_pence: pence(amount),
  });
  const year: PositionDetail['periods'][number] = {
    key: 'y',
    start: plainDate('2026-04-06'),
    end: plainDate('2027-04-05'),
    return_kind: 'final_declaration',
    return_due_on: plainDate('2028-01-31'),
    return_state: 'not_due',
    received_on: null,
    payment_due_on: plainDate('2027-01-31'),
    charged_pence: pence(300_001),
    outstanding_pence: pence(300_001),
    payments: [createPayment('2027-01-31', 150_000), createPayment('2027-07-31', 150_001)],
    source: 'hmrc',
    as_of: null,
  };
  const rows = toYearRows([year]).map((row) => [
    formatYearRow(row),
    row.payment?.due_on ?? row.year.return_due_on,
    row.payment?.charged_pence,
  ]);
  expect(rows).toEqual([
    ['Final declaration', '2028-01-31', undefined],
    ['Payment on account', '2027-01-31', 150_000],
    ['Payment on account', '2027-07-31', 150_001],
  ]);
});
