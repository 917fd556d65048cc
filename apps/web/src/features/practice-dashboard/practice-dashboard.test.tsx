// Tests that every figure on the practice's dashboard links to the clients behind it, that zeros have no link, and that no figure is shown
// before it has been read.
import type { PracticeDashboard, Totals } from '@portal/contract/practice-totals.ts';
import type { TodayRow } from '@portal/contract/practice-today.ts';
import { ATTENTION_GROUPS, type AttentionGroup } from '@portal/domain/clients/attention.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { CashCard } from './cash-card.tsx';
import { TodayTab } from './today-tab.tsx';
import { TotalCards } from './total-cards.tsx';

let undo = () => undefined as void;
beforeEach(() => {
  // The refresh status opens an event stream, which jsdom doesn't support.
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close = (): void => undefined;
    },
  );
});
afterEach(() => {
  cleanup();
  undo();
  vi.unstubAllGlobals();
});

const TODAY = plainDate('2026-11-10');
const AT = toInstant(Date.parse('2026-11-10T08:00:00Z'));

function show(children: ReactNode, responses: Readonly<Record<string, unknown>> = {}): void {
  undo = setTransport(({ path }) => (path in responses ? Promise.resolve(responses[path]) : new Promise(() => undefined)));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <AppProviders>{children}</AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Returns the parameters of a link to the client list. */
const getFilters = (link: HTMLElement) => Object.fromEntries(new URLSearchParams(link.getAttribute('href')?.split('?')[1]));

function createRow(scope: TodayRow['scope'], counts: Partial<Record<AttentionGroup, number>>, member: TodayRow['member'] = null): TodayRow {
  const groups = Object.fromEntries(
    ATTENTION_GROUPS.map((group) => [
      group,
      { clients: counts[group] ?? 0, amount_pence: group === 'overdue_payment' ? pence(50_012) : null },
    ]),
  );
  return { scope, member, clients: 120, groups: groups as TodayRow['groups'] };
}

describe('today', () => {
  const PRIYA = { user_id: '00000000-0000-4000-8000-000000000002', full_name: 'Priya Oakes', is_you: true };
  const showRows = (...rows: TodayRow[]) =>
    show(<TodayTab companyId="p-1" isAdmin />, { '/open-tax/today': { today: TODAY, counted_at: AT, rows } });

  it('links each number to its clients, overdue payments sorted by amount, and a colleague’s to their own', async () => {
    showRows(
      createRow('all', { overdue_payment: 3, overdue_update: 1, due_this_week: 2 }),
      createRow('member', { overdue_payment: 1 }, PRIYA),
    );
    expect(getFilters(await screen.findByRole('link', { name: /^3 clients ?Overdue payments/ }))).toEqual({
      company_id: 'p-1',
      status: 'in_hand',
      has: 'overdue',
      sort: 'overdue',
    });
    expect(getFilters(screen.getByRole('link', { name: /^1 client ?Overdue quarterly updates/ }))).toMatchObject({ has: 'overdue_update' });
    expect(getFilters(screen.getByRole('link', { name: /^2 clients ?Due within 7 days/ }))).toMatchObject({ due_before: '2026-11-17' });
    const table = screen.getByRole('table');
    expect(getFilters(within(table).getByRole('link', { name: /^1 ?Overdue payments, Priya Oakes \(you\)/ }))).toMatchObject({
      has: 'overdue',
      member: PRIYA.user_id,
    });
    expect(getFilters(within(table).getByRole('link', { name: /120 clients/ }))).toEqual({
      company_id: 'p-1',
      status: 'in_hand',
      member: PRIYA.user_id,
    });
  });

  it('shows a zero without a link', async () => {
    showRows(createRow('all', { overdue_payment: 1 }));
    await screen.findByRole('link', { name: /Overdue payments/ });
    expect(screen.queryByRole('link', { name: /Overdue returns/ })).toBeNull();
    expect(screen.getByText('Overdue returns')).toBeTruthy();
  });

  it('calls an amount “at least” while clients aren’t fully read, and only then', async () => {
    showRows(createRow('all', { overdue_payment: 1, not_read: 3 }));
    expect((await screen.findByRole('link', { name: /Overdue payments/ })).textContent).toMatch(/At least .*£500\.12$/);
    cleanup();
    showRows(createRow('all', { overdue_payment: 1 }));
    expect((await screen.findByRole('link', { name: /Overdue payments/ })).textContent).not.toContain('At least');
  });

  it('begins with adding clients while there are none', async () => {
    showRows({ ...createRow('all', {}), clients: 0 });
    expect(await screen.findByRole('heading', { name: 'Add your clients to get started' })).toBeTruthy();
    expect(screen.queryByText('Overdue payments')).toBeNull();
  });
});

const due = { clients: 0, items: 0, amount_pence: null };
const createMonth = (first: string, amounts: Partial<Totals['by_month'][number]>): Totals['by_month'][number] => ({
  month: plainDate(first),
  to_pay_pence: ZERO,
  to_pay_is_partial: false,
  to_receive_pence: ZERO,
  to_receive_is_partial: false,
  ...amounts,
});
const TOTALS: Totals = {
  clients: 5,
  incomplete_clients: 0,
  unread_clients: 0,
  stale_clients: 0,
  owed_pence: ZERO,
  owed_clients: 0,
  overdue_pence: ZERO,
  overdue_clients: 0,
  refund_pence: ZERO,
  refund_clients: 0,
  overdue_returns: 0,
  overdue_return_clients: 0,
  overdue_updates: 0,
  overdue_update_clients: 0,
  at_risk_pence: ZERO,
  at_risk_clients: 0,
  due: { 7: due, 30: due, 90: due },
  by_month: [
    createMonth('2026-11-01', { to_pay_pence: pence(123_456) }),
    createMonth('2026-12-01', {}),
    createMonth('2027-01-01', { to_pay_pence: pence(100), to_receive_pence: pence(5_050) }),
  ],
};
const createDashboard = (tax: PracticeDashboard['tax'], totals: Partial<Totals> = {}): PracticeDashboard => ({
  tax,
  today: TODAY,
  state: 'ready',
  scope: 'practice',
  totals: { ...TOTALS, ...totals },
  counted_at: AT,
  read_from: AT,
  read_to: AT,
  syncing: [],
});

describe('the next 12 months', () => {
  it('links each amount of the chart, and the same of the table, to the clients with that payment or refund', () => {
    show(<CashCard data={createDashboard('vat')} companyId="p-1" />);
    const find = () => screen.getAllByRole('link').map((link) => [link.textContent?.replace(/^£[\d,]+(?=£)/, ''), getFilters(link)]);
    const filters = { company_id: 'p-1', status: 'in_hand', tax: 'vat' };
    expect(find()).toEqual([
      ['£1,234.56 to pay', { ...filters, pay_in: '2026-11-01' }],
      ['£1.00 to pay', { ...filters, pay_in: '2027-01-01' }],
      ['£50.50 refund due', { ...filters, refund_in: '2027-01-01' }],
    ]);
    expect(screen.getByText('No amounts known')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show table' }));
    expect(find()).toEqual([
      ['£1,234.56', { ...filters, pay_in: '2026-11-01' }],
      ['£1.00', { ...filters, pay_in: '2027-01-01' }],
      ['£50.50', { ...filters, refund_in: '2027-01-01' }],
    ]);
  });

  it('calls an amount of a month “at least” where the list behind it does, in the chart, the table and the sum of the months', () => {
    const by_month = [
      createMonth('2026-11-01', { to_pay_pence: pence(123_456), to_pay_is_partial: true }),
      createMonth('2026-12-01', { to_pay_pence: pence(100), to_receive_pence: pence(5_050), to_receive_is_partial: true }),
      createMonth('2027-01-01', { to_pay_is_partial: true }),
      createMonth('2027-02-01', {}),
    ];
    show(<CashCard data={createDashboard('vat', { by_month })} companyId="p-1" />);
    const listLinkTexts = () => screen.getAllByRole('link').map((link) => link.textContent?.replace(/£[\d,]+(?=£)/, ''));
    expect(listLinkTexts()).toEqual([
      'At least £1,234.56 to pay',
      '£1.00 to pay',
      'At least £50.50 refund due',
      'Payments, amounts not known yet',
    ]);
    expect(screen.getByText(/^Your clients/).textContent).toContain('owe at least £1,235.56 and are due at least £50.50 in refunds.');
    expect(getFilters(screen.getByRole('link', { name: 'Payments, amounts not known yet' }))).toMatchObject({ pay_in: '2027-01-01' });
    fireEvent.click(screen.getByRole('button', { name: 'Show table' }));
    expect(listLinkTexts()).toEqual(['At least £1,234.56', '£1.00', 'At least £50.50', 'Not known yet']);
  });

  it('links the sum of the months to the list of what is owed only if that list says the same', () => {
    const by_month = (isPartial: boolean) => [createMonth('2026-11-01', { to_pay_pence: pence(9_000), to_pay_is_partial: isPartial })];
    const findSum = (isPartial: boolean) => {
      cleanup();
      show(<CashCard data={createDashboard('vat', { owed_pence: pence(9_000), by_month: by_month(isPartial) })} companyId="p-1" />);
      return within(screen.getByText(/^Your clients/)).queryByRole('link')?.textContent;
    };
    expect([findSum(false), findSum(true)]).toEqual(['£90.00', undefined]);
  });
});

describe('overdue quarterly updates', () => {
  it('are a figure of their own, not returns', () => {
    show(<TotalCards data={createDashboard('sa', { overdue_updates: 2, overdue_update_clients: 1 })} companyId="p-1" />);
    expect(screen.getByRole('heading', { name: 'Needs attention' })).toBeTruthy();
    expect(screen.getByText('Overdue quarterly updates, 1 client')).toBeTruthy();
    expect(screen.getByText('Overdue returns').parentElement?.textContent).toContain('None');
    const link = screen.getByRole('link', { name: 'View clients with overdue quarterly updates' });
    expect(getFilters(link)).toMatchObject({ tax: 'sa', has: 'overdue_update' });
  });

  it('are left out where there are none', () => {
    show(<TotalCards data={createDashboard('all')} companyId="p-1" />);
    expect(screen.getByRole('heading', { name: 'Nothing needs attention' })).toBeTruthy();
    expect(screen.queryByText(/quarterly/)).toBeNull();
  });
});

describe('totals over clients that aren’t all read', () => {
  const read = { owed_pence: pence(9_000), owed_clients: 2, overdue_returns: 4, overdue_return_clients: 3, refund_pence: pence(500) };
  const renderTotals = (incompleteCount: number) => {
    cleanup();
    const dueSoon = { clients: 2, items: 3, amount_pence: pence(700) };
    const data = createDashboard('all', {
      ...read,
      incomplete_clients: incompleteCount,
      refund_clients: 1,
      due: { 7: dueSoon, 30: due, 90: due },
    });
    show(
      <>
        <TotalCards data={data} companyId="p-1" />
        <CashCard data={data} companyId="p-1" />
      </>,
    );
    const getFigureText = (label: string) => screen.getByText(label).parentElement?.textContent;
    return [
      getFigureText('Owed to HMRC in total, 2 clients'),
      getFigureText('Refunds due, 1 client'),
      getFigureText('Overdue returns, 3 clients'),
      getFigureText('Due within 7 days: 3 returns, quarterly updates and payments for 2 clients'),
      screen.getByText(/^Your clients/).textContent,
    ];
  };

  it('are “at least”, including the number of returns', () => {
    expect(renderTotals(1)).toEqual([
      expect.stringContaining('At least £90.00'),
      expect.stringContaining('At least £5.00'),
      expect.stringContaining('At least 4'),
      expect.stringContaining('At least £7.00'),
      expect.stringContaining('owe at least £1,235.56 and are due at least £50.50'),
    ]);
    for (const text of renderTotals(0)) expect(text).not.toMatch(/at least/i);
  });
});
