// The part of a credit that HMRC sets off against tax owed won't be paid out (contract/positions.ts: `set_off_pence`).
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { VatYear } from './vat-year.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

const createCredit = (setOff: number) => ({
  key: 'credit',
  title: 'VAT Return Credit Charge',
  kind: 'credit',
  period_start: '2026-06-01',
  period_end: '2026-08-31',
  due_on: '2026-10-07',
  original_pence: -2_627_821,
  outstanding_pence: -2_627_821,
  set_off_pence: setOff,
  days_late: 0,
  penalty_pence: 0,
  interest_pence: 0,
  source: 'hmrc',
  as_of: '2026-11-21T17:32:47.229Z',
});

it.each([
  { setOff: 0, coming: '£26,278.21', kept: null },
  { setOff: 2_000_000, coming: '£6,278.21', kept: '£20,000.00 set against VAT owed' },
  { setOff: 2_627_821, coming: 'None', kept: '£26,278.21 set against VAT owed' },
])('shows $coming still to come for a refund with $setOff pence set off', async ({ setOff, coming, kept }) => {
  undo = setTransport(async () => ({
    client_id: '00000000-0000-4000-8000-000000000001',
    periods: [],
    refunds: [createCredit(setOff)],
    as_of: null,
  }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AppProviders>
        <VatYear ids={{ companyId: 'p', clientId: 'c' }} year="2026" />
      </AppProviders>
    </QueryClientProvider>,
  );
  const cells = (await screen.findAllByRole('cell')).map((cell) => cell.textContent);
  // The text includes the column's label, which is shown on phones.
  expect(cells[2]).toBe(`Outstanding${coming}${kept ?? ''}`);
});
