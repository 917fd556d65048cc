/**
 * Tests files from other products through the API: choosing columns, rows that need fixing, corrections, rejected rows and the first
 * refresh.
 */
import { randomUUID } from 'node:crypto';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import { clientImportFiles, clientImports, clients, syncRuns } from '@portal/db/schema/schema.ts';
import { PRODUCT_EXPORTS } from '@portal/providers/clients-file/testing/product-exports.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addHmrcConnection, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-21T09:00:00.000Z' });
  // Omits the company register, whose rate limit (1.5 calls a second) would slow these tests. enrich-clients.test.ts covers it.
  Object.assign(portal.deps, { companyRegister: undefined });
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;

function createImporter({ companyId, admin }: TestPractice) {
  const params = { company_id: companyId };
  const post = async <Body>(path: string, body: object): Promise<{ status: number; body: Body }> =>
    (await admin.post(`/open-tax/import-clients/${path}`, { ...params, ...body }, { 'idempotency-key': randomUUID() })) as never;
  const getInfo = async (importId: string): Promise<ClientImport> =>
    (await admin.get('/open-tax/import-clients/info', { ...params, import_id: importId })).body['import'] as ClientImport;
  return {
    info: getInfo,
    upload: async (content: string | Uint8Array, fileName = 'clients.csv'): Promise<ClientImport> => {
      const bytes = typeof content === 'string' ? content : Buffer.from(content);
      const { status, body } = await admin.upload('/open-tax/client-imports', { ...params, file_name: fileName }, bytes);
      expect([status, body]).toEqual([201, expect.anything()]);
      return body as unknown as ClientImport;
    },
    /** Chooses the suggested columns, with some changed. */
    map: async (
      uploadedImport: ClientImport,
      targets: Readonly<Record<string, string | null>> = {},
      sheet = uploadedImport.table?.sheet ?? 0,
    ) => {
      const columns = uploadedImport.table?.columns.map(({ heading, target }) => (heading in targets ? targets[heading] : target));
      const input = { import_id: uploadedImport.import_id, sheet, header_line: uploadedImport.table?.header_line, columns };
      return post<{ import: ClientImport; code?: string; message?: unknown }>('map', input);
    },
    inspect: (importId: string, sheet: number, headerLine: number) =>
      post<{ import: ClientImport }>('map', { import_id: importId, sheet, header_line: headerLine }),
    correct: (importId: string, row: number, values: object) =>
      post<{ row: ClientImportRow; code?: string }>('correct', { import_id: importId, row, values }),
    statuses: (importId: string, choices: object) =>
      post<{ import: ClientImport; code?: string }>('statuses', { import_id: importId, ...choices }),
    start: (importId: string) => post<{ import: ClientImport; code?: string }>('start', { import_id: importId }),
    run: async (importId: string): Promise<ClientImport> => {
      await post('start', { import_id: importId });
      await portal.runJobs();
      return getInfo(importId);
    },
    rows: async (importId: string, outcome?: string): Promise<ClientImportRow[]> => {
      const filter = outcome === undefined ? {} : { outcome };
      return (await admin.get('/open-tax/import-clients/rows', { ...params, import_id: importId, ...filter })).body[
        'rows'
      ] as ClientImportRow[];
    },
    rejected: async (importId: string) =>
      (await admin.get('/open-tax/import-clients/rejected', { ...params, import_id: importId })).body as unknown as {
        file_name: string;
        rows: number;
        csv: string;
      },
  };
}

const listClients = (companyId: string) =>
  getDb().select().from(clients).where(eq(clients.companyId, companyId)).orderBy(asc(clients.name));

describe('an export of another product', () => {
  it.each(PRODUCT_EXPORTS)('from $product is imported with no client lost', async ({ fileName, bytes, names, statuses = {} }) => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const uploadedImport = await api.upload(bytes, fileName);
    // The columns don't need a manual check.
    const clientNames = names.filter((name) => statuses[name] !== 'prospect');
    const addedCount = clientNames.length;
    expect(uploadedImport).toMatchObject({
      state: 'ready',
      counts: { new: addedCount, not_client: names.length - addedCount, ambiguous: 0, duplicate: 0 },
    });
    const finishedImport = await api.run(uploadedImport.import_id);
    expect(finishedImport).toMatchObject({ state: 'completed', applied: { new: addedCount }, table: null });
    expect((await listClients(practice.companyId)).map(({ name, status }) => [name, status])).toEqual(
      clientNames.toSorted().map((name) => [name, statuses[name] === 'archived' ? 'inactive' : 'active']),
    );
    const next = await api.upload(bytes, fileName);
    expect(next).toMatchObject({ state: 'ready', counts: { ambiguous: 0 } });
    expect(next.counts.matched).toBeGreaterThanOrEqual(3);
  });
});

describe('choosing columns', () => {
  const CLIENTS_FILE = 'Clients of Oakline,,\nKlant,Nummer,Partner\nReed Ltd,980780684,PO\nMoss Ltd,,TV\n';

  it('shows each column with samples, and validates the rows once the user has chosen', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const uploadedImport = await api.upload(CLIENTS_FILE);
    expect(uploadedImport).toMatchObject({ state: 'mapping', rows_total: 0 });
    expect(uploadedImport.table).toMatchObject({
      header_line: 2,
      first_lines: [{ line: 1, text: 'Clients of Oakline' }, { line: 2, text: 'Klant, Nummer, Partner' }, {}, {}],
      columns: [
        { heading: 'Klant', samples: ['Reed Ltd', 'Moss Ltd'], target: null },
        { heading: 'Nummer', samples: ['980780684'], target: null },
        { heading: 'Partner', samples: ['PO', 'TV'], target: null },
      ],
    });
    expect((await api.start(uploadedImport.import_id)).body.code).toBe('clients.columns_unknown');
    const namelessResponse = await api.map(uploadedImport, { Nummer: 'vrn' });
    expect([namelessResponse.status, namelessResponse.body.message]).toEqual([
      400,
      { columns: 'Choose which column contains the client’s name.' },
    ]);
    const mappedImport = (await api.map(uploadedImport, { Klant: 'name', Nummer: 'vrn' })).body.import;
    expect(mappedImport).toMatchObject({ state: 'ready', rows_total: 2, counts: { new: 2 }, ignored_columns: ['Partner'] });
    expect((await api.rows(uploadedImport.import_id)).map(({ row, said }) => [row, said])).toEqual([
      [3, { name: 'Reed Ltd', vrn: '980780684' }],
      [4, { name: 'Moss Ltd' }],
    ]);
  });

  it('can be repeated until the import starts, and the file is deleted then', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const uploadedImport = await api.upload('name,Other\nReed Ltd,carl@reed.example\n');
    const first = (await api.map(uploadedImport)).body.import;
    expect(first.ignored_columns).toEqual(['Other']);
    const second = (await api.map(uploadedImport, { Other: 'email' })).body.import;
    expect(second).toMatchObject({ state: 'ready', ignored_columns: [] });
    expect((await api.rows(uploadedImport.import_id))[0]?.said).toEqual({ name: 'Reed Ltd', email: 'carl@reed.example' });
    await api.run(uploadedImport.import_id);
    expect((await api.map(uploadedImport)).body.code).toBe('clients.import_started');
    expect(await getDb().select().from(clientImportFiles).where(eq(clientImportFiles.companyId, practice.companyId))).toEqual([]);
  });

  it('reads another header or sheet when a user chooses it', async () => {
    const api = createImporter(await addPractice(portal));
    const uploadedImport = await api.upload('Reed Ltd,company\nMoss Ltd,company\n');
    expect(uploadedImport.table).toMatchObject({ header_line: 1, columns: [{ heading: 'Reed Ltd' }, { heading: 'company' }] });
    const { import: inspectedImport } = (await api.inspect(uploadedImport.import_id, 0, 0)).body;
    expect(inspectedImport.table).toMatchObject({ header_line: 0, columns: [{ heading: '', samples: ['Reed Ltd', 'Moss Ltd'] }, {}] });
    const karbon = PRODUCT_EXPORTS.find(({ product }) => product === 'Karbon');
    const workbook = await api.upload(karbon?.bytes ?? '', 'k.xlsx');
    expect(workbook.table).toMatchObject({ sheet: 1, sheets: [{ name: 'Read me' }, { name: 'Contacts' }] });
    expect((await api.inspect(workbook.import_id, 0, 1)).body.import.table).toMatchObject({ sheet: 0, header_line: 1 });
  });
});

describe('a row with a detail that we can’t read', () => {
  const CLIENTS_FILE =
    'name,kind,vrn,email,postcode\nReed Ltd,company,980780685,no-address,LS1 4DY\nMoss Ltd,company,,,\n,company,246813551,,\n';

  it('is imported without it and listed as “needs fixing”', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const uploadedImport = await api.upload(CLIENTS_FILE);
    expect(uploadedImport.counts).toMatchObject({ new: 2, invalid: 1, needs_fixing: 1 });
    const finishedImport = await api.run(uploadedImport.import_id);
    expect(finishedImport).toMatchObject({ applied: { new: 2 }, counts: { needs_fixing: 1 } });
    const [row] = await api.rows(uploadedImport.import_id, 'needs_fixing');
    expect(row).toMatchObject({ row: 2, outcome: 'new', applied: true, problems: [{ field: 'vrn' }, { field: 'email' }] });
    const [moss, reed] = await listClients(practice.companyId);
    expect([moss?.name, reed?.name, reed?.vrn, reed?.email, reed?.postcode]).toEqual(['Moss Ltd', 'Reed Ltd', null, null, 'LS1 4DY']);
    // The client's VAT number is wrong, but it is registered for VAT.
    expect(reed?.hasVat).toBe(true);
  });

  it('can be corrected before the import, and a rejected row afterwards too', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: id } = await api.upload(CLIENTS_FILE);
    const correctedResponse = await api.correct(id, 2, { vrn: '980780684', email: '' });
    expect(correctedResponse.body.row).toMatchObject({ outcome: 'new', problems: [], said: { name: 'Reed Ltd', vrn: '980780684' } });
    // Another client with the number is a member of a VAT group; one with the same name is a duplicate.
    expect((await api.correct(id, 3, { vrn: 'GB980780684' })).body.row).toMatchObject({
      outcome: 'new',
      problems: [{ field: 'vrn', problem: expect.stringContaining('Shares its VAT number with Reed Ltd (line 2)') }],
    });
    expect((await api.correct(id, 3, { name: 'REED LIMITED', vrn: 'GB980780684' })).body.row).toMatchObject({
      outcome: 'duplicate',
      problems: [{ field: 'vrn', problem: 'Line 2 has the same VAT number.' }],
    });
    await api.correct(id, 3, { name: 'Moss Ltd', vrn: '' });
    await api.run(id);
    expect((await api.correct(id, 2, { vrn: '' })).body.code).toBe('clients.row_is_imported');
    expect((await api.correct(id, 4, { name: 'Late Ltd' })).body.row).toMatchObject({ outcome: 'new', applied: true });
    await portal.runJobs();
    expect((await listClients(practice.companyId)).map(({ name, vrn }) => [name, vrn])).toEqual([
      ['Late Ltd', '246813551'],
      ['Moss Ltd', null],
      ['Reed Ltd', '980780684'],
    ]);
  });

  it('downloads as a file with the reasons, if it was rejected, which can be corrected and uploaded again', async () => {
    const api = createImporter(await addPractice(portal));
    const { import_id: id } = await api.upload(`${CLIENTS_FILE}Moss Ltd,company,,,\n"=HYPERLINK(1)",company,,,\n`, 'practice.csv');
    const { file_name, rows, csv } = await api.rejected(id);
    expect([file_name, rows]).toEqual(['practice - rows to fix.csv', 2]);
    expect(csv).toContain('Line 4. name: Enter the client’s name.');
    expect(csv).toContain("'=HYPERLINK(1)");
    await api.run(id);
    const reuploadedImport = await api.upload(csv.replace('\r\n,company,', '\r\nFern Ltd,company,'));
    expect(reuploadedImport).toMatchObject({ state: 'ready', counts: { new: 1 }, ignored_columns: ['Reason (ignored on upload)'] });
  });
});

describe('the status of a client in the file', () => {
  const CLIENTS_FILE =
    'Client name,Client type,VAT number,Client status\nReed Ltd,company,980780684,Active\nMoss Ltd,company,,Former client\n' +
    'Fern Ltd,company,,Prospect\nAsh Ltd,company,,On hold\n';

  it('archives former clients, leaves prospects out and never drops a client with a status that we don’t know', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: id, state, counts } = await api.upload(CLIENTS_FILE);
    expect([state, counts]).toMatchObject(['ready', { new: 3, archived: 1, not_client: 1, needs_fixing: 1, status_differs: 0 }]);
    // Each number equals the length of its list.
    for (const filter of ['new', 'archived', 'not_client', 'needs_fixing', 'status_differs'] as const)
      expect([filter, (await api.rows(id, filter)).length]).toEqual([filter, counts[filter]]);
    const finishedImport = await api.run(id);
    expect(finishedImport).toMatchObject({ applied: { new: 3 }, counts: { archived: 1, not_client: 1 } });
    expect((await listClients(practice.companyId)).map(({ name, status }) => [name, status])).toEqual([
      ['Ash Ltd', 'active'],
      ['Moss Ltd', 'inactive'],
      ['Reed Ltd', 'active'],
    ]);
    // Only current clients count.
    const { body } = await practice.admin.get('/open-tax/dashboard', { company_id: practice.companyId });
    expect(body).toMatchObject({ totals: { clients: 2 } });
  });

  it('imports prospects as archived clients if a user chooses that, and the choice can be changed', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: id } = await api.upload(CLIENTS_FILE);
    const choose = async (prospects: string) => (await api.statuses(id, { prospects, existing: 'keep' })).body.import;
    expect(await choose('archive')).toMatchObject({ counts: { new: 4, archived: 2, not_client: 0 } });
    expect(await choose('leave_out')).toMatchObject({ counts: { new: 3, archived: 1, not_client: 1 } });
    await choose('archive');
    await api.run(id);
    expect((await listClients(practice.companyId)).find(({ name }) => name === 'Fern Ltd')?.status).toBe('inactive');
    expect((await api.statuses(id, { prospects: 'leave_out', existing: 'keep' })).body.code).toBe('clients.import_started');
  });

  it('never changes an existing client unless a user chooses that, and undoing restores it', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const FIRST_FILE = 'name,kind,vrn,status\nReed Ltd,company,980780684,active\nMoss Ltd,company,246813551,archived\n';
    const SECOND_FILE = 'name,kind,vrn,status,email\nReed Ltd,company,980780684,Lost,a@reed.example\nMoss Ltd,company,246813551,Active,\n';
    const listStatuses = async () => (await listClients(practice.companyId)).map(({ name, status }) => [name, status]);
    const before = [
      ['Moss Ltd', 'inactive'],
      ['Reed Ltd', 'active'],
    ];
    await api.run((await api.upload(FIRST_FILE)).import_id);
    const unchangedImport = await api.upload(SECOND_FILE);
    expect(unchangedImport.counts).toMatchObject({ matched: 2, status_differs: 2 });
    expect(await api.rows(unchangedImport.import_id, 'status_differs')).toMatchObject([
      { client_name: 'Reed Ltd', file_status: 'archived', status_differs: true, status_changed: false },
      { client_name: 'Moss Ltd', file_status: 'active', status_differs: true, status_changed: false },
    ]);
    await api.run(unchangedImport.import_id);
    expect(await listStatuses()).toEqual(before);
    const changing = await api.upload(SECOND_FILE);
    await api.statuses(changing.import_id, { prospects: 'leave_out', existing: 'change' });
    const changedImport = await api.run(changing.import_id);
    expect(await listStatuses()).toEqual([
      ['Moss Ltd', 'active'],
      ['Reed Ltd', 'inactive'],
    ]);
    expect(changedImport.counts.status_differs).toBe(2);
    expect((await api.rows(changing.import_id, 'status_differs')).map((row) => row.status_changed)).toEqual([true, true]);
    await practice.admin.post('/open-tax/import-clients/undo', { company_id: practice.companyId, import_id: changing.import_id });
    expect(await listStatuses()).toEqual(before);
  });
});

describe('a match', () => {
  it('names the references that it is based on', async () => {
    const api = createImporter(await addPractice(portal));
    await api.run((await api.upload('name,vrn,company_number,utr\nHarlow Ltd,980780684,00445790,\n')).import_id);
    const { import_id: id } = await api.upload('name,vrn,company_number\nHarlow Group,,00445790\n,,\nHarlow Ltd,246813551,00445790\n');
    const [matchedRow, ambiguousRow] = await api.rows(id);
    expect(matchedRow).toMatchObject({ outcome: 'matched', matched_by: ['company_number'], client_name: 'Harlow Ltd' });
    expect(ambiguousRow).toMatchObject({ outcome: 'ambiguous', problems: [{ field: 'vrn' }] });
    expect(ambiguousRow?.problems[0]?.problem).toBe(
      'The company number 00445790 matches Harlow Ltd, but that client’s VAT number is 980780684, not 246813551. Is it the same client?',
    );
  });
});

describe('the first refresh', () => {
  const CLIENTS_FILE = 'name,kind,taxes,vrn,nino\nReed Ltd,company,VAT,980780684,\nAnn Reed,individual,SA,,AB123456C\n';

  it('starts automatically for the imported clients, with the headers of the person who started the import', async () => {
    const practice = await addPractice(portal);
    await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
    const api = createImporter(practice);
    const { import_id: id } = await api.upload(CLIENTS_FILE);
    await api.run(id);
    const runs = await getDb().select().from(syncRuns).where(eq(syncRuns.companyId, practice.companyId)).orderBy(asc(syncRuns.tax));
    expect(runs.map(({ tax, total, startedBy }) => [tax, total, startedBy])).toEqual([
      ['sa', 1, practice.adminId],
      ['vat', 1, practice.adminId],
    ]);
    const headers = JSON.parse(
      portal.deps.tokenCipher.open(runs[0]?.fraudHeaders ?? '', `fraud_headers:${runs[0]?.companyId ?? ''}`),
    ) as Record<string, string>;
    expect(Object.values(headers).join(' ')).toContain(practice.adminId);
    const [storedImport] = await getDb().select().from(clientImports).where(eq(clientImports.id, id));
    expect(storedImport?.fraudHeaders).toBeNull();
  });

  it('does not start without a connection to HMRC', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const finishedImport = await api.run((await api.upload(CLIENTS_FILE)).import_id);
    expect(finishedImport.state).toBe('completed');
    expect(await getDb().select().from(syncRuns).where(eq(syncRuns.companyId, practice.companyId))).toEqual([]);
  });
});

describe('access', () => {
  it('returns 404 to team members and other practices', async () => {
    const [practice, otherPractice] = [await addPractice(portal), await addPractice(portal)];
    const { import_id } = await createImporter(practice).upload('name,Other\nReed Ltd,x\n');
    const params = { company_id: practice.companyId, import_id };
    for (const browser of [practice.member, otherPractice.admin]) {
      expect((await browser.get('/open-tax/import-clients/rejected', params)).status).toBe(404);
      expect((await browser.post('/open-tax/import-clients/map', { ...params, sheet: 0, header_line: 1 })).status).toBe(404);
      const choices = { prospects: 'archive', existing: 'keep' };
      expect((await browser.post('/open-tax/import-clients/statuses', { ...params, ...choices })).status).toBe(404);
      expect((await browser.post('/open-tax/import-clients/correct', { ...params, row: 2, values: { name: 'X' } })).status).toBe(404);
    }
    const key = { company_id: otherPractice.companyId, import_id };
    expect((await otherPractice.admin.get('/open-tax/import-clients/rejected', key)).status).toBe(404);
    expect((await otherPractice.admin.post('/open-tax/import-clients/map', { ...key, sheet: 0, header_line: 1 })).status).toBe(404);
    expect((await otherPractice.admin.post('/open-tax/import-clients/correct', { ...key, row: 2, values: {} })).status).toBe(404);
  });
});
