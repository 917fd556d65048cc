/** Tests that a long upload or download ends with the access of its user. */
import { randomBytes, randomUUID } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { text } from 'node:stream/consumers';
import { auditEntries, clientFiles, clients, memberships, sessions } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { runOneAtATime } from './person-queue.ts';
import { rotateSession } from './session.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
/** Long enough for a request to be authorised, also on a busy machine. */
const AUTHORISED_AFTER_MS = 1_500;
const endMembership = (userId: string) =>
  portal.deps.database.db.delete(memberships).where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, userId)));

/** Adds clients whose export is larger than a connection's buffers, and incompressible. */
async function addLargeClients(): Promise<void> {
  const id = await addClient(portal, practice.companyId);
  const [client] = await portal.deps.database.db.select().from(clients).where(eq(clients.id, id));
  if (!client) throw new Error('the client is missing');
  const rows = Array.from({ length: 1_200 }, () => ({ ...client, id: randomUUID(), tags: [randomBytes(15_000).toString('base64')] }));
  await portal.deps.database.db.insert(clients).values(rows);
}

/** Reads the first bytes of the practice's data, calls `whilePaused`, then reads the rest. Rejects if the connection breaks. */
async function download(whilePaused: () => Promise<unknown>): Promise<void> {
  const url = `${portal.url}/portal/v2/data/practice?company_id=${practice.companyId}`;
  const response = await fetch(url, { headers: { cookie: practice.cookies.admin } });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  await whilePaused();
  await wait(1_200);
  while (!(await reader?.read())?.done);
}

describe('a download', () => {
  it.each([
    ['leaves the practice', () => endMembership(practice.adminId)],
    ['is logged out', () => portal.deps.database.db.delete(sessions).where(eq(sessions.userId, practice.adminId))],
  ])('is cut off once its user %s, however slowly they read it', async (_name, end) => {
    await addLargeClients();
    await expect(download(end)).rejects.toThrow(/terminated/);
  });

  it('continues if its session gets a new secret', async () => {
    await addLargeClients();
    const token = practice.cookies.admin.split('=')[1] ?? '';
    await download(async () => expect(await rotateSession(portal.deps.database.db, portal.deps.wallClock, token)).toBeDefined());
  });

  it('that waits for an earlier one isn’t made for someone who has left since', async () => {
    await addClient(portal, practice.companyId);
    const earlier = Promise.withResolvers<void>();
    const holding = runOneAtATime(`stream:${practice.adminId}`, () => earlier.promise);
    const query = { company_id: practice.companyId };
    const waiting = portal.app.inject({ url: '/portal/open-tax/export-table', query, headers: { cookie: practice.cookies.admin } });
    const [response] = await Promise.all([
      waiting,
      wait(AUTHORISED_AFTER_MS)
        .then(() => endMembership(practice.adminId))
        .then(() => earlier.resolve()),
    ]);
    await holding;
    expect([response.statusCode, response.json().code]).toEqual([403, 'request.access_ended']);
    const isExport = and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, 'clients.exported'));
    expect(await portal.deps.database.db.$count(auditEntries, isExport)).toBe(0);
  });
});

describe('an upload', () => {
  const upload = async (clientId: string, whileSending: () => Promise<unknown>) => {
    const ids = { company_id: practice.companyId, client_id: clientId };
    const query = new URLSearchParams({ ...ids, file_id: randomUUID(), file_name: 'May.csv' });
    const headers = { cookie: practice.cookies.member, 'sec-fetch-site': 'same-origin', 'content-type': 'text/csv' };
    const outgoing = requestHttp(`${portal.url}/portal/client/files/upload?${query}`, { method: 'POST', headers });
    const answer = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      outgoing.on('response', (incoming) => void text(incoming).then((body) => resolve({ status: incoming.statusCode, body }), reject));
      outgoing.on('error', reject);
    });
    outgoing.write('a,b\r\n');
    await wait(AUTHORISED_AFTER_MS);
    await whileSending();
    outgoing.end('1,2\r\n');
    return answer;
  };

  it.each([
    ['leaves the practice', () => endMembership(practice.memberId)],
    ['loses the client', (clientId: string) => practice.admin.post('/open-tax/client-companies/assign', getUnassignment(clientId))],
  ])('isn’t stored if its sender %s while sending it', async (_name, end) => {
    const clientId = await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    const { status, body } = await upload(clientId, () => end(clientId));
    expect([status, JSON.parse(body).code]).toEqual([403, 'request.access_ended']);
    expect(await portal.deps.database.db.$count(clientFiles, eq(clientFiles.companyId, practice.companyId))).toBe(0);
  });

  it('is stored if nothing has changed', async () => {
    const clientId = await addClient(portal, practice.companyId);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    expect((await upload(clientId, async () => undefined)).status).toBe(201);
  });
});

const getUnassignment = (clientId: string) => ({
  company_id: practice.companyId,
  client_ids: [clientId],
  user_id: practice.memberId,
  duty: 'manager',
  action: 'remove',
});
