/** Tests HMRC failures: each client's state, figures that stay available, and no loss or duplication after recovery. */
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import type { FaultKind } from '@portal/sandbox/simulator/faults.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { pauseWithTimer } from '../../pause.ts';
import { createOaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { expectStaleThenRecovered, moveClockLater, createSyncSteps, skipWaiting, type SyncSteps } from '../../testing/sync-steps.ts';
import { runSyncWorker } from './run-sync-worker.ts';

let portal: TestPortal;
let driver: SyncSteps;
beforeAll(async () => {
  portal = await openTestPortal();
  driver = createSyncSteps(portal);
});
afterAll(() => portal.close());
beforeEach(() => portal.faults.clear());

/** A local port with no listener. */
const UNREACHABLE_URL = 'http://127.0.0.1:9/hmrc';

const FAULTS: readonly (readonly [FaultKind, SyncReason])[] = [
  ['server_error', 'hmrc_unavailable'],
  ['timeout_after_work', 'hmrc_unavailable'],
  ['cut_off', 'hmrc_unavailable'],
  ['malformed_body', 'malformed_answer'],
  ['html_page', 'malformed_answer'],
  ['wrong_types', 'malformed_answer'],
  ['missing_fields', 'malformed_answer'],
];

describe.each([
  ['vat', 'hmrc.obligations'],
  ['vat', 'hmrc.liabilities'],
  ['sa', 'hmrc.sa_declarations'],
] as const)('%s refresh when %s fails', (tax, operation) => {
  it.each(FAULTS)('with %s reports %s, keeps the dated figures and retries later', async (kind, reason) => {
    const practice = await driver.addOwingPractice(tax);
    await expectStaleThenRecovered(portal, driver, practice, tax, reason, async () => {
      portal.faults.set({ operation, kind, times: 1_000 });
      return driver.sync(practice, tax);
    });
  });
});

describe('when HMRC', () => {
  it.each(['vat', 'sa'] as const)('is unreachable (%s), clients keep their figures and are retried', async (tax) => {
    const practice = await driver.addOwingPractice(tax);
    await expectStaleThenRecovered(portal, driver, practice, tax, 'hmrc_unavailable', () =>
      driver.sync(practice, tax, driver.withHmrcOptions({ apiUrl: UNREACHABLE_URL })),
    );
  });

  it.each(['vat', 'sa'] as const)('exceeds the timeout (%s), clients keep their figures and are retried', async (tax) => {
    const practice = await driver.addOwingPractice(tax);
    const operation = tax === 'vat' ? 'hmrc.obligations' : 'hmrc.sa_balance';
    await expectStaleThenRecovered(portal, driver, practice, tax, 'hmrc_unavailable', async () => {
      portal.faults.set({ operation, kind: 'slow', times: 1_000 });
      return driver.sync(practice, tax, driver.withHmrcOptions({ timeoutMs: 20 }));
    });
  });

  it('fails for some calls, only those clients fail and all are read in the end', async () => {
    const practice = await createOaklinePractice(portal, {
      clients: 60,
      isIncluded: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    portal.faults.set({ operation: 'hmrc.liabilities', kind: 'server_error', times: 5 });
    const runId = await driver.sync(practice);
    const states = await driver.readStates(practice);
    expect(states.filter((state) => state === 'failed: hmrc_unavailable')).toHaveLength(5);
    expect(states.filter((state) => state === 'completed')).toHaveLength(practice.list.length - 5);
    const countBefore = (await driver.figures(practice)).observations;
    await driver.work(practice, runId, moveClockLater(portal.deps));
    expect(await driver.findRun(runId)).toMatchObject({
      state: 'completed',
      done: practice.list.length,
      failed: 0,
      total: practice.list.length,
    });
    expect((await driver.figures(practice)).observations).toBe(countBefore + 5 * 4);
  });

  it('stays unavailable, a client is retried four times within about 15 minutes and then left to the user', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'server_error', times: 1_000 });
    const runId = await driver.start(practice);
    for (const minutes of [0, 1, 3, 8, 19]) {
      expect(await driver.findRun(runId)).toMatchObject({ endedAt: null });
      await driver.work(practice, runId, moveClockLater(portal.deps, minutes * 60_000));
    }
    expect(await driver.readStates(practice)).toEqual(['failed: hmrc_unavailable']);
    expect(await driver.findRun(runId)).toMatchObject({ state: 'completed', done: 0, failed: 1 });
    expect((await driver.readSyncView(practice)).sync).toMatchObject({ retry_at: null, reason: { code: 'hmrc_unavailable' } });
    portal.faults.clear();
    const { body } = await practice.admin.post('/open-tax/sync/retry', { company_id: practice.companyId, tax_type: 'vat' });
    expect(body).toMatchObject({ queued: 1, joined: false });
    await driver.work(practice, String(body['run_id']));
    expect(await driver.readStates(practice)).toEqual(['completed']);
  });
});

describe('a client whose reading failed at HMRC', () => {
  it('waits while a retry is due, then counts as failed, and stays failed when a later refresh is cancelled', async () => {
    const practice = await createOaklinePractice(portal, {
      isIncluded: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    const params = { company_id: practice.companyId, tax_type: 'vat' };
    const clientCount = practice.list.length;
    const loadState = async () => {
      const { body } = await practice.admin.get('/open-tax/sync-data', params);
      const list = (await practice.admin.get('/open-tax/client-companies', { company_id: practice.companyId })).body['clients'];
      const run = body['run'] as { counts: Record<string, number> };
      return {
        states: body['states'] as Record<string, number>,
        counts: run.counts,
        next: (await driver.readSyncView(practice)).sync?.reason?.next,
        attention: new Set((list as { attention: string }[]).map(({ attention }) => attention)),
      };
    };
    const stop = () => practice.admin.post('/open-tax/sync/cancel', params);
    await driver.sync(practice);
    const { attention } = await loadState();
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'server_error', times: 1_000 });
    await driver.sync(practice);
    expect(await loadState()).toMatchObject({
      states: { waiting: clientCount, failed: 0 },
      counts: { queued: clientCount, waiting: clientCount, failed: 0 },
      next: 'We’ll try again automatically within ten minutes.',
      attention,
    });
    await stop();
    const failed = { states: { waiting: 0, failed: clientCount }, next: 'Try again later.', attention: new Set(['sync_failed']) };
    expect(await loadState()).toMatchObject({ ...failed, counts: { queued: 0, waiting: 0, failed: clientCount } });
    await driver.start(practice);
    expect((await loadState()).next).toBeUndefined();
    await stop();
    // HMRC wasn't called this time, so the result of the earlier reading is kept.
    expect(await loadState()).toMatchObject({ ...failed, counts: { queued: clientCount, done: 0, failed: 0 } });
  });
});

describe('an HMRC 429 response', () => {
  it('with Retry-After pauses the whole run without failing a client', async () => {
    const practice = await driver.addOwingPractice();
    portal.faults.set({ operation: 'hmrc.liabilities', kind: 'too_many_later', times: 1 });
    const { deps, waitsMs } = skipWaiting(portal.deps);
    await driver.sync(practice, 'vat', deps);
    expect(waitsMs).toEqual([3_000]);
    expect(await driver.readStates(practice)).toEqual(['completed']);
  });

  it('to every second call fails no client, repeats only the rejected calls and waits shortly', async () => {
    const practice = await createOaklinePractice(portal, {
      clients: 60,
      isIncluded: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    const before = portal.hmrc.readStatistics().calls;
    const undisturbedPractice = await createOaklinePractice(portal, {
      clients: 60,
      isIncluded: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    await driver.sync(undisturbedPractice);
    const callsNeeded = portal.hmrc.readStatistics().calls - before;
    for (const operation of ['hmrc.obligations', 'hmrc.liabilities', 'hmrc.payments', 'hmrc.penalties'])
      portal.faults.set({ operation, kind: 'too_many', times: 10_000, every: 2 });
    const { deps, waitsMs } = skipWaiting(portal.deps);
    const callsBefore = portal.hmrc.readStatistics().calls;
    const runId = await driver.sync(practice, 'vat', deps);
    expect(new Set(await driver.readStates(practice))).toEqual(new Set(['completed']));
    const run = await driver.findRun(runId);
    expect(run).toMatchObject({ state: 'completed', done: practice.list.length, failed: 0 });
    const rejectedCount = run?.throttled ?? 0;
    expect(rejectedCount).toBeGreaterThan(practice.list.length);
    // Only the rejected calls are repeated: calls that HMRC has accepted aren't made again.
    expect(portal.hmrc.readStatistics().calls - callsBefore).toBeLessThanOrEqual(callsNeeded + rejectedCount);
    // Both readers count towards the simulator's limit, so a call is sometimes rejected twice in a row.
    expect(waitsMs.reduce((sum, ms) => sum + ms, 0) / rejectedCount).toBeLessThan(2_000);
    expect(waitsMs).toHaveLength(rejectedCount);
  });

  it('that persists fails no client: the run says that it waits, keeps the figures and continues', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    const before = await driver.figures(practice);
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'too_many', times: 1_000 });
    const second = await driver.start(practice);
    const { deps, waitsMs } = skipWaiting(portal.deps);
    await driver.work(practice, second, deps);
    expect(await driver.readStates(practice)).toEqual(['checking']);
    expect(waitsMs).toEqual([1_000, 2_000, 4_000, 8_000]);
    const params = { company_id: practice.companyId, tax_type: 'vat' };
    const { body } = await practice.admin.get('/open-tax/refreshing-clients', params);
    expect(body).toMatchObject({ is_refreshing: true, run: { is_throttled: true, counts: { failed: 0, queued: 1, throttled: 5 } } });
    expect((await driver.readSyncView(practice)).sync?.reason).toBeNull();
    expect(await driver.figures(practice)).toEqual(before);
    portal.faults.clear();
    await driver.work(practice, second, moveClockLater(portal.deps));
    expect(await driver.readStates(practice)).toEqual(['completed']);
    expect(await driver.findRun(second)).toMatchObject({ state: 'completed', done: 1, failed: 0 });
  });

  it('that lasts a quarter of an hour ends the run, which says so and leaves the clients as they were', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'too_many', times: 1_000 });
    const runId = await driver.start(practice);
    const { deps } = skipWaiting(portal.deps);
    const clock = { ...deps.clock, now: () => addMilliseconds(portal.deps.clock.now(), 16 * 60_000) };
    await driver.work(practice, runId, { ...deps, clock });
    expect(await driver.findRun(runId)).toMatchObject({ state: 'failed', reason: 'rate_limited', done: 0, failed: 0 });
    expect(await driver.readStates(practice)).toEqual(['completed']);
  });

  it('does not delay a server shutdown', async () => {
    const practice = await driver.addOwingPractice();
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'too_many_later', times: 1_000 });
    const runId = await driver.start(practice);
    const stopping = new AbortController();
    // The pause would last an hour without the shutdown, which begins once the run is waiting.
    const pause: AppDeps['pause'] = (_ms, signal) => {
      stopping.abort();
      return pauseWithTimer(3_600_000, signal);
    };
    await runSyncWorker({ ...portal.deps, pause }, { companyId: practice.companyId, runId, workerNumber: 1 }, stopping.signal);
    expect(await driver.readStates(practice)).toEqual(['checking']);
  });
});
