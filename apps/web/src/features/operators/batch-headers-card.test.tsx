// Tests recording HMRC's response about nightly refreshes: nothing is allowed without headers and a note of where the response is filed.
import { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { BatchHeadersCard } from './batch-headers-card.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

const RECORDED_CONFIRMATION = { recorded_by: 'Olu Ade', recorded_at: '2026-11-20T09:00:00.000Z', note: 'SDST ticket 4711' };

function open(headers: readonly string[]) {
  const sentBodies: unknown[] = [];
  undo = setTransport(async (endpoint, input) => {
    if (endpoint !== nightlyRefreshApi.confirm)
      return { confirmation: headers.length === 0 ? null : { ...RECORDED_CONFIRMATION, headers } };
    sentBodies.push(input);
    return { done: true };
  });
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <BatchHeadersCard />
      </QueryClientProvider>
    </AppProviders>,
  );
  return sentBodies;
}

const isDisabled = (name: string) => (screen.getByRole('button', { name }) as HTMLButtonElement).disabled;
const writeNote = (value: string) => fireEvent.change(screen.getByLabelText(/HMRC’s answer/), { target: { value } });

it('the record is empty at first, and stores the chosen headers with their note', async () => {
  const sentBodies = open([]);
  expect(await screen.findByText(/^Off: HMRC hasn’t confirmed/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Gov-Vendor-Version' }));
  expect(isDisabled('Confirm headers')).toBe(true);
  writeNote('SDST ticket 4712, 22 November');
  fireEvent.click(screen.getByRole('button', { name: 'Confirm headers' }));
  await expect.poll(() => sentBodies).toEqual([{ headers: ['Gov-Vendor-Version'], note: 'SDST ticket 4712, 22 November' }]);
});

it('a record names who made it, what and where, and can be withdrawn with a reason', async () => {
  const sentBodies = open(['Gov-Client-Timezone']);
  expect((await screen.findByText(/^On, with these headers: Gov-Client-Timezone\./)).textContent).toContain(
    'SDST ticket 4711 (recorded by Olu Ade,',
  );
  expect(isDisabled('Withdraw')).toBe(true);
  writeNote('HMRC changed its mind');
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  await expect.poll(() => sentBodies).toEqual([{ headers: [], note: 'HMRC changed its mind' }]);
});
