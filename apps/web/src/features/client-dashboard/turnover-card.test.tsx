/** Tests that turnover is unknown until a source states it, and that people at Companies House are verified, due or not shown. */
import { plainDate } from '@portal/domain/plain-date.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { RegisterPeopleCard } from './register-people-card.tsx';
import { TurnoverCard } from './turnover-card.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

const CLIENT_IDS = { companyId: '0190a000-0000-7000-8000-000000000001', clientId: '0190a000-0000-7000-8000-000000000002' };
const TODAY = plainDate('2026-11-10');
const show = (card: React.ReactElement) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AppProviders>{card}</AppProviders>
    </QueryClientProvider>,
  );

it('says that turnover is not known, and sends what a user enters for the end of a month', async () => {
  const sentBodies: unknown[] = [];
  undo = setTransport(async (_endpoint, input) => {
    sentBodies.push(input);
    return { turnovers: [], is_vat_registered: false, done: true };
  });
  show(<TurnoverCard ids={CLIENT_IDS} today={TODAY} />);
  await screen.findByText(/^Turnover isn’t known yet/u);
  expect(document.body.textContent).not.toContain('£0');
  fireEvent.click(screen.getByRole('button', { name: 'Enter turnover' }));
  fireEvent.change(await screen.findByLabelText(/12-month turnover/u), { target: { value: '84,500' } });
  expect(screen.getByLabelText('12 months to')).toHaveProperty('value', '2026-10-31');
  fireEvent.click(screen.getByRole('button', { name: 'Save turnover' }));
  await expect.poll(() => sentBodies).toContainEqual(expect.objectContaining({ turnover_pence: 8_450_000, end_on: '2026-10-31' }));
});

it('names the source of each turnover, and which counts', async () => {
  const turnover = {
    source: 'returns',
    is_from_hmrc: true,
    turnover_pence: 10_000_000,
    start_on: '2025-10-01',
    end_on: '2026-09-30',
    exceeded_threshold_pence: null,
    is_imported: false,
  };
  const practiceTurnover = {
    ...turnover,
    source: 'practice',
    is_from_hmrc: false,
    as_of: '2026-11-10',
    entered_by: 'Ann Reed',
    counts: false,
  };
  undo = setTransport(async () => ({
    turnovers: [
      { ...turnover, as_of: '2026-11-09', entered_by: null, counts: true },
      { ...practiceTurnover, turnover_pence: 9_000_000 },
      { ...practiceTurnover, end_on: '2026-08-31', turnover_pence: 8_000_000, is_imported: true },
    ],
    is_vat_registered: true,
  }));
  show(<TurnoverCard ids={CLIENT_IDS} today={TODAY} />);
  expect(await screen.findAllByText('VAT returns from HMRC (box 6)')).not.toEqual([]);
  expect(screen.getAllByText('Entered by Ann Reed')).not.toEqual([]);
  expect(screen.getAllByText('Imported by Ann Reed')).not.toEqual([]);
  expect(screen.getAllByText('£100,000.00')).not.toEqual([]);
  const usedRows = screen.getAllByRole('row').map((row) => `${row.textContent.includes('Used') ? 'used' : 'not'} ${row.textContent}`);
  expect(usedRows.filter((text) => text.startsWith('used') && text.includes('£100,000.00'))).toHaveLength(1);
  expect(usedRows.filter((text) => text.startsWith('used') && text.includes('£90,000.00'))).toEqual([]);
});

it('says which month was above which threshold, and lets the practice correct that month however old it is', async () => {
  const sentBodies: unknown[] = [];
  const base = { source: 'books', is_from_hmrc: false, as_of: '2026-11-09', entered_by: null, is_imported: false, counts: true };
  const exceedingTurnover = {
    start_on: '2024-04-01',
    end_on: '2025-03-31',
    turnover_pence: 9_340_000,
    exceeded_threshold_pence: 9_000_000,
  };
  const newestTurnover = { start_on: '2025-11-01', end_on: '2026-10-31', turnover_pence: 8_000_000, exceeded_threshold_pence: null };
  undo = setTransport(async (_endpoint, input) => {
    sentBodies.push(input);
    return { turnovers: [newestTurnover, exceedingTurnover].map((one) => ({ ...base, ...one })), is_vat_registered: false, done: true };
  });
  show(<TurnoverCard ids={CLIENT_IDS} today={TODAY} />);
  const text = (await screen.findByRole('region', { name: '12-month turnover, by source' })).textContent;
  expect(text).toContain('£93,400.00, above the £90,000 threshold');
  expect(text.split('above the').length).toBe(2);
  fireEvent.click(screen.getByRole('button', { name: 'Enter turnover' }));
  fireEvent.change(await screen.findByLabelText(/12-month turnover, in pounds/u), { target: { value: '88,000' } });
  fireEvent.change(screen.getByLabelText('12 months to'), { target: { value: '2025-03-31' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save turnover' }));
  await expect.poll(() => sentBodies).toContainEqual(expect.objectContaining({ turnover_pence: 8_800_000, end_on: '2025-03-31' }));
});

it('shows who is verified, who is late, and who has no status in the register', async () => {
  const person = { role: 'director', opens_on: null, due_on: null, supplied_on: null };
  undo = setTransport(async () => ({
    read_on: '2026-11-09',
    people: [
      { ...person, name: 'Una BROOK', identity: 'due', due_on: '2026-11-01' },
      { ...person, name: 'Vic BROOK', identity: 'verified', supplied_on: '2026-03-01' },
      { ...person, name: 'Wyn BROOK', identity: 'unknown' },
    ],
  }));
  show(<RegisterPeopleCard ids={CLIENT_IDS} today={TODAY} />);
  expect(await screen.findAllByText(/Was due on/u)).not.toEqual([]);
  expect(screen.getAllByText(/^Verified/u)).not.toEqual([]);
  expect(screen.getAllByText('Not shown')).not.toEqual([]);
});
