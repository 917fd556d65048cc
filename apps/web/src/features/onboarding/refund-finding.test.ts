// Tests which refund the end of onboarding shows. Only figures from HMRC or the books count.
import type { Pence } from '@portal/domain/money.ts';
import { describe, expect, it } from 'vitest';
import { findRefund } from './use-refund-finding.ts';

type Dashboard = Parameters<typeof findRefund>[0];
type FiledReturn = NonNullable<Parameters<typeof findRefund>[1]>;

const quarter = { obligation_id: 'o1', period_start: '2026-07-01', period_end: '2026-09-30', due_on: '2026-11-07' };
const openPeriod = (direction: string, hasEnded = true) =>
  ({ ...quarter, ended: hasEnded, estimate: { direction, box5_pence: 1_300_890 as Pence } }) as unknown as Dashboard['open_period'];
const createFiledReturn = (refund: 'open' | 'gone') =>
  ({
    obligation: quarter,
    found: { refund, finding: '' },
    boxes: { direction: 'repayment', box5_pence: 500_000 },
  }) as unknown as FiledReturn;
const createDashboardData = (overrides: Partial<Dashboard> = {}): Dashboard => ({
  advance: null,
  obligations: [],
  open_period: null,
  ...overrides,
});

describe('the refund found during onboarding', () => {
  it('is what the books show for the open period, even before it has ended', () => {
    expect(findRefund(createDashboardData({ open_period: openPeriod('repayment') }), undefined)).toMatchObject({
      status: 'found',
      pence: 1_300_890,
      source: 'books',
      isPeriodOpen: false,
    });
    expect(findRefund(createDashboardData({ open_period: openPeriod('repayment', false) }), undefined)).toMatchObject({
      isPeriodOpen: true,
    });
  });

  it('is the one that HMRC holds if there is one, unless HMRC has repaid it', () => {
    expect(findRefund(createDashboardData({ open_period: openPeriod('repayment') }), createFiledReturn('open'))).toMatchObject({
      pence: 500_000,
      source: 'hmrc',
    });
    expect(findRefund(createDashboardData({ open_period: openPeriod('repayment') }), createFiledReturn('gone'))).toMatchObject({
      pence: 1_300_890,
    });
  });

  it('is the amount of an open offer, not of one that is paid', () => {
    const createDashboard = (state: string) =>
      createDashboardData({
        advance: { obligation_id: 'o1', state, refund_pence: 700_000 } as unknown as Dashboard['advance'],
        obligations: [quarter] as unknown as Dashboard['obligations'],
      });
    expect(findRefund(createDashboard('quoted'), undefined)).toMatchObject({ status: 'found', pence: 700_000 });
    expect(findRefund(createDashboard('settled'), undefined)).toEqual({ status: 'none', next: undefined });
  });

  it('doesn’t exist when VAT is owed to HMRC; then the next return is named', () => {
    expect(findRefund(createDashboardData({ open_period: openPeriod('payment') }), undefined)).toEqual({
      status: 'none',
      next: { period: { start: '2026-07-01', end: '2026-09-30' }, due: '2026-11-07' },
    });
  });
});
