// Tests that a row of the list shows the items that a filter counted, and that its sum says what it doesn't include.
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import { MATCHED_FILTERS, type MatchedItems } from '@portal/contract/figures.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { listClientColumns } from './client-columns.tsx';
import { formatMatchedSum, ListSummary } from './list-summary.tsx';
import { MatchedLines } from './matched-items.tsx';

afterEach(cleanup);

const TODAY = plainDate('2026-11-10');
const DUE = { due_before: plainDate('2026-11-17') };

type MatchedFigures = Omit<NonNullable<ClientRow['matched']>, 'filter' | 'further'> & Partial<NonNullable<ClientRow['matched']>>;
const createClient = (match: MatchedFigures): ClientRow => ({
  client_id: '00000000-0000-4000-8000-000000000001',
  name: 'Alder Bakery Ltd',
  kind: 'company',
  status: 'active',
  vrn: null,
  utr: null,
  company_number: null,
  client_code: null,
  taxes: ['vat', 'paye', 'ct'],
  // The client's next item, which the filter didn't count.
  next_due_on: plainDate('2026-10-01'),
  next_due_tax: 'ct',
  next_due_what: 'payment',
  next_due_pence: pence(99_900),
  owed_pence: pence(0),
  overdue_pence: pence(0),
  refund_pence: pence(0),
  matched: { filter: 'due_before', further: [], ...match },
  attention: 'none',
  members: [],
  figures_state: 'current',
  unread_taxes: [],
  refresh_failed: false,
  as_of: toInstant(Date.parse('2026-11-10T08:00:00Z')),
});

const vat = { due_on: plainDate('2026-11-13'), tax: 'vat', kind: 'payment', amount_pence: pence(4_000) } as const;
const paye = { due_on: plainDate('2026-11-17'), tax: 'paye', kind: 'payment', amount_pence: null } as const;
const vatReturn = { due_on: plainDate('2026-11-12'), tax: 'vat', kind: 'return', amount_pence: null } as const;

/** Shows the titles and texts of the columns that the filters change. */
function showCells(filters: ClientFilters, match: MatchedFigures): Record<string, string> {
  const columns = listClientColumns('p-1', TODAY, filters).filter(
    ({ id }) => ['next_due', 'what', 'amount'].includes(id) || id.startsWith('matched'),
  );
  render(
    <MemoryRouter>
      {columns.map(({ id, cell }) => (
        <div key={id} data-testid={id}>
          {cell(createClient(match))}
        </div>
      ))}
    </MemoryRouter>,
  );
  return Object.fromEntries(columns.map(({ id, title }) => [title, screen.getByTestId(id).textContent ?? '']));
}

describe('a row of a list filtered by date', () => {
  it('shows the counted item, not the client’s next one', () => {
    expect(showCells(DUE, { items: 1, amount_pence: pence(4_000), due: [vat] })).toEqual({
      Due: '13 Nov 2026',
      What: 'VAT payment',
      Amount: '£40.00',
    });
  });

  it('names each of several items, and calls their sum “at least” while one isn’t known', () => {
    const cells = showCells(DUE, { items: 3, amount_pence: pence(4_000), due: [vatReturn, vat, paye] });
    expect(cells).toMatchObject({ Due: '12 Nov 2026', Amount: 'At least £40.00' });
    expect(cells['What']).toBe(
      '3 items12 November 2026: VAT return; 13 November 2026: VAT payment £40.00; 17 November 2026: PAYE payment, amount not known',
    );
  });

  it('never shows an unknown amount as nothing', () => {
    expect(showCells(DUE, { items: 1, amount_pence: null, due: [paye] })['Amount']).toBe('Not known');
  });

  it('marks a late payment of the month, but no refund', () => {
    const lateItem = { ...vat, due_on: plainDate('2026-11-02') };
    expect(showCells({ pay_in: TODAY }, { items: 1, amount_pence: pence(4_000), due: [lateItem] })['Due']).toBe('2 Nov 2026 late');
    cleanup();
    const refund = { ...lateItem, kind: 'refund' as const };
    expect(showCells({ refund_in: TODAY }, { items: 1, amount_pence: pence(4_000), due: [refund] })['Expected']).toBe('2 Nov 2026');
  });

  it('has a line for each item on a phone', () => {
    render(<MatchedLines row={createClient({ items: 2, amount_pence: pence(4_000), due: [vatReturn, vat] })} today={TODAY} />);
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      '12 Nov 2026, VAT return',
      '13 Nov 2026, VAT payment £40.00',
    ]);
  });
});

it('has a column for a figure that no other column shows', () => {
  expect(showCells({ has: 'at_risk' }, { filter: 'has', items: null, amount_pence: pence(1_422), due: [] })).toMatchObject({
    'Not charged yet': '£14.22',
  });
  cleanup();
  expect(showCells({ has: 'overdue_return' }, { filter: 'has', items: 2, amount_pence: null, due: [] })).toMatchObject({
    'Overdue returns': '2',
  });
  cleanup();
  expect(Object.keys(showCells({ has: 'owed' }, { filter: 'has', items: null, amount_pence: pence(1), due: [] }))).toEqual([
    'Next due',
    'What',
    'Amount',
  ]);
});

describe('a row of a list with several filters by dates and amounts', () => {
  const refund = { due_on: plainDate('2026-11-20'), tax: 'vat', kind: 'refund', amount_pence: pence(7_000) } as const;
  const refunds = { filter: 'refund_in' as const, items: 1, amount_pence: pence(7_000), due: [refund] };
  const atRisk = { filter: 'has' as const, items: null, amount_pence: pence(1_422), due: [] };
  const found: MatchedFigures = { items: 1, amount_pence: pence(4_000), due: [vat], further: [refunds, atRisk] };

  it('has columns for each of them, so that no amount is under another’s title', () => {
    expect(showCells({ ...DUE, refund_in: TODAY, has: 'at_risk' }, found)).toEqual({
      Due: '13 Nov 2026',
      What: 'VAT payment',
      Amount: '£40.00',
      'Refunds in Nov 2026': '£70.00: 20 November 2026: VAT refund £70.00',
      'Not charged yet': '£14.22',
    });
    cleanup();
    // What is owed has its own column already.
    expect(Object.keys(showCells({ ...DUE, has: 'owed' }, found))).toEqual(['Due', 'What', 'Amount']);
  });

  it('names the items of a further month for screen readers', () => {
    showCells({ ...DUE, refund_in: TODAY }, { ...found, further: [{ ...refunds, items: 2, due: [refund, { ...refund, tax: 'paye' }] }] });
    expect(screen.getByTestId('matched_refund').textContent).toBe(
      '£70.00: 20 November 2026: VAT refund £70.00; 20 November 2026: PAYE refund £70.00',
    );
  });

  it('has each item once on a phone, even one that two filters found', () => {
    const paidMatch = { filter: 'pay_in' as const, items: 2, amount_pence: pence(4_000), due: [vat, paye] };
    render(<MatchedLines row={createClient({ ...found, further: [paidMatch, refunds] })} today={TODAY} />);
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      '13 Nov 2026, VAT payment £40.00',
      '17 Nov 2026, PAYE payment',
      '20 Nov 2026, VAT refund £70.00',
    ]);
  });
});

describe('the sums above the list', () => {
  const show = (filters: ClientFilters, further: readonly MatchedItems['further'][number][], count = 4) => {
    const matched = { filter: 'due_before' as const, items: 4, amount_pence: pence(9_000), is_partial: true, further: [...further] };
    const { container } = render(<ListSummary counts={{ count, matched }} filters={filters} />);
    return [...container.querySelectorAll('p, span')].map((element) => element.textContent).filter(Boolean);
  };

  it('are one for each of several filters, and say whose they are', () => {
    const owedMatch = { filter: 'has' as const, items: null, amount_pence: pence(500), is_partial: false };
    const texts = show({ ...DUE, has: 'owed' }, [owedMatch]);
    expect(texts).toEqual([
      'By 17 Nov 2026: 4 returns, quarterly updates and payments, at least £90.00',
      'Owed to HMRC: £5.00',
      'These clients match every filter. Each sum counts one filter.',
    ]);
    cleanup();
    expect(show(DUE, [])).toEqual(['4 returns, quarterly updates and payments, at least £90.00']);
    cleanup();
    expect(show(DUE, [], 0)).toEqual([]);
  });
});

describe('the sum above the list', () => {
  const sum = (filters: ClientFilters, isPartial: boolean) => {
    const filter = MATCHED_FILTERS.find((name) => filters[name] !== undefined) ?? 'has';
    return formatMatchedSum({ filter, items: 4, amount_pence: pence(9_000), is_partial: isPartial }, filters);
  };

  it.each<[ClientFilters, string]>([
    [DUE, '4 returns, quarterly updates and payments, at least £90.00'],
    [{ pay_in: TODAY }, '4 payments, at least £90.00 to pay'],
    [{ refund_in: TODAY }, '4 refunds, at least £90.00 due'],
    [{ has: 'owed' }, 'Owed to HMRC: at least £90.00'],
    [{ has: 'overdue_return' }, 'At least 4 overdue returns'],
    [{ has: 'overdue_update' }, 'At least 4 overdue quarterly updates'],
    [{ has: 'overdue_any' }, 'At least 4 overdue returns and quarterly updates, overdue payments: at least £90.00'],
  ])('of %o is “at least” while its clients aren’t fully read', (filters, text) => {
    expect(sum(filters, true)).toBe(text);
    expect(sum(filters, false).toLowerCase()).toBe(text.toLowerCase().replaceAll('at least ', ''));
  });

  it('of payments says that no amount is known', () => {
    expect(formatMatchedSum({ filter: 'pay_in', items: 2, amount_pence: null, is_partial: true }, { pay_in: TODAY })).toBe(
      '2 payments, amounts not known yet',
    );
    expect(formatMatchedSum({ filter: 'refund_in', items: 2, amount_pence: null, is_partial: true }, { refund_in: TODAY })).toBe(
      '2 refunds, amounts not known yet',
    );
  });
});
