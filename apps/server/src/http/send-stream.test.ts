/** Tests that no one can take the processor with many exports at once. */
import { auditEntries } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  await addClient(portal, practice.companyId, { name: 'Ash Ltd' });
});

const sendExport = (method: 'GET' | 'HEAD', { companyId, cookies } = practice) =>
  portal.app.inject({ method, url: '/portal/open-tax/export-table', query: { company_id: companyId }, headers: { cookie: cookies.admin } });
const countExports = () =>
  portal.deps.database.db.$count(
    auditEntries,
    and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'clients.exported')),
  );

it('sends a user’s files one at a time, and rejects further ones without affecting other users', async () => {
  const other = await addPractice(portal);
  const [responses, otherResponse] = await Promise.all([
    Promise.all(Array.from({ length: 40 }, () => sendExport('GET'))),
    sendExport('GET', other),
  ]);
  expect(otherResponse.statusCode).toBe(200);
  const sent = responses.filter(({ statusCode }) => statusCode === 200);
  expect(sent.length).toBeGreaterThanOrEqual(11);
  for (const { body } of sent) expect(body).toContain('Ash Ltd');
  const rejected = responses.filter(({ statusCode }) => statusCode !== 200);
  expect(rejected.length).toBeGreaterThan(0);
  for (const response of rejected) expect([response.statusCode, response.json().code]).toEqual([429, 'request.too_many_at_once']);
  expect(await countExports()).toBe(sent.length);
  expect((await sendExport('GET')).statusCode).toBe(200);
});

it('writes no file for HEAD, which would go on after the response', async () => {
  expect((await sendExport('HEAD')).statusCode).toBe(404);
  expect(await countExports()).toBe(0);
});
