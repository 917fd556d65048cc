/** Tests the progress stream when connections break and members leave. */
import { memberships, sessions } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildApp, WEB_DIST } from '../../build-app.ts';
import { createOaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { MAX_STREAMS_PER_USER } from './event-stream.ts';
import { NO_JOBS } from '../../testing/no-jobs.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Opens an event stream with a browser's session, collects what it receives, and can wait for given text. */
async function openStream(url: string, companyId: string, cookie: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  closers.push(() => stop.abort());
  const response = await fetch(`${url}/portal/open-tax/sync-events?company_id=${companyId}`, {
    headers: { cookie, ...headers },
    signal: stop.signal,
  });
  const reader = response.body?.getReader();
  let receivedText = '';
  const readChunk = async (): Promise<boolean> => {
    const { done: isDone = true, value } = (await reader?.read()) ?? {};
    receivedText += new TextDecoder().decode(value);
    return !isDone;
  };
  return {
    status: response.status,
    received: () => receivedText,
    waitForText: async (text: string) => {
      while (!receivedText.includes(text)) if (!(await readChunk())) throw new Error(`it ended without "${text}": ${receivedText}`);
    },
    waitForEnd: async () => {
      while (await readChunk());
    },
    close: () => stop.abort(),
  };
}

const addPracticeWithOneClient = () => createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'overdue_payment' });
const start = ({ admin, companyId }: OaklinePractice) => admin.post('/open-tax/sync', { company_id: companyId, tax_type: 'vat' });
const cancel = ({ admin, companyId }: OaklinePractice) => admin.post('/open-tax/sync/cancel', { company_id: companyId, tax_type: 'vat' });
const RUNNING_SENTENCE = 'Refreshing VAT for 1 client: 0 done, 0 failed, 1 queued';

/** Opens a second instance on the same database. */
async function openInstance() {
  const app = await buildApp(portal.deps, {
    trustProxy: 'loopback',
    validateOutputs: true,
    distDir: WEB_DIST,
    checkReady: async () => ({ database: true }),
    ...NO_JOBS,
  });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

describe('a browser whose stream broke', () => {
  it('receives the full state again, whatever last event ID it sends', async () => {
    const practice = await addPracticeWithOneClient();
    const first = await openStream(portal.url, practice.companyId, practice.cookies.admin);
    await first.waitForText('"tax_type":"vat","is_refreshing":false');
    expect(first.received()).toContain('retry: 3000');
    first.close();
    await start(practice);
    const second = await openStream(portal.url, practice.companyId, practice.cookies.admin, { 'last-event-id': '17' });
    await second.waitForText(RUNNING_SENTENCE);
    await second.waitForText('event: connections');
    await second.waitForText('event: fetching');
    await cancel(practice);
    await second.waitForText('"state":"cancelled"');
  });

  it('because its server stopped does not delay the shutdown, and reconnects to another instance', async () => {
    const practice = await addPracticeWithOneClient();
    await start(practice);
    const instance = await openInstance();
    const first = await openStream(instance.url, practice.companyId, practice.cookies.admin);
    await first.waitForText(RUNNING_SENTENCE);
    await Promise.all([instance.app.close(), first.waitForEnd()]);
    // No "signed_out" event, so the browser reconnects.
    expect(first.received()).not.toContain('signed_out');
    const second = await openStream(portal.url, practice.companyId, practice.cookies.admin);
    await second.waitForText(RUNNING_SENTENCE);
    await cancel(practice);
    // Shorter than the keep-alive of 72 seconds that a delayed shutdown would wait for.
  }, 60_000);
});

describe('a page that is left open', () => {
  it('doesn’t keep the session alive', async () => {
    const practice = await addPracticeWithOneClient();
    const stream = await openStream(portal.url, practice.companyId, practice.cookies.member);
    await stream.waitForText('event: connections');
    const { db } = portal.deps.database;
    const ofMember = eq(sessions.userId, practice.memberId);
    const lastSeenAt = addMilliseconds(portal.deps.wallClock.now(), -20 * 60_000);
    await db.update(sessions).set({ lastSeenAt }).where(ofMember);
    // Ten checks of the session later.
    await stream.waitForText(': still here');
    const times = (await db.select().from(sessions).where(ofMember)).map((session) => session.lastSeenAt);
    expect(new Set(times)).toEqual(new Set([lastSeenAt]));
  });
});

describe('a member who is removed from the practice', () => {
  it('is only notified that the stream is over', async () => {
    const practice = await addPracticeWithOneClient();
    const stream = await openStream(portal.url, practice.companyId, practice.cookies.member);
    await stream.waitForText('event: connections');
    await portal.deps.database.db
      .delete(memberships)
      .where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId)));
    const before = stream.received();
    await start(practice);
    await stream.waitForEnd();
    expect(stream.received().slice(before.length)).toBe('event: signed_out\ndata: {}\n\n');
    expect((await openStream(portal.url, practice.companyId, practice.cookies.member)).status).toBe(404);
    await cancel(practice);
  });
});

describe('streams of one user', () => {
  it('are limited without affecting other users, and a closed one makes room', async () => {
    const practice = await addPracticeWithOneClient();
    const streams = [];
    for (let count = 0; count < MAX_STREAMS_PER_USER; count += 1) {
      streams.push(await openStream(portal.url, practice.companyId, practice.cookies.admin));
    }
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refusedStream = await openStream(portal.url, practice.companyId, practice.cookies.admin);
    await refusedStream.waitForEnd();
    expect([refusedStream.status, JSON.parse(refusedStream.received())]).toMatchObject([429, { code: 'sync.too_many_streams' }]);
    expect((await openStream(portal.url, practice.companyId, practice.cookies.member)).status).toBe(200);
    streams[0]?.close();
    await expect.poll(async () => (await openStream(portal.url, practice.companyId, practice.cookies.admin)).status).toBe(200);
  });
});
