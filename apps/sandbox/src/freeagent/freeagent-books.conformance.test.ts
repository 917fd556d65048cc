import type { BooksProviderDeps } from '@portal/providers/connected-books/books-provider.ts';
import { createFreeAgentBooksProvider } from '@portal/providers/freeagent/freeagent-books-provider.ts';
import { createFreeAgentBooksClient, type FreeAgentBooksDeps } from '@portal/providers/freeagent/freeagent-books-client.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { type CallLimit, serveOne } from '../simulator/recordings.ts';
import { createReadClock, recordFetch } from '../testing/conforming-reads.ts';
import { createFreeAgentBooksSimulator } from './freeagent-books-simulator.ts';

const INVOICES = [1, 2, 3, 4, 5].map((id) => ({
  url: `https://api.freeagent.com/v2/invoices/${id}`,
  dated_on: '2026-07-01',
  updated_at: `2026-07-0${id}T00:00:00.000Z`,
  invoice_items: [{ price: '1.0' }],
}));
const CONTACTS = [1, 2, 3].map((id) => ({
  url: `https://api.freeagent.com/v2/contacts/${id}`,
  organisation_name: 'Never copied',
  email: 'jo@example.com',
  country: 'United Kingdom',
  status: id === 2 ? 'Hidden' : 'Active',
  ...(id === 3 ? {} : { sales_tax_registration_number: `GB ${id}` }),
  updated_at: `2026-07-0${id}T00:00:00.000Z`,
}));
const createExplanation = (account: number, dated_on: string) => ({
  url: `e${account}`,
  dated_on,
  bank_account: `https://api.freeagent.com/v2/bank_accounts/${account}`,
});

let host: SimulatorHost | undefined;
afterEach(async () => host?.close());

async function open(deps: Partial<FreeAgentBooksDeps>, limit?: CallLimit) {
  const entries = [1, 2, 1].map((account) => createExplanation(account, '2026-07-01'));
  const recordings = { invoices: INVOICES, contacts: CONTACTS, bank_transaction_explanations: entries };
  const plugin = createFreeAgentBooksSimulator({ find: serveOne(recordings, 'a1'), ...(limit ? { limit } : {}) });
  host = await startSimulatorHost([{ basePath: '/v2', plugin }], 0, '127.0.0.1');
  return createFreeAgentBooksClient({
    fetch,
    getAccessToken: () => Promise.resolve('a1'),
    apiUrl: `${host.url}/v2`,
    userAgent: 'conformance test',
    pause: () => Promise.resolve(),
    ...deps,
  });
}

async function read(deps: Partial<FreeAgentBooksDeps>, limit?: CallLimit) {
  const ids: string[] = [];
  for await (const page of (await open(deps, limit)).list('invoices')) {
    ids.push(...page.map(({ url, invoice_items: items }) => `${url.split('/').at(-1)}:${items?.length}`));
  }
  return ids;
}

const ALL_KEYS = ['1:1', '2:1', '3:1', '4:1', '5:1'];

describe('FreeAgent’s books', () => {
  it('are read page by page along the Link header, with their items', async () => {
    const { urls, fetch: recordedFetch } = recordFetch();
    expect(await read({ pageSize: 2, fetch: recordedFetch })).toEqual(ALL_KEYS);
    expect(urls.map((url) => new URL(url).searchParams.get('page'))).toEqual([null, '2', '3']);
  });

  it('use the API’s own address, whatever a Link header says', async () => {
    const urls: string[] = [];
    const otherHostFetch: typeof globalThis.fetch = async (input, init) => {
      urls.push(new URL(new Request(input).url).host);
      const response = await fetch(input, init);
      const link = response.headers.get('link')?.replace(/http:\/\/[^/]+/, 'https://elsewhere.example');
      return new Response(await response.text(), { status: response.status, headers: link ? { link } : {} });
    };
    expect(await read({ pageSize: 3, fetch: otherHostFetch })).toEqual(ALL_KEYS);
    expect(new Set(urls)).toEqual(new Set([new URL(host?.url ?? '').host]));
  });

  it('can be limited to what has changed', async () => {
    expect(await read({ modifiedSince: '2026-07-03T00:00:00.000Z' })).toEqual(['4:1', '5:1']);
  });

  it('have contacts, including hidden ones, with only the VAT number and country kept', async () => {
    const { urls, fetch: recordedFetch } = recordFetch();
    const readContacts = async (deps: Partial<FreeAgentBooksDeps>) => {
      const contacts: object[] = [];
      for await (const page of (await open(deps)).list('contacts')) contacts.push(...page);
      return contacts;
    };
    const [first, second, third] = CONTACTS.map(({ url }) => ({ url, country: 'United Kingdom' }));
    expect(await readContacts({ pageSize: 2, fetch: recordedFetch })).toEqual([
      { ...first, sales_tax_registration_number: 'GB 1' },
      { ...second, sales_tax_registration_number: 'GB 2' },
      third,
    ]);
    expect(urls).toHaveLength(2);
    await host?.close();
    expect(await readContacts({ modifiedSince: '2026-07-02T00:00:00.000Z' })).toEqual([third]);
  });

  it('list the bank entries of each account', async () => {
    const client = await open({});
    const entries: string[] = [];
    for await (const accounts of client.list('bank_accounts')) {
      for (const { url } of accounts) {
        for await (const page of client.list('bank_transaction_explanations', { bank_account: url }))
          entries.push(...page.map((entry) => entry.url));
      }
    }
    expect(entries).toEqual(['e1', 'e1', 'e2']);
  });

  it('resume within an account’s bank entries with one call for each earlier account, with its currency', async () => {
    const [first, second] = [1, 2].map((id) => `https://api.freeagent.com/v2/bank_accounts/${id}`);
    const entries = [
      ...[1, 2, 3, 4, 5].map((id) => ({ url: `a${id}`, dated_on: '2026-07-01', bank_account: first })),
      ...[1, 2, 3].map((id) => ({ url: `b${id}`, dated_on: '2026-07-01', bank_account: second })),
    ];
    const recordings = { bank_accounts: [{ url: first }, { url: second, currency: 'EUR' }], bank_transaction_explanations: entries };
    host = await startSimulatorHost(
      [{ basePath: '/v2', plugin: createFreeAgentBooksSimulator({ find: serveOne(recordings, 'a1') }) }],
      0,
      '127.0.0.1',
    );
    const readFrom = async (page: number, dropCounts = false) => {
      const { urls, fetch: recordedFetch } = recordFetch();
      const fetchWithoutCounts: typeof globalThis.fetch = async (input, init) => {
        const response = await recordedFetch(input, init);
        const headers = new Headers(response.headers);
        if (dropCounts) headers.delete('x-total-count');
        return new Response(await response.text(), { status: response.status, headers });
      };
      const signIn = {} as BooksProviderDeps['signIn'];
      const deps = { signIn, serverUrl: host?.url ?? '', fetch: fetchWithoutCounts, clientId: 'id', clientSecret: 's', userAgent: 'test' };
      const copier = createFreeAgentBooksProvider(deps).createCopier({
        organisationId: 'o1',
        getAccessToken: () => Promise.resolve('a1'),
        pageSize: 2,
      });
      const found: string[] = [];
      for await (const objects of copier.readPages('bank_transaction_explanations', page))
        found.push(objects.map(({ id, value }) => `${id} ${Reflect.get(value as object, 'account_currency')}`).join(', '));
      const calls = urls.map((url) => new URL(url)).filter(({ pathname }) => pathname.endsWith('explanations'));
      return {
        found,
        calls: calls.map(
          ({ searchParams: sentParams }) => `${sentParams.get('bank_account')?.at(-1)}/${sentParams.get('page') ?? 'count'}`,
        ),
      };
    };
    const [all, last] = [
      ['a1 undefined, a2 undefined', 'a3 undefined, a4 undefined', 'a5 undefined', 'b1 EUR, b2 EUR', 'b3 EUR'],
      ['b3 EUR'],
    ];
    expect(await readFrom(1)).toEqual({ found: all, calls: ['1/1', '1/2', '1/3', '2/1', '2/2'] });
    expect(await readFrom(2)).toEqual({ found: all.slice(1), calls: ['1/count', '1/2', '1/3', '2/1', '2/2'] });
    expect(await readFrom(5)).toEqual({ found: last, calls: ['1/count', '2/count', '2/2'] });
    expect(await readFrom(5, true)).toMatchObject({ found: last });
  });

  it('are read to the end when FreeAgent’s limit is reached, after the pause that it asks for', async () => {
    const { limit, pause, pauses } = createReadClock(2);
    expect(await read({ pageSize: 2, pause }, limit)).toEqual(ALL_KEYS);
    expect(pauses).toEqual([60_000]);
  });

  it.each([
    [{ getAccessToken: () => Promise.resolve('expired') }, 'unauthorized', 401],
    [{ pageSize: 200 }, 'refused', 400],
  ])('are not read with %j', async (deps, failure, status) => {
    await expect(read(deps)).rejects.toMatchObject({ failure, facts: { status, operation: 'freeagent.invoices' } });
  });
});
