// Tests that the numbers on a tax card link to its charges, which are collapsed at first.
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { ChargesAndPayments } from './charges-and-payments.tsx';
import type { PositionDetail } from './client-page.ts';
import { getChargesId, getTabLink } from './client-tabs.ts';

const CLIENT_IDS = { companyId: 'p-1', clientId: '00000000-0000-4000-8000-000000000001' };
const charge: PositionDetail['charges'][number] = {
  key: 'one',
  title: 'VAT return',
  kind: 'tax',
  period_start: null,
  period_end: null,
  due_on: plainDate('2026-11-07'),
  original_pence: pence(100),
  outstanding_pence: pence(100),
  set_off_pence: pence(0),
  days_late: 3,
  penalty_pence: pence(0),
  interest_pence: pence(0),
  source: 'hmrc',
  as_of: null,
};

const detail: PositionDetail = {
  tax: 'vat',
  standing: 'read',
  computed_on: plainDate('2026-11-10'),
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
  charges: [charge],
  payments: [],
  items: [],
};

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

it('open and scroll into view when an amount is clicked', async () => {
  const scrollIntoView = vi.fn<() => void>();
  Element.prototype.scrollIntoView = scrollIntoView;
  undo = setTransport(async () => ({ client_id: CLIENT_IDS.clientId, figures: null, detail }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <AppProviders>
          <TextLink to={`${getTabLink(CLIENT_IDS, 'vat')}#${getChargesId('vat')}`}>£1.00</TextLink>
          <ChargesAndPayments ids={CLIENT_IDS} tax="vat" />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const rows = (await screen.findByText('VAT: charges and payments')).closest('details');
  expect(rows?.open).toBe(false);
  fireEvent.click(screen.getByRole('link', { name: '£1.00' }));
  expect(rows?.open).toBe(true);
  expect(scrollIntoView).toHaveBeenCalledOnce();
});
