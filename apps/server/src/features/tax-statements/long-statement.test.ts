/** Tests statements with many clients: resuming after a crash, cancelling, and purging rows after their retention period. */
import { taxStatementUploadOutput, type TaxStatement } from '@portal/contract/tax-statements.ts';
import {
  auditEntries,
  clientObservations,
  clients,
  taxStatementClients,
  taxStatementRows,
  taxStatements,
} from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { STATEMENT_COLUMNS } from '@portal/domain/tax-statements/statement-columns.ts';
import { and, count, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { purgeStatementRows } from './purge-statement-rows.ts';
import { CLIENTS_PER_STEP, failStatement, runStatement } from './run-statement.ts';
import { sweepStatements } from './tax-statements-jobs.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
const CLIENT_COUNT = CLIENTS_PER_STEP + 30;
let portal: TestPortal;
let practice: TestPractice;
let ids: readonly string[];

beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
});
beforeEach(async () => {
  portal.moveClock(START_TIME);
  practice = await addPractice(portal);
  const { companyId } = practice;
  const now = portal.deps.clock.now();
  const createdClients = Array.from({ length: CLIENT_COUNT }, (_, index) => ({ id: crypto.randomUUID(), payeReference: `123/C${index}` }));
  const defaults = {
    companyId,
    kind: 'company' as const,
    status: 'active' as const,
    hasVat: false,
    hasPaye: true,
    hasCt: false,
    hasSa: false,
  };
  const facts = createdClients.map((client) => ({ ...defaults, ...client, name: client.payeReference, createdAt: now, updatedAt: now }));
  await getDb().insert(clients).values(facts);
  ids = createdClients.map(({ id }) => id);
  await getDb().transaction((tx) => upsertClientRows(tx, companyId, ids));
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const run = { signal: new AbortController().signal };
/** Writes two rows per client, far apart in the file. */
const makeFile = (outstanding: string): string => {
  const buildRows = (due: string) =>
    Array.from({ length: CLIENT_COUNT }, (_, index) => `123/C${index},,charge,,,,,${due},,500.00,${outstanding},monthly`);
  return [STATEMENT_COLUMNS.join(','), ...buildRows('2026-10-22'), ...buildRows('2026-11-22')].join('\n');
};

const upload = (content: string) =>
  practice.admin.upload('/open-tax/tax-statements', { company_id: practice.companyId, tax_type: 'paye', file_name: 'p.csv' }, content);

async function uploadStatement(content: string): Promise<TaxStatement> {
  const { status, body } = await upload(content);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return taxStatementUploadOutput.parse(body).statement;
}

const toKey = (statement: TaxStatement) => ({ companyId: practice.companyId, statementId: statement.statement_id });
const toQuery = (statement: TaxStatement) => ({ company_id: practice.companyId, statement_id: statement.statement_id });
const post = (action: string, statement: TaxStatement) => practice.admin.post(`/open-tax/tax-statements/${action}`, toQuery(statement));
async function getStatement(statement: TaxStatement): Promise<TaxStatement> {
  return (await practice.admin.get('/open-tax/tax-statements/statement', toQuery(statement))).body['statement'] as TaxStatement;
}
const countObservations = async ({ statement_id }: TaxStatement) =>
  (await getDb().select({ rows: count() }).from(clientObservations).where(eq(clientObservations.statementId, statement_id)))[0]?.rows;

describe('a long statement', () => {
  it('is stored completely before any figure changes, and resumes after a crash without repeating a client', async () => {
    const statement = await uploadStatement(makeFile('100.00'));
    expect(statement).toMatchObject({ state: 'importing', rows: 2 * CLIENT_COUNT, rows_done: 0, clients: CLIENT_COUNT, clients_taken: 0 });
    expect(await countObservations(statement)).toBe(0);
    await runStatement(portal.deps, toKey(statement), run, { maxSteps: 1 });
    expect(await getStatement(statement)).toMatchObject({
      state: 'importing',
      rows_done: 2 * CLIENTS_PER_STEP,
      clients_taken: CLIENTS_PER_STEP,
    });
    await runStatement(portal.asNewProcess(), toKey(statement), run);
    expect(await getStatement(statement)).toMatchObject({
      state: 'completed',
      rows_done: 2 * CLIENT_COUNT,
      clients_taken: CLIENT_COUNT,
      refused: 0,
    });
    expect(await countObservations(statement)).toBe(CLIENT_COUNT);
    await portal.runJobs();
    expect(await countObservations(statement)).toBe(CLIENT_COUNT);
    const entries = and(eq(auditEntries.subject, statement.statement_id), eq(auditEntries.action, 'tax_statements.imported'));
    expect(await getDb().select().from(auditEntries).where(entries)).toHaveLength(1);
  });

  it('processed by two instances at once imports each client once', async () => {
    const statement = await uploadStatement(makeFile('90.00'));
    await Promise.all([runStatement(portal.deps, toKey(statement), run), runStatement(portal.asNewProcess(), toKey(statement), run)]);
    expect(await getStatement(statement)).toMatchObject({ state: 'completed', rows_done: 2 * CLIENT_COUNT, clients_taken: CLIENT_COUNT });
    expect(await countObservations(statement)).toBe(CLIENT_COUNT);
    await portal.runJobs();
  });

  it('blocks another statement of the tax, can be cancelled and resumed, but not after a later one', async () => {
    const statement = await uploadStatement(makeFile('80.00'));
    expect(await upload(makeFile('70.00'))).toMatchObject({ status: 409, body: { code: 'tax_statements.running' } });
    await runStatement(portal.deps, toKey(statement), run, { maxSteps: 1 });
    expect((await post('cancel', statement)).body['statement']).toMatchObject({ state: 'cancelled', clients_taken: CLIENTS_PER_STEP });
    await portal.runJobs();
    expect(await countObservations(statement)).toBe(CLIENTS_PER_STEP);
    expect((await post('start', statement)).body['statement']).toMatchObject({ state: 'importing' });
    expect((await post('cancel', statement)).status).toBe(200);
    portal.moveClock('2026-11-10T10:00:00.000Z');
    const laterStatement = await uploadStatement(makeFile('60.00'));
    await portal.runJobs();
    expect(await getStatement(laterStatement)).toMatchObject({ state: 'completed', clients_taken: CLIENT_COUNT });
    expect(await post('start', statement)).toMatchObject({ status: 409, body: { code: 'tax_statements.outdated' } });
  });

  it('that failed shows the reason and can be started again', async () => {
    const statement = await uploadStatement(makeFile('50.00'));
    await runStatement(portal.deps, toKey(statement), run, { maxSteps: 1 });
    await failStatement(portal.deps, toKey(statement));
    expect(await getStatement(statement)).toMatchObject({ state: 'failed', reason: expect.stringContaining('Start it again') });
    const { body } = await practice.admin.get('/open-tax/notifications', { company_id: practice.companyId });
    expect(body['notifications']).toContainEqual(expect.objectContaining({ title: expect.stringMatching(/^The import of .+ stopped/) }));
    expect((await post('start', statement)).status).toBe(200);
    await portal.runJobs();
    expect(await getStatement(statement)).toMatchObject({ state: 'completed', clients_taken: CLIENT_COUNT, reason: null });
  });

  it('skips a client that was removed in the meantime and rejects its rows', async () => {
    const statement = await uploadStatement(makeFile('40.00'));
    const [removedId] = ids;
    await getDb()
      .delete(clients)
      .where(eq(clients.id, removedId ?? ''));
    await portal.runJobs();
    expect(await getStatement(statement)).toMatchObject({
      state: 'completed',
      rows_done: 2 * CLIENT_COUNT,
      clients_taken: CLIENT_COUNT - 1,
      refused: 2,
    });
    const { body } = await practice.admin.get('/open-tax/tax-statements/rows', { ...toQuery(statement), outcome: 'refused' });
    expect(body).toMatchObject({
      rows: [{ row: 2, client_name: null, problem: expect.stringContaining('removed') }, { row: 2 + CLIENT_COUNT }],
    });
  });

  it('is deleted when its upload died with its process, but not while it is still uploading', async () => {
    const { deps } = portal;
    const addUpload = async (ageMs: number): Promise<string> => {
      const id = crypto.randomUUID();
      const readingAt = addMilliseconds(deps.wallClock.now(), -ageMs);
      const defaults = { companyId: practice.companyId, tax: 'paye' as const, fileName: 'x.csv', importedBy: practice.adminId };
      await getDb()
        .insert(taxStatements)
        .values({ ...defaults, id, importedAt: deps.clock.now(), state: 'reading', rows: 5, readingAt });
      return id;
    };
    const [oldId, recentId] = [await addUpload(600_000), await addUpload(1_000)];
    await sweepStatements(deps);
    const remaining = await getDb()
      .select({ id: taxStatements.id })
      .from(taxStatements)
      .where(and(eq(taxStatements.companyId, practice.companyId), eq(taxStatements.state, 'reading')));
    expect(remaining).toEqual([{ id: recentId }]);
    expect(remaining).not.toContainEqual({ id: oldId });
  });

  it('keeps its rows for 30 days and its counts permanently', async () => {
    const newestStatement = await uploadStatement(makeFile('30.00'));
    await portal.runJobs();
    const listRows = async () =>
      (
        await getDb().select({ rows: count() }).from(taxStatementRows).where(eq(taxStatementRows.statementId, newestStatement.statement_id))
      )[0]?.rows;
    portal.moveClock('2026-12-10T08:00:00.000Z');
    await purgeStatementRows(portal.deps);
    expect(await listRows()).toBe(2 * CLIENT_COUNT);
    portal.moveClock('2026-12-10T10:00:00.000Z');
    await purgeStatementRows(portal.deps);
    expect(await listRows()).toBe(0);
    expect(await getStatement(newestStatement)).toMatchObject({
      state: 'completed',
      rows: 2 * CLIENT_COUNT,
      rows_done: 2 * CLIENT_COUNT,
      rows_until: null,
    });
    // “Updated the figures of … clients” still links to exactly these.
    const listedResponse = await practice.admin.get('/open-tax/client-companies/count', {
      company_id: practice.companyId,
      action: `statement_updated:${newestStatement.statement_id}`,
    });
    expect(listedResponse.body['count']).toBe((await getStatement(newestStatement)).clients_taken);
  });

  it('counts the updated clients that its list shows, apart from those removed since or no longer known', async () => {
    const statement = await uploadStatement(makeFile('20.00'));
    await portal.runJobs();
    const before = await getStatement(statement);
    const removedId = ids.at(-1) ?? '';
    await getDb().delete(clients).where(eq(clients.id, removedId));
    const listedResponse = await practice.admin.get('/open-tax/client-companies/count', {
      company_id: practice.companyId,
      action: `statement_updated:${statement.statement_id}`,
    });
    expect(await getStatement(statement)).toMatchObject({ clients_taken: listedResponse.body['count'], clients_removed: 1 });
    expect(listedResponse.body['count']).toBe(before.clients_taken - 1);
    // An earlier version's purge deleted the clients together with the rows.
    const key = eq(taxStatementClients.statementId, statement.statement_id);
    await getDb().delete(taxStatementClients).where(key);
    await getDb().update(taxStatements).set({ rowsRemovedAt: portal.deps.clock.now() }).where(eq(taxStatements.id, statement.statement_id));
    expect(await getStatement(statement)).toMatchObject({ clients_taken: 0, clients_removed: null });
  });
});
