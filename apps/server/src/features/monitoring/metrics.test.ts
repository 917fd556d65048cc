/** Tests the portal's monitoring: metrics, and who may read them. */
import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientAuthorisations, clientSyncs, payouts } from '@portal/db/schema/schema.ts';
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { addMilliseconds, createClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { sql } from '@portal/db/sql.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { buildApp } from '../../build-app.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { addOperator, COMMAND_LINE } from '../operator-people/operator-accounts.ts';
import { createSecurityLog } from '../../observability/security-log.ts';
import { addAdvances } from '../../testing/add-advances.ts';
import { addClient, addPractice } from '../../testing/add-practice.ts';
import { NO_JOBS } from '../../testing/no-jobs.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createOperator } from '../../testing/test-trader.ts';

const RUN = { id: '', attempt: 1, isLastAttempt: true, lostRuns: 0, signal: new AbortController().signal };
const TOKEN = 'a-token-of-more-than-thirty-two-characters';
let portal: TestPortal;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

/** Starts a new instance with its own, uncached figures. */
async function startInstance(changes: Partial<AppDeps> = {}): Promise<FastifyInstance> {
  const metrics = createMetrics();
  return buildApp(
    { ...portal.deps, metrics, recordSecurityEvent: createSecurityLog(portal.deps.logger, metrics, 'key'), ...changes },
    { trustProxy: 'loopback', validateOutputs: true, distDir: '/nowhere', checkReady: async () => ({}), metricsToken: TOKEN, ...NO_JOBS },
  );
}

const read = (instance: FastifyInstance, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  instance.inject({ url: '/portal/metrics', headers, remoteAddress });

/** Returns the samples of a metric by their labels, as Prometheus would read them. */
async function readSamples(instance: FastifyInstance, name: string): Promise<Record<string, number>> {
  const { body } = await read(instance);
  const lines = body.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('the metrics', () => {
  it.each([
    ['an app on this computer', '127.0.0.1', {}, 200],
    ['a program on this computer, by IPv6', '::1', {}, 200],
    ['the same through a mapped address', '::ffff:127.0.0.1', {}, 200],
    ['a visitor through a proxy on this computer', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, 404],
    ['a visitor who claims to be on this computer', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 404],
    ['a visitor through a proxy that only names itself', '127.0.0.1', { via: '1.1 proxy' }, 404],
    ['another computer', '203.0.113.9', {}, 404],
    ['another computer with a wrong token', '203.0.113.9', { authorization: `Bearer ${TOKEN}x` }, 404],
    ['another computer with a session instead', '203.0.113.9', { authorization: `Basic ${TOKEN}` }, 404],
    ['another computer with the token', '203.0.113.9', { authorization: `Bearer ${TOKEN}` }, 200],
    ['the token through a proxy', '127.0.0.1', { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' }, 200],
  ])('return %s: %s', async (_who, remoteAddress, headers, status) => {
    const instance = await startInstance();
    const response = await read(instance, headers, remoteAddress);
    expect(response.statusCode).toBe(status);
    if (status === 404) {
      const unknownResponse = await instance.inject({ url: '/portal/metricz', headers, remoteAddress });
      const { request_id: _requestId, ...expected } = unknownResponse.json<Record<string, unknown>>();
      const { request_id: _otherRequestId, ...problem } = response.json<Record<string, unknown>>();
      expect(problem).toEqual(expected);
    }
  });

  it('accept no token if none is set', async () => {
    const authorization = 'Bearer undefined';
    expect((await read(portal.app, { authorization }, '203.0.113.9')).statusCode).toBe(404);
  });

  it('count requests by route pattern, never by address', async () => {
    const instance = await startInstance();
    const company = randomUUID();
    await instance.inject({ url: '/portal/open-tax/calendar/some-secret-token.ics' });
    await instance.inject({ url: `/portal/instant-vat/documents/receipt?company_id=${company}` });
    await instance.inject({ url: `/portal/nowhere/${company}` });
    await instance.inject({ url: '/portal/v2/instant-vat', headers: { accept: 'text/html' } });
    const requests = await readSamples(instance, 'portal_http_requests_total');
    expect(requests).toMatchObject({
      '{method="GET",route="/portal/open-tax/calendar/:file",status="404"}': 1,
      '{method="GET",route="/portal/instant-vat/documents/receipt",status="401"}': 1,
      '{method="GET",route="unknown",status="404"}': 1,
      '{method="GET",route="page",status="200"}': 1,
    });
    const { body } = await read(instance);
    expect(body).not.toContain(company);
    expect(body).not.toContain('some-secret-token');
    expect(body).toContain('portal_http_request_duration_seconds_count{method="GET",route="page"} 1');
  });

  it('count a caller who disconnects before the response', async () => {
    const instance = await startInstance();
    let release = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    instance.addHook('preHandler', async (request) => (request.url === '/portal/healthz' ? isHeld : undefined));
    const address = new URL(await instance.listen({ port: 0, host: '127.0.0.1' }));
    const socket = createConnection(Number(address.port), address.hostname);
    socket.write('GET /portal/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n', () => socket.destroy());
    const abortedLabels = '{method="GET",route="/portal/healthz",status="499"}';
    await expect.poll(() => readSamples(instance, 'portal_http_requests_total')).toMatchObject({ [abortedLabels]: 1 });
    release();
    await instance.close();
  });

  it('count rejected webhooks by provider and reason', async () => {
    const instance = await startInstance();
    await instance.inject({ method: 'POST', url: '/portal/webhooks/truelayer', payload: {} });
    await instance.inject({ method: 'POST', url: '/portal/webhooks/gocardless', payload: {} });
    expect(await readSamples(instance, 'portal_webhooks_refused_total')).toEqual({
      '{provider="truelayer",reason="bad_signature"}': 1,
      '{provider="gocardless",reason="bad_signature"}': 1,
    });
    expect(await readSamples(instance, 'portal_security_events_total')).toMatchObject({
      '{event="webhook_signature_rejected",reason="truelayer"}': 1,
    });
  });

  it('show waiting jobs by kind, and payouts by state', async () => {
    const { database, clock, enqueue } = portal.deps;
    // Runs the jobs of other tests first.
    await portal.runJobs();
    await enqueue(database.db, 'clients.enrich', { company_id: randomUUID() });
    await enqueue(database.db, 'clients.enrich', { company_id: randomUUID() }, { delaySeconds: 3_600 });
    const account = { accountHolder: 'T', sortCode: '200000', accountNumber: '55779911', reference: 'R' };
    const payout = { ...account, companyId: randomUUID(), id: randomUUID(), round: 1, createdAt: clock.now(), amountPence: pence(5_00) };
    const before = await readSamples(await startInstance(), 'portal_payouts');
    await database.db.insert(payouts).values({ ...payout, status: 'failed' });
    const instance = await startInstance();
    expect(await readSamples(instance, 'portal_jobs_waiting')).toEqual({ '{kind="clients.enrich"}': 1 });
    expect(Object.keys(await readSamples(instance, 'portal_jobs_oldest_waiting_seconds'))).toEqual(['{kind="clients.enrich"}']);
    const after = await readSamples(instance, 'portal_payouts');
    expect(after).toEqual({ ...before, '{state="failed"}': (before['{state="failed"}'] ?? 0) + 1 });
    await portal.runJobs();
  });

  it('show the same exposure as the operators’ desk', async () => {
    await addAdvances(portal.deps.database, { count: 60, seed: 1, now: portal.deps.clock.now(), operatorIds: [] });
    const operator = await createOperator(portal, 'olga@metrics.example');
    const { body } = await operator.get('/operator/desk/summary');
    const instance = await startInstance();
    expect(await readSamples(instance, 'portal_exposure_outstanding_pence')).toEqual({ '': body['exposure_pence'] });
    expect(await readSamples(instance, 'portal_exposure_limit_pence')).toEqual({ '': body['exposure_limit_pence'] });
    const [advanced = 0] = Object.values(await readSamples(instance, 'portal_exposure_advanced_pence'));
    expect(advanced).toBeGreaterThan(0);
    expect(advanced).toBeLessThan(Number(body['exposure_pence']));
  });

  it('show how many of the authorised clients were read in the last day', async () => {
    const { database, clock } = portal.deps;
    const { companyId } = await addPractice(portal);
    for (const [place, hoursAgo] of [1, 23, 25, undefined].entries()) {
      const client = { companyId, clientId: await addClient(portal, companyId), tax: 'vat' } as const;
      await database.db.insert(clientAuthorisations).values({ ...client, status: place === 0 ? 'expiring' : 'authorised' });
      if (hoursAgo === undefined) continue;
      const readAt = addMilliseconds(clock.now(), -hoursAgo * 3_600_000);
      await database.db.insert(clientSyncs).values({ ...client, state: 'completed', readAt });
    }
    const unauthorised = { companyId, clientId: await addClient(portal, companyId), tax: 'vat' } as const;
    await database.db.insert(clientAuthorisations).values({ ...unauthorised, status: 'not_started' });
    const instance = await startInstance();
    expect(await readSamples(instance, 'portal_sync_clients_authorised')).toEqual({ '{tax="vat"}': 4 });
    expect(await readSamples(instance, 'portal_sync_clients_read_last_day')).toEqual({ '{tax="vat"}': 2 });
  });

  if (getTestServerUrl() !== undefined) {
    it('do not wait for a table that another transaction has locked', async () => {
      const instance = await startInstance();
      const prometheus = new AsyncResource('another caller, outside the transaction');
      await portal.deps.database.db.transaction(async (tx) => {
        await tx.execute(sql`lock table payouts in access exclusive mode`);
        // A request starts when its response is awaited.
        const response = await prometheus.runInAsyncScope(async () => await read(instance));
        expect(response.statusCode).toBe(200);
      });
      expect(await readSamples(instance, 'portal_payouts')).toEqual({});
      expect(await readSamples(instance, 'portal_hmrc_slots_booked_seconds')).toEqual({ '': expect.any(Number) });
    });
  }

  it('answer while no connection is free, without the figures that need one', async () => {
    const metrics = createMetrics();
    metrics.database.payoutsUnknown.set(3);
    const { database } = portal.deps;
    const transaction = (() => new Promise(() => undefined)) as typeof database.db.transaction;
    const busy = { ...database, db: Object.create(database.db, { transaction: { value: transaction } }) as typeof database.db };
    const instance = await startInstance({ metrics, database: busy });
    const startedAt = performance.now();
    const { statusCode, body } = await read(instance);
    expect(statusCode).toBe(200);
    // Prometheus gives up after ten seconds by default, and then has no figure at all.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    expect(body).toContain('portal_http_requests_total');
    expect(body).not.toMatch(/^portal_jobs_waiting /m);
  }, 20_000);

  it('show how far this computer’s clock is from the database’s', async () => {
    const readDifference = async (changes: Partial<AppDeps> = {}) =>
      (await readSamples(await startInstance(changes), 'portal_database_clock_difference_seconds'))[''] ?? NaN;
    expect(Math.abs(await readDifference())).toBeLessThan(2);
    const fast = await readDifference({ wallClock: createClock(() => Date.now() + 3_600_000) });
    expect(Math.abs(fast - 3_600)).toBeLessThan(2);
  });

  it('read the database at most once in a few seconds', async () => {
    const instance = await startInstance();
    const before = await readSamples(instance, 'portal_jobs_waiting');
    await portal.deps.enqueue(portal.deps.database.db, 'clients.enrich', { company_id: randomUUID() });
    expect(await readSamples(instance, 'portal_jobs_waiting')).toEqual(before);
    await portal.runJobs();
  });

  it('omit figures that the database can’t provide', async () => {
    await portal.deps.database.db.execute(sql`alter table payouts rename to payouts_away`);
    try {
      const instance = await startInstance();
      expect((await read(instance)).statusCode).toBe(200);
      expect(await readSamples(instance, 'portal_payouts')).toEqual({});
      expect(await readSamples(instance, 'portal_exposure_limit_pence')).toEqual({});
      expect(await readSamples(instance, 'portal_hmrc_slots_booked_seconds')).toEqual({ '': expect.any(Number) });
      expect(await readSamples(instance, 'portal_metrics_read_failures_total')).toMatchObject({
        '{figures="payouts"}': 1,
        '{figures="jobs"}': 0,
      });
    } finally {
      await portal.deps.database.db.execute(sql`alter table payouts_away rename to payouts`);
    }
  });

  it('count calls to providers and finished jobs', async () => {
    await portal.app.inject('/portal/google_signup');
    await portal.deps.enqueue(portal.deps.database.db, 'clients.enrich', { company_id: randomUUID() });
    await portal.runJobs();
    const calls = await readSamples(portal.app, 'portal_provider_calls_total');
    expect(calls['{provider="google",outcome="2xx"}']).toBeGreaterThan(0);
    const finishedSamples = await readSamples(portal.app, 'portal_jobs_total');
    expect(finishedSamples['{kind="clients.enrich",outcome="completed"}']).toBeGreaterThan(0);
  });
});

describe('the hashes of the audit trail', () => {
  it('have a time of their last write, which a failed write doesn’t change', async () => {
    const metrics = createMetrics();
    const write = (auditHeadsFile: string) => jobHandlers({ ...portal.deps, metrics, auditHeadsFile })['audit.write-heads']({}, RUN);
    const readTime = async () => (await metrics.auditHeadsWritten.get()).values[0]?.value;
    metrics.auditHeadsWritten.set(0);
    await expect(write(join(tmpdir(), 'no-such-folder', 'heads.jsonl'))).rejects.toThrow('ENOENT');
    expect(await readTime()).toBe(0);
    await write(portal.deps.auditHeadsFile);
    expect(await readTime()).toBeGreaterThan(0);
  });
});

describe('changes of operators’ access on the command line', () => {
  it('are counted from the audit trail, because the command isn’t the portal’s process', async () => {
    const read1 = await readSamples(await startInstance(), 'portal_operator_command_line_changes');
    const person = { email: 'new@operators.example', fullName: 'New Person', roles: ['support' as const], privateEmail: null };
    await portal.deps.database.db.transaction((tx) => addOperator(portal.deps, tx, COMMAND_LINE, person));
    const read2 = await readSamples(await startInstance(), 'portal_operator_command_line_changes');
    expect(read2['']).toBe((read1[''] ?? 0) + 1);
  });
});
