/** Tests files of clients and tasks: what is accepted, quarantine and viruses, who sees them, and how they are removed. */
import { randomUUID } from 'node:crypto';
import { auditEntries, clientFileContents, clientFiles, clientPeople, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { EICAR_TEST_FILE } from '@portal/sandbox/clamd/clamd-simulator.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser, type ApiResponse, type Browser } from '../../testing/test-trader.ts';
import { unzip } from '../../testing/unzip.ts';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let carl: Browser;
let carlsCookie: string;
beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  clientId = await addClient(portal, practice.companyId, { name: 'Harlow Joinery Ltd' });
  const { database, clock, wallClock } = portal.deps;
  const [userId, createdAt] = [randomUUID(), clock.now()];
  await database.db.insert(users).values({ id: userId, email: `${userId}@harlow.example`, fullName: 'Carl Harlow', createdAt });
  await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
  const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  carlsCookie = `portal_session=${session}`;
  carl = createBrowser(portal, carlsCookie);
  portal.sentEmails.length = 0;
  portal.faults.clear();
});

const PDF = '%PDF-1.7\nStatement\n%%EOF';
const INFECTED = `%PDF-1.7\n${EICAR_TEST_FILE}`;
const getOwnKey = () => ({ company_id: clientId, client_id: clientId });
const getClientKey = () => ({ company_id: practice.companyId, client_id: clientId });
const send = (
  browser: Browser,
  ids: Record<string, string>,
  body: string | Buffer = PDF,
  extra: Record<string, string> = {},
): Promise<ApiResponse> => browser.upload('/client/files/upload', { ...ids, file_id: randomUUID(), file_name: 'May.pdf', ...extra }, body);
const list = async (browser: Browser, ids: Record<string, string>) =>
  (await browser.get('/client/files', ids)).body['files'] as Record<string, unknown>[];
const open = (cookie: string, query: Record<string, string>) =>
  portal.app.inject({ method: 'GET', url: '/portal/client/files/file', query, headers: { cookie } });
const countContents = async (fileId: unknown) =>
  (
    await portal.deps.database.db
      .select()
      .from(clientFileContents)
      .where(eq(clientFileContents.fileId, String(fileId)))
  ).length;

describe('a file that a client sends', () => {
  it('reaches the practice, byte for byte, as a download that no browser runs, and both are in the audit trail', async () => {
    const sentResponse = await send(carl, getOwnKey(), PDF, { file_name: '../Übersicht "Mai".exe' });
    expect(sentResponse).toMatchObject({
      status: 201,
      body: { name: 'Übersicht Mai.pdf', type: 'pdf', state: 'clean', uploaded_by: 'Carl Harlow' },
    });
    const fileId = String(sentResponse.body['file_id']);
    expect(await list(practice.admin, getClientKey())).toMatchObject([{ file_id: fileId, is_from_client: true, is_shared: true }]);
    const response = await open(practice.cookies.admin, { ...getClientKey(), file_id: fileId });
    expect([response.statusCode, response.body]).toEqual([200, PDF]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="_bersicht Mai.pdf"; filename*=UTF-8''%C3%9Cbersicht%20Mai.pdf`,
    });
    const auditTrail = await portal.deps.database.db
      .select({ action: auditEntries.action, actor: auditEntries.actor })
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.subject, clientId)));
    expect(auditTrail).toContainEqual({ action: 'file.opened', actor: practice.adminId });
    const timeline = (await practice.admin.get('/client/timeline', getClientKey())).body['entries'];
    expect(timeline).toContainEqual(expect.objectContaining({ title: 'File received from the client', detail: 'Übersicht Mai.pdf' }));
  });

  it('is stored once, however often the upload arrives', async () => {
    const fileId = randomUUID();
    const firstResponse = await send(carl, getOwnKey(), PDF, { file_id: fileId });
    expect(await send(carl, getOwnKey(), PDF, { file_id: fileId })).toMatchObject({ status: 201, body: firstResponse.body });
    expect(await list(carl, getOwnKey())).toHaveLength(1);
  });

  it.each([
    ['a program', Buffer.from('MZ\u0090\0'), 400],
    ['an empty file', Buffer.alloc(0), 400],
    ['more than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'), 413],
  ])('is rejected with the field and the reason if it is %s', async (_case, bytes, status) => {
    const response = await send(carl, getOwnKey(), bytes);
    expect(response).toMatchObject({ status, body: { message: { file: expect.stringMatching(/PDF|empty|10 MB/) } } });
    expect(await list(carl, getOwnKey())).toEqual([]);
  });

  it('with a virus is deleted, its sender is notified, and only its name remains', async () => {
    const response = await send(carl, getOwnKey(), INFECTED);
    expect(response).toMatchObject({ status: 422, body: { message: { file: expect.stringContaining('contains a virus') } } });
    const [file] = await list(practice.admin, getClientKey());
    expect(file).toMatchObject({ state: 'infected' });
    expect(await countContents(file?.['file_id'])).toBe(0);
    expect((await open(practice.cookies.admin, { ...getClientKey(), file_id: String(file?.['file_id']) })).statusCode).toBe(409);
  });
});

describe('while the virus scanner is down', () => {
  it('files stay in quarantine, unavailable to everyone, and are released automatically; infected ones are deleted and their sender is emailed', async () => {
    portal.faults.set({ operation: 'clamd.scan', kind: 'cut_off', times: 3 });
    const cleanResponse = await send(carl, getOwnKey());
    const infectedResponse = await send(carl, getOwnKey(), INFECTED);
    expect([cleanResponse.body['state'], infectedResponse.body['state']]).toEqual(['quarantined', 'quarantined']);
    const fileId = String(cleanResponse.body['file_id']);
    expect((await open(practice.cookies.admin, { ...getClientKey(), file_id: fileId })).json()).toMatchObject({ code: 'file.quarantined' });
    const sweep = async () => {
      await portal.deps.enqueue(portal.deps.database.db as never, 'files.scan', {});
      await portal.runJobs();
    };
    await sweep();
    expect((await list(carl, getOwnKey())).map(({ state }) => state)).toEqual(['quarantined', 'quarantined']);
    await sweep();
    expect((await open(practice.cookies.admin, { ...getClientKey(), file_id: fileId })).statusCode).toBe(200);
    expect(await countContents(infectedResponse.body['file_id'])).toBe(0);
    expect(portal.sentEmails).toMatchObject([{ subject: 'A file that you sent contains a virus' }]);
    expect(portal.sentEmails[0]?.text).not.toContain('May.pdf');
  });
});

describe('without a virus scanner', () => {
  it('nothing is accepted', async () => {
    const instance = await portal.openInstance({ virusScanner: undefined });
    expect(await send(createBrowser(instance, carlsCookie), getOwnKey())).toMatchObject({ status: 503, body: { code: 'file.no_scanner' } });
    await instance.close();
  });
});

describe('what each side sees', () => {
  it('the client sees what it sent and what the practice shares, with one email for several, which names no file', async () => {
    const hiddenResponse = await send(practice.admin, getClientKey(), PDF, { file_name: 'Working paper.pdf' });
    const sharedResponse = await send(practice.admin, getClientKey(), PDF, { file_name: 'Accounts 2026.pdf', is_shared: 'true' });
    await send(practice.admin, getClientKey(), PDF, { file_name: 'Letter.pdf', is_shared: 'true' });
    await portal.runJobs();
    expect((await list(carl, getOwnKey())).map(({ name }) => name)).toEqual(expect.arrayContaining(['Accounts 2026.pdf', 'Letter.pdf']));
    expect(portal.sentEmails.map(({ subject }) => subject)).toEqual(['Oakline Accounting has shared a file with you']);
    expect(portal.sentEmails[0]?.text).not.toContain('Accounts 2026');
    const secretResponse = await open(carlsCookie, { ...getOwnKey(), file_id: String(hiddenResponse.body['file_id']) });
    expect(secretResponse.statusCode).toBe(404);

    const change = { ...getClientKey(), file_id: sharedResponse.body['file_id'], folder: 'accounts', year: 2026 };
    expect((await practice.admin.post('/client/files/change', { ...change, is_shared: false })).status).toBe(200);
    expect((await open(carlsCookie, { ...getOwnKey(), file_id: String(sharedResponse.body['file_id']) })).statusCode).toBe(404);
    await practice.admin.post('/client/files/change', { ...change, is_shared: true });
    expect(await list(carl, getOwnKey())).toContainEqual(
      expect.objectContaining({ name: 'Accounts 2026.pdf', folder: 'accounts', year: 2026 }),
    );
  });

  it('nothing is visible to anyone else: another client, another practice, an unassigned colleague', async () => {
    const fileId = String((await send(carl, getOwnKey())).body['file_id']);
    const otherClient = await addClient(portal, practice.companyId);
    const otherPractice = await addPractice(portal);
    const openFile = (cookie: string, ids: Record<string, string>) =>
      open(cookie, { ...ids, file_id: fileId }).then(({ statusCode }) => statusCode);
    expect(await openFile(practice.cookies.admin, { company_id: practice.companyId, client_id: otherClient })).toBe(404);
    expect(await openFile(carlsCookie, { company_id: otherClient, client_id: otherClient })).toBe(404);
    expect(await openFile(otherPractice.cookies.admin, getClientKey())).toBe(404);
    expect(await openFile(practice.cookies.member, getClientKey())).toBe(404);
    expect(await openFile('', getClientKey())).toBe(401);
    expect((await send(carl, { company_id: otherClient, client_id: otherClient })).status).toBe(404);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    expect(await openFile(practice.cookies.member, getClientKey())).toBe(200);
    // The client's users can neither organise nor delete files for the practice.
    expect((await carl.post('/client/files/remove', { ...getOwnKey(), file_id: fileId })).status).toBe(404);
  });

  it('a deleted file disappears for both sides, including its content', async () => {
    const fileId = String((await send(carl, getOwnKey())).body['file_id']);
    expect((await practice.admin.post('/client/files/remove', { ...getClientKey(), file_id: fileId })).status).toBe(200);
    expect(await list(carl, getOwnKey())).toEqual([]);
    expect(await countContents(fileId)).toBe(0);
    expect((await practice.admin.post('/client/files/remove', { ...getClientKey(), file_id: fileId })).status).toBe(404);
  });
});

describe('a task’s file', () => {
  it('can be seen by anyone who can see the task, and never by the client', async () => {
    const itemId = randomUUID();
    const task = { company_id: practice.companyId, item_id: itemId };
    await practice.admin.post('/open-tax/work-items', {
      ...task,
      client_id: clientId,
      title: 'Prepare',
      service: 'vat',
      due_on: null,
      owner_id: null,
    });
    const file = { ...task, file_id: randomUUID(), file_name: 'Working.csv' };
    const sentResponse = await practice.admin.upload('/open-tax/work-items/files/upload', file, 'a,b\r\n1,2');
    expect(sentResponse).toMatchObject({ status: 201, body: { type: 'csv', state: 'clean' } });
    expect((await practice.admin.get('/open-tax/work-items/files', task)).body['files']).toHaveLength(1);
    expect((await practice.member.get('/open-tax/work-items/files', task)).status).toBe(404);
    expect((await practice.member.upload('/open-tax/work-items/files/upload', { ...file, file_id: randomUUID() }, 'a,b')).status).toBe(404);
    expect(await list(carl, getOwnKey())).toEqual([]);
    expect((await open(carlsCookie, { ...getOwnKey(), file_id: file.file_id })).statusCode).toBe(404);
    await practice.admin.post('/open-tax/work-items/files/remove', { ...task, file_id: file.file_id });
    expect((await practice.admin.get('/open-tax/work-items/files', task)).body['files']).toEqual([]);
  });
});

describe('the practice’s download', () => {
  it('contains the files themselves', async () => {
    const fileId = String((await send(carl, getOwnKey())).body['file_id']);
    const response = await portal.app.inject({
      method: 'GET',
      url: '/portal/v2/data/practice',
      query: { company_id: practice.companyId },
      headers: { cookie: practice.cookies.admin, 'sec-fetch-site': 'same-origin' },
    });
    expect(response.statusCode).toBe(200);
    expect(unzip(response.rawPayload).get(`files/${fileId} May.pdf`)).toBe(PDF);
    const [row] = await portal.deps.database.db.select().from(clientFiles).where(eq(clientFiles.id, fileId));
    expect(row?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
