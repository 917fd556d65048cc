// Tests that the outstanding amount of a charge or credit is put into words wherever "£0.00" could be misread.
import { ZERO, pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderOutstandingCell } from './charges-and-payments.tsx';
import type { Charge, Period } from './client-page.ts';
import { PERIOD_COLUMNS } from './figure-cells.tsx';

afterEach(cleanup);

const createCharge = (original: number, outstanding: number, setOff = 0): Charge => ({
  key: 'c',
  title: 'VAT Return Debit Charge',
  kind: original < 0 ? 'credit' : 'tax',
  period_start: null,
  period_end: null,
  due_on: null,
  original_pence: pence(original),
  outstanding_pence: pence(outstanding),
  set_off_pence: pence(setOff),
  days_late: 0,
  penalty_pence: ZERO,
  interest_pence: ZERO,
  source: 'hmrc',
  as_of: null,
});

const createPeriod = (overrides: Partial<Period>): Period => ({
  key: 'p',
  start: plainDate('2024-03-01'),
  end: plainDate('2025-02-28'),
  return_kind: 'return',
  return_due_on: plainDate('2026-02-28'),
  return_state: 'overdue',
  received_on: null,
  payment_due_on: plainDate('2025-12-01'),
  charged_pence: null,
  outstanding_pence: null,
  payments: [],
  source: 'statement',
  as_of: null,
  ...overrides,
});

const renderText = (content: React.ReactNode): string => render(<>{content}</>).container.textContent;
const renderCell = (title: string, row: Period): string => renderText(PERIOD_COLUMNS.find((column) => column.title === title)?.cell(row));

describe('a charge', () => {
  it.each([
    ['is unpaid', createCharge(100_00, 100_00), '£100.00'],
    ['is met in part by a credit', createCharge(100_00, 100_00, 30_00), '£70.00£30.00 covered by a credit'],
    ['is covered by a credit', createCharge(100_00, 100_00, 100_00), 'Nothing to pay£100.00 covered by a credit'],
    ['is cleared', createCharge(100_00, 0), 'Cleared'],
    ['is a credit that comes', createCharge(-100_00, -100_00), '£100.00HMRC owes'],
    ['is a credit kept in part', createCharge(-100_00, -100_00, 30_00), '£70.00HMRC owes£30.00 set against tax owed'],
    ['is a credit kept for other debts', createCharge(-100_00, -100_00, 100_00), 'No refund due£100.00 set against tax owed'],
    ['is a credit that was paid out', createCharge(-100_00, 0), 'Cleared'],
  ])('that %s', (_name, row, expected) => {
    expect(renderText(renderOutstandingCell(row))).toBe(expected);
  });
});

describe('a period', () => {
  it('without a return shows the payment date and that the amount is unknown', () => {
    expect(renderCell('Payment due', createPeriod({}))).toBe('1 Dec 2025Amount not known');
  });
  it('of a refund has no payment date, and says that its amount is a refund', () => {
    const refund = createPeriod({ return_state: 'filed', charged_pence: pence(-500), outstanding_pence: ZERO });
    expect([renderCell('Payment due', refund), renderCell('Charged', refund)]).toEqual(['–', '£5.00Refund']);
  });
  it.each([
    ['charged and open', { charged_pence: pence(500), outstanding_pence: pence(200) }, '£2.00'],
    ['paid', { charged_pence: pence(500), outstanding_pence: ZERO }, 'Nothing to pay'],
    ['of a refund to come', { charged_pence: pence(-500), outstanding_pence: pence(-200) }, '£2.00HMRC owes'],
    ['of a refund that came', { charged_pence: pence(-500), outstanding_pence: ZERO }, 'No refund due'],
    ['without a known amount', {}, '–'],
  ])('%s', (_name, overrides, expected) => {
    expect(renderCell('Outstanding', createPeriod(overrides))).toBe(expected);
  });
});
