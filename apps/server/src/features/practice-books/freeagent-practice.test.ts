/** FreeAgent's practice API: one authorisation for the books of all clients, and its list of clients as an import. */
import { randomUUID } from 'node:crypto';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { describe, expect, it } from 'vitest';
import { addPractice } from '../../testing/add-practice.ts';
import { listOrganisations } from '../../testing/practice-books-steps.ts';
import { setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';

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
      // FreeAgent doesn't say how a company accounts for VAT, so a person does, once.
      await setup.practice.admin.post('/client/books/connection/basis', { ...ids, basis: 'accrual' });
      await setup.portal.runJobs();
      expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: box4, box6_pounds: 50_000 } });
    }
  });

  it('isn’t one that a trader’s connection of its own books can use', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    const other = await addPractice(setup.portal);
    expect(await listOrganisations(other.admin, other.companyId)).toMatchObject({ organisations: [] });
    expect(await importFrom(other.admin, other.companyId)).toMatchObject({ status: 409, body: { code: 'clients.program_not_connected' } });
    expect(await importFrom(other.admin, setup.practice.companyId)).toMatchObject({ status: 404 });
  });
});

describe('its list of clients', () => {
  it('is shown before anything changes, is imported with its numbers, and matches the books', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '', { companyNumber: '09482716' });
    setup.seed('Quay Joinery', null);
    await setup.connect();
    const { import_id: importId, file_name: fileName, counts } = await readClients();
    expect(fileName).toMatch(/^Clients in FreeAgent, \d+ \w+ \d{4}\.csv$/);
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
    // A second reading finds the same clients, the second one by its name and postcode, and adds none.
    expect((await readClients()).counts).toMatchObject({ new: 0, matched: 2 });
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
