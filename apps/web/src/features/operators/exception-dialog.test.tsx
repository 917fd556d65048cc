// Tests exceptions: an operator can submit only a complete form that changes something.
import { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { ExceptionDialog } from './exception-dialog.tsx';
import type { ReconciliationException } from './exception-labels.ts';

const COMPANY = '01890000-0000-7000-8000-000000000001';
const CREDIT_ID = '01890000-0000-7000-8000-000000000002';
const OPENED_AT = toInstant(Date.UTC(2026, 10, 20));

const EXCEPTION: ReconciliationException = {
  kind: 'credit',
  subject_id: CREDIT_ID,
  company_id: COMPANY,
  company_name: 'Oak Ltd',
  amount_pence: pence(50_000),
  currency: 'GBP',
  advance_id: null,
  resolutions: [],
  since: OPENED_AT,
  remitter: 'HMRC VTR',
  reference: '123',
  problem: null,
  refund_pence: null,
  expected_on: null,
  in_flight_pence: pence(0),
  awaits_approval: false,
  notes: [],
};

const CREDITS = {
  credits: [
    {
      credit_id: CREDIT_ID,
      amount_pence: 50_000,
      currency: 'GBP',
      remitter: 'HMRC VTR',
      reference: '123',
      received_at: OPENED_AT,
      returned_at: null,
      returned_pence: 0,
      allocations: [],
      unallocated_pence: 50_000,
      awaits_approval: false,
    },
  ],
  targets: [],
};

let sentBodies: unknown[] = [];
let undo = () => undefined as void;
beforeEach(() => {
  sentBodies = [];
  undo = setTransport(async (endpoint, input) => {
    if (endpoint === reconciliationExceptionsApi.credits) return CREDITS;
    sentBodies.push(input);
    return { done: true };
  });
});
afterEach(() => {
  cleanup();
  undo();
});

function open(exception: ReconciliationException): void {
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <ExceptionDialog exception={exception} onClose={() => undefined} />
      </QueryClientProvider>
    </AppProviders>,
  );
}

const getButton = (name: string, description: string) => screen.findByRole<HTMLButtonElement>('button', { name, description });

it('saves a note once it says something', async () => {
  open(EXCEPTION);
  expect((await getButton('Save note', 'Enter a note (at least a few words).')).disabled).toBe(true);

  fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'Asked the bank' } });
  fireEvent.click(await getButton('Save note', ''));
  await expect.poll(() => sentBodies).toMatchObject([{ subject_id: CREDIT_ID, text: 'Asked the bank' }]);
});

it('requests a match once it has an amount and a reason', async () => {
  open(EXCEPTION);
  fireEvent.click(screen.getByRole('radio', { name: /Match or split/u }));
  expect((await getButton('Request match', 'Enter at least one amount.')).disabled).toBe(true);

  fireEvent.change(await screen.findByRole('textbox', { name: /Belongs to the trader/u }), { target: { value: '£600.00' } });
  expect((await getButton('Request match', 'Correct the amounts above.')).disabled).toBe(true);

  fireEvent.change(screen.getByRole('textbox', { name: /Belongs to the trader/u }), { target: { value: '£500.00' } });
  expect((await getButton('Request match', 'Enter a reason (at least a few words).')).disabled).toBe(true);

  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Paid here by mistake' } });
  expect((await getButton('Request match', '')).disabled).toBe(false);
});

it('asks what a payment from a collection account was, and sends the answer', async () => {
  open({ ...EXCEPTION, kind: 'collection_payout', remitter: 'Mallory Ltd', resolutions: ['to_us', 'to_trader', 'lost'] });
  const choices = screen.getByRole('radiogroup', { name: 'What was this payment?' });
  fireEvent.click(within(choices).getByRole('radio', { name: /It was taken and won’t come back/u }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'The provider confirmed it' } });
  fireEvent.click(await getButton('Request record', ''));
  await expect
    .poll(() => sentBodies)
    .toEqual([{ company_id: COMPANY, subject_id: CREDIT_ID, as: 'lost', reason: 'The provider confirmed it' }]);
});
