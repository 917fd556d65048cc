/** Stored totals must equal the sums of the rows after any sequence of concurrent actions. */
import { randomUUID } from 'node:crypto';
import { clientMembers, clients, practiceTotals, staleTotals } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { and, eq } from '@portal/db/sql.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import type { Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { calculateTotals } from '../../testing/calculate-totals.ts';
import { enqueueTotals, refreshTotals, listPracticesWithStaleTotals } from './refresh-totals.ts';
import { sweepPositions } from './positions-jobs.ts';
import { rebuildPositions } from './rebuild-position.ts';
import { recordObservation } from '../../testing/record-observation.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  // No company register, because the companies are fictitious.
  Object.assign(portal.deps, { companyRegister: undefined });
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const TABS = {
  all: ['dashboard', {}],
  vat: ['dashboard', { tax: 'vat' }],
  paye: ['paye-dashboard', {}],
  ct: ['corp-dashboard', {}],
  sa: ['self-assessment-dashboard', {}],
} as const;

async function loadDashboards(practice: TestPractice, browser: Browser) {
  const tabs = Object.entries(TABS).map(async ([tab, [path, query]]) => {
    const { status, body } = await browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
    expect(status).toBe(200);
    return [tab, body['totals']] as const;
  });
  return Object.fromEntries(await Promise.all(tabs));
}

/** Asserts that every viewer's dashboard equals the sums computed independently from the rows. */
async function expectCorrectTotals(practice: TestPractice): Promise<void> {
  const today = portal.deps.clock.today();
  expect(await loadDashboards(practice, practice.admin)).toEqual(await calculateTotals(getDb(), practice.companyId, today));
  expect(await loadDashboards(practice, practice.member)).toEqual(
    await calculateTotals(getDb(), practice.companyId, today, practice.memberId),
  );
}

const loadClientIds = async ({ companyId }: TestPractice): Promise<string[]> =>
  (await getDb().select({ id: clients.id }).from(clients).where(eq(clients.companyId, companyId))).map(({ id }) => id);

/** Stores a VAT liability of `pounds` due in `days` days, as a refresh from HMRC would. */
async function recordVatLiability({ companyId }: TestPractice, clientId: string, pounds: number, days: number): Promise<void> {
  const { clock } = portal.deps;
  const due = addDays(clock.today(), days);
  const amount = pence(pounds * 100);
  const charge = { type: 'VAT Return Debit Charge', original: amount, outstanding: amount, due };
  await getDb().transaction(async (tx) => {
    // An undo may have removed the client in the meantime. A refresh makes the same check.
    const [client] = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)))
      .for('update');
    if (!client) return;
    const observation = { companyId, clientId, source: 'hmrc' as const, takenAt: clock.now() };
    await recordObservation(tx, { ...observation, kind: 'vat_liabilities', body: { charges: [charge], olderCharges: [] } });
    await rebuildPositions(tx, { companyId, tax: 'vat', clientIds: [clientId], today: clock.today(), now: clock.now() });
    await enqueueTotals(portal.deps, tx, companyId);
  });
}

type Step = { readonly name: (typeof STEPS)[number]; readonly pick: number; readonly size: number };
const STEPS = ['create', 'import', 'undo', 'read', 'archive', 'take up', 'assign', 'unassign', 'archive all', 'count', 'look'] as const;

async function performStep(practice: TestPractice, { name: stepName, pick, size }: Step): Promise<void> {
  const { companyId, admin, member, memberId } = practice;
  const ids = (await loadClientIds(practice)).toSorted();
  const chosenIds = Array.from({ length: Math.min(size, ids.length) }, (_, index) => ids[(pick + index) % ids.length] ?? '');
  const post = (path: string, body: object) =>
    admin.post(`/open-tax/${path}`, { company_id: companyId, ...body }, { 'idempotency-key': randomUUID() });
  const list = (path: string, body: object) => post(`client-companies/${path}`, { client_ids: chosenIds, ...body });
  switch (stepName) {
    case 'create':
      await addClient(portal, companyId, { taxes: ['vat', 'ct'] }).then((id) => recordVatLiability(practice, id, size, pick - 20));
      return;
    case 'import': {
      const rows = Array.from({ length: size }, (_, index) => `Imported ${pick} ${index} Ltd,company,VAT CT SA,LS1 4DY`);
      const file = ['name,kind,taxes,postcode', ...rows].join('\n');
      const { body } = await admin.upload('/open-tax/client-imports', { company_id: companyId, file_name: 'c.csv' }, file);
      if (typeof body['import_id'] === 'string') await post('import-clients/start', { import_id: body['import_id'] });
      return;
    }
    case 'undo': {
      const { body } = await admin.get('/open-tax/import-clients/info', { company_id: companyId });
      const last = body['import'] as { import_id: string } | null;
      if (last) await post('import-clients/undo', { import_id: last.import_id });
      return;
    }
    case 'count':
      return refreshTotals(portal.deps, companyId);
    case 'look':
      return void (await loadDashboards(practice, member));
    case 'archive all': {
      const { body } = await admin.get('/open-tax/client-companies/count', { company_id: companyId, tax: 'sa' });
      await post('client-companies/status', { status: 'closed', matching: { filters: { tax: 'sa' }, count: Number(body['count']) || 1 } });
      return;
    }
    case 'read':
      for (const id of chosenIds) await recordVatLiability(practice, id, pick, pick - 20);
      return;
    case 'archive':
    case 'take up':
      if (chosenIds.length > 0) await list('status', { status: stepName === 'archive' ? 'closed' : 'active' });
      return;
    case 'assign':
    case 'unassign':
      if (chosenIds.length > 0) await list('assign', { user_id: memberId, duty: 'vat', action: stepName === 'assign' ? 'add' : 'remove' });
  }
}

const step = fc.record({ name: fc.constantFrom(...STEPS), pick: fc.integer({ min: 0, max: 60 }), size: fc.integer({ min: 1, max: 6 }) });

describe('stored totals', () => {
  it('equal the sums of the rows after concurrent imports, undos, refreshes, status changes and assignments in any order', async () => {
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 6, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(rounds, async (history) => {
        const practice = await addPractice(portal);
        for (let count = 0; count < 4; count += 1) await addClient(portal, practice.companyId, { taxes: ['vat', 'sa'] });
        for (const round of history) {
          await Promise.all(round.map((action) => performStep(practice, action)));
          await expectCorrectOrMarked(practice);
          await portal.runJobs();
        }
        await portal.runJobs();
        await expectCorrectTotals(practice);
        expect(await getDb().$count(staleTotals, eq(staleTotals.companyId, practice.companyId))).toBe(0);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  }, 240_000);

  /**
   * Asserts that before any job has run, the totals are either correct or marked as stale, and never include clients that aren't assigned
   * to the user.
   */
  async function expectCorrectOrMarked(practice: TestPractice): Promise<void> {
    const { companyId, memberId } = practice;
    const marks = await getDb().$count(staleTotals, eq(staleTotals.companyId, companyId));
    const assignedClients = await getDb()
      .selectDistinct({ id: clientMembers.clientId })
      .from(clientMembers)
      .where(eq(clientMembers.userId, memberId));
    const { body } = await practice.member.get('/open-tax/dashboard', { company_id: companyId });
    expect((body['totals'] as { clients: number }).clients).toBeLessThanOrEqual(assignedClients.length);
    if (marks === 0) await expectCorrectTotals(practice);
  }

  it('of a person follow changed assignments at once', async () => {
    const practice = await addPractice(portal);
    const id = await addClient(portal, practice.companyId);
    await recordVatLiability(practice, id, 100, 10);
    await assignClient(portal, practice.companyId, id, practice.memberId);
    await portal.runJobs();
    const countClientsSeen = async () =>
      (await practice.member.get('/open-tax/dashboard', { company_id: practice.companyId })).body['totals'];
    expect(await countClientsSeen()).toMatchObject({ clients: 1, owed_pence: 100_00 });
    // Unassigns the client directly in the database, then assigns another, so that the number of clients stays the same.
    await getDb().delete(clientMembers).where(eq(clientMembers.clientId, id));
    expect(await countClientsSeen()).toMatchObject({ clients: 0, owed_pence: 0 });
    const otherClient = await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, otherClient, practice.memberId);
    // This client's figures have never been read.
    expect(await countClientsSeen()).toMatchObject({ clients: 1, unread_clients: 1, owed_pence: null });
  });

  it('of a person are stored right after an assignment, before they are read', async () => {
    const practice = await addPractice(portal);
    const id = await addClient(portal, practice.companyId);
    await recordVatLiability(practice, id, 100, 10);
    const body = { company_id: practice.companyId, client_ids: [id], user_id: practice.memberId, duty: 'vat', action: 'add' };
    await practice.admin.post('/open-tax/client-companies/assign', body);
    const [storedTotals] = await getDb().select().from(practiceTotals).where(eq(practiceTotals.viewerId, practice.memberId));
    expect(storedTotals).toMatchObject({
      overall: { clients: 1 },
      totals: [{ tax: 'vat', owed_pence: 100_00 }, {}, {}, {}, { tax: 'all' }],
    });
    // Changing the stored row changes the response, which proves that the dashboard reads the stored row.
    await getDb()
      .update(practiceTotals)
      .set({ totals: (storedTotals?.totals ?? throwMissingTotals()).map((totals) => ({ ...totals, clients: 77 })) })
      .where(eq(practiceTotals.viewerId, practice.memberId));
    const { body: dashboardBody } = await practice.member.get('/open-tax/dashboard', { company_id: practice.companyId });
    expect(dashboardBody['totals']).toMatchObject({ clients: 77 });
  });

  it('include every change that was committed while they were counted', async () => {
    const practice = await addPractice(portal);
    const id = await addClient(portal, practice.companyId);
    // A job is already queued, so the change below doesn't add another.
    await enqueueTotals(portal.deps, getDb(), practice.companyId);
    const [totalsWritten, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = getDb().transaction(async (tx) => {
      await tx.update(clients).set({ status: 'closed' }).where(eq(clients.id, id));
      await enqueueTotals(portal.deps, tx, practice.companyId);
      totalsWritten.resolve();
      await commit.promise;
    });
    await totalsWritten.promise;
    const counting = refreshTotals(portal.deps, practice.companyId);
    // The embedded engine runs one transaction at a time, so the count already includes the change there.
    const isConcurrent = portal.deps.database.kind === 'postgres';
    if (isConcurrent) await counting;
    commit.resolve();
    await Promise.all([writing, counting]);
    const today = portal.deps.clock.today();
    expect((await listPracticesWithStaleTotals(getDb(), today)).includes(practice.companyId)).toBe(isConcurrent);
    await sweepPositions(portal.deps);
    await portal.runJobs();
    await expectCorrectTotals(practice);
    expect(await listPracticesWithStaleTotals(getDb(), today)).not.toContain(practice.companyId);
  });
});

function throwMissingTotals(): never {
  throw new Error('no totals were stored');
}
