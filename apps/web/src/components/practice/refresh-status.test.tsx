// Tests docs/product/specification.md sections 4 ("Queries": some run only with a company id) and 8 (a malformed company_id redirects to
// the home page).
import { syncApi } from '@portal/contract/sync.ts';
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { describePace } from './refresh-parts.tsx';
import { RefreshStatus } from './refresh-status.tsx';
import { listEndedParts, toText } from './run-sentence.tsx';

let requestedCompanyIds: unknown[];
/** Responses by path. Requests to other paths stay pending. */
let responses: Record<string, unknown>;
/** Open event streams, newest last. */
let streams: EventTarget[];
let undo = () => undefined as void;
beforeEach(() => {
  [requestedCompanyIds, responses, streams] = [[], {}, []];
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor() {
        super();
        streams.push(this);
      }
      close = (): void => undefined;
    },
  );
  undo = setTransport((endpoint, input) => {
    requestedCompanyIds.push(input['company_id']);
    const response = responses[endpoint.path];
    return response === undefined ? new Promise(() => undefined) : Promise.resolve({ ...response, tax_type: input['tax_type'] });
  });
});
afterEach(() => {
  cleanup();
  undo();
  vi.unstubAllGlobals();
});

function show(companyId: string, isAdmin = true): void {
  render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AppProviders>
          <RefreshStatus companyId={companyId} isAdmin={isAdmin} />
        </AppProviders>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

it('sends no request before the practice is known', () => {
  show('');
  expect(requestedCompanyIds).toEqual([]);
  cleanup();
  show('p-1');
  expect(new Set(requestedCompanyIds)).toEqual(new Set(['p-1']));
});

describe('a refresh of 118 clients', () => {
  const NOT_READ = [{ code: 'insolvent', sentence: 'HMRC says it is insolvent.', next: 'Ask.', clients: 3, examples: [] }];
  const WAITS = [{ code: 'hmrc_unavailable', sentence: 'HMRC did not answer.', next: 'It is tried again by itself.', clients: 2 }];
  const createCounts = (doneCount: number, failedCount: number) => ({
    total: 118,
    queued: 118 - doneCount - failedCount,
    waiting: 0,
    reading: 0,
    done: doneCount,
    failed: failedCount,
    not_authorised: 0,
    throttled: 0,
  });
  const at = toInstant(Date.UTC(2026, 10, 22, 9, 14));
  const createVatStatus = (doneCount: number, failedCount: number, ended_at: Instant | null = null): TaxRefreshStatus => ({
    tax_type: 'vat',
    is_refreshing: ended_at === null,
    sentence: ended_at === null ? `${doneCount} done, ${failedCount} failed` : null,
    run: {
      run_id: '00000000-0000-4000-8000-000000000009',
      state: ended_at === null ? 'importing' : 'completed',
      started_at: at,
      ended_at,
      reason: null,
      counts: createCounts(doneCount, failedCount),
      is_throttled: false,
      rate_per_minute: null,
      seconds_left: null,
    },
  });
  const emitProgress = (...progress: TaxRefreshStatus[]) =>
    act(async () => {
      streams.at(-1)?.dispatchEvent(new MessageEvent('progress', { data: JSON.stringify(progress) }));
      // The query cache notifies its observers in a later task.
      await new Promise((resolve) => setTimeout(resolve, 0));
    });

  it('shows the progress as text and bar, then the result', async () => {
    const read = { oldest_read_at: at, newest_read_at: at, run: null };
    const states = { checking: 0, importing: 0, waiting: 0, completed: 115, failed: 3 };
    responses[syncApi.syncData.path] = {
      clients: 118,
      never_read: 0,
      states,
      failures: NOT_READ,
      waits: WAITS,
      never_asked: 0,
      authorisations: [],
      ...read,
    };
    responses[syncApi.accountantConnections.path] = {
      arn: null,
      connections: [{ provider: 'hmrc', status: 'connected', connected_at: null, consent_ends_at: null }],
    };
    show('p-1');
    expect(await screen.findByRole('button', { name: /Refresh VAT/ })).toBeTruthy();
    await emitProgress(createVatStatus(59, 0));
    const group = (name: string) =>
      new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '', 'https://portal.example').searchParams.get('refresh');
    expect([group('59 done'), group('0 failed'), group('118 clients')]).toEqual(['run_done', 'run_failed', 'run']);
    expect(screen.getByRole('listitem').textContent).toBe('2 clients: HMRC did not answer. It is tried again by itself.');
    expect(screen.getByText(/^Current figures: Updated from HMRC/).textContent).toContain('22 November 2026 at 09:14');
    expect(screen.getByRole('progressbar', { name: 'VAT refresh' }).getAttribute('aria-valuenow')).toBe('50');
    expect(screen.getByRole('button', { name: /Stop refreshing VAT/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Refresh VAT/ })).toBeNull();
    // Failed clients count as processed, so the bar reaches 100% at the end.
    await emitProgress(createVatStatus(115, 3));
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    await emitProgress(createVatStatus(115, 3, at));
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.getByText(/^Refresh finished:/).textContent).toBe('Refresh finished: 115 clients updated, 3 failed.');
    expect(group('3 failed')).toBe('run_failed');
    expect(screen.getByRole('button', { name: /Refresh VAT/ })).toBeTruthy();
  });
});

it('opens the clients behind each of its numbers', async () => {
  const at = toInstant(Date.UTC(2026, 10, 22, 9, 14));
  const createFailure = (code: string, clients: number) => ({ code, sentence: 'HMRC says so.', next: 'Ask.', clients, examples: [] });
  responses[syncApi.syncData.path] = {
    clients: 118,
    never_read: 7,
    never_asked: 12,
    states: { checking: 0, importing: 0, waiting: 0, completed: 115, failed: 3 },
    failures: [createFailure('insolvent', 2), createFailure('unknown', 1)],
    waits: [],
    authorisations: [{ status: 'not_started', clients: 5 }],
    oldest_read_at: at,
    newest_read_at: at,
    run: null,
  };
  show('p-1');
  fireEvent.click(await screen.findByRole('button', { name: /3 not updated for Self Assessment/ }));
  const getFilters = (name: string): unknown => {
    const link = screen.getAllByRole('link', { name }).at(-1)?.getAttribute('href') ?? '';
    const { company_id: _company, status: _status, ...filters } = Object.fromEntries(new URL(link, 'https://portal.example').searchParams);
    return filters;
  };
  expect(getFilters('7 of 118 clients')).toEqual({ tax: 'sa', figures: 'unread' });
  expect(getFilters('12 clients')).toEqual({ tax: 'sa', refresh: 'without_nino' });
  expect(getFilters('View these 3 clients')).toEqual({ tax: 'sa', refresh: 'failed' });
  expect(getFilters('2 clients')).toEqual({ tax: 'sa', refresh: 'failed', refresh_reason: 'insolvent' });
  expect(getFilters('5 not authorised')).toEqual({ tax: 'sa', authorisation: 'missing' });
});

it.each([
  [{ rate_per_minute: 42, seconds_left: 30 }, '42 clients a minute, about 30 seconds left.'],
  [{ rate_per_minute: 1, seconds_left: 120 }, '1 client a minute, about 2 minutes left.'],
  [{ rate_per_minute: 45, seconds_left: 13_320 }, '45 clients a minute, about 3 hours 42 minutes left.'],
  [{ rate_per_minute: null, seconds_left: null }, ''],
  [
    { rate_per_minute: 12, seconds_left: 60, is_throttled: true },
    'HMRC is limiting how fast we can refresh. Nothing has failed; we’re continuing at HMRC’s pace. 12 clients a minute, about 1 minute left.',
  ],
])('describes the pace %o', (run, text) => {
  expect(describePace({ is_throttled: false, ...run })).toBe(text);
});

describe('a practice without a working HMRC connection', () => {
  const failures = [{ code: 'hmrc_unavailable', sentence: 'HMRC did not answer.', next: 'Refresh.', clients: 3, examples: [] }];
  const data = { clients: 9, never_read: 9, oldest_read_at: null, newest_read_at: null, run: null };
  const showWithConnection = (status: string, isAdmin: boolean): void => {
    responses[syncApi.syncData.path] = {
      ...data,
      failures,
      waits: [],
      never_asked: 0,
      authorisations: [
        { status: 'not_started', clients: 900 },
        { status: 'revoked', clients: 58 },
        { status: 'link_sent', clients: 2 },
      ],
      states: { checking: 0, importing: 0, waiting: 0, completed: 0, failed: 3 },
    };
    responses[syncApi.accountantConnections.path] = {
      arn: null,
      connections: [{ provider: 'hmrc', status, connected_at: null, consent_ends_at: null }],
    };
    show('p-1', isAdmin);
  };

  it('disables everything that needs HMRC, says why, and links an admin to the connection settings', async () => {
    showWithConnection('not_connected', true);
    const reason = await screen.findByText(/^HMRC isn’t connected, so we can’t refresh figures/);
    const link = screen.getByRole('link', { name: 'Connect HMRC' });
    expect(link.getAttribute('href')).toBe('/v2/open-tax/settings/connections?company_id=p-1');
    fireEvent.click(await screen.findByRole('button', { name: '3 not updated for VAT: show why' }));
    for (const name of ['Refresh VAT from HMRC', 'Refresh Self Assessment from HMRC', 'Retry these clients']) {
      const button = screen.getByRole<HTMLButtonElement>('button', { name });
      expect([button.disabled, button.getAttribute('aria-describedby')]).toEqual([true, reason.id]);
    }
  });

  it('links the number of unauthorised clients to exactly those', async () => {
    showWithConnection('connected', true);
    const [link] = await screen.findAllByRole('link', { name: '958 not authorised' });
    expect(link?.getAttribute('href')).toBe('/v2/open-tax/clients?company_id=p-1&tax=vat&authorisation=missing&status=in_hand');
    expect(screen.getAllByRole('link', { name: '2 waiting for the client' })).toHaveLength(2);
  });

  it('tells a team member to ask an admin', async () => {
    showWithConnection('lapsed', false);
    expect(await screen.findByText(/^Your HMRC connection has ended, .* Ask an admin of your practice to reconnect HMRC\.$/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /onnect HMRC/ })).toBeNull();
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Refresh VAT from HMRC' })).disabled).toBe(true);
  });
});

it.each([
  ['completed', { total: 99, done: 96, failed: 3 }, null, 'Refresh finished: 96 clients updated, 3 failed.'],
  [
    'completed',
    { total: 99, done: 40, failed: 1, not_authorised: 58 },
    null,
    'Refresh finished: 40 clients updated, 1 failed, 58 not authorised.',
  ],
  ['completed', { total: 1, done: 1, failed: 0 }, null, 'Refresh finished: 1 client updated.'],
  [
    'cancelled',
    { total: 99, done: 12, failed: 0 },
    { code: 'cancelled', sentence: 'The refresh was cancelled before it reached this client.', next: 'Refresh again.' },
    'Refresh stopped: 12 clients updated, 87 not started.',
  ],
  [
    'failed',
    { total: 9, done: 0, failed: 0 },
    { code: 'grant', sentence: 'HMRC no longer lets us read.', next: 'Connect it again.' },
    'Refresh failed: 0 clients updated, 9 not started. HMRC no longer lets us read. Connect it again.',
  ],
] as const)('describes a refresh that is %s: %o', (state, counts, reason, text) => {
  expect(
    toText(listEndedParts({ state, counts: { queued: 0, waiting: 0, reading: 0, not_authorised: 0, throttled: 0, ...counts }, reason })),
  ).toBe(text);
});
