/** FreeAgent's practice API: one authorisation for the books of all clients, and its list of clients as an import. */
import { randomUUID } from 'node:crypto';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import { booksReads, clients, practices } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { describe, expect, it } from 'vitest';
import { addPractice } from '../../testing/add-practice.ts';
import { getGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import { RUN, setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';
import type { Actor } from '../../http/session.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { importFromProvider } from '../client-imports/import-from-provider.ts';

const current = setUpPracticeBooks('freeagent');

function importFrom(browser = current().practice.admin, companyId = current().practice.companyId) {
  return browser.post('/open-tax/import-clients/from-program', { company_id: companyId, program: 'freeagent' });
}

async function readClients(): Promise<ClientImport> {
  const { status, body } = await importFrom();
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body['import'] as ClientImport;
}

describe('one authorisation', () => {
  it('gives each client its own nine boxes, in the name of the client that the call is about', async () => {
    const setup = current();
    const [bakery, joinery] = [
      await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]),
      await setup.addClientWithReturn('Quay Joinery Ltd', VRNS[1]),
    ];
    setup.seed('Harbour Bakery', VRNS[0] ?? '', { refundPounds: 4_000 });
    setup.seed('Quay Joinery', VRNS[1] ?? '', { refundPounds: 7_000 });
    const organisations = await setup.connect();
    expect(organisations.map(({ name, state }) => [name, state])).toEqual([
      ['Harbour Bakery', 'sure'],
      ['Quay Joinery', 'sure'],
    ]);
    for (const { organisation_id: organisationId, candidates } of organisations) {
      await setup.link(organisationId, candidates[0]?.client_id ?? '');
    }
    await setup.portal.runJobs();
    for (const [clientId, box4] of [
      [bakery, 400_000],
      [joinery, 700_000],
    ] as const) {
      const ids = { company_id: setup.practice.companyId, client_id: clientId };
      // FreeAgent doesn't report how a company accounts for VAT, so a practice member sets it once.
      await setup.practice.admin.post('/client/books/connection/basis', { ...ids, basis: 'accrual' });
      await setup.portal.runJobs();
      expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: box4, box6_pounds: 50_000 } });
    }
  });

  it('can’t be used for a trader’s connection of its own books', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    const otherPractice = await addPractice(setup.portal);
    expect(await listOrganisations(otherPractice.admin, otherPractice.companyId)).toMatchObject({ organisations: [] });
    expect(await importFrom(otherPractice.admin, otherPractice.companyId)).toMatchObject({
      status: 409,
      body: { code: 'clients.program_not_connected' },
    });
    expect(await importFrom(otherPractice.admin, setup.practice.companyId)).toMatchObject({ status: 404 });
  });
});

describe('a client', () => {
  it('that is made inactive in FreeAgent stays covered while it is linked, and isn’t offered otherwise', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    setup.seed('Quay Joinery', VRNS[1] ?? '');
    const { freeagent: books } = setup.portal.identity.books;
    for (const { id, ownerEmail, name, vatNumber } of books.listOrganisations(setup.email))
      books.putOrganisation({ id, ownerEmail, name, vatNumber, isActive: false });
    await setup.practice.admin.post('/open-tax/client-books/refresh', { company_id: setup.practice.companyId, program: 'freeagent' });
    await setup.portal.runJobs();
    const { organisations } = await listOrganisations(setup.practice.admin, setup.practice.companyId);
    expect(organisations).toMatchObject([{ organisation_id: organisationId, state: 'linked' }]);
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'connected' } });
    expect(await importFrom()).toMatchObject({ status: 409, body: { code: 'clients.program_empty' } });
  });

  it.each([401, 404] as const)('that returns %i doesn’t end the authorisation for the others', async (status) => {
    const setup = current();
    const { clientId } = await setup.connectClient();
    const { deps } = setup.portal;
    const { freeagent } = deps.practiceBooks;
    if (!freeagent) throw new Error('FreeAgent isn’t set up');
    const failure = status === 401 ? 'unauthorized' : 'refused';
    const reject = () => Promise.reject(new ProviderError(failure, { provider: 'freeagent', operation: 'freeagent.company', status }));
    const createCopier: typeof freeagent.createCopier = (options) => ({
      async *readPages() {
        await options.getAccessToken();
        yield await reject();
      },
    });
    const changedDeps = { ...deps, practiceBooks: { freeagent: { ...freeagent, createCopier, describeOrganisation: reject } } };
    const ids = { company_id: setup.practice.companyId, client_id: clientId };
    await setup.db().update(booksReads).set({ status: 'reading', resource: '', page: 1 }).where(eq(booksReads.companyId, clientId));
    await jobHandlers(changedDeps)['books.read'](ids, RUN);
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'connected', problem: { code: 'no_access' } } });
    setup.seed('Quay Joinery', VRNS[1] ?? '');
    await jobHandlers(changedDeps)['books.organisations']({ company_id: setup.practice.companyId, provider: 'freeagent' }, RUN);
    const { organisations } = await listOrganisations(setup.practice.admin, setup.practice.companyId);
    expect(organisations.find(({ name }) => name === 'Quay Joinery')).toMatchObject({ is_unreadable: true });
    expect(await getGrant(setup.practice.admin, setup.practice.companyId, 'freeagent')).toMatchObject({ status: 'connected' });
  });
});

describe('its list of clients', () => {
  it('is shown before anything changes, is imported with its numbers, and matches the books', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '', { companyNumber: '09482716' });
    setup.seed('Quay Joinery', null);
    await setup.connect();
    const { import_id: importId, file_name: fileName, counts } = await readClients();
    expect(fileName).toMatch(/^Clients in FreeAgent, \d+ \w+ \d{4}$/);
    expect(counts).toMatchObject({ new: 2, invalid: 0, matched: 0 });
    const find = { company_id: setup.practice.companyId, import_id: importId };
    const { body } = await setup.practice.admin.get('/open-tax/import-clients/rows', find);
    expect((body['rows'] as ClientImportRow[]).map(({ outcome, problems }) => [outcome, problems])).toEqual([
      ['new', []],
      ['new', []],
    ]);
    expect(await listStored()).toEqual([]);
    await setup.practice.admin.post('/open-tax/import-clients/start', find, { 'idempotency-key': randomUUID() });
    await setup.portal.runJobs();
    expect(await listStored()).toEqual([
      { name: 'Harbour Bakery', kind: 'company', vrn: VRNS[0], companyNumber: '09482716' },
      { name: 'Quay Joinery', kind: 'company', vrn: null, companyNumber: null },
    ]);
    const { organisations } = await listOrganisations(setup.practice.admin, setup.practice.companyId);
    expect(organisations.map(({ name, state }) => [name, state])).toEqual([
      ['Harbour Bakery', 'sure'],
      ['Quay Joinery', 'review'],
    ]);
    // A second read finds the same clients (one of them by name and postcode) and adds none.
    expect((await readClients()).counts).toMatchObject({ new: 0, matched: 2 });
  });

  it('ignores the practice’s choices for other files, and its columns can’t be changed', async () => {
    const setup = current();
    const { companyId } = setup.practice;
    await setup
      .db()
      .update(practices)
      .set({ importColumns: { vrn: null, name: 'client_code' } })
      .where(eq(practices.companyId, companyId));
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    const read = await readClients();
    expect(read).toMatchObject({ state: 'ready', table: null, source: 'freeagent_list', counts: { new: 1 } });
    const mappingInput = { company_id: companyId, import_id: read.import_id, sheet: 0, header_line: 1, columns: ['name'] };
    expect(await setup.practice.admin.post('/open-tax/import-clients/map', mappingInput)).toMatchObject({
      status: 409,
      body: { code: 'clients.columns_fixed' },
    });
  });

  it('isn’t waited for when FreeAgent limits its calls, and is read once for two clicks', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    const { deps } = setup.portal;
    const { freeagent } = deps.practiceBooks;
    if (!freeagent) throw new Error('FreeAgent isn’t set up');
    let calls = 0;
    const listClients: NonNullable<typeof freeagent.listClients> = async (token, options) => {
      calls += 1;
      expect(options).toEqual({ maxAttempts: 1 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (calls === 1) return (await freeagent.listClients?.(token, options)) ?? [];
      throw new ProviderError('throttled', { provider: 'freeagent', operation: 'freeagent.clients', status: 429, retryAfterSeconds: 60 });
    };
    const changedDeps = { ...deps, practiceBooks: { freeagent: { ...freeagent, listClients } } };
    const { companyId: practiceId, adminId } = setup.practice;
    const read = () =>
      importFromProvider(changedDeps, { userId: adminId } as Actor, { practiceId, provider: 'freeagent', ip: '192.0.2.1' });
    await Promise.all([read(), read()]);
    expect(calls).toBe(1);
    await expect(read()).rejects.toMatchObject({
      code: 'clients.program_busy',
      message: expect.stringMatching(/Try again after \d+ \w+ \d{4}, /),
    });
    // No request is sent to FreeAgent before then.
    await expect(read()).rejects.toMatchObject({ code: 'clients.program_busy' });
    expect(calls).toBe(2);
  });

  it('says what to do while FreeAgent isn’t connected, or has ended the connection', async () => {
    const setup = current();
    expect(await importFrom()).toMatchObject({ status: 409, body: { code: 'clients.program_not_connected' } });
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    setup.portal.identity.freeAgentPractice.revokeAccess(setup.email);
    expect(await importFrom()).toMatchObject({
      status: 409,
      body: { code: 'clients.program_not_connected', message: expect.stringContaining('Connect it under Clients’ books') },
    });
  });
});

const listStored = () =>
  current()
    .db()
    .select({ name: clients.name, kind: clients.kind, vrn: clients.vrn, companyNumber: clients.companyNumber })
    .from(clients)
    .where(eq(clients.companyId, current().practice.companyId))
    .orderBy(asc(clients.name));
