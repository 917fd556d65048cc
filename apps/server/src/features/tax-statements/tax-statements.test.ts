/** Tests PAYE and corporation tax statements through the API. */
import { taxStatementUploadOutput, type TaxStatement } from '@portal/contract/tax-statements.ts';
import { auditEntries, clientObservations, clientRows, clients, practiceTotals, taxPositions } from '@portal/db/schema/schema.ts';
import { formatStatementTemplate, STATEMENT_COLUMNS, type StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import * as portfolioStatements from '@portal/sandbox/portfolio/statements.ts';
import { and, count, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

const getDb = () => portal.deps.database.db;
const PAYE = '123/AB456';
const UTR = '2234567890';
const HEADER = STATEMENT_COLUMNS.join(',');
const buildFile = (...lines: string[]): string => [HEADER, ...lines].join('\n');
const formatCharge = (due: string, outstanding: string, reference = PAYE): string =>
  `${reference},,charge,,,,,${due},,500.00,${outstanding},monthly`;

/** Adds a client with the references that statements use. */
async function addClientWithReference(
  companyId: string,
  tax: StatementTax,
  references: Partial<typeof clients.$inferInsert>,
): Promise<string> {
  const id = await addClient(portal, companyId, { taxes: [tax] });
  await getDb().update(clients).set(references).where(eq(clients.id, id));
  return id;
}

const send = ({ companyId, admin }: TestPractice, tax: string, content: string | Buffer) =>
  admin.upload('/open-tax/tax-statements', { company_id: companyId, tax_type: tax, file_name: `${tax}.csv` }, content);

async function uploadStatement(practice: TestPractice, tax: StatementTax, content: string): Promise<TaxStatement> {
  const { status, body } = await send(practice, tax, content);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return taxStatementUploadOutput.parse(body).statement;
}

async function getStatement({ companyId, admin }: TestPractice, statementId: string): Promise<TaxStatement> {
  const { body } = await admin.get('/open-tax/tax-statements/statement', { company_id: companyId, statement_id: statementId });
  return body['statement'] as TaxStatement;
}

/** Uploads a statement and imports it completely. */
async function importStatement(practice: TestPractice, tax: StatementTax, content: string): Promise<TaxStatement> {
  const { statement_id } = await uploadStatement(practice, tax, content);
  await portal.runJobs();
  return getStatement(practice, statement_id);
}

async function listStatements({ companyId, admin }: TestPractice, query: Record<string, string> = {}): Promise<TaxStatement[]> {
  const { body } = await admin.get('/open-tax/tax-statements', { company_id: companyId, ...query });
  return body['statements'] as TaxStatement[];
}

const listObservations = (clientId: string) => getDb().select().from(clientObservations).where(eq(clientObservations.clientId, clientId));
const loadPosition = async (clientId: string) => (await getDb().select().from(taxPositions).where(eq(taxPositions.clientId, clientId)))[0];

describe('a statement', () => {
  it('updates the position, the client row and the totals, with its date and source', async () => {
    const practice = await addPractice(portal);
    const clientId = await addClientWithReference(practice.companyId, 'paye', { payeReference: PAYE });
    const importedStatement = await importStatement(
      practice,
      'paye',
      buildFile(formatCharge('2026-10-22', '200.00'), formatCharge('2026-11-22', '500.00')),
    );
    expect(importedStatement).toMatchObject({
      state: 'completed',
      tax_type: 'paye',
      clients: 1,
      clients_taken: 1,
      rows: 2,
      rows_done: 2,
      refused: 0,
      imported_by: 'practice_admin',
      reason: null,
    });
    expect(await loadPosition(clientId)).toMatchObject({
      owedPence: 70_000,
      overduePence: 20_000,
      source: 'statement',
      asOf: expect.stringMatching(/^2026-11-10T/),
    });
    expect((await getDb().select().from(clientRows).where(eq(clientRows.clientId, clientId)))[0]).toMatchObject({ owedPence: 70_000 });
    expect(await listObservations(clientId)).toMatchObject([
      { kind: 'paye_statement', source: 'statement', statementId: importedStatement.statement_id },
    ]);
    const [totals] = await getDb().select().from(practiceTotals).where(eq(practiceTotals.companyId, practice.companyId));
    expect(totals?.totals.find(({ tax }) => tax === 'paye')).toMatchObject({ owed_pence: 70_000, overdue_clients: 1 });
    expect(await listStatements(practice)).toEqual([importedStatement]);
    const [entry] = await getDb()
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'tax_statements.imported')));
    expect(entry).toMatchObject({
      actor: practice.adminId,
      subject: importedStatement.statement_id,
      after: { rows: 2, refused: 0, clients: 1 },
    });
  });

  it('for corporation tax finds companies by UTR and by company number, and reports missing returns', async () => {
    const practice = await addPractice(portal);
    const clientWithUtr = await addClientWithReference(practice.companyId, 'ct', { utr: UTR });
    const clientWithCompanyNumber = await addClientWithReference(practice.companyId, 'ct', { companyNumber: '00445790' });
    const formatOverdueReturn = (reference: string) => `${reference},,return,,,2024-07-01,2025-06-30,2026-06-30,,,,`;
    const importedStatement = await importStatement(practice, 'ct', buildFile(formatOverdueReturn(UTR), formatOverdueReturn('445790')));
    expect(importedStatement).toMatchObject({ clients_taken: 2, refused: 0 });
    for (const id of [clientWithUtr, clientWithCompanyNumber])
      expect(await loadPosition(id)).toMatchObject({ overdueReturns: 1, source: 'statement' });
  });

  it('replaces the figures of the previous one, which stays stored', async () => {
    const practice = await addPractice(portal);
    const clientId = await addClientWithReference(practice.companyId, 'paye', { payeReference: PAYE });
    await importStatement(practice, 'paye', buildFile(formatCharge('2026-10-22', '200.00')));
    await importStatement(practice, 'paye', buildFile(formatCharge('2026-10-22', '0.00')));
    expect(await listObservations(clientId)).toHaveLength(2);
    expect(await loadPosition(clientId)).toMatchObject({ owedPence: 0 });
    expect(await listStatements(practice, { tax_type: 'paye' })).toHaveLength(2);
    expect(await listStatements(practice, { tax_type: 'ct' })).toEqual([]);
  });

  it('adds nothing on the same day when unchanged, and updates the date on a later day', async () => {
    const practice = await addPractice(portal);
    const clientId = await addClientWithReference(practice.companyId, 'paye', { payeReference: PAYE });
    for (const at of [START_TIME, '2026-11-10T17:00:00.000Z']) {
      portal.moveClock(at);
      await importStatement(practice, 'paye', buildFile(formatCharge('2026-10-22', '200.00')));
    }
    expect(await listObservations(clientId)).toHaveLength(1);
    portal.moveClock('2026-11-12T09:00:00.000Z');
    await importStatement(practice, 'paye', buildFile(formatCharge('2026-10-22', '200.00')));
    expect(await loadPosition(clientId)).toMatchObject({ asOf: expect.stringMatching(/^2026-11-12T09:00:/) });
  });

  it('leaves a client unchanged when one of its rows is invalid, and pages through the rejected rows', async () => {
    const practice = await addPractice(portal);
    const clientId = await addClientWithReference(practice.companyId, 'paye', { payeReference: PAYE });
    const otherClient = await addClientWithReference(practice.companyId, 'paye', { payeReference: '999/Z9' });
    const importedStatement = await importStatement(
      practice,
      'paye',
      buildFile(
        formatCharge('2026-10-22', '1.00'),
        formatCharge('2026-02-30', '1.00'),
        formatCharge('2026-10-22', '9.00', '999/Z9'),
        formatCharge('2026-10-22', '1.00', '111/UNKNOWN'),
      ),
    );
    expect(importedStatement).toMatchObject({ clients: 2, clients_taken: 1, rows: 4, rows_done: 4, refused: 3 });
    for (const [kind, clients] of [
      ['statement', 2],
      ['statement_updated', 1],
    ] as const) {
      const action = `${kind}:${importedStatement.statement_id}`;
      const listedResponse = await practice.admin.get('/open-tax/client-companies/count', { company_id: practice.companyId, action });
      expect([kind, listedResponse.body['count']]).toEqual([kind, clients]);
    }
    expect([await listObservations(clientId), (await loadPosition(otherClient))?.owedPence]).toEqual([[], 900]);
    const params = { company_id: practice.companyId, statement_id: importedStatement.statement_id };
    const readRows = (query: Record<string, string>) => practice.admin.get('/open-tax/tax-statements/rows', { ...params, ...query });
    const firstResponse = await readRows({ limit: '2', outcome: 'refused' });
    expect(firstResponse.body).toMatchObject({
      rows: [
        { row: 2, client_id: clientId },
        { row: 3, field: 'due_on' },
      ],
      next_after: 3,
    });
    const secondResponse = await readRows({ after: '3', outcome: 'refused' });
    const problem = 'None of your clients has this PAYE reference.';
    expect(secondResponse.body).toEqual({
      rows: [{ row: 5, outcome: 'refused', client_id: null, client_name: null, field: 'reference', problem }],
      next_after: null,
    });
    expect((await readRows({ outcome: 'taken' })).body).toMatchObject({ rows: [{ row: 4, client_id: otherClient, problem: null }] });
    expect((await readRows({})).body['rows']).toHaveLength(4);
  });

  it('never matches clients of another practice and is not visible there', async () => {
    const [practice, otherPractice] = [await addPractice(portal), await addPractice(portal)];
    const clientId = await addClientWithReference(otherPractice.companyId, 'paye', { payeReference: PAYE });
    const importedStatement = await importStatement(practice, 'paye', buildFile(formatCharge('2026-10-22', '1.00')));
    expect(importedStatement).toMatchObject({ clients: 0, refused: 1, state: 'completed' });
    expect(await listObservations(clientId)).toEqual([]);
    const query = { company_id: otherPractice.companyId, statement_id: importedStatement.statement_id };
    for (const path of ['statement', 'rows']) {
      expect((await otherPractice.admin.get(`/open-tax/tax-statements/${path}`, query)).status).toBe(404);
    }
    for (const path of ['start', 'cancel']) {
      expect((await otherPractice.admin.post(`/open-tax/tax-statements/${path}`, query)).status).toBe(404);
    }
    expect(await listStatements(otherPractice)).toEqual([]);
  });

  it.each([
    ['without the columns', 'reference,amount\n', 'is missing “entry”'],
    ['without an entry', `${HEADER}\n`, 'no entries below its header'],
    ['that is a PDF', '%PDF-1.7', 'this is a PDF'],
  ])('%s is rejected as a whole', async (_case, content, reason) => {
    const practice = await addPractice(portal);
    const { status, body } = await send(practice, 'paye', content);
    expect([status, body['code']]).toEqual([422, 'tax_statements.file_refused']);
    expect(body['message']).toContain(reason);
    expect(await listStatements(practice)).toEqual([]);
  });

  it('for an unsupported tax or above the size limit is rejected before it is read', async () => {
    const practice = await addPractice(portal);
    expect((await send(practice, 'vat', buildFile())).status).toBe(400);
    expect((await send(practice, 'paye', Buffer.alloc(30 * 1024 * 1024 + 1, 'a'))).status).toBe(413);
  });

  it('is available only to admins', async () => {
    const { companyId, member } = await addPractice(portal);
    const query = { company_id: companyId, tax_type: 'paye', file_name: 'x.csv' };
    expect((await member.upload('/open-tax/tax-statements', query, buildFile())).status).toBe(404);
  });
});

describe('the template', () => {
  it.each<[StatementTax, string]>([
    ['paye', PAYE],
    ['ct', UTR],
  ])('for %s imports without errors', async (tax, reference) => {
    const practice = await addPractice(portal);
    await addClientWithReference(practice.companyId, tax, tax === 'paye' ? { payeReference: reference } : { utr: reference });
    expect(await importStatement(practice, tax, formatStatementTemplate(tax))).toMatchObject({ clients_taken: 1, rows: 2, refused: 0 });
  });
});

describe('the statements of a portfolio', () => {
  it('are imported for every client, in more than one step', async () => {
    const practice = await addPractice(portal);
    const portfolio = generatePortfolio({ clients: 260, seed: 3, today: portal.deps.clock.today() });
    const companies = portfolio.list.filter(({ corporationTax }) => corporationTax);
    expect(companies.length).toBeGreaterThan(100);
    for (const { utr } of companies) await addClientWithReference(practice.companyId, 'ct', { utr });
    const { ct } = portfolioStatements.createStatements(portfolio);
    const importedStatement = await importStatement(practice, 'ct', portfolioStatements.formatStatement(ct));
    const references = new Set(ct.map(({ reference }) => reference));
    expect(importedStatement).toMatchObject({ clients_taken: references.size, rows: ct.length, rows_done: ct.length, refused: 0 });
    const [stored] = await getDb()
      .select({ rows: count(), owed: sql`sum(${taxPositions.owedPence})`.mapWith(Number) })
      .from(taxPositions)
      .where(and(eq(taxPositions.companyId, practice.companyId), eq(taxPositions.source, 'statement')));
    const outstanding = ct.reduce((sum, { outstanding: amount }) => sum + Math.round(Number(amount || '0') * 100), 0);
    expect(stored).toEqual({ rows: references.size, owed: outstanding });
  });
});

describe('a dry run', () => {
  it('reports the rejected rows, changes nothing and is imported when it is started', async () => {
    const practice = await addPractice(portal);
    const validClientId = await addClientWithReference(practice.companyId, 'paye', { payeReference: PAYE });
    await addClientWithReference(practice.companyId, 'paye', { payeReference: '321/XY789' });
    const content = buildFile(
      formatCharge('2026-10-22', '100.00'),
      formatCharge('2026-10-22', '50.00', '321/XY789'),
      formatCharge('not a day', '60.00', '321/XY789'),
      formatCharge('2026-10-22', '70.00', '999/ZZ999'),
    );
    const query = { company_id: practice.companyId, tax_type: 'paye', file_name: 'paye.csv', hold: '1' };
    const { status, body } = await practice.admin.upload('/open-tax/tax-statements', query, content);
    const { statement } = taxStatementUploadOutput.parse(body);
    expect([status, statement.state, statement.rows, statement.refused, statement.clients]).toEqual([201, 'ready', 4, 3, 2]);
    await portal.runJobs();
    const listObservedIds = () =>
      getDb()
        .select({ id: clientObservations.clientId })
        .from(clientObservations)
        .where(eq(clientObservations.companyId, practice.companyId));
    expect(await listObservedIds()).toEqual([]);
    const key = { company_id: practice.companyId, statement_id: statement.statement_id };
    const rowsResponse = await practice.admin.get('/open-tax/tax-statements/rows', { ...key, outcome: 'refused' });
    expect((rowsResponse.body['rows'] as { row: number }[]).map(({ row }) => row)).toEqual([3, 4, 5]);
    expect((await practice.admin.post('/open-tax/tax-statements/start', key)).status).toBe(200);
    await portal.runJobs();
    expect(await getStatement(practice, statement.statement_id)).toMatchObject({
      state: 'completed',
      rows_done: 4,
      refused: 3,
      clients_taken: 1,
    });
    expect(await listObservedIds()).toEqual([{ id: validClientId }]);
  });

  it('can be cancelled without any change', async () => {
    const practice = await addPractice(portal);
    await addClientWithReference(practice.companyId, 'paye', { payeReference: PAYE });
    const query = { company_id: practice.companyId, tax_type: 'paye', file_name: 'paye.csv', hold: '1' };
    const { body } = await practice.admin.upload('/open-tax/tax-statements', query, buildFile(formatCharge('2026-10-22', '100.00')));
    const { statement_id } = taxStatementUploadOutput.parse(body).statement;
    await practice.admin.post('/open-tax/tax-statements/cancel', { company_id: practice.companyId, statement_id });
    await portal.runJobs();
    expect(await getStatement(practice, statement_id)).toMatchObject({ state: 'cancelled', clients_taken: 0 });
  });
});
