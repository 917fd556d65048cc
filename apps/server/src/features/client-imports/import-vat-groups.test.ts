/** Tests what an import and its undo do to VAT groups: the group's VAT counts once, whatever was recorded before and since. */
import { randomUUID } from 'node:crypto';
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import { auditEntries, clients } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

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

const [GROUP, OWN, OTHER] = ['193054661', '314159228', '482193730'];
const HEADER = 'name,kind,vrn,company_number,VAT group role';

const getDb = () => portal.deps.database.db;
const set = (clientId: string, body: object) =>
  practice.admin.post('/open-tax/client-companies/vat-group', { company_id: practice.companyId, client_id: clientId, ...body });
const send = (path: string, body: object) =>
  practice.admin.post(`/open-tax/import-clients/${path}`, { company_id: practice.companyId, ...body }, { 'idempotency-key': randomUUID() });
const undo = async (importId: string) => (await send('undo', { import_id: importId })).status;

/** Each client's name, own number, role, group's number and whether VAT counts there. */
const loadGroups = async () =>
  (await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId)).orderBy(asc(clients.name))).map(
    ({ name, vrn, vatGroupRole, vatGroupVrn, hasVat }) => [name, vrn, vatGroupRole, vatGroupVrn, hasVat],
  );
async function getId(name: string): Promise<string> {
  const [client] = await getDb()
    .select()
    .from(clients)
    .where(and(eq(clients.companyId, practice.companyId), eq(clients.name, name)));
  return client?.id ?? '';
}
async function addNumbered(name: string, companyNumber: string, facts: { taxes?: ('vat' | 'ct')[]; vrn?: string } = {}): Promise<string> {
  const id = await addClient(portal, practice.companyId, { name, taxes: ['ct'], ...facts });
  await getDb().update(clients).set({ companyNumber }).where(eq(clients.id, id));
  return id;
}
async function edit(id: string, change: object): Promise<number> {
  const url = '/open-tax/client-companies/facts';
  const { body } = await practice.admin.get(url, { company_id: practice.companyId, client_id: id });
  const { status: _status, client_id: _id, ...facts } = body;
  return (await practice.admin.post(url, { ...facts, company_id: practice.companyId, client_id: id, ...change })).status;
}
async function importFile(...lines: string[]): Promise<string> {
  const query = { company_id: practice.companyId, file_name: 'clients.csv' };
  const { body } = await practice.admin.upload('/open-tax/client-imports', query, lines.join('\n'));
  const id = String(body['import_id']);
  await send('start', { import_id: id });
  await portal.runJobs();
  return id;
}
async function listRows(importId: string): Promise<ClientImportRow[]> {
  const { body } = await practice.admin.get('/open-tax/import-clients/rows', { company_id: practice.companyId, import_id: importId });
  return body['rows'] as ClientImportRow[];
}
const listProblems = async (importId: string) => (await listRows(importId)).map(({ problems }) => problems.map(({ field }) => field));

describe('a file with the number of a known member’s group', () => {
  it.each([
    ['not stated', 'before', ''],
    ['not stated', 'after', ''],
    ['stated', 'before', 'representative'],
    ['stated', 'after', 'representative'],
  ])('gives the number and VAT to the new representative member (%s, the member’s row %s it)', async (_stated, order, role) => {
    const birch = await addNumbered('Birch Ltd', '09482717');
    expect((await set(birch, { role: 'member', group_vrn: GROUP })).status).toBe(200);
    const rows = [`Birch Ltd,company,${GROUP},09482717,`, `Alder Holdings Ltd,company,${GROUP},09482716,${role}`];
    const id = await importFile(HEADER, ...(order === 'before' ? rows : rows.toReversed()));
    expect(await loadGroups()).toEqual([
      ['Alder Holdings Ltd', GROUP, role || null, null, true],
      ['Birch Ltd', null, 'member', GROUP, false],
    ]);
    expect(await listProblems(id)).toEqual([[], []]);
  });

  it('leaves it to a person to confirm that the member now represents the group', async () => {
    const birch = await addNumbered('Birch Ltd', '09482717');
    expect((await set(birch, { role: 'member', group_vrn: GROUP })).status).toBe(200);
    const id = await importFile(HEADER, `Birch Ltd,company,${GROUP},09482717,representative`);
    expect(await listProblems(id)).toEqual([['vat_group']]);
    expect(await loadGroups()).toEqual([['Birch Ltd', null, 'member', GROUP, false]]);
  });
});

describe('a file that states the representative member', () => {
  const ROWS = [
    `Birch Ltd,company,${GROUP},09482717,`,
    `Alder Holdings Ltd,company,${GROUP},09482716,representative`,
    `Cedar Ltd,company,${GROUP},09482718,member`,
  ];
  it.each([
    ['first', [1, 0, 2]],
    ['between', [0, 1, 2]],
    ['last', [0, 2, 1]],
  ])('asks nothing, and its order doesn’t matter (%s)', async (_place, order) => {
    const id = await importFile(HEADER, ...order.map((index) => ROWS[index] ?? ''));
    expect(await listProblems(id)).toEqual([[], [], []]);
    expect(await loadGroups()).toEqual([
      ['Alder Holdings Ltd', GROUP, 'representative', null, true],
      ['Birch Ltd', null, 'member', GROUP, false],
      ['Cedar Ltd', null, 'member', GROUP, false],
    ]);
    expect(await undo(id)).toBe(200);
    expect(await loadGroups()).toEqual([]);
  });

  it('asks if another client has the number here', async () => {
    await addNumbered('Zebra Ltd', '09482719', { taxes: ['vat', 'ct'], vrn: GROUP });
    const id = await importFile(HEADER, ...ROWS);
    expect((await listProblems(id)).slice(0, 2)).toEqual([['vrn'], ['vrn']]);
    expect((await loadGroups()).at(-1)).toEqual(['Zebra Ltd', GROUP, null, null, true]);
  });
});

describe('undoing an import', () => {
  it('keeps a member whose group’s number was corrected since', async () => {
    const alder = await addNumbered('Alder Holdings Ltd', '09482716', { taxes: ['vat', 'ct'], vrn: GROUP });
    await addNumbered('Birch Ltd', '09482717');
    const id = await importFile(HEADER, `Birch Ltd,company,${GROUP},09482717,member`);
    expect(await edit(alder, { vrn: OTHER })).toBe(200);
    expect(await undo(id)).toBe(200);
    expect((await loadGroups())[1]).toEqual(['Birch Ltd', null, 'member', OTHER, false]);
    expect(await listRows(id)).toMatchObject([{ problems: [{ problem: expect.stringContaining('Not undone') as string }] }]);
  });

  it('keeps a member whose group’s number a person added', async () => {
    const birch = await addNumbered('Birch Ltd', '09482717');
    const id = await importFile(HEADER, 'Birch Ltd,company,,09482717,member');
    expect((await set(birch, { role: 'member', group_vrn: GROUP })).status).toBe(200);
    expect(await undo(id)).toBe(200);
    expect(await loadGroups()).toEqual([['Birch Ltd', null, 'member', GROUP, false]]);
  });

  it('keeps a representative member that other clients were made members of', async () => {
    const birch = await addNumbered('Birch Ltd', '09482717', { taxes: ['vat', 'ct'], vrn: OWN });
    const id = await importFile(HEADER, `Alder Holdings Ltd,company,${GROUP},09482716,representative`);
    expect((await set(birch, { role: 'member', representative_id: await getId('Alder Holdings Ltd') })).status).toBe(200);
    expect(await undo(id)).toBe(200);
    expect(await loadGroups()).toEqual([
      ['Alder Holdings Ltd', GROUP, 'representative', null, true],
      ['Birch Ltd', null, 'member', GROUP, false],
    ]);
    expect(await listRows(id)).toMatchObject([
      { problems: [{ problem: 'Kept: other clients are members of the VAT group that it represents.' }] },
    ]);
  });
});

describe('the answer who represents a group', () => {
  const PLAIN = 'name,kind,vrn,company_number';
  const answer = (importId: string, row: number, representativeId: string) =>
    send('vat-group', { import_id: importId, row, representative_id: representativeId });

  it('is rejected if the client has since become a member of another group, whose number stays', async () => {
    const zebra = await addClient(portal, practice.companyId, { name: 'Zebra Ltd', vrn: OTHER });
    const id = await importFile(PLAIN, `Alder Holdings Ltd,company,${GROUP},09482716`, `Birch Ltd,company,${GROUP},09482717`);
    const birch = await getId('Birch Ltd');
    expect((await set(birch, { role: 'member', representative_id: zebra })).status).toBe(200);
    expect(await answer(id, 3, birch)).toMatchObject({ status: 409, body: { code: 'clients.vat_group_answered' } });
    expect(await loadGroups()).toEqual([
      ['Alder Holdings Ltd', GROUP, null, null, true],
      ['Birch Ltd', null, 'member', OTHER, false],
      ['Zebra Ltd', OTHER, 'representative', null, true],
    ]);
    expect((await listRows(id))[1]).toMatchObject({ shares_vrn_with: null });
  });

  it('doesn’t remove another client’s own VAT', async () => {
    const birch = await addNumbered('Birch Ltd', '09482717', { taxes: ['vat', 'ct'], vrn: OWN });
    const id = await importFile(
      PLAIN,
      `Alder Holdings Ltd,company,${GROUP},09482716`,
      `Birch Ltd,company,${GROUP},09482717`,
      `Cedar Ltd,company,${GROUP},09482718`,
    );
    expect(await listRows(id)).toMatchObject([{}, { outcome: 'ambiguous' }, {}]);
    expect((await send('resolve', { import_id: id, row: 3, choice: 'client', client_id: birch })).status).toBe(200);
    expect((await answer(id, 4, await getId('Alder Holdings Ltd'))).status).toBe(200);
    expect(await loadGroups()).toEqual([
      ['Alder Holdings Ltd', GROUP, 'representative', null, true],
      ['Birch Ltd', OWN, null, null, true],
      ['Cedar Ltd', null, 'member', GROUP, false],
    ]);
    expect((await listRows(id)).map(({ problems }) => problems.length)).toEqual([0, 1, 0]);
  });

  it('doesn’t prevent undoing the import', async () => {
    const id = await importFile(PLAIN, `Alder Holdings Ltd,company,${GROUP},09482716`, `Birch Ltd,company,${GROUP},09482717`);
    expect((await answer(id, 3, await getId('Birch Ltd'))).status).toBe(200);
    expect((await loadGroups())[1]).toEqual(['Birch Ltd', GROUP, 'representative', null, true]);
    expect(await undo(id)).toBe(200);
    expect(await loadGroups()).toEqual([]);
  });

  it('is one change for any number of members, which the history of each shows', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `Firm ${index + 10} Ltd,company,${GROUP},${10_000_000 + index}`);
    const id = await importFile(PLAIN, ...rows);
    const listEntries = () =>
      getDb()
        .select({ subject: auditEntries.subject })
        .from(auditEntries)
        .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'client.vat_group_set')))
        .orderBy(auditEntries.sequence);
    expect((await answer(id, 3, await getId('Firm 10 Ltd'))).status).toBe(200);
    expect((await loadGroups()).filter(([, , role]) => role === 'member')).toHaveLength(59);
    expect((await listProblems(id)).flat()).toEqual([]);
    expect((await listEntries()).map(({ subject }) => subject)).toEqual(['59 clients', await getId('Firm 10 Ltd')]);
    const { body } = await practice.admin.get('/client/timeline', {
      company_id: practice.companyId,
      client_id: await getId('Firm 69 Ltd'),
    });
    expect(body['entries']).toContainEqual(
      expect.objectContaining({ title: 'VAT group: member', detail: `number ${GROUP}, representative member Firm 10 Ltd` }),
    );
  });
});
