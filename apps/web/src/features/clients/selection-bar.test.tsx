import { clientsApi } from '@portal/contract/clients.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { SelectionBar } from './selection-bar.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

let client = createQueryClient();
beforeEach(() => (client = createQueryClient()));

/** All active clients are selected; `total` is their number. */
const renderBar = (total: number) => (
  <AppProviders>
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <SelectionBar
          companyId="p-1"
          filters={{ status: 'active' }}
          known={new Map()}
          selected={new Set()}
          isAll
          total={total}
          onSelectAll={() => undefined}
          onClear={() => undefined}
          exportQuery={() => new URLSearchParams()}
          exportHref={() => ''}
          isAdmin
          mayExport
        />
      </MemoryRouter>
    </QueryClientProvider>
  </AppProviders>
);

it('shows the result and the undo for all matching clients, even when the filter no longer matches any', async () => {
  undo = setTransport((endpoint) =>
    endpoint === clientsApi.setStatus
      ? Promise.resolve({
          counts: { changed: 10_000, unchanged: 0, not_found: 0 },
          results: [],
          change_id: '00000000-0000-4000-8000-000000000001',
        })
      : new Promise(() => undefined),
  );
  const { rerender } = render(renderBar(10_000));
  fireEvent.click(screen.getByRole('button', { name: 'Change status' }));
  fireEvent.click(screen.getByRole('button', { name: 'Set 10,000 clients to active' }));
  rerender(renderBar(0));
  expect(await screen.findByRole('link', { name: '10,000 clients' })).toBeTruthy();
  expect(screen.getByRole('dialog', { name: 'Change status of 10,000 clients' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy();
});

it('disables the refresh while HMRC is not connected, and says why', async () => {
  undo = setTransport((endpoint) =>
    endpoint === syncApi.accountantConnections
      ? Promise.resolve({
          arn: null,
          connections: [{ provider: 'hmrc', status: 'not_connected', connected_at: null, consent_ends_at: null }],
        })
      : new Promise(() => undefined),
  );
  render(renderBar(3));
  expect(await screen.findByText(/^HMRC isn’t connected, so we can’t refresh figures/)).toBeTruthy();
  for (const name of ['Refresh VAT', 'Refresh SA']) expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
});

it('says that the selected clients are waiting for their refresh, and how it ended', async () => {
  let isOver = false;
  const runId = '00000000-0000-4000-8000-000000000002';
  const run = (hasEnded: boolean) => ({
    tax_type: 'vat',
    is_refreshing: !hasEnded,
    sentence: hasEnded ? null : 'Refreshing VAT',
    run: {
      run_id: runId,
      state: hasEnded ? 'completed' : 'importing',
      started_at: '2026-11-22T11:00:00.000Z',
      ended_at: hasEnded ? '2026-11-22T11:01:00.000Z' : null,
      reason: null,
      counts: {
        total: 3,
        queued: hasEnded ? 0 : 3,
        waiting: 0,
        reading: 0,
        done: hasEnded ? 2 : 0,
        failed: hasEnded ? 1 : 0,
        not_authorised: 0,
        throttled: 0,
      },
      is_throttled: false,
      rate_per_minute: null,
      seconds_left: null,
    },
  });
  undo = setTransport((endpoint) => {
    if (endpoint === syncApi.start) return Promise.resolve({ run_id: runId, queued: 3, joined: false });
    return endpoint === syncApi.refreshingClients ? Promise.resolve(run(isOver)) : new Promise(() => undefined);
  });
  render(renderBar(3));
  fireEvent.click(screen.getByRole('button', { name: 'Refresh VAT' }));
  expect(await screen.findByText('3 clients queued. See the progress above the list.')).toBeTruthy();
  isOver = true;
  await client.invalidateQueries({ queryKey: [syncApi.refreshingClients.path] });
  expect(await screen.findByText('Refresh finished: 2 clients updated, 1 failed.')).toBeTruthy();
});
