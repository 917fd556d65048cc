/** Tests FreeAgent's Accountancy Practice API: an account manager's clients, and the company API on behalf of one of them. */
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { BooksProviderDeps } from '@portal/providers/connected-books/books-provider.ts';
import { createFreeAgentPracticeProvider } from '@portal/providers/freeagent/freeagent-books-provider.ts';
import { createFreeAgentPracticeAuthorisation } from '@portal/providers/freeagent/freeagent-client.ts';
import type { SignInProvider } from '@portal/providers/oidc/sign-in-port.ts';
import { afterEach, expect, it } from 'vitest';
import { signInAs, startProvider } from '../oidc/testing/start-provider.ts';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import type { FindRecordings } from '../simulator/recordings.ts';
import { recordFetch } from '../testing/conforming-reads.ts';
import { createFreeAgentBooksSimulator } from './freeagent-books-simulator.ts';
import { createFreeAgentPracticeSimulator, FREEAGENT_BASE_PATH, SANDBOX_FREEAGENT_PRACTICE } from './freeagent-simulator.ts';

let host: SimulatorHost | undefined;
afterEach(async () => host?.close());

const CLIENTS = Array.from({ length: 130 }, (_, index) => ({
  url: `https://api.freeagent.com/v2/company`,
  name: `Client ${index + 1} Ltd`,
  subdomain: `client${index + 1}`,
  type: 'UkLimitedCompany',
  company_registration_number: '09482716',
  sales_tax_registration_number: '123456789',
  annual_accounting_periods: [{ starts_on: '2025-04-01', ends_on: '2026-03-31' }],
  contact_email: 'accounts@client.example',
}));

async function open() {
  const find: FindRecordings = (token, subdomain) => {
    if (token !== 'a1') return 'unknown_token';
    const company = CLIENTS.find((client) => client.subdomain === subdomain);
    return company
      ? { company: [company], invoices: [{ url: `https://api.freeagent.com/v2/invoices/${subdomain}` }] }
      : 'other_organisation';
  };
  const CLIENTS_BY_VIEW: Readonly<Record<string, typeof CLIENTS>> = {
    all: CLIENTS,
    active: CLIENTS.slice(0, 120),
    linked: CLIENTS.slice(120, 125),
  };
  const plugin = createFreeAgentBooksSimulator({ find, listClients: (_token, view) => CLIENTS_BY_VIEW[view] ?? [] });
  host = await startSimulatorHost([{ basePath: '/v2', plugin }], 0, '127.0.0.1');
  const { urls, fetch: recordedFetch } = recordFetch();
  const signIn = {} as BooksProviderDeps['signIn'];
  const deps = { signIn, serverUrl: host.url, fetch: recordedFetch, clientId: 'id', clientSecret: 's', userAgent: 'conformance test' };
  return { program: createFreeAgentPracticeProvider(deps), urls };
}

const getAccessToken = () => Promise.resolve('a1');

it('lists all clients once each, all pages in a stable order, and says which are active or linked', async () => {
  const { program, urls } = await open();
  const organisations = await program.listOrganisations('a1', undefined);
  expect(organisations).toHaveLength(130);
  expect(organisations[0]).toEqual({ id: 'client1', name: 'Client 1 Ltd', connectionId: undefined, isFormer: false });
  expect(organisations.filter(({ isFormer }) => isFormer).map(({ id }) => id)).toEqual(
    CLIENTS.slice(125).map(({ subdomain }) => subdomain),
  );
  const requestedParams = urls.map((url) => new URL(url).searchParams);
  expect(requestedParams.map((item) => `${item.get('view')} ${item.get('sort')}`)).toEqual([
    'active created_at',
    'active created_at',
    'linked created_at',
    'all created_at',
    'all created_at',
  ]);
});

it('offers active and linked clients to an import', async () => {
  const { program } = await open();
  expect(await program.listClients?.('a1')).toHaveLength(125);
});

it('requires X-Subdomain to read a company, and identifies no user, because an account manager gave the authorisation', async () => {
  const server = await startProvider({
    basePath: FREEAGENT_BASE_PATH,
    credentials: SANDBOX_FREEAGENT_PRACTICE,
    createSimulator: createFreeAgentPracticeSimulator,
    createClient: (deps) => createFreeAgentPracticeAuthorisation({ ...deps, userAgent: 'conformance test' }) as SignInProvider,
  });
  const manager = { email: 'manager@oakline.example', fullName: 'Priya Oakes' };
  server.controls.seedPerson(manager);
  const { tokens } = await signInAs(server, manager.email);
  expect(server.requests.map(({ url }) => url.pathname)).toEqual(['/freeagent/v2/token_endpoint']);
  expect(tokens?.refreshToken).toBeDefined();
  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${tokens?.accessToken}`, 'user-agent': 'conformance test' };
    return (await fetch(`${server.publicUrl}/v2/${path}`, { headers })).status;
  };
  expect([await call('clients'), await call('company'), await call('users/me')]).toEqual([200, 403, 404]);
});

it('has the details that an import of clients needs', async () => {
  const { program } = await open();
  const [first] = (await program.listClients?.('a1')) ?? [];
  expect(first).toEqual({
    name: 'Client 1 Ltd',
    kind: 'UkLimitedCompany',
    vatNumber: '123456789',
    companyNumber: '09482716',
    yearEnd: '2026-03-31',
    postcode: undefined,
    email: 'accounts@client.example',
    phone: undefined,
  });
});

it('reads the client that X-Subdomain names, and no one else’s', async () => {
  const { program } = await open();
  expect(await program.describeOrganisation?.({ organisationId: 'client7', getAccessToken })).toEqual({
    name: 'Client 7 Ltd',
    vatNumber: '123456789',
    companyNumber: '09482716',
  });
  const read = async (organisationId: string) => {
    const ids: string[] = [];
    const copier = program.createCopier({ organisationId, getAccessToken });
    for await (const objects of copier.readPages('invoices', 1)) ids.push(...objects.map(({ id }) => id));
    return ids;
  };
  expect(await read('client7')).toEqual(['https://api.freeagent.com/v2/invoices/client7']);
  await expect(read('someoneelse')).rejects.toThrow(ProviderError);
});
