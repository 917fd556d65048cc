/** Tests the rules that assign an import's clients: their order, their effect in the import, and undoing it. */
import { randomUUID } from 'node:crypto';
import type { AssignmentRule } from '@portal/contract/assignment-rules.ts';
import { memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  // Omits the company register, because its rate limit would make these tests slow.
  Object.assign(portal.deps, { companyRegister: undefined });
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body }, { 'idempotency-key': randomUUID() });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });

type NewRule = Pick<AssignmentRule, 'by' | 'values' | 'duty' | 'user_id'>;

async function saveRules(rules: readonly NewRule[]) {
  const { version } = (await get('assignment-rules')).body;
  return post('assignment-rules', { version, rules });
}

async function upload(...rows: string[]): Promise<string> {
  const content = ['name,kind,taxes,vrn,utr,postcode', ...rows].join('\n');
  const query = { company_id: practice.companyId, file_name: 'clients.csv' };
  const { status, body } = await practice.admin.upload('/open-tax/client-imports', query, content);
  expect(status, JSON.stringify(body)).toBe(201);
  return body['import_id'] as string;
}

async function runImport(importId: string): Promise<void> {
  expect((await post('import-clients/start', { import_id: importId })).status).toBe(200);
  await portal.runJobs();
}

/** Lists each client's assignments, for example "member vat". */
async function listAssignments(): Promise<Record<string, string[]>> {
  const { clients } = (await get('client-companies', { sort: 'name' })).body as {
    clients: { name: string; members: { user_id: string; duty: string }[] }[];
  };
  const getName = (id: string): string => (id === practice.adminId ? 'admin' : id === practice.memberId ? 'member' : 'other');
  return Object.fromEntries(
    clients.map(({ name, members }) => [name, members.map((member) => `${getName(member.user_id)} ${member.duty}`).toSorted()]),
  );
}

async function addColleague(): Promise<string> {
  const { db } = portal.deps.database;
  const id = randomUUID();
  const createdAt = portal.deps.clock.now();
  await db.insert(users).values({ id, email: `${id}@oakline.example`, fullName: 'Colleague', createdAt });
  await db.insert(memberships).values({ companyId: practice.companyId, userId: id, role: 'team_member', createdAt });
  return id;
}

const CLIENTS_FILE = [
  'Ash Ltd,company,VAT,980780684,,SW1A 1AA',
  'Birch,sole_trader,SA,,2234567890,S1 2HE',
  'Élan Ltd,company,CT,,3234567894,',
];

describe('an import', () => {
  it('assigns each new client by the first rule that matches for each duty, as its preview says', async () => {
    const { adminId, memberId, member } = practice;
    await saveRules([
      { by: 'postcode', values: ['sw', 'W'], duty: 'manager', user_id: memberId },
      { by: 'letter', values: ['a-f'], duty: 'manager', user_id: adminId },
      { by: 'tax', values: ['vat'], duty: 'vat', user_id: memberId },
    ]);
    const importId = await upload(...CLIENTS_FILE, 'Zed,sole_trader,SA,,4234567898,S10 1AA');
    const { body } = await get('import-clients/assignments', { import_id: importId });
    expect(body).toMatchObject({
      new_clients: 4,
      unassigned: 1,
      rules: [{ clients: 1, values: ['SW', 'W'] }, { clients: 2 }, { clients: 1 }],
    });
    await runImport(importId);
    expect(await listAssignments()).toEqual({
      'Ash Ltd': ['member manager', 'member vat'],
      Birch: ['admin manager'],
      'Élan Ltd': ['admin manager'],
      Zed: [],
    });
    expect((await get('client-companies', {}, member)).body['clients']).toMatchObject([{ name: 'Ash Ltd' }]);
    const reportResponse = await get('team-members/access-report', { user_id: memberId });
    expect(reportResponse.body['clients']).toMatchObject([{ name: 'Ash Ltd', until: null }]);
  });

  it('leaves clients that the practice already has as they are', async () => {
    const first = await upload('Ash Ltd,company,VAT,980780684,,');
    await runImport(first);
    await saveRules([{ by: 'tax', values: ['vat'], duty: 'vat', user_id: practice.memberId }]);
    const second = await upload('Ash Ltd,company,VAT,980780684,,SW1A 1AA');
    expect((await get('import-clients/assignments', { import_id: second })).body).toMatchObject({ new_clients: 0, unassigned: 0 });
    await runImport(second);
    expect(await listAssignments()).toEqual({ 'Ash Ltd': [] });
  });

  it('also assigns a row that is corrected afterwards', async () => {
    await saveRules([{ by: 'letter', values: ['A-Z'], duty: 'manager', user_id: practice.memberId }]);
    const importId = await upload(...CLIENTS_FILE, ',sole_trader,SA,,4234567898,');
    await runImport(importId);
    const correctedResponse = await post('import-clients/correct', { import_id: importId, row: 5, values: { name: 'Yew' } });
    expect(correctedResponse.body).toMatchObject({ row: { outcome: 'new', applied: true } });
    expect((await listAssignments())['Yew']).toEqual(['member manager']);
  });

  it('removes its assignments when it is undone, but keeps a client that someone has assigned since', async () => {
    const { adminId, memberId, member } = practice;
    await saveRules([{ by: 'letter', values: ['A-Z'], duty: 'manager', user_id: memberId }]);
    const importId = await upload(...CLIENTS_FILE);
    await runImport(importId);
    const { clients } = (await get('client-companies', { sort: 'name' })).body as { clients: { client_id: string; name: string }[] };
    const assignmentInput = { client_ids: [clients[0]?.client_id], user_id: adminId, duty: 'vat', action: 'add' };
    await post('client-companies/assign', assignmentInput);
    await post('import-clients/undo', { import_id: importId });
    expect(Object.keys(await listAssignments())).toEqual(['Ash Ltd']);
    expect((await get('client-companies', {}, member)).body['clients']).toMatchObject([{ name: 'Ash Ltd' }]);
    const report = (await get('team-members/access-report', { user_id: memberId })).body['clients'] as { until: string | null }[];
    expect(report.map(({ until }) => until === null)).toEqual(expect.arrayContaining([true, false, false]));
  });
});

describe('a rule whose member has left', () => {
  it('is shown and does nothing, and the next one decides', async () => {
    const { adminId, companyId } = practice;
    const leavingMember = await addColleague();
    const rules: readonly NewRule[] = [
      { by: 'letter', values: ['A-Z'], duty: 'manager', user_id: leavingMember },
      { by: 'letter', values: ['A-B'], duty: 'manager', user_id: adminId },
    ];
    await saveRules(rules);
    await portal.deps.database.db
      .delete(memberships)
      .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, leavingMember)));
    expect((await get('assignment-rules')).body['rules']).toMatchObject([
      { full_name: 'Colleague', is_active: false },
      { is_active: true },
    ]);
    const importId = await upload(...CLIENTS_FILE);
    const { body } = await get('import-clients/assignments', { import_id: importId });
    expect(body).toMatchObject({ unassigned: 1, rules: [{ clients: 0, is_active: false }, { clients: 2 }] });
    await runImport(importId);
    expect(await listAssignments()).toEqual({ 'Ash Ltd': ['admin manager'], Birch: ['admin manager'], 'Élan Ltd': [] });
    expect((await saveRules(rules)).status).toBe(200);
    await saveRules([]);
    expect((await saveRules(rules)).body['message']).toEqual({ rules: 'Rule 1: choose someone in your practice.' });
  });
});

describe('saving rules', () => {
  it('names the rule and the value that is wrong', async () => {
    const refusedResponse = await saveRules([
      { by: 'tax', values: ['vat'], duty: 'vat', user_id: practice.memberId },
      { by: 'postcode', values: ['SW1A'], duty: 'vat', user_id: practice.memberId },
    ]);
    expect(refusedResponse).toMatchObject({
      status: 400,
      body: { message: { rules: expect.stringMatching(/^Rule 2: “SW1A” isn’t a postcode area/) } },
    });
    expect((await get('assignment-rules')).body['rules']).toEqual([]);
  });

  it('is for admins, and never overwrites what someone else saved in between', async () => {
    const rules = [{ by: 'tax', values: ['vat'], duty: 'vat', user_id: practice.memberId }];
    const { version } = (await get('assignment-rules')).body;
    expect((await post('assignment-rules', { version, rules })).status).toBe(200);
    expect(await post('assignment-rules', { version, rules: [] })).toMatchObject({
      status: 409,
      body: { code: 'assignment_rules.changed_since' },
    });
    expect((await get('assignment-rules', {}, practice.member)).status).toBe(404);
    const otherPractice = await addPractice(portal);
    const foreignResponse = await saveRules([{ by: 'tax', values: ['vat'], duty: 'vat', user_id: otherPractice.memberId }]);
    expect(foreignResponse.status).toBe(400);
  });
});
