/** Repeats of calls that move money or file: filing a return and starting an import. */
import { randomUUID } from 'node:crypto';
import { clientImports, idempotencyKeys, obligations } from '@portal/db/schema/schema.ts';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobHandlers } from '../job-handlers.ts';
import { connectedTrader, type Answer, type Trader } from '../testing/act-as-trader.ts';
import { addPractice, type TestPractice } from '../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await connectedTrader(portal, 'repeats@trader.example');
});
// One import of a practice runs at a time.
beforeEach(async () => void (practice = await addPractice(portal)));
afterAll(() => portal.close());

const db = () => portal.deps.database.db;

async function upload(who: TestPractice = practice): Promise<string> {
  const content = `name,kind,taxes,utr,postcode\nAnn ${randomUUID()},sole_trader,SA,,YO1 7HH`;
  const { body } = await who.admin.upload('/open-tax/client-imports', { company_id: who.companyId, file_name: 'clients.csv' }, content);
  return String(body['import_id']);
}

function start(importId: string, key: string, who: TestPractice = practice): Promise<Answer> {
  const input = { company_id: who.companyId, import_id: importId };
  return who.admin.post('/open-tax/import-clients/start', input, { 'idempotency-key': key });
}

const setState = (importId: string, state: 'ready' | 'importing') =>
  db().update(clientImports).set({ state }).where(eq(clientImports.id, importId));

async function readState(importId: string): Promise<string | undefined> {
  const [row] = await db().select({ state: clientImports.state }).from(clientImports).where(eq(clientImports.id, importId));
  return row?.state;
}

/** As a process leaves a call that it did not finish. */
const unanswer = (key: string, holderId: number) =>
  db()
    .update(idempotencyKeys)
    .set({ holderId, responseStatus: null, responseBody: null, completedAt: null })
    .where(eq(idempotencyKeys.key, key));

const age = (key: string, days: number) =>
  db()
    .update(idempotencyKeys)
    .set({ createdAt: sql`${idempotencyKeys.createdAt} - ${days} * interval '1 day'` })
    .where(eq(idempotencyKeys.key, key));

async function file(key: string, figuresVersion: string): Promise<Answer> {
  const of = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const input = { ...of, figures_version: figuresVersion, declaration_accepted: true };
  return trader.browser.post('/instant-vat/vat-return/file', input, { 'idempotency-key': key });
}

const timesAtHmrc = () => portal.hmrc.listReturns(trader.vrn).reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);

describe('a repeated call with an idempotency key', () => {
  it('gets the first answer, and nothing is done again', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const first = await start(importId, key);
    expect(first.status).toBe(200);
    // What the handler would start once more.
    await setState(importId, 'ready');
    expect(await start(importId, key)).toEqual(first);
    expect(await readState(importId)).toBe('ready');
    expect((await start(importId, randomUUID())).status).toBe(200);
    expect(await readState(importId)).toBe('importing');
  });

  it('gets the filing as it was first answered, whatever became of the return since', async () => {
    const of = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { body: seen } = await trader.browser.get('/instant-vat/vat-return', of);
    const [key, version] = [randomUUID(), String(seen['figures_version'])];
    const filed = await file(key, version);
    expect(filed).toMatchObject({ status: 200, body: { obligation: { state: 'filed_awaiting_hmrc' } } });
    await db().update(obligations).set({ status: 'fulfilled' }).where(eq(obligations.id, trader.obligation.id));
    expect(await file(key, version)).toEqual(filed);
    expect(timesAtHmrc()).toBe(1);
  });

  it('is refused while the first is being answered', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    await start(importId, key);
    await unanswer(key, portal.deps.database.holder.id);
    expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'idempotency.in_progress' } });
  });

  it('is done once of several at the same moment', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => start(importId, key)));
    const first = answers.find(({ status }) => status === 200);
    expect(first?.status).toBe(200);
    expect(answers.filter(({ status, body }) => status !== 200 && body['code'] !== 'idempotency.in_progress')).toEqual([]);
    expect((await start(importId, key)).body).toEqual(first?.body);
  });

  it.each([
    ['its process died before it stored the answer', () => unanswer, 1],
    ['its answer was lost long ago', () => lose, 0],
  ])('runs again where %s', async (_what, choose, otherHolder) => {
    const [importId, key] = [await upload(), randomUUID()];
    await start(importId, key);
    await choose()(key, portal.deps.database.holder.id + otherHolder);
    await setState(importId, 'ready');
    const again = await start(importId, key);
    expect(again.status).toBe(200);
    expect(await readState(importId)).toBe('importing');
    expect(await start(importId, key)).toEqual(again);
  });

  it('is refused for another body and for another endpoint', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    await start(importId, key);
    expect(await start(await upload(), key)).toMatchObject({ status: 409, body: { code: 'idempotency.key_reused' } });
    await db().update(idempotencyKeys).set({ endpoint: '/another' }).where(eq(idempotencyKeys.key, key));
    expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'idempotency.key_reused' } });
  });

  it('of another company is a call of its own', async () => {
    const other = await addPractice(portal);
    const [mine, theirs, key] = [await upload(), await upload(other), randomUUID()];
    expect((await start(mine, key)).status).toBe(200);
    expect((await start(theirs, key, other)).status).toBe(200);
    expect(await readState(theirs)).toBe('importing');
  });

  it('runs again after a fault of ours, which is not stored', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const real = portal.deps.enqueue;
    Object.assign(portal.deps, { enqueue: () => Promise.reject(new Error('the queue is away')) });
    const failed = await start(importId, key);
    Object.assign(portal.deps, { enqueue: real });
    expect(failed.status).toBe(500);
    expect((await start(importId, key)).status).toBe(200);
    expect(await readState(importId)).toBe('importing');
  });

  it('runs again after a refusal, which is not stored', async () => {
    const [importId, key] = [await upload(), randomUUID()];
    const undone = await db().update(clientImports).set({ state: 'undone' }).where(eq(clientImports.id, importId));
    expect(undone.rowCount).toBe(1);
    expect(await start(importId, key)).toMatchObject({ status: 409, body: { code: 'clients.import_not_startable' } });
    await setState(importId, 'ready');
    expect((await start(importId, key)).status).toBe(200);
  });

  it('is a new call after thirty days, when the stored answers are purged', async () => {
    const [importId, young, old] = [await upload(), randomUUID(), randomUUID()];
    await start(importId, young);
    await age(young, 29);
    await start(importId, old);
    await age(old, 30);
    await setState(importId, 'ready');
    await start(importId, young);
    expect(await readState(importId)).toBe('ready');
    await start(importId, old);
    expect(await readState(importId)).toBe('importing');
    await age(old, 30);
    const run = { id: randomUUID(), attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
    await jobHandlers(portal.deps)['identity.sweep']({}, run);
    const left = await db().select({ key: idempotencyKeys.key }).from(idempotencyKeys);
    expect(left.map(({ key }) => key)).toContain(young);
    expect(left.map(({ key }) => key)).not.toContain(old);
  });
});

/** The process lives, but lost the answer, with its connection to the database for example. */
async function lose(key: string, holderId: number): Promise<void> {
  await unanswer(key, holderId);
  await db()
    .update(idempotencyKeys)
    .set({ startedAt: sql`${idempotencyKeys.startedAt} - interval '6 minutes'` })
    .where(eq(idempotencyKeys.key, key));
}
