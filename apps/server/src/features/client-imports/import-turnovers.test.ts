/** Tests turnover in a clients file: stored as the practice's figure, corrected on screen, undone with the import, and exported again. */
import { randomUUID } from 'node:crypto';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import { clients, clientTurnovers } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runAgent } from '../agent/run-agent.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  Object.assign(portal.deps, { companyRegister: undefined });
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const getDb = () => portal.deps.database.db;
const HEADER = 'name,kind,taxes,utr,vrn,taxable_turnover,turnover_to';
const buildFile = (...rows: string[]): string => [HEADER, ...rows].join('\n');
const UNA = 'Una Brook,sole_trader,SA,2234567890,,"85,000",31/10/2026';

const post = (path: string, body: object, by = practice) =>
  by.admin.post(`/open-tax/import-clients/${path}`, { company_id: by.companyId, ...body }, { 'idempotency-key': randomUUID() });

async function upload(content: string, by = practice): Promise<ClientImport> {
  const { status, body } = await by.admin.upload(
    '/open-tax/client-imports',
    { company_id: by.companyId, file_name: 'clients.csv' },
    content,
  );
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as unknown as ClientImport;
}

async function importFile(content: string, by = practice): Promise<string> {
  const { import_id: id } = await upload(content, by);
  expect((await post('start', { import_id: id }, by)).status).toBe(200);
  await portal.runJobs();
  return id;
}

const listRows = async (importId: string): Promise<ClientImportRow[]> =>
  (await practice.admin.get('/open-tax/import-clients/rows', { company_id: practice.companyId, import_id: importId })).body[
    'rows'
  ] as ClientImportRow[];
const undo = (importId: string) => post('undo', { import_id: importId });

async function findClient(name: string, { companyId } = practice): Promise<string> {
  const [row] = await getDb()
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.name, name)));
  return row?.id ?? '';
}

async function listTurnovers({ companyId } = practice) {
  const rows = await getDb()
    .select({
      client: clients.name,
      end: clientTurnovers.endOn,
      amount: clientTurnovers.turnoverPence,
      wasRegistered: clientTurnovers.wasRegistered,
    })
    .from(clientTurnovers)
    .innerJoin(clients, and(eq(clients.companyId, clientTurnovers.companyId), eq(clients.id, clientTurnovers.clientId)))
    .where(eq(clientTurnovers.companyId, companyId))
    .orderBy(asc(clients.name), asc(clientTurnovers.endOn), asc(clientTurnovers.knownAt), asc(clientTurnovers.turnoverPence));
  return rows.map(({ client, end, amount, wasRegistered }) => [client, end, amount, wasRegistered]);
}

async function enter(name: string, turnover_pence: number, end_on = '2026-10-31'): Promise<void> {
  const ids = { company_id: practice.companyId, client_id: await findClient(name) };
  expect((await practice.admin.post('/client/turnover', { ...ids, turnover_pence, end_on })).status).toBe(200);
}

describe('turnover in a clients file', () => {
  it('is the practice’s figure of the person who imported it, and the assistant notices it', async () => {
    const mode = { company_id: practice.companyId, mode: 'suggest', drafts_per_day: 100, acts_per_day: 50 };
    expect((await practice.admin.post('/open-tax/agent-mode', mode)).status).toBe(200);
    await importFile(buildFile(UNA, 'Reed Ltd,company,VAT CT,,980780684,250000.50,2026-09-30', 'No Figure,sole_trader,SA,,,,2026-10-31'));
    expect(await listTurnovers()).toEqual([
      ['Reed Ltd', '2026-09-30', 25_000_050, true],
      ['Una Brook', '2026-10-31', 8_500_000, false],
    ]);
    const ids = { company_id: practice.companyId, client_id: await findClient('Una Brook') };
    expect((await practice.admin.get('/client/turnover', ids)).body['turnovers']).toMatchObject([
      { source: 'practice', turnover_pence: 8_500_000, entered_by: 'practice_admin', is_imported: true, counts: true },
    ]);
    await runAgent(portal.deps, practice.companyId, new AbortController().signal);
    const query = { company_id: practice.companyId, column: 'drafts', rule_id: 'vat-registration-near' };
    expect((await practice.admin.get('/open-tax/agent-proposals', query)).body['proposals']).toMatchObject([
      { client: { name: 'Una Brook' }, title: '12-month turnover of £85,000.00: £5,000.00 below the VAT registration threshold' },
    ]);
  });

  it('is added to a client’s other months, but never replaces the practice’s own figure for the same month', async () => {
    await importFile(buildFile('Una Brook,sole_trader,SA,2234567890,,,', 'Vic Ash,sole_trader,SA,2234567905,,,'));
    await enter('Una Brook', 8_600_000);
    const id = await importFile(buildFile(UNA, 'Vic Ash,sole_trader,SA,2234567905,,70000,30/09/2026'));
    expect((await listRows(id)).map(({ outcome, problems }) => [outcome, problems])).toEqual([
      [
        'matched',
        [
          {
            field: 'taxable_turnover',
            problem:
              'You already have turnover of £86,000.00 for this client for the 12 months to 31 October 2026. To replace it, enter the turnover on the client’s page.',
          },
        ],
      ],
      ['matched', []],
    ]);
    const expected = [
      ['Una Brook', '2026-10-31', 8_600_000, false],
      ['Vic Ash', '2026-09-30', 7_000_000, false],
    ];
    expect(await listTurnovers()).toEqual(expected);
    // The same file again changes nothing.
    const again = await importFile(buildFile('Vic Ash,sole_trader,SA,2234567905,,70000,30/09/2026'));
    expect((await listRows(again)).map(({ problems }) => problems)).toEqual([[]]);
    expect(await listTurnovers()).toEqual(expected);
  });

  it('that can’t be used needs fixing, and is stored once it is corrected, before or after the import', async () => {
    const { import_id: id, counts } = await upload(
      buildFile('Una Brook,sole_trader,SA,2234567890,,85k,31/10/2026', 'Vic Ash,sole_trader,SA,2234567905,,70000,15/10/2026'),
    );
    expect(counts).toMatchObject({ new: 2, needs_fixing: 2 });
    expect((await post('correct', { import_id: id, row: 2, values: { taxable_turnover: '85000' } })).body).toMatchObject({
      row: { problems: [] },
    });
    await post('start', { import_id: id });
    await portal.runJobs();
    expect(await listTurnovers()).toEqual([['Una Brook', '2026-10-31', 8_500_000, false]]);
    const row = (await listRows(id)).find(({ row: line }) => line === 3);
    expect(row?.problems).toMatchObject([{ field: 'turnover_to', problem: expect.stringContaining('last day of the 12 months') }]);
  });
});

describe('undoing the import', () => {
  it('removes its turnover with new clients and from existing ones, and the assistant’s proposal', async () => {
    await importFile(buildFile('Una Brook,sole_trader,SA,2234567890,,,'));
    await practice.admin.post('/open-tax/agent-mode', {
      company_id: practice.companyId,
      mode: 'suggest',
      drafts_per_day: 100,
      acts_per_day: 50,
    });
    const id = await importFile(buildFile(UNA, 'Vic Ash,sole_trader,SA,2234567905,,70000,30/09/2026'));
    const run = () => runAgent(portal.deps, practice.companyId, new AbortController().signal);
    const countDrafts = async () =>
      (
        await practice.admin.get('/open-tax/agent-proposals', {
          company_id: practice.companyId,
          column: 'drafts',
          rule_id: 'vat-registration-near',
        })
      ).body['total'];
    await run();
    expect(await countDrafts()).toBe(1);
    expect((await undo(id)).body).toMatchObject({ import: { state: 'undone', undone: { removed: 1, restored: 1, kept: 0 } } });
    expect(await listTurnovers()).toEqual([]);
    expect(await findClient('Una Brook')).not.toBe('');
    await run();
    expect(await countDrafts()).toBe(0);
  });

  it('keeps what a person has entered since, and the new client that has it', async () => {
    await importFile(buildFile('Una Brook,sole_trader,SA,2234567890,,,'));
    const id = await importFile(buildFile(UNA, 'Vic Ash,sole_trader,SA,2234567905,,70000,30/09/2026'));
    await enter('Una Brook', 8_700_000);
    await enter('Vic Ash', 7_100_000);
    await undo(id);
    expect((await listRows(id)).map(({ undone, problems }) => [undone, problems.map(({ problem }) => problem)])).toEqual([
      ['restored', []],
      ['kept', ['Kept: its turnover is known.']],
    ]);
    expect(await listTurnovers()).toEqual([
      ['Una Brook', '2026-10-31', 8_700_000, false],
      ['Vic Ash', '2026-09-30', 7_000_000, false],
      ['Vic Ash', '2026-10-31', 7_100_000, false],
    ]);
  });
});

it('an export has the practice’s newest figure under headings that an import recognises', async () => {
  await importFile(buildFile(UNA, 'Vic Ash,sole_trader,SA,2234567905,,,'));
  await enter('Una Brook', 8_400_000, '2026-09-30');
  const query = { company_id: practice.companyId, format: 'csv' };
  const headers = { cookie: practice.cookies.admin };
  const { body } = await portal.app.inject({ url: '/portal/open-tax/export-table', query, headers });
  const other = await addPractice(portal);
  const { import_id: id, table } = await upload(body, other);
  const columns = table?.columns.map(({ target }) => target) ?? [];
  expect(columns).toEqual(expect.arrayContaining(['taxable_turnover', 'turnover_to']));
  const mapping = { import_id: id, sheet: table?.sheet, header_line: table?.header_line, columns };
  expect((await post('map', mapping, other)).status).toBe(200);
  expect((await post('start', { import_id: id }, other)).body).toMatchObject({ import: { counts: { new: 2, needs_fixing: 0 } } });
  await portal.runJobs();
  expect(await listTurnovers(other)).toEqual([['Una Brook', '2026-10-31', 8_500_000, false]]);
});
