import { createQuickBooksBooksClient, type QuickBooksBooksDeps } from '@portal/providers/intuit/quickbooks-books-client.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { type CallLimit, serveOne } from '../simulator/recordings.ts';
import { createReadClock, recordFetch } from '../testing/conforming-reads.ts';
import { createQuickBooksBooksSimulator } from './quickbooks-books-simulator.ts';

// Deliberately unsorted, so that the test shows that the query sorts.
const INVOICES = [10, 2, 1, 3, 5].map((id) => ({
  Id: String(id),
  TxnDate: '2026-07-01',
  MetaData: { LastUpdatedTime: `2026-07-${String(id).padStart(2, '0')}T00:00:00Z` },
}));
const TAX_CODES = [
  { Id: '1', Name: '20.0% S', Active: true },
  { Id: '2', Name: '20.0% ECG', Active: false },
];

let host: SimulatorHost | undefined;
afterEach(async () => host?.close());

async function open(deps: Partial<QuickBooksBooksDeps>, limit?: CallLimit) {
  const recordings = { Invoice: INVOICES, TaxCode: TAX_CODES };
  const plugin = createQuickBooksBooksSimulator({ find: serveOne(recordings, 'a1', '123'), ...(limit ? { limit } : {}) });
  host = await startSimulatorHost([{ basePath: '', plugin }], 0, '127.0.0.1');
  return createQuickBooksBooksClient({
    fetch,
    getAccessToken: () => Promise.resolve('a1'),
    realmId: '123',
    apiUrl: host.url,
    pause: () => Promise.resolve(),
    ...deps,
  });
}

async function read(deps: Partial<QuickBooksBooksDeps>, limit?: CallLimit) {
  const ids: string[] = [];
  for await (const page of (await open(deps, limit)).list('Invoice')) ids.push(...page.map(({ Id }) => Id));
  return ids;
}

const ALL_KEYS = ['1', '2', '3', '5', '10'];

describe('QuickBooks’ books', () => {
  it('are read page by page, in a fixed order', async () => {
    const { urls, fetch: recordedFetch } = recordFetch();
    expect(await read({ pageSize: 2, fetch: recordedFetch })).toEqual(ALL_KEYS);
    expect(urls).toHaveLength(3);
    expect(urls[1]).toContain('select+*+from+Invoice+orderby+Id+startposition+3+maxresults+2');
  });

  it('are read to an empty page when the last one is full', async () => {
    expect(await read({ pageSize: 5 })).toEqual(ALL_KEYS);
  });

  it('can be limited to what has changed', async () => {
    expect(await read({ modifiedSince: '2026-07-03T00:00:00Z' })).toEqual(['5', '10']);
  });

  it('include inactive codes, because documents still use them', async () => {
    const codes = await (await open({})).getAll('TaxCode');
    expect(codes.map(({ Name }) => Name)).toEqual(['20.0% S', '20.0% ECG']);
  });

  it('are read to the end when Intuit’s limit is reached, after a minute', async () => {
    const { limit, pause, pauses } = createReadClock(2);
    expect(await read({ pageSize: 2, pause }, limit)).toEqual(ALL_KEYS);
    expect(pauses).toEqual([60_000]);
  });

  it.each([
    [{ getAccessToken: () => Promise.resolve('expired') }, 'unauthorized', 401],
    [{ realmId: '456' }, 'refused', 403],
    [{ pageSize: 2_000 }, 'refused', 400],
    [{ modifiedSince: "2026' or '1" }, 'refused', 400],
  ])('are not read with %j', async (deps, failure, status) => {
    await expect(read(deps)).rejects.toMatchObject({ failure, facts: { status, operation: 'quickbooks.Invoice' } });
  });

  it('are never requested at a URL changed by a crafted company ID', async () => {
    await expect(open({ realmId: '123/query' })).rejects.toThrow('pattern');
  });
});
