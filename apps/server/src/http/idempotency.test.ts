/** Tests repeated requests that move money or file a return: filing a return and starting an import. */
import { randomUUID } from 'node:crypto';
import { NoConnectionError } from '@portal/db/database-outage.ts';
import { clientImports, idempotencyKeys, obligations } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobHandlers } from '../job-handlers.ts';
import { createConnectedTrader, type ApiResponse, type Trader } from '../testing/test-trader.ts';
import { addPractice, type TestPractice } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createConnectedTrader(portal, 'repeats@trader.example');
});
// A practice can run one import at a time.
beforeEach(async () => void (practice = await addPractice(portal)));
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;

async function upload(owner: TestPractice = practice): Promise<string> {
  const content = `name,kind,taxes,utr,postcode\nAnn ${randomUUID()},sole_trader,SA,,YO1 7HH`;
  const { body } = await owner.admin.upload('/open-tax/client-imports', { company_id: owner.companyId, file_name: 'clients.csv' }, content);
  return String(body['import_id']);
}

function start(importId: string, key: string, owner: TestPractice = practice): Promise<ApiResponse> {
  const input = { company_id: owner.companyId, import_id: importId };
  return owner.admin.post('/open-tax/import-clients/start', input, { 'idempotency-key': key });
}

const setState = (importId: string, state: 'ready' | 'importing') =>
  getDb().update(clientImports).set({ state }).where(eq(clientImports.id, importId));

async function readState(importId: string): Promise<string | undefined> {
  const [row] = await getDb().select({ state: clientImports.state }).from(clientImports).where(eq(clientImports.id, importId));
  return row?.state;
}

/** Leaves the key in the state of a process that died before it responded. */
const removeResponse = (key: string, holderId: number) =>
  getDb()
    .update(idempotencyKeys)
    .set({ holderId, responseStatus: null, responseBody: null, completedAt: null })
    .where(eq(idempotencyKeys.key, key));

const age = (key: string, days: number) =>
  getDb()
    .update(idempotencyKeys)
    .set({ createdAt: sql`${idempotencyKeys.createdAt} - ${days} * interval '1 day'` })
    .where(eq(idempotencyKeys.key, key));

async function fileReturn(key: string, figuresVersion: string): Promise<ApiResponse> {
  const returnKey = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const input = { ...returnKey, figures_version: figuresVersion, declaration_accepted: true };
  return trader.browser.post('/instant-vat/vat-return/file', input, { 'idempotency-key': key });
}

const countReturnsAtHmrc = () => portal.hmrc.listReturns(trader.vrn).reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);

describe('a repeated call with an idempotency key', () => {
  it('returns the first response without running the handler again', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const firstResponse = await start(importId, key);
    expect(firstResponse.status).toBe(200);
    // The handler would start the import again.
    await setState(importId, 'ready');
    expect(await start(importId, key)).toEqual(firstResponse);
    expect(await readState(importId)).toBe('ready');
    expect((await start(importId, randomUUID())).status).toBe(200);
    expect(await readState(importId)).toBe('importing');
  });

  it('returns the first filing response, even if the return has changed since', async () => {
    const returnKey = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { body: current } = await trader.browser.get('/instant-vat/vat-return', returnKey);
    const [key, version] = [randomUUID(), String(current['figures_version'])];
    const filedResponse = await fileReturn(key, version);
    expect(filedResponse).toMatchObject({ status: 200, body: { obligation: { state: 'filed_awaiting_hmrc' } } });
    await getDb().update(obligations).set({ status: 'fulfilled' }).where(eq(obligations.id, trader.obligation.id));
    expect(await fileReturn(key, version)).toEqual(filedResponse);
    expect(countReturnsAtHmrc()).toBe(1);
  });

  it('returns 409 while the first request is in progress', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    await start(importId, key);
    await removeResponse(key, portal.deps.database.holder.id);
    expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'idempotency.in_progress' } });
  });

  it('runs once if sent several times at the same moment', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const responses = await Promise.all(Array.from({ length: 5 }, () => start(importId, key)));
    const firstResponse = responses.find(({ status }) => status === 200);
    expect(firstResponse?.status).toBe(200);
    expect(responses.filter(({ status, body }) => status !== 200 && body['code'] !== 'idempotency.in_progress')).toEqual([]);
    expect((await start(importId, key)).body).toEqual(firstResponse?.body);
  });

  it.each([
    ['its process died before it stored the answer', () => removeResponse, 1],
    ['its answer was lost long ago', () => loseResponse, 0],
  ])('runs again if %s', async (_case, choose, otherHolder) => {
    const [importId, key] = [await upload(), randomUUID()];
    await start(importId, key);
    await choose()(key, portal.deps.database.holder.id + otherHolder);
    await setState(importId, 'ready');
    const repeatResponse = await start(importId, key);
    expect(repeatResponse.status).toBe(200);
    expect(await readState(importId)).toBe('importing');
    expect(await start(importId, key)).toEqual(repeatResponse);
  });

  it('returns 409 for another body and for another endpoint', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    await start(importId, key);
    expect(await start(await upload(), key)).toMatchObject({ status: 409, body: { code: 'idempotency.key_reused' } });
    await getDb().update(idempotencyKeys).set({ endpoint: '/another' }).where(eq(idempotencyKeys.key, key));
    expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'idempotency.key_reused' } });
  });

  it('is independent in another company', async () => {
    const otherPractice = await addPractice(portal);
    const [ownImportId, otherImportId, key] = [await upload(), await upload(otherPractice), randomUUID()];
    expect((await start(ownImportId, key)).status).toBe(200);
    expect((await start(otherImportId, key, otherPractice)).status).toBe(200);
    expect(await readState(otherImportId)).toBe('importing');
  });

  it('runs again as soon as the database is back if the key could not be released without it', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const { database, enqueue, pause } = portal.deps;
    const databaseBack = Promise.withResolvers<void>();
    let isAway = true;
    const unavailableDb = Object.create(database.db) as typeof database.db;
    unavailableDb.delete = ((table: typeof idempotencyKeys) =>
      isAway
        ? { where: () => Promise.reject(new NoConnectionError(new Error('Connection terminated unexpectedly'))) }
        : database.db.delete(table)) as typeof unavailableDb.delete;
    const lostDeps = {
      database: { ...database, db: unavailableDb },
      enqueue: () => Promise.reject(new Error('lost')),
      pause: () => databaseBack.promise,
    };
    Object.assign(portal.deps, lostDeps);
    try {
      expect((await start(importId, key)).status).toBe(500);
      Object.assign(portal.deps, { enqueue });
      expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'idempotency.in_progress' } });
      isAway = false;
      databaseBack.resolve();
      await expect.poll(async () => (await start(importId, key)).status).toBe(200);
    } finally {
      Object.assign(portal.deps, { database, enqueue, pause });
    }
  });

  it('runs again after an internal error, which is not stored', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const realEnqueue = portal.deps.enqueue;
    Object.assign(portal.deps, { enqueue: () => Promise.reject(new Error('the queue is unavailable')) });
    const failedResponse = await start(importId, key);
    Object.assign(portal.deps, { enqueue: realEnqueue });
    expect(failedResponse.status).toBe(500);
    // The reason appears only in the log.
    expect(failedResponse.body).toMatchObject({ code: 'server.bug' });
    expect(JSON.stringify(failedResponse.body)).not.toContain('queue');
    expect((await start(importId, key)).status).toBe(200);
    expect(await readState(importId)).toBe('importing');
  });

  it('runs again after a rejection, which is not stored', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const undoneImports = await getDb().update(clientImports).set({ state: 'undone' }).where(eq(clientImports.id, importId));
    expect(undoneImports.rowCount).toBe(1);
    expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'clients.import_not_startable' } });
    await setState(importId, 'ready');
    expect((await start(importId, key)).status).toBe(200);
  });

  it('runs again after thirty days, when stored responses are purged', async () => {
    const [importId, recentKey, oldKey] = [await upload(), randomUUID(), randomUUID()];
    await start(importId, recentKey);
    await age(recentKey, 29);
    await start(importId, oldKey);
    await age(oldKey, 30);
    await setState(importId, 'ready');
    await start(importId, recentKey);
    expect(await readState(importId)).toBe('ready');
    await start(importId, oldKey);
    expect(await readState(importId)).toBe('importing');
    await age(oldKey, 30);
    const run = { id: randomUUID(), attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
    await jobHandlers(portal.deps)['rows.purge']({}, run);
    const remainingRows = await getDb().select({ key: idempotencyKeys.key }).from(idempotencyKeys);
    expect(remainingRows.map(({ key }) => key)).toContain(recentKey);
    expect(remainingRows.map(({ key }) => key)).not.toContain(oldKey);
  });
});

/** Simulates a process that is alive but has lost its response, for example along with its database connection. */
async function loseResponse(key: string, holderId: number): Promise<void> {
  await removeResponse(key, holderId);
  await getDb()
    .update(idempotencyKeys)
    .set({ startedAt: sql`${idempotencyKeys.startedAt} - interval '6 minutes'` })
    .where(eq(idempotencyKeys.key, key));
}
