// Tests that the price says what is charged, and when: for a new subscription, and for a change to a running one.
import { billingApi } from '@portal/contract/billing.ts';
import { pricingApi } from '@portal/contract/pricing.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { ApiError, setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { PriceCard } from './price-card.tsx';

const COMPANY = '01890000-0000-7000-8000-000000000001';
let undo = () => undefined as void;
afterEach(() => {
  undo();
  cleanup();
});

const tier = { name: 'Practice', from: 51, to: 250, base_pence: 64_00, unit_price_pence: 90, included: 50 };
const calculation = {
  version: 1,
  tier_name: 'Practice',
  no_selected_connections: 80,
  lines: [
    { kind: 'base', quantity: null, amount_pence: 64_00 },
    { kind: 'connections', quantity: 30, amount_pence: 27_00 },
    { kind: 'vat', quantity: null, amount_pence: 18_20 },
  ],
  net_pence: 91_00,
  vat_rate_bps: 2_000,
  vat_pence: 18_20,
  total_pence: 109_20,
  renews_on: '2026-12-10',
  change: null,
  ends_promotion_code: null,
  promotion: null,
};
const billing = {
  is_available: true,
  billing_name: 'Olivia Oak',
  billing_email: 'olivia@oakline.example',
  billing_address: '1 High Street',
  promotion_code: '',
  payment_method: { kind: 'card', label: 'Visa ending 4242' },
  no_selected_connections: 80,
  trial: null,
  subscription: null,
};
const subscription = {
  status: 'active',
  tier_name: 'Practice',
  no_connections: 60,
  price_list_version: 1,
  subscribed_on: '2026-11-10',
  renews_on: '2026-12-10',
  renewal_total_pence: 87_60,
  promotion: null,
  ends_at_renewal: false,
  dunning: null,
  confirmation_url: null,
  price_move: null,
};
const change = { credit_pence: -36_50, charge_pence: 45_50, net_pence: 9_00, vat_pence: 1_80, total_pence: 10_80 };

function open(data: { readonly billing: object; readonly calculation: object; readonly subscribe?: () => never }): void {
  undo = setTransport(async (endpoint) => {
    if (endpoint === billingApi.subscribe) return data.subscribe?.();
    if (endpoint === pricingApi.calculate) return data.calculation;
    if (endpoint === pricingApi.currentTier) return { version: 1, no_selected_connections: 80, tier, next_tier: null };
    return endpoint === billingApi.get ? data.billing : undefined;
  });
  render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AppProviders>
          <PriceCard companyId={COMPANY} />
        </AppProviders>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

it('shows the first invoice before a subscription starts', async () => {
  open({ billing, calculation });
  expect(await screen.findByRole('button', { name: 'Subscribe and pay £109.20' })).toBeTruthy();
  expect(await screen.findByText('Total for the first month')).toBeTruthy();
  expect(screen.getByText('A subscription from today would renew on 10 December 2026.')).toBeTruthy();
});

it('shows a subscriber the monthly price, what a change costs today, and when the subscription renews', async () => {
  open({ billing: { ...billing, subscription }, calculation: { ...calculation, change } });
  expect(await screen.findByRole('button', { name: 'Change to £109.20 a month' })).toBeTruthy();
  expect(await screen.findByText('Total a month')).toBeTruthy();
  expect((await screen.findByText('Charged today')).parentElement?.textContent).toContain('£10.80');
  expect(screen.getByText('Your subscription renews on 10 December 2026.')).toBeTruthy();
  expect(screen.queryByText(/A subscription from today/)).toBeNull();
});

it('says that a code for another tier ends with the change', async () => {
  open({ billing: { ...billing, subscription }, calculation: { ...calculation, change, ends_promotion_code: 'FIVEOFF' } });
  expect(await screen.findByText(/Your promotion code FIVEOFF isn’t for the Practice tier, so its discount ends/)).toBeTruthy();
});

it('links to the invoice that must be paid first', async () => {
  const subscribe = () => {
    throw new ApiError({
      status: 422,
      code: 'billing.earlier_unpaid',
      message: 'Pay it first.',
      details: { pay_url: 'https://stripe.example/i/1' },
    });
  };
  open({ billing, calculation, subscribe });
  fireEvent.click(await screen.findByRole('button', { name: 'Subscribe and pay £109.20' }));
  const link = await screen.findByRole('link', { name: 'Pay the invoice at Stripe' });
  expect(link.getAttribute('href')).toBe('https://stripe.example/i/1');
});
