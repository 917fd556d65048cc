// Tests docs/product/specification.md section 7.4 (sync-data, refreshing-clients, fetching-new-clients, connection-status): updates through
// server-sent events or, failing that, polling.
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from './api.ts';
import { createQueryClient } from './query-client.ts';
import { POLL_MS, RECONNECT_MS, useLiveSync } from './use-live-sync.ts';

const COMPANY = '00000000-0000-4000-8000-000000000001';
const createIdleStatus = (tax: 'vat' | 'sa'): TaxRefreshStatus => ({ tax_type: tax, is_refreshing: false, sentence: null, run: null });

/** An EventSource that the test controls. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readyState = 0;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.opened.push(this);
  }
  close(): void {
    this.readyState = 2;
  }
  emit(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
  break(): void {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }
}

let requests: string[];
let undo: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.opened = [];
  requests = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  undo = setTransport((endpoint, input) => {
    requests.push(`${endpoint.path} ${String(input['tax_type'])}`);
    return Promise.resolve(createIdleStatus(input['tax_type'] as 'vat' | 'sa'));
  });
});
afterEach(() => {
  cleanup();
  undo();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function openScreen() {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const hook = renderHook(() => useLiveSync(COMPANY), { wrapper });
  await advance(0);
  const [stream] = FakeEventSource.opened;
  if (!stream) throw new Error('no event stream was opened');
  return { hook, stream, client };
}

describe('live sync', () => {
  it('shows events of the stream without polling', async () => {
    const { hook, stream } = await openScreen();
    expect(stream.url).toBe(`/portal/open-tax/sync-events?company_id=${COMPANY}`);
    act(() => void stream.dispatchEvent(new Event('open')));
    requests = [];
    act(() =>
      stream.emit('progress', [{ ...createIdleStatus('vat'), is_refreshing: true, sentence: 'Refreshing VAT' }, createIdleStatus('sa')]),
    );
    await advance(POLL_MS * 2);
    expect(hook.result.current).toMatchObject({ isLive: true, refreshing: { vat: { sentence: 'Refreshing VAT' } } });
    expect(requests).toEqual([]);
  });

  it('polls while the stream is broken and reconnects', async () => {
    const { hook, stream } = await openScreen();
    act(() => void stream.dispatchEvent(new Event('open')));
    act(() => stream.break());
    requests = [];
    await advance(POLL_MS + 1);
    expect(hook.result.current.isLive).toBe(false);
    expect(requests.toSorted()).toEqual(['/open-tax/refreshing-clients sa', '/open-tax/refreshing-clients vat']);
    await advance(RECONNECT_MS);
    expect(FakeEventSource.opened).toHaveLength(2);
  });

  it('refetches the figures when counts change', async () => {
    const { stream, client } = await openScreen();
    client.setQueryData(['/open-tax/sync-data', {}], {});
    act(() => void stream.dispatchEvent(new Event('open')));
    act(() =>
      stream.emit('progress', [{ ...createIdleStatus('vat'), is_refreshing: true, sentence: 'Refreshing VAT' }, createIdleStatus('sa')]),
    );
    await vi.waitFor(() => expect(client.getQueryState(['/open-tax/sync-data', {}])?.isInvalidated).toBe(true));
  });

  it('refetches an import that took no longer than the time between two events, after a file with as many rows', async () => {
    const { stream, client } = await openScreen();
    const progress = { found: 40, matched: 0, new: 40, ambiguous: 0, rows_done: 40, rows_total: 40, state: 'completed' };
    act(() => stream.emit('fetching', { ...progress, import_id: COMPANY }));
    for (const path of ['/open-tax/import-clients/info', '/open-tax/sync-data']) client.setQueryData([path, {}], {});
    act(() => stream.emit('fetching', { ...progress, import_id: '00000000-0000-4000-8000-000000000002' }));
    expect(client.getQueryState(['/open-tax/import-clients/info', {}])?.isInvalidated).toBe(true);
    await vi.waitFor(() => expect(client.getQueryState(['/open-tax/sync-data', {}])?.isInvalidated).toBe(true));
  });

  it('closes the stream with the screen', async () => {
    const { hook, stream } = await openScreen();
    hook.unmount();
    expect(stream.readyState).toBe(FakeEventSource.CLOSED);
  });
});
