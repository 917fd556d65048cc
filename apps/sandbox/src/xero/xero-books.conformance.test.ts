import { isAccessDenied } from '@portal/providers/connected-books/is-access-denied.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { createXeroBooksClient, type XeroBooksDeps } from '@portal/providers/xero/xero-books-client.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { type CallLimit, type Recordings, serveOne } from '../simulator/recordings.ts';
import { createReadClock, recordFetch } from '../testing/conforming-reads.ts';
import { createXeroBooksSimulator } from './xero-books-simulator.ts';

const createInvoice = (index: number) => ({
  InvoiceID: `i${index}`,
  Type: 'ACCREC',
  UpdatedDateUTC: `/Date(${Date.UTC(2026, 6, index)}+0000)/`,
  LineItems: [{ TaxType: 'OUTPUT2', LineAmount: 1 }],
});
const INVOICES = Array.from({ length: 5 }, (_, index) => createInvoice(index + 1));

const createContact = (index: number, fields: object = {}) => ({
  ContactID: `c${index}`,
  ContactStatus: 'ACTIVE',
  Name: 'Never copied',
  EmailAddress: 'jo@example.com',
  TaxNumber: `GB ${index}`,
  Addresses: [{ AddressType: 'STREET', City: 'Leeds', Country: 'UK' }],
  UpdatedDateUTC: `/Date(${Date.UTC(2026, 6, index)}+0000)/`,
  ...fields,
});

let host: SimulatorHost | undefined;
afterEach(async () => host?.close());

type SimulatorOptions = Partial<Parameters<typeof createXeroBooksSimulator>[0]>;

async function open(deps: Partial<XeroBooksDeps>, recordings: Recordings, options: SimulatorOptions = {}) {
  const plugin = createXeroBooksSimulator({ find: serveOne(recordings, 'a1', 't1'), ...options });
  host = await startSimulatorHost([{ basePath: '/api.xro/2.0', plugin }], 0, '127.0.0.1');
  return createXeroBooksClient({
    fetch,
    getAccessToken: () => Promise.resolve('a1'),
    tenantId: 't1',
    apiUrl: `${host.url}/api.xro/2.0`,
    pause: () => Promise.resolve(),
    ...deps,
  });
}

async function read(deps: Partial<XeroBooksDeps>, limit?: CallLimit, recordings: Recordings = { Invoices: INVOICES }) {
  const client = await open(deps, recordings, limit ? { limit } : {});
  const ids: string[] = [];
  for await (const page of client.list('Invoices'))
    ids.push(...page.map(({ InvoiceID, LineItems }) => `${InvoiceID}:${LineItems?.length}`));
  return ids;
}

async function readContacts(deps: Partial<XeroBooksDeps>, options: SimulatorOptions = {}) {
  const Contacts = [
    createContact(1),
    createContact(2, { ContactStatus: 'ARCHIVED', TaxNumber: '' }),
    createContact(3, { Addresses: null }),
  ];
  const pages = [];
  for await (const page of (await open(deps, { Contacts }, options)).list('Contacts')) pages.push(...page);
  return pages;
}

const ALL_KEYS = ['i1:1', 'i2:1', 'i3:1', 'i4:1', 'i5:1'];

describe('Xero’s books', () => {
  it('are read page by page, with their lines', async () => {
    const { urls, fetch: recordedFetch } = recordFetch();
    expect(await read({ pageSize: 2, fetch: recordedFetch })).toEqual(ALL_KEYS);
    expect(urls.map((url) => url.split('?')[1])).toEqual(['page=1&pageSize=2', 'page=2&pageSize=2', 'page=3&pageSize=2']);
  });

  it('aren’t requested beyond the last page, even when that one is full', async () => {
    const { urls, fetch: recordedFetch } = recordFetch();
    expect(await read({ pageSize: 5, fetch: recordedFetch })).toEqual(ALL_KEYS);
    expect(urls).toHaveLength(1);
  });

  it('can be limited to what has changed', async () => {
    expect(await read({ modifiedSince: '2026-07-03T00:00:00' })).toEqual(['i4:1', 'i5:1']);
  });

  it('are read to the end when Xero’s limit is reached, after the pause that it asks for', async () => {
    const { limit, pause, pauses } = createReadClock(2);
    expect(await read({ pageSize: 1, pause }, limit)).toEqual(ALL_KEYS);
    expect(pauses).toEqual([60_000, 60_000]);
  });

  it('are read to the end after failures of a gateway', async () => {
    const { fetch: failingFetch } = recordFetch([503, 502]);
    expect(await read({ fetch: failingFetch })).toEqual(ALL_KEYS);
  });

  it.each([
    [{ getAccessToken: () => Promise.resolve('expired') }, 'unauthorized', 401],
    [{ tenantId: 'other' }, 'refused', 403],
    [{ pageSize: 2_000 }, 'refused', 400],
    [{ fetch: recordFetch(Array.from({ length: 9 }, () => 503)).fetch }, 'unavailable', 503],
  ])('are not read with %j', async (deps, failure, status) => {
    await expect(read(deps)).rejects.toMatchObject({ failure, facts: { status, operation: 'xero.Invoices' } });
  });

  it('have contacts, including archived ones, with only the VAT number and country kept', async () => {
    const { urls, fetch: recordedFetch } = recordFetch();
    expect(await readContacts({ pageSize: 2, fetch: recordedFetch })).toEqual([
      { ContactID: 'c1', TaxNumber: 'GB 1', Addresses: [{ Country: 'UK' }] },
      { ContactID: 'c2', TaxNumber: '', Addresses: [{ Country: 'UK' }] },
      { ContactID: 'c3', TaxNumber: 'GB 3', Addresses: null },
    ]);
    expect(urls).toHaveLength(2);
    expect((await readContacts({ modifiedSince: '2026-07-02T00:00:00' })).map(({ ContactID }) => ContactID)).toEqual(['c3']);
  });

  it('don’t have contacts if the permission predates our request for them', async () => {
    const mayRead = (_token: string, resource: string) => resource !== 'Contacts';
    const error: unknown = await readContacts({}, { mayRead }).catch((thrown: unknown) => thrown);
    expect(error instanceof ProviderError && isAccessDenied(error)).toBe(true);
    const expiredError: unknown = await readContacts({ getAccessToken: () => Promise.resolve('expired') }).catch(
      (thrown: unknown) => thrown,
    );
    expect(expiredError instanceof ProviderError && isAccessDenied(expiredError)).toBe(false);
  });

  it('name a field that can’t be read', async () => {
    await expect(read({}, undefined, { Invoices: [{ InvoiceID: 7 }] })).rejects.toMatchObject({
      failure: 'unavailable',
      facts: { detail: expect.stringContaining('Invoices.0.InvoiceID') },
    });
  });
});
