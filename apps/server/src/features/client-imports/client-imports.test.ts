/** Tests client imports through the API: validate, run, cancel, resume and undo. */
import { randomUUID } from 'node:crypto';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import {
  auditEntries,
  booksFiles,
  booksUploads,
  clientImports,
  clientNotes,
  clientRows,
  clients,
  taxPositions,
} from '@portal/db/schema/schema.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, createImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { hashEntry } from '../audit/record-audit.ts';
import { RETENTION_REASONS, WRITTEN_BY_SYSTEM } from './retention-reasons.ts';
import { failImport, runImport } from './run-import.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  // Omits the company register, whose rate limit (1.5 calls a second) would slow these tests. enrich-clients.test.ts covers it.
  Object.assign(portal.deps, { companyRegister: undefined });
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const UPLOAD = '/open-tax/client-imports';
const NOT_ABORTED = { signal: new AbortController().signal };

type ImportResponse = { readonly status: number; readonly body: Record<string, unknown> };

/** Calls the import endpoints as the admin of a practice. */
function createImporter(practice: TestPractice) {
  const { companyId, admin } = practice;
  const params = { company_id: companyId };
  const send = (path: string, body: object) =>
    admin.post(`/open-tax/import-clients/${path}`, { ...params, ...body }, { 'idempotency-key': randomUUID() });
  return {
    upload: (content: string | Buffer, fileName = 'clients.csv'): Promise<ImportResponse> =>
      admin.upload(UPLOAD, { ...params, file_name: fileName }, content),
    validate: async (content: string): Promise<ClientImport> => {
      const { status, body } = await admin.upload(UPLOAD, { ...params, file_name: 'clients.csv' }, content);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body as unknown as ClientImport;
    },
    start: (importId: string): Promise<ImportResponse> => send('start', { import_id: importId }),
    cancel: (importId: string): Promise<ImportResponse> => send('cancel', { import_id: importId }),
    undo: (importId: string): Promise<ImportResponse> => send('undo', { import_id: importId }),
    resolve: (importId: string, row: number, choice: string, clientId?: string): Promise<ImportResponse> =>
      send('resolve', { import_id: importId, row, choice, ...(clientId === undefined ? {} : { client_id: clientId }) }),
    info: async (importId?: string): Promise<ClientImport> => {
      const { body } = await admin.get('/open-tax/import-clients/info', {
        ...params,
        ...(importId === undefined ? {} : { import_id: importId }),
      });
      return body['import'] as ClientImport;
    },
    rows: async (importId: string, query: Record<string, string> = {}): Promise<{ rows: ClientImportRow[]; next_after: number | null }> => {
      const { body } = await admin.get('/open-tax/import-clients/rows', { ...params, import_id: importId, ...query });
      return body as never;
    },
    importFile: async (content: string): Promise<ClientImport> => {
      const self = createImporter(practice);
      const { import_id: importId } = await self.validate(content);
      await self.start(importId);
      await portal.runJobs();
      return self.info(importId);
    },
  };
}

const HEADER = 'name,kind,taxes,vrn,utr,company_number,postcode,email';
const buildFile = (...rows: string[]): string => [HEADER, ...rows].join('\n');

const HARLOW_ROW = 'Harlow Joinery Ltd,,VAT CT,980780684,,00445790,LS1 4DY,';
const REED = 'Ann Reed,sole_trader,SA,,2234567890,,YO1 7HH,ann@reed.example';

/** Returns a practice's clients, list rows and due dates, without IDs and times, so that two practices can be compared. */
async function loadSnapshot(companyId: string): Promise<unknown> {
  const list = await getDb().select().from(clients).where(eq(clients.companyId, companyId)).orderBy(asc(clients.name), asc(clients.utr));
  const rows = await getDb()
    .select()
    .from(clientRows)
    .where(eq(clientRows.companyId, companyId))
    .orderBy(asc(clientRows.name), asc(clientRows.utr));
  const positions = await getDb().select().from(taxPositions).where(eq(taxPositions.companyId, companyId));
  const positionByTax = new Map(positions.map((position) => [`${position.clientId} ${position.tax}`, position]));
  return list.map(({ id, companyId: _tenant, importId: _import, createdAt: _createdAt, updatedAt: _updatedAt, ...client }, index) => {
    const { clientId: _client, companyId: _companyId, ...row } = rows[index] ?? ({} as (typeof rows)[number]);
    const dueDates = (['vat', 'paye', 'ct', 'sa'] as const).map((tax) => positionByTax.get(`${id} ${tax}`)?.nextDueOn ?? null);
    return { client, row, days: dueDates };
  });
}

const listClientNames = async (companyId: string) =>
  (await getDb().select({ name: clients.name }).from(clients).where(eq(clients.companyId, companyId)).orderBy(asc(clients.name))).map(
    ({ name }) => name,
  );

describe('uploading a clients file', () => {
  it('validates each row and changes no client', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    await api.importFile(buildFile(HARLOW_ROW));
    const validatedImport = await api.validate(
      `${buildFile(
        'HARLOW JOINERY LIMITED,,,,,,ls14dy,carl@harlow.example',
        REED,
        'Harlow Joinery Ltd,,,980780684,,09482716,,',
        'A. Reed,sole_trader,,,22345 67890,,,',
        '=cmd(),company,,,,,,',
        ',,,,,,,',
        ',company,,980780685,,,,',
      )}\n`,
    );
    expect(validatedImport).toMatchObject({
      state: 'ready',
      counts: { new: 1, matched: 1, ambiguous: 1, duplicate: 1, invalid: 2, skipped: 0, needs_fixing: 0 },
      rows_total: 6,
      rows_done: 0,
      undo_until: null,
    });
    const { rows } = await api.rows(validatedImport.import_id);
    expect(rows.map(({ row, outcome, problems, client_name }) => [row, outcome, problems.map(({ field }) => field), client_name])).toEqual([
      [2, 'matched', [], 'Harlow Joinery Ltd'],
      [3, 'new', [], null],
      [4, 'ambiguous', ['company_number'], null],
      [5, 'duplicate', ['utr'], null],
      [6, 'invalid', ['name'], null],
      [8, 'invalid', ['vrn', 'name'], null],
    ]);
    expect(rows[2]?.candidates).toMatchObject([
      { name: 'Harlow Joinery Ltd', references: ['VAT 980780684', 'Company 00445790', 'LS1 4DY'] },
    ]);
    expect(rows[3]?.problems).toEqual([{ field: 'utr', problem: 'Line 3 has the same UTR.' }]);
    expect(rows[0]?.matched_by).toEqual(['name_and_postcode']);
    expect(await listClientNames(practice.companyId)).toEqual(['Harlow Joinery Ltd']);
  });

  it('pages through the rows of one outcome', async () => {
    const api = createImporter(await addPractice(portal));
    const { import_id: id } = await api.validate(
      buildFile(...Array.from({ length: 7 }, (_, index) => `Client ${index},company,,,,,,`), ',company,,,,,,'),
    );
    const first = await api.rows(id, { outcome: 'new', limit: '3' });
    const second = await api.rows(id, { outcome: 'new', limit: '3', after: String(first.next_after) });
    const third = await api.rows(id, { outcome: 'new', limit: '3', after: String(second.next_after) });
    expect([first, second, third].map(({ rows, next_after }) => [rows.map(({ row }) => row), next_after])).toEqual([
      [[2, 3, 4], 4],
      [[5, 6, 7], 7],
      [[8], null],
    ]);
    expect((await api.rows(id, { outcome: 'invalid' })).rows.map(({ said }) => said)).toEqual([{ kind: 'company' }]);
  });

  it('returns each of several simultaneous uploads its own file', async () => {
    const practice = await addPractice(portal);
    const { upload } = createImporter(practice);
    const uploadResponses = await Promise.all(['a', 'b', 'c', 'd'].map((name) => upload(buildFile(HARLOW_ROW), `${name}.csv`)));
    expect(uploadResponses.map(({ status, body }) => [status, body['file_name']])).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => [201, `${name}.csv`]),
    );
  });

  it('replaces an earlier upload that has not been started', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const first = await api.validate(buildFile(HARLOW_ROW));
    const second = await api.validate(buildFile(REED));
    expect((await api.info()).import_id).toBe(second.import_id);
    expect((await api.start(first.import_id)).status).toBe(404);
  });

  it.each([
    ['without content', '\n\n', 'no rows'],
    ['without a client', `${HEADER}\n`, 'no clients below its header'],
    ['that is a PDF', '%PDF-1.7', 'this is a PDF'],
    ['with an endless quote', `${HEADER}\n"Reed`, 'quote'],
    ['with binary data', `${HEADER}\nA\0B`, 'NUL'],
    ['of too many rows', `name,kind\n${'Reed,company\n'.repeat(20_001)}`, 'more than 20,000 rows'],
  ])('a file %s is rejected with the reason', async (_case, content, reason) => {
    const practice = await addPractice(portal);
    const { status, body } = await createImporter(practice).upload(content);
    expect([status, body['code']]).toEqual([422, 'clients.file_rejected']);
    expect(body['message']).toContain(reason);
    expect(await createImporter(practice).info()).toBeNull();
  });

  it('rejects a file above the size limit before reading it', async () => {
    const api = createImporter(await addPractice(portal));
    const { status, body } = await api.upload(Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
    expect([status, body['code']]).toEqual([413, 'clients.file_too_large']);
  });

  it('stores hostile cell values as plain text and rejects an overlong name', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const importedFile = await api.importFile(
      buildFile(`"Robert'); drop table clients;--",company,,,,,,`, `${'x'.repeat(5_000)},company,,,,,,`),
    );
    expect(importedFile).toMatchObject({ state: 'completed', counts: { new: 1, invalid: 1 } });
    expect(await listClientNames(practice.companyId)).toEqual(["Robert'); drop table clients;--"]);
  });
});

describe('running an import', () => {
  it('creates clients with list rows and due dates, and reports progress', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const finishedImport = await api.importFile(buildFile(HARLOW_ROW, REED));
    expect(finishedImport).toMatchObject({
      state: 'completed',
      applied: { new: 2, matched: 0 },
      rows_done: 2,
      rows_total: 2,
      undo_until: expect.stringMatching(/^2026-11-11T09:0/),
    });
    const [harlow] = await getDb()
      .select()
      .from(clientRows)
      .where(and(eq(clientRows.companyId, practice.companyId), eq(clientRows.vrn, '980780684')));
    expect(harlow).toMatchObject({
      name: 'Harlow Joinery Ltd',
      hasVat: true,
      hasCt: true,
      search: 'harlow joinery ltd 980780684 00445790 ls14dy',
      members: [],
    });
    const { body } = await practice.admin.get('/open-tax/fetching-new-clients', { company_id: practice.companyId });
    expect(body).toMatchObject({ state: 'completed', found: 2, new: 2, matched: 0, ambiguous: 0, rows_done: 2 });
  });

  it('fills only the empty fields of an existing client', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    await api.importFile(buildFile('Harlow Joinery Ltd,,VAT,980780684,,,LS1 4DY,own@harlow.example'));
    const finishedImport = await api.importFile(buildFile('Harlow Joinery Ltd,,VAT CT,980780684,,00445790,LS9 9ZZ,other@harlow.example'));
    expect(finishedImport).toMatchObject({ applied: { new: 0, matched: 1 } });
    const [client] = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId));
    expect(client).toMatchObject({ companyNumber: '00445790', postcode: 'LS1 4DY', email: 'own@harlow.example', hasCt: true });
  });

  it('matches each row again against the clients that exist when it runs', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: id } = await api.validate(buildFile('Harlow Joinery Ltd,,VAT,980780684,,,,', REED));
    // Another member adds the client between upload and start.
    const now = portal.deps.clock.now();
    await getDb().insert(clients).values({
      companyId: practice.companyId,
      id: randomUUID(),
      name: 'Harlow Ltd',
      kind: 'company',
      status: 'active',
      hasVat: true,
      hasPaye: false,
      hasCt: false,
      hasSa: false,
      vrn: '980780684',
      createdAt: now,
      updatedAt: now,
    });
    await api.start(id);
    await portal.runJobs();
    expect(await api.info(id)).toMatchObject({ state: 'completed', applied: { new: 1, matched: 1 } });
    expect(await listClientNames(practice.companyId)).toEqual(['Ann Reed', 'Harlow Ltd']);
  });

  it('runs once when started twice, and returns 409 while another import is running', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const first = await api.validate(buildFile(HARLOW_ROW));
    const responses = await Promise.all([api.start(first.import_id), api.start(first.import_id)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const second = await api.validate(buildFile(REED));
    const rejectionResponse = await api.start(second.import_id);
    expect([rejectionResponse.status, rejectionResponse.body['code']]).toEqual([409, 'clients.import_running']);
    await portal.runJobs();
    expect(await listClientNames(practice.companyId)).toEqual(['Harlow Joinery Ltd']);
    expect((await api.start(second.import_id)).status).toBe(200);
    await portal.runJobs();
    expect(await listClientNames(practice.companyId)).toEqual(['Ann Reed', 'Harlow Joinery Ltd']);
  });

  it('resumes after an interruption and gives the same result as an uninterrupted run', async () => {
    const content = formatImportFile(createImportFile(generatePortfolio({ clients: 120, seed: 3, today: portal.deps.clock.today() })));
    const practiceImportedAtOnce = await addPractice(portal);
    const finishedImport = await createImporter(practiceImportedAtOnce).importFile(content);
    expect(finishedImport).toMatchObject({ state: 'completed', applied: { new: 120 }, counts: { duplicate: 1, invalid: 1 } });
    const brokenPractice = await addPractice(portal);
    const api = createImporter(brokenPractice);
    const { import_id: importId } = await api.validate(content);
    await api.start(importId);
    const key = { companyId: brokenPractice.companyId, importId };
    await runImport(portal.deps, key, NOT_ABORTED, { maxSteps: 1, rowsPerStep: 50 });
    expect(await api.info()).toMatchObject({ state: 'importing', applied: { new: 50 }, rows_done: 50 });
    // A failed transaction leaves nothing behind.
    await expect(
      getDb().transaction(async (tx) => {
        await tx.update(clientImports).set({ reason: 'half' }).where(eq(clientImports.id, importId));
        throw new Error('the process died');
      }),
    ).rejects.toThrow('died');
    await runImport(portal.asNewProcess(), key, NOT_ABORTED, { maxSteps: 1, rowsPerStep: 50 });
    expect(await api.info()).toMatchObject({ state: 'importing', applied: { new: 100 } });
    await portal.runJobs();
    expect(await api.info()).toMatchObject({ state: 'completed', applied: { new: 120 }, rows_done: 122 });
    expect(await loadSnapshot(brokenPractice.companyId)).toEqual(await loadSnapshot(practiceImportedAtOnce.companyId));
  });

  it('keeps the applied rows when cancelled, and resumes when started again', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const rows = Array.from({ length: 700 }, (_, index) => `Client ${index},company,,,,,,`);
    const { import_id: importId } = await api.validate(buildFile(...rows));
    await api.start(importId);
    await runImport(portal.deps, { companyId: practice.companyId, importId }, NOT_ABORTED, { maxSteps: 1 });
    expect((await api.cancel(importId)).body).toMatchObject({ import: { state: 'cancelled', applied: { new: 500 } } });
    await portal.runJobs();
    expect((await api.info(importId)).applied.new).toBe(500);
    await api.start(importId);
    await portal.runJobs();
    expect(await api.info(importId)).toMatchObject({ state: 'completed', applied: { new: 700 } });
  });

  it('notifies the person who started it once if it fails, and can be started again', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: importId } = await api.validate(buildFile('Ash Ltd,company,,,,,,'));
    await api.start(importId);
    for (const _ of [1, 2]) await failImport(portal.deps, { companyId: practice.companyId, importId });
    expect(await api.info(importId)).toMatchObject({ state: 'failed' });
    const { body } = await practice.admin.get('/open-tax/notifications', { company_id: practice.companyId });
    expect(body['notifications']).toMatchObject([
      { kind: 'import_finished', title: 'The import of clients.csv stopped because of a problem on our side' },
    ]);
    await api.start(importId);
    await portal.runJobs();
    expect(await api.info(importId)).toMatchObject({ state: 'completed', applied: { new: 1 } });
  });

  it('writes one chained audit entry for each action and none for a row', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: id } = await api.importFile(buildFile(HARLOW_ROW, REED));
    await api.undo(id);
    const entries = await getDb()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.companyId, practice.companyId))
      .orderBy(asc(auditEntries.sequence));
    expect(entries.map(({ action }) => action)).toEqual([
      'clients.file_read',
      'clients.import_started',
      'clients.imported',
      'clients.import_undone',
    ]);
    for (const { hash, ...entry } of entries) expect(hashEntry(entry)).toBe(hash);
  });
});

describe('clients that share a VAT number', () => {
  const GROUP = buildFile(
    'Alder Holdings Ltd,company,,980780684,,09482716,LS1 4DY,',
    'Alder Retail Ltd,company,,980780684,,09482717,LS1 4DY,',
    'Alder Stores Ltd,company,VAT CT,980780684,,,LS2 4DY,',
    'ALDER HOLDINGS LIMITED,company,,980780684,,,,again@alder.example',
  );
  const load = async (companyId: string) =>
    (
      await getDb().select().from(clients).where(eq(clients.companyId, companyId)).orderBy(asc(clients.name), asc(clients.companyNumber))
    ).map(({ name, vrn, hasVat, hasCt }) => [name, vrn, hasVat, hasCt]);
  const IMPORTED = [
    ['Alder Holdings Ltd', '980780684', true, true],
    ['Alder Retail Ltd', null, false, true],
    ['Alder Stores Ltd', null, false, true],
  ];

  it('are imported but need checking, with the group’s VAT on the first; a duplicate is left out', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const { import_id: id, counts } = await api.validate(GROUP);
    expect(counts).toMatchObject({ new: 3, duplicate: 1, needs_fixing: 2, ambiguous: 0 });
    await api.start(id);
    // One row per step: the job starts again after each, as after a crash.
    for (let step = 0; step < 4; step += 1)
      await runImport(
        portal.deps,
        { companyId: practice.companyId, importId: id },
        { signal: new AbortController().signal },
        { maxSteps: 1, rowsPerStep: 1 },
      );
    await portal.runJobs();
    expect(await api.info(id)).toMatchObject({ state: 'completed', applied: { new: 3 }, counts: { needs_fixing: 2 } });
    expect(await load(practice.companyId)).toEqual(IMPORTED);
    const { rows } = await api.rows(id, { outcome: 'needs_fixing' });
    expect(rows.map(({ row, problems }) => [row, problems[0]?.problem])).toEqual([
      [3, expect.stringMatching(/^Shares its VAT number with Alder Holdings Ltd, as the members of a VAT group do\./)],
      [4, expect.stringMatching(/^Shares its VAT number with Alder Holdings Ltd, as the members of a VAT group do\./)],
    ]);
    // The practice's VAT tab counts the group once.
    const { body } = await practice.admin.get('/open-tax/dashboard', { company_id: practice.companyId, tax: 'vat' });
    expect(body['totals']).toMatchObject({ clients: 1 });
    // Uploaded again, each row finds its own client, and nothing changes.
    expect(await api.importFile(GROUP)).toMatchObject({ applied: { new: 0, matched: 3 } });
    expect(await load(practice.companyId)).toEqual(IMPORTED);
  });

  it.each(['holder', 'row'] as const)(
    'need one answer: a user says who represents the group, and no import asks again (%s)',
    async (answerer) => {
      const practice = await addPractice(portal);
      const api = createImporter(practice);
      const { import_id: id } = await api.importFile(GROUP);
      const { rows } = await api.rows(id, { outcome: 'needs_fixing' });
      const [question, other] = rows;
      expect(question).toMatchObject({ row: 3, shares_vrn_with: { name: 'Alder Holdings Ltd' } });
      const ids = { company_id: practice.companyId, import_id: id, row: 3 };
      const answer = (representativeId: unknown) =>
        practice.admin.post('/open-tax/import-clients/vat-group', { ...ids, representative_id: representativeId });
      expect((await answer(other?.client_id)).status).toBe(400);
      const answerResponse = await answer(answerer === 'holder' ? question?.shares_vrn_with?.client_id : question?.client_id);
      expect([answerResponse.status, answerResponse.body]).toMatchObject([200, { row: { problems: [], shares_vrn_with: null } }]);
      expect(await api.info(id)).toMatchObject({ counts: { needs_fixing: 0 } });
      const expectGroup = async () => {
        const storedClients = await getDb()
          .select()
          .from(clients)
          .where(eq(clients.companyId, practice.companyId))
          .orderBy(asc(clients.name));
        const representative = answerer === 'holder' ? 'Alder Holdings Ltd' : 'Alder Retail Ltd';
        expect(
          storedClients.map(({ name, vrn, vatGroupRole, vatGroupVrn, hasVat }) => [name, vrn ?? vatGroupVrn, vatGroupRole, hasVat]),
        ).toEqual(
          ['Alder Holdings Ltd', 'Alder Retail Ltd', 'Alder Stores Ltd'].map((name) =>
            name === representative ? [name, '980780684', 'representative', true] : [name, '980780684', 'member', false],
          ),
        );
      };
      await expectGroup();
      const repeatedImport = await api.importFile(GROUP);
      expect(repeatedImport).toMatchObject({ applied: { new: 0, matched: 3 }, counts: { needs_fixing: 0, ambiguous: 0 } });
      await expectGroup();
      expect((await answer(question?.client_id)).status).toBe(409);
    },
  );

  it('are a VAT group if the file says so, and undoing the import removes it', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const file = [
      'name,kind,vrn,company_number,VAT group role',
      'Birch Retail Ltd,company,980780684,09482717,member',
      'Birch Holdings Ltd,company,980780684,09482716,Representative member',
      'Birch Stores Ltd,company,980780684,09482718,',
      'Cedar Ltd,company,,09482719,perhaps',
    ].join('\n');
    const { import_id: id, counts, applied } = await api.importFile(file);
    expect([counts, applied]).toMatchObject([{ needs_fixing: 1, ambiguous: 0 }, { new: 4 }]);
    const load = async () =>
      (await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId)).orderBy(asc(clients.name))).map(
        ({ name, vrn, vatGroupRole, vatGroupVrn, hasVat }) => [name, vrn, vatGroupRole, vatGroupVrn, hasVat],
      );
    const GROUPED = [
      ['Birch Holdings Ltd', '980780684', 'representative', null, true],
      ['Birch Retail Ltd', null, 'member', '980780684', false],
      ['Birch Stores Ltd', null, 'member', '980780684', false],
      ['Cedar Ltd', null, null, null, false],
    ];
    expect(await load()).toEqual(GROUPED);
    expect(await api.importFile(file)).toMatchObject({ applied: { new: 0, matched: 4 } });
    expect(await load()).toEqual(GROUPED);
    expect((await practice.admin.post('/open-tax/import-clients/undo', { company_id: practice.companyId, import_id: id })).status).toBe(
      200,
    );
    expect(await load()).toEqual([]);
  });

  it('are two clients if a user says so', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    await api.importFile(buildFile('Alder Ltd,company,,980780684,,09482716,,'));
    const { import_id: id, counts } = await api.validate(buildFile('Alder Ltd,company,,980780684,,09482717,,'));
    expect(counts).toMatchObject({ ambiguous: 1 });
    expect((await api.resolve(id, 2, 'new')).body).toMatchObject({
      row: { outcome: 'new', problems: [{ field: 'vrn', problem: expect.stringContaining('Shares its VAT number with Alder Ltd') }] },
    });
    await api.start(id);
    await portal.runJobs();
    expect(await load(practice.companyId)).toEqual([
      ['Alder Ltd', '980780684', true, true],
      ['Alder Ltd', null, false, true],
    ]);
  });
});

describe('an ambiguous row', () => {
  it('is resolved to an existing client, a new client or nothing, before or after the import', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    await api.importFile(buildFile('Reed Ltd,,VAT,980780684,,,LS1 4DY,', 'Reed Limited,company,CT,,,09482716,YO1 7HH,'));
    const ambiguousFile = buildFile('Reed Ltd,,,980780684,,09482716,,mail@reed.example', 'Reed Ltd,,,980780684,,09482716,,');
    const validatedImport = await api.validate(ambiguousFile);
    expect(validatedImport.counts).toMatchObject({ ambiguous: 2 });
    const id = validatedImport.import_id;
    const [row] = (await api.rows(id)).rows;
    expect(row?.candidates.map(({ name }) => name)).toEqual(['Reed Ltd', 'Reed Limited']);
    const chosenClientId = row?.candidates[1]?.client_id ?? '';
    const conflictResponse = await api.resolve(id, 2, 'new');
    expect([conflictResponse.status, conflictResponse.body['code']]).toEqual([409, 'clients.reference_taken']);
    expect((await api.resolve(id, 2, 'client', randomUUID())).status).toBe(400);
    expect((await api.resolve(id, 2, 'client', chosenClientId)).body).toMatchObject({ row: { outcome: 'matched', applied: false } });
    await api.start(id);
    await portal.runJobs();
    const [client] = await getDb().select().from(clients).where(eq(clients.id, chosenClientId));
    // The VAT number belongs to another client and stays there.
    expect(client).toMatchObject({ name: 'Reed Limited', vrn: null, email: 'mail@reed.example' });
    expect((await api.resolve(id, 3, 'skip')).body).toMatchObject({ row: { outcome: 'skipped', applied: false } });
    expect((await api.resolve(id, 2, 'skip')).body).toMatchObject({ code: 'clients.row_is_settled' });
    const secondImport = await api.importFile(ambiguousFile);
    expect((await api.resolve(secondImport.import_id, 2, 'client', chosenClientId)).body).toMatchObject({
      row: { outcome: 'matched', applied: true },
    });
  });
});

describe('undoing an import', () => {
  it('removes created clients and clears filled fields, but keeps clients that someone has worked on', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    await api.importFile(buildFile('Harlow Joinery Ltd,,VAT,980780684,,,LS1 4DY,'));
    const before = await loadSnapshot(practice.companyId);
    const finishedImport = await api.importFile(
      buildFile(
        'Harlow Joinery Ltd,,VAT CT,980780684,,00445790,,carl@harlow.example',
        'Plain,company,CT,,,,,',
        'Noted,company,,,,,,',
        'Assigned,company,,,,,,',
      ),
    );
    const createdIds = new Map(
      (await getDb().select().from(clients).where(eq(clients.importId, finishedImport.import_id))).map(({ name, id }) => [name, id]),
    );
    const now = portal.deps.clock.now();
    const note = { companyId: practice.companyId, id: randomUUID(), authorId: practice.adminId, text: 'Called', writtenAt: now };
    await getDb()
      .insert(clientNotes)
      .values({ ...note, clientId: createdIds.get('Noted') ?? '' });
    await assignClient(portal, practice.companyId, createdIds.get('Assigned') ?? '', practice.memberId);
    const undoneResponse = await api.undo(finishedImport.import_id);
    expect(undoneResponse.body).toMatchObject({
      import: { state: 'undone', undone: { removed: 1, restored: 1, kept: 2 }, undo_until: null },
    });
    expect(
      (await api.rows(finishedImport.import_id)).rows.map(({ undone: undoResult, problems }) => [
        undoResult,
        problems.map(({ problem }) => problem),
      ]),
    ).toEqual([
      ['restored', []],
      ['removed', []],
      ['kept', ['Kept: someone has written a note.']],
      ['kept', ['Kept: it’s assigned to a team member.']],
    ]);
    // Each number in the result links to its rows.
    for (const [outcome, rows] of Object.entries({ restored: [2], removed: [3], kept: [4, 5] }))
      expect([outcome, (await api.rows(finishedImport.import_id, { outcome })).rows.map(({ row }) => row)]).toEqual([outcome, rows]);
    expect(await listClientNames(practice.companyId)).toEqual(['Assigned', 'Harlow Joinery Ltd', 'Noted']);
    await getDb()
      .delete(clients)
      .where(inArray(clients.id, [createdIds.get('Noted') ?? '', createdIds.get('Assigned') ?? '']));
    expect(await loadSnapshot(practice.companyId)).toEqual(before);
  });

  it.each([
    [
      'and used at once',
      'date,kind,reference,counterparty,description,net,vat,treatment\n2026-10-01,sale,INV-1,Oslo AS,Lamps,100.00,20.00,standard',
      1,
    ],
    ['and whose columns no one has chosen yet', 'When,Ref,Figure\n2026-10-01,INV-1,100.00', 0],
  ])('keeps a client whose books a colleague has uploaded, %s', async (_how, books, usedBooks) => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    const finishedImport = await api.importFile(buildFile('Harlow Joinery Ltd,,VAT,980780684,,,LS1 4DY,', REED));
    const [harlow] = await getDb()
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.companyId, practice.companyId), eq(clients.vrn, '980780684')));
    const target = { company_id: practice.companyId, client_id: harlow?.id ?? '', file_name: 'books.csv' };
    expect((await practice.admin.upload('/client/vat-books/file', target, books)).status).toBe(201);
    await api.undo(finishedImport.import_id);
    expect(
      (await api.rows(finishedImport.import_id)).rows.map(({ undone, problems }) => [undone, problems.map(({ problem }) => problem)]),
    ).toEqual([
      ['kept', ['Kept: its VAT return is being prepared.']],
      ['removed', []],
    ]);
    expect((await getDb().select().from(booksFiles).where(eq(booksFiles.companyId, target.client_id))).length).toBe(usedBooks);
    const waitingUploads = await getDb().select().from(booksUploads).where(eq(booksUploads.companyId, target.client_id));
    expect(waitingUploads.length).toBe(1 - usedBooks);
  });

  it('removes nothing that users have added: each table that is deleted with a client is a reason to keep it, or is listed as an exception', async () => {
    const { rows } = await portal.deps.database.executeSql(`
      select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'clients'::regclass order by 1`);
    const deletedNames = (rows as { name: string }[]).map(({ name }) => name);
    expect([...new Set([...RETENTION_REASONS.flatMap(({ tables }) => tables), ...WRITTEN_BY_SYSTEM])].toSorted()).toEqual(deletedNames);
  });

  it('keeps fields that were changed later, and is rejected after a day', async () => {
    const practice = await addPractice(portal);
    const api = createImporter(practice);
    await api.importFile(buildFile('Harlow Joinery Ltd,,VAT,980780684,,,LS1 4DY,'));
    const finishedImport = await api.importFile(buildFile('Harlow Joinery Ltd,,,980780684,,00445790,,wrong@harlow.example'));
    await getDb().update(clients).set({ email: 'right@harlow.example' }).where(eq(clients.companyId, practice.companyId));
    await api.undo(finishedImport.import_id);
    const [client] = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId));
    expect(client).toMatchObject({ email: 'right@harlow.example', companyNumber: null });
    expect((await api.rows(finishedImport.import_id)).rows[0]).toMatchObject({
      undone: 'kept',
      problems: [{ problem: 'Not undone, because the client has been changed since.' }],
    });
    const lateImport = await api.importFile(buildFile(REED));
    portal.moveClock('2026-11-11T09:30:00.000Z');
    const rejectionResponse = await api.undo(lateImport.import_id);
    expect([rejectionResponse.status, rejectionResponse.body['code']]).toEqual([409, 'clients.undo_not_possible']);
    portal.moveClock('2026-11-10T09:00:00.000Z');
  });
});

describe('access to imports', () => {
  it('returns 404 to team members and to other practices', async () => {
    const practice = await addPractice(portal);
    const otherPractice = await addPractice(portal);
    const { import_id: importId } = await createImporter(practice).validate(buildFile(HARLOW_ROW));
    const params = { company_id: practice.companyId, import_id: importId };
    for (const browser of [practice.member, otherPractice.admin]) {
      expect((await browser.get('/open-tax/import-clients/info', params)).status).toBe(404);
      expect((await browser.get('/open-tax/import-clients/rows', params)).status).toBe(404);
      expect((await browser.get('/open-tax/fetching-new-clients', { company_id: practice.companyId })).status).toBe(404);
      for (const action of ['start', 'cancel', 'undo']) {
        expect((await browser.post(`/open-tax/import-clients/${action}`, params, { 'idempotency-key': randomUUID() })).status).toBe(404);
      }
      expect((await browser.upload(UPLOAD, { company_id: practice.companyId, file_name: 'x.csv' }, buildFile(REED))).status).toBe(404);
    }
    // The import is not found under the other practice's own ID either.
    const importKey = { company_id: otherPractice.companyId, import_id: importId };
    expect((await otherPractice.admin.get('/open-tax/import-clients/info', importKey)).status).toBe(404);
    expect((await otherPractice.admin.get('/open-tax/import-clients/rows', importKey)).status).toBe(404);
    expect((await otherPractice.admin.post('/open-tax/import-clients/resolve', { ...importKey, row: 2, choice: 'skip' })).status).toBe(404);
  });

  it('serves the template with every column to everyone', async () => {
    const response = await portal.app.inject({ url: '/portal/open-tax/client-imports/template' });
    expect(response.body.split('\r\n')[0]).toBe(IMPORT_COLUMNS.join(','));
  });
});
