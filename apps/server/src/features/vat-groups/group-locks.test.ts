/** Tests that changes of the same clients at the same time wait for each other instead of failing. Only PostgreSQL runs them at once. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { clients } from '@portal/db/schema/schema.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

const [GROUP, OWN] = ['193054661', '314159228'];
const HEADER = 'name,kind,company_number,phone';

const getDb = () => portal.deps.database.db;
const set = async (clientId: string, body: object) =>
  (await practice.admin.post('/open-tax/client-companies/vat-group', { company_id: practice.companyId, client_id: clientId, ...body }))
    .status;
const send = (path: string, body: object) =>
  practice.admin.post(`/open-tax/import-clients/${path}`, { company_id: practice.companyId, ...body }, { 'idempotency-key': randomUUID() });
async function startImport(count: number, firstNumber: number, phone = ''): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => `Firm ${firstNumber + index} Ltd,company,${firstNumber + index},${phone}`);
  const query = { company_id: practice.companyId, file_name: 'clients.csv' };
  const { body } = await practice.admin.upload('/open-tax/client-imports', query, [HEADER, ...rows].join('\n'));
  await send('start', { import_id: String(body['import_id']) });
  return String(body['import_id']);
}
const listIds = async () =>
  (await getDb().select({ id: clients.id }).from(clients).where(eq(clients.companyId, practice.companyId)).orderBy(asc(clients.id))).map(
    ({ id }) => id,
  );

it('a member leaves its group while the client with its former number joins one', async () => {
  for (let round = 0; round < 12; round += 1) {
    const leaving = await addClient(portal, practice.companyId, { taxes: ['vat', 'ct'], vrn: OWN });
    expect(await set(leaving, { role: 'member', group_vrn: GROUP })).toBe(200);
    const holder = await addClient(portal, practice.companyId, { taxes: ['vat', 'ct'], vrn: OWN });
    const statuses = await Promise.all([set(leaving, { role: 'none' }), set(holder, { role: 'member', representative_id: leaving })]);
    expect(statuses).not.toContain(500);
    await getDb().delete(clients).where(eq(clients.companyId, practice.companyId));
  }
});

it('an import is undone while its clients are changed, which then stay', async () => {
  const id = await startImport(300, 10_000_000);
  await portal.runJobs();
  const ids = await listIds();
  const undo = send('undo', { import_id: id });
  const changes: Promise<[string, number]>[] = [];
  for (let index = 0; index < 30; index += 1) {
    const clientId = ids[index * 9] ?? '';
    changes.push(set(clientId, { role: 'member', group_vrn: '' }).then((status) => [clientId, status]));
    await setTimeout(10);
  }
  expect((await undo).status).toBe(200);
  const answers = await Promise.all(changes);
  expect(answers.filter(([, status]) => status !== 200 && status !== 404)).toEqual([]);
  const left = await listIds();
  expect(left).toEqual(answers.flatMap(([clientId, status]) => (status === 200 ? [clientId] : [])).toSorted());
});

it('an import with assignment rules fills clients while they are changed', async () => {
  const ids = { company_id: practice.companyId };
  const { version } = (await practice.admin.get('/open-tax/assignment-rules', ids)).body;
  const rules = [{ by: 'tax', values: ['ct'], duty: 'manager', user_id: practice.memberId }];
  expect((await practice.admin.post('/open-tax/assignment-rules', { ...ids, version, rules })).status).toBe(200);
  await startImport(60, 10_000_000);
  await portal.runJobs();
  const known = await listIds();
  const second = await startImport(260, 10_000_000 - 200, '01134960123');
  let isOver = false;
  const run = portal.runJobs().finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  for (let index = 0; !isOver && index < 200; index += 1) {
    const pair = [known[(index * 7) % 60] ?? '', known[(index * 11 + 5) % 60] ?? ''];
    statuses.push(...(await Promise.all(pair.map((clientId) => set(clientId, { role: 'member', group_vrn: '' })))));
  }
  await run;
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  const { body } = await practice.admin.get('/open-tax/import-clients/info', { ...ids, import_id: second });
  expect(body['import']).toMatchObject({ state: 'completed' });
});
