import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Prices } from './prices.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TIERS = [
  { name: 'Free', from: 0, to: 10, base_pence: 0, unit_price_pence: 0, included: 10 },
  { name: 'Starter', from: 11, to: 50, base_pence: 1_500, unit_price_pence: 120, included: 10 },
  { name: 'Practice', from: 51, to: null, base_pence: 6_400, unit_price_pence: 90, included: 50 },
];

function open(getResponse: () => Promise<Response>) {
  vi.stubGlobal('fetch', vi.fn<() => Promise<Response>>(getResponse));
  render(<Prices />);
}

const openPrices = () => open(async () => Response.json({ version: 1, mode: 'volume', vat_rate_bps: 2_000, tiers: TIERS }));

it('prices the number on the slider, with VAT apart, and marks its tier in the table', async () => {
  openPrices();
  const slider = await screen.findByRole('slider');
  // 50 connections included, 10 more at 90p: £73.00, and £14.60 VAT.
  expect(screen.getByRole('status').textContent).toBe('Practice£73.00 a month, plus VAT');
  expect(screen.getByText('£87.60')).toBeTruthy();
  fireEvent.change(slider, { target: { value: '20' } });
  expect(slider.getAttribute('aria-valuetext')).toBe('20 connections');
  expect(screen.getByRole('status').textContent).toBe('Starter£27.00 a month, plus VAT');
  expect(within(screen.getByRole('row', { name: /Starter/ })).getByText('Chosen')).toBeTruthy();
});

it('prices a typed number exactly, and keeps a wrong one in the field with how to correct it', async () => {
  openPrices();
  const field = await screen.findByLabelText('Number of connections');
  fireEvent.change(field, { target: { value: '1,051' } });
  expect(screen.getByRole('status').textContent).toContain('£964.90');
  fireEvent.change(field, { target: { value: 'many' } });
  expect((field as HTMLInputElement).value).toBe('many');
  expect(screen.getByText('Enter a whole number from 0 to 100,000')).toBeTruthy();
  fireEvent.change(field, { target: { value: '3' } });
  expect(screen.getByRole('status').textContent).toBe('FreeFree');
});

it('says that prices couldn’t be loaded, and loads them when asked', async () => {
  let isDown = true;
  open(async () => (isDown ? Response.json({}, { status: 502 }) : Response.json({ mode: 'volume', tiers: TIERS })));
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isDown = false;
  fireEvent.click(retry);
  expect(await screen.findByRole('slider')).toBeTruthy();
});
