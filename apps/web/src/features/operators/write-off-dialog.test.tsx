// Tests that a write-off needs the operator's reason, and that a rejection shows why.
import { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { ApiError } from '../../lib/problem-to-error.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { WriteOffDialog } from './write-off-dialog.tsx';

const COMPANY = '01890000-0000-7000-8000-000000000001';
const INVOICE = '01890000-0000-7000-8000-000000000002';
const invoice = {
  company_id: COMPANY,
  practice: 'Oakline',
  invoice_id: INVOICE,
  number: 'INV-000021',
  kind: 'invoice' as const,
  issued_on: plainDate('2026-11-10'),
  total_pence: pence(87_60),
  status: 'failed' as const,
  write_off: null,
  refunded_pence: pence(0),
  corrects_number: null,
};
let undo = () => undefined as void;
afterEach(() => {
  undo();
  cleanup();
});

function open(getResponse: () => unknown): { sent: unknown[]; closed: () => boolean } {
  const sentBodies: unknown[] = [];
  let isClosed = false;
  undo = setTransport(async (endpoint, input) => {
    if (endpoint !== operatorBillingApi.requestWriteOff) return undefined;
    sentBodies.push(input);
    return getResponse();
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AppProviders>
        <WriteOffDialog invoice={invoice} onClose={() => (isClosed = true)} />
      </AppProviders>
    </QueryClientProvider>,
  );
  return { sent: sentBodies, closed: () => isClosed };
}

it('a write-off is sent only with a reason', async () => {
  const { sent, closed } = open(() => ({ request_id: INVOICE }));
  fireEvent.click(screen.getByRole('button', { name: 'Request approval' }));
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByRole('textbox', { name: /Reason/ }), { target: { value: ' In liquidation ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Request approval' }));
  await screen.findByText('Sent to a second operator');
  expect(sent).toEqual([{ company_id: COMPANY, invoice_id: INVOICE, reason: 'In liquidation' }]);
  expect(closed()).toBe(true);
});

it('the dialog stays open and says why the invoice can’t be written off', async () => {
  const message = 'INV-000021 can’t be written off. It was paid.';
  const { closed } = open(() => {
    throw new ApiError({ status: 409, code: 'write_off.not_bad_debt', message });
  });
  fireEvent.change(screen.getByRole('textbox', { name: /Reason/ }), { target: { value: 'In liquidation' } });
  fireEvent.click(screen.getByRole('button', { name: 'Request approval' }));
  expect((await screen.findByRole('alert')).textContent).toContain(message);
  expect(closed()).toBe(false);
});
