/** Tests reading the Companies House profiles of imported clients. */
import { clientObservations, clients, taxPositions } from '@portal/db/schema/schema.ts';
import { createImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { and, eq } from '@portal/db/sql.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import type { RegisterPeopleBody } from '../positions/observation-bodies.ts';
import { enrichClients, sweepRegister } from './enrich-clients.ts';
import { runImport } from './run-import.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const NOT_ABORTED = { signal: new AbortController().signal };
const FAST_LIMITS = { minIntervalMs: 1 };

async function createPracticeWith(...lines: string[]) {
  const practice = await addPractice(portal);
  const content = ['name,kind,taxes,company_number,year_end', ...lines].join('\n');
  const { body } = await practice.admin.upload('/open-tax/client-imports', { company_id: practice.companyId, file_name: 'c.csv' }, content);
  const start = { company_id: practice.companyId, import_id: String(body['import_id']) };
  await practice.admin.post('/open-tax/import-clients/start', start, { 'idempotency-key': crypto.randomUUID() });
  return practice;
}

describe('enriching imported clients from Companies House', () => {
  it('stores status, year end and due dates once, and keeps a year end that the practice entered', async () => {
    const portfolio = portal.agents.loadPortfolio({ clients: 30, seed: 7, today: portal.deps.clock.today() });
    const [first, second] = createImportFile(portfolio).filter(({ cells }) => cells.company_number !== '' && cells.kind === 'company');
    if (!first || !second) throw new Error('the portfolio has too few companies');
    const practice = await createPracticeWith(
      `First Ltd,company,CT,${first.cells.company_number},`,
      `Second Ltd,company,CT,${second.cells.company_number},2026-01-31`,
      'Missing Ltd,company,,99999999,',
    );
    await portal.runJobs();
    const list = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId)).orderBy(clients.name);
    expect(list.map(({ name, registerStatus, yearEndSource }) => [name, registerStatus, yearEndSource])).toEqual([
      ['First Ltd', 'active', 'companies_house'],
      ['Missing Ltd', 'not_found', null],
      ['Second Ltd', 'active', 'practice'],
    ]);
    expect(list[2]?.yearEndOn).toBe('2026-01-31');
    const observations = await getDb().select().from(clientObservations).where(eq(clientObservations.companyId, practice.companyId));
    expect(observations.every(({ source }) => source === 'companies_house')).toBe(true);
    expect(Object.fromEntries(Map.groupBy(observations, ({ kind }) => kind))).toMatchObject({
      companies_house_profile: { length: 2 },
      companies_house_people: { length: 2 },
    });
    const [position] = await getDb()
      .select()
      .from(taxPositions)
      .where(and(eq(taxPositions.clientId, list[0]?.id ?? ''), eq(taxPositions.tax, 'ct')));
    expect(position?.nextDueOn).not.toBeNull();
    // Every client has already been read, so a second run doesn't make any calls.
    const firstReads = list.map(({ registerReadAt }) => registerReadAt);
    await enrichClients(portal.deps, practice.companyId, NOT_ABORTED, FAST_LIMITS);
    const after = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId)).orderBy(clients.name);
    expect(after.map(({ registerReadAt }) => registerReadAt)).toEqual(firstReads);
  });

  it('reads the dates of identity verification, and again after a week while one is due', async () => {
    portal.identity.register.setIdentity('09482716', 'BRIGHT, Tessa', { due_on: plainDate('2026-12-01') });
    portal.identity.register.setIdentity('07331942', 'OAKES, Priya', { supplied_on: plainDate('2026-08-10') });
    const practice = await createPracticeWith('Brightwell Ltd,company,CT,09482716,', 'Oakline Ltd,company,CT,07331942,');
    await portal.runJobs();
    const list = async () => {
      const rows = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId)).orderBy(clients.name);
      return rows.map(({ identityDueOn: due, registerPeopleReadAt: at }) => [due, at?.slice(0, 10)]);
    };
    expect(await list()).toEqual([
      ['2026-12-01', '2026-11-10'],
      [null, '2026-11-10'],
    ]);
    const people = await getDb()
      .select({ body: clientObservations.body })
      .from(clientObservations)
      .where(and(eq(clientObservations.companyId, practice.companyId), eq(clientObservations.kind, 'companies_house_people')));
    // The secretary needn’t verify.
    const listedPeople = people.map(({ body }) =>
      (body as RegisterPeopleBody).people.map(({ name, role }) => `${name}, ${role}`).join('; '),
    );
    expect(new Set(listedPeople)).toEqual(
      new Set(['Ms Tessa Bright, person with significant control; Tessa BRIGHT, director', 'Priya OAKES, director']),
    );
    portal.identity.register.setIdentity('09482716', 'BRIGHT, Tessa', { supplied_on: plainDate('2026-11-15') });
    portal.moveClock('2026-11-16T09:00:00.000Z');
    await sweepRegister(portal.deps);
    await portal.runJobs();
    expect((await list())[0]).toEqual(['2026-12-01', '2026-11-10']);
    portal.moveClock('2026-11-18T09:00:00.000Z');
    await sweepRegister(portal.deps);
    await portal.runJobs();
    expect(await list()).toEqual([
      [null, '2026-11-18'],
      [null, '2026-11-10'],
    ]);
    // After three months everyone is read again, except closed clients.
    portal.moveClock('2027-02-20T09:00:00.000Z');
    await getDb()
      .update(clients)
      .set({ status: 'closed' })
      .where(and(eq(clients.companyId, practice.companyId), eq(clients.name, 'Oakline Ltd')));
    await sweepRegister(portal.deps);
    await portal.runJobs();
    expect((await list()).map(([, on]) => on)).toEqual(['2027-02-20', '2026-11-10']);
    portal.moveClock('2026-11-10T09:00:00.000Z');
  });

  it.each([
    ['server_error', 11],
    ['timeout_after_work', 12],
    ['html_page', 13],
    ['cut_off', 14],
    ['wrong_types', 15],
  ] as const)(
    'retries after a failure (%s), and doesn’t block other clients or undoing the import',
    async (kind, seed) => {
      const portfolio = portal.agents.loadPortfolio({ clients: 30, seed, today: portal.deps.clock.today() });
      const companies = createImportFile(portfolio)
        .filter(({ cells }) => cells.kind === 'company')
        .slice(3, 5);
      const practice = await createPracticeWith(
        ...companies.map(({ cells }, index) => `Company ${index} Ltd,company,CT,${cells.company_number},`),
      );
      portal.faults.set({ operation: 'companies_house.profile', kind, times: 1_000 });
      const { body } = await practice.admin.get('/open-tax/import-clients/info', { company_id: practice.companyId });
      const foundImport = body['import'] as { import_id: string };
      await runImport(portal.deps, { companyId: practice.companyId, importId: foundImport.import_id }, NOT_ABORTED);
      await enrichClients(portal.deps, practice.companyId, NOT_ABORTED, FAST_LIMITS);
      const unreadClients = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId));
      expect(unreadClients.map(({ registerReadAt, registerStatus }) => [registerReadAt, registerStatus])).toEqual([
        [null, null],
        [null, null],
      ]);
      portal.faults.clear();
      await enrichClients(portal.deps, practice.companyId, NOT_ABORTED, FAST_LIMITS);
      const read = await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId));
      expect(read.every(({ registerReadAt }) => registerReadAt !== null)).toBe(true);
      const ids = { company_id: practice.companyId, import_id: foundImport.import_id };
      const undoneResponse = await practice.admin.post('/open-tax/import-clients/undo', ids, { 'idempotency-key': crypto.randomUUID() });
      expect(undoneResponse.body).toMatchObject({ import: { undone: { removed: 2, restored: 0, kept: 0 } } });
    },
    30_000,
  );
});
