// Tests that a day with many items starts with counts, so that users needn't scroll past 115 payments to the returns.
import type { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { DayCard } from './day-card.tsx';
import { MonthAgenda, MonthGrid } from './month-views.tsx';

type Month = EndpointOutput<typeof practiceDashboardApi.calendar>;
const SHOWN_DAY = plainDate('2026-11-22');

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

function open(payments: number, unknownCount = 0) {
  const requests: unknown[] = [];
  undo = setTransport(async (_endpoint, input) => {
    requests.push(input);
    const item = {
      client_id: '00000000-0000-4000-8000-000000000001',
      client_name: 'Alder Bakery Ltd',
      tax: 'paye',
      key: 'k',
      what: 'payment',
      kind: 'payment',
      title: 'PAYE, month 7',
    };
    return { items: [{ ...item, amount_pence: 100, source: 'rule', as_of: '2026-11-22T03:04:00.000Z' }], next_cursor: 'next' };
  });
  const group = {
    due_on: SHOWN_DAY,
    tax: 'paye' as const,
    what: 'payment' as const,
    kind: 'payment' as const,
    items: payments,
    amount_pence: pence(payments * 100),
    unknown_amounts: unknownCount,
  };
  const month: Month = {
    today: SHOWN_DAY,
    first: plainDate('2026-11-01'),
    last: plainDate('2026-11-30'),
    days: [group, { ...group, tax: 'vat', what: 'return', kind: 'return', items: 2, amount_pence: null }],
    own_days: [],
    task_days: [],
    bank_holidays: [],
    pay_before: [],
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <AppProviders>
          <DayCard companyId="p" day={SHOWN_DAY} filters={{}} month={month} closeLink="?" />
          <MonthGrid data={month} chosenDay={undefined} getDayLink={() => '?day'} getTaskLink={() => '?tasks'} />
          <MonthAgenda data={month} chosenDay={undefined} getDayLink={() => '?day'} getTaskLink={() => '?tasks'} />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return requests;
}

it('starts with counts when there are many items, and loads a group when it is opened', async () => {
  const requests = open(115);
  expect(screen.getAllByRole('button', { expanded: false }).map((button) => button.textContent)).toEqual([
    '▸PAYE: 115 payments£115.00 to HMRC',
    '▸VAT: 2 returns',
  ]);
  expect(requests).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: /PAYE: 115 payments/ }));
  const list = await screen.findByRole('list', { name: 'PAYE: 115 payments' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  expect(requests).toEqual([{ company_id: 'p', day: SHOWN_DAY, tax: 'paye', kind: 'payment', limit: 20 }]);
  expect(screen.getByRole('button', { name: 'Show more (114 left)' })).toBeTruthy();
});

it('takes the focus, so that the keyboard and the view follow the chosen day', () => {
  open(3);
  expect(document.activeElement?.querySelector('h2')?.textContent).toBe('Due on 22 November 2026');
});

it('opens every group when there are few items', async () => {
  open(3);
  expect(screen.getAllByRole('button', { expanded: true })).toHaveLength(2);
  expect(await screen.findByRole('list', { name: 'PAYE: 3 payments' })).toBeTruthy();
});

it('calls a sum “at least” while one of its amounts isn’t known', () => {
  open(115, 3);
  expect(screen.getByRole('button', { name: /115 payments/ }).textContent).toContain('At least £115.00 to HMRC');
  expect(within(screen.getByRole('table')).getByText(/^To pay at least/).textContent).toContain('£115.00');
  expect(within(screen.getByRole('list', { name: 'Deadlines this month' })).getByText('At least £115.00')).toBeTruthy();
  cleanup();
  open(115, 0);
  expect(screen.queryAllByText(/at least/i)).toEqual([]);
});
