/** HMRC as it fails: what each client's state says, what stays to be seen, and that nothing is lost or doubled when it is well again. */
import { SYNC_REASONS, type SyncReason } from '@portal/domain/practice/sync-reasons.ts';
import type { FaultKind } from '@portal/sandbox/simulator/faults.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { realPause } from '../../pause.ts';
import { oaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { expectStaleThenWell, later, syncByHand, withoutWaiting, type SyncByHand } from '../../testing/sync-by-hand.ts';
import { runLane } from './run-sync.ts';

let portal: TestPortal;
let hand: SyncByHand;
beforeAll(async () => {
  portal = await openTestPortal();
  hand = syncByHand(portal);
});
afterAll(() => portal.close());
beforeEach(() => portal.faults.clear());

/** A port of this computer at which nobody listens. */
const NOBODY = 'http://127.0.0.1:9/hmrc';

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
] as const)('%s, where %s fails', (tax, operation) => {
  it.each(FAULTS)('by %s, is %s; the figures of before stay, dated, and it is read later', async (kind, reason) => {
    const practice = await hand.owing(tax);
    await expectStaleThenWell(portal, hand, practice, tax, reason, async () => {
      portal.faults.set({ operation, kind, times: 1_000 });
      return hand.sync(practice, tax);
    });
  });
});

describe('HMRC that', () => {
  it.each(['vat', 'sa'] as const)('cannot be connected to (%s) leaves each client as it was, to be tried again', async (tax) => {
    const practice = await hand.owing(tax);
    await expectStaleThenWell(portal, hand, practice, tax, 'hmrc_unavailable', () =>
      hand.sync(practice, tax, hand.towards({ apiUrl: NOBODY })),
    );
  });

  it.each(['vat', 'sa'] as const)('is slower than anybody waits (%s) leaves each client as it was, to be tried again', async (tax) => {
    const practice = await hand.owing(tax);
    const operation = tax === 'vat' ? 'hmrc.obligations' : 'hmrc.sa_balance';
    await expectStaleThenWell(portal, hand, practice, tax, 'hmrc_unavailable', async () => {
      portal.faults.set({ operation, kind: 'slow', times: 1_000 });
      return hand.sync(practice, tax, hand.towards({ timeoutMs: 20 }));
    });
  });

  it('fails in bursts fails single clients, of whom all are read in the end', async () => {
    const practice = await oaklinePractice(portal, {
      clients: 60,
      passes: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    portal.faults.set({ operation: 'hmrc.liabilities', kind: 'server_error', times: 5 });
    const runId = await hand.sync(practice);
    const states = await hand.statesOf(practice);
    expect(states.filter((state) => state === 'failed: hmrc_unavailable')).toHaveLength(5);
    expect(states.filter((state) => state === 'completed')).toHaveLength(practice.list.length - 5);
    const kept = (await hand.figures(practice)).observations;
    await hand.work(practice, runId, later(portal.deps));
    expect(await hand.findRun(runId)).toMatchObject({
      state: 'completed',
      done: practice.list.length,
      failed: 0,
      total: practice.list.length,
    });
    expect((await hand.figures(practice)).observations).toBe(kept + 5 * 4);
  });

  it('stays away is asked four times more within the quarter of an hour, then left to a person', async () => {
    const practice = await hand.owing();
    await hand.sync(practice);
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'server_error', times: 1_000 });
    const runId = await hand.begin(practice);
    for (const minutes of [0, 1, 3, 8, 19]) {
      expect(await hand.findRun(runId)).toMatchObject({ endedAt: null });
      await hand.work(practice, runId, later(portal.deps, minutes * 60_000));
    }
    expect(await hand.statesOf(practice)).toEqual(['failed: hmrc_unavailable']);
    expect(await hand.findRun(runId)).toMatchObject({ state: 'completed', done: 0, failed: 1 });
    expect((await hand.told(practice)).sync).toMatchObject({ retry_at: null, reason: { code: 'hmrc_unavailable' } });
    portal.faults.clear();
    const { body } = await practice.admin.post('/open-tax/sync/retry', { company_id: practice.companyId, tax_type: 'vat' });
    expect(body).toMatchObject({ queued: 1, joined: false });
    await hand.work(practice, String(body['run_id']));
    expect(await hand.statesOf(practice)).toEqual(['completed']);
  });
});

describe('a client that HMRC did not answer for', () => {
  it('waits while another try is ahead, has failed once it is left to a person, and stays so where a further refresh is stopped', async () => {
    const practice = await oaklinePractice(portal, {
      passes: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    const of = { company_id: practice.companyId, tax_type: 'vat' };
    const many = practice.list.length;
    const look = async () => {
      const { body } = await practice.admin.get('/open-tax/sync-data', of);
      const list = (await practice.admin.get('/open-tax/client-companies', { company_id: practice.companyId })).body['clients'];
      const run = body['run'] as { counts: Record<string, number> };
      return {
        states: body['states'] as Record<string, number>,
        counts: run.counts,
        next: (await hand.told(practice)).sync?.reason?.next,
        attention: new Set((list as { attention: string }[]).map(({ attention }) => attention)),
      };
    };
    const stop = () => practice.admin.post('/open-tax/sync/cancel', of);
    await hand.sync(practice);
    const { attention } = await look();
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'server_error', times: 1_000 });
    await hand.sync(practice);
    expect(await look()).toMatchObject({
      states: { waiting: many, failed: 0 },
      counts: { queued: many, waiting: many, failed: 0 },
      next: 'It is tried again by itself within ten minutes.',
      attention,
    });
    await stop();
    const failed = { states: { waiting: 0, failed: many }, next: 'Refresh again later.', attention: new Set(['sync_failed']) };
    expect(await look()).toMatchObject({ ...failed, counts: { queued: 0, waiting: 0, failed: many } });
    await hand.begin(practice);
    expect((await look()).next).toBeUndefined();
    await stop();
    // Nobody asked HMRC this time: what the reading before came to still stands.
    expect(await look()).toMatchObject({ ...failed, counts: { queued: many, done: 0, failed: 0 } });
  });
});

describe('HMRC’s 429', () => {
  it('with Retry-After lets the whole run wait for so long, and no client fails for it', async () => {
    const practice = await hand.owing();
    portal.faults.set({ operation: 'hmrc.liabilities', kind: 'too_many_later', times: 1 });
    const { deps, waitsMs } = withoutWaiting(portal.deps);
    await hand.sync(practice, 'vat', deps);
    expect(waitsMs).toEqual([3_000]);
    expect(await hand.statesOf(practice)).toEqual(['completed']);
  });

  it('that does not end is told per client with its reason, the figures stay, and it is tried again', async () => {
    const practice = await hand.owing();
    await hand.sync(practice);
    const before = await hand.figures(practice);
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'too_many', times: 1_000 });
    const second = await hand.begin(practice);
    const { deps, waitsMs } = withoutWaiting(portal.deps);
    await hand.work(practice, second, deps);
    expect(await hand.statesOf(practice)).toEqual(['failed: rate_limited']);
    expect(waitsMs).toEqual([2_000, 4_000, 8_000]);
    expect((await hand.told(practice)).sync?.reason).toMatchObject({ sentence: SYNC_REASONS.rate_limited.sentence });
    expect(await hand.figures(practice)).toEqual(before);
    portal.faults.clear();
    await hand.work(practice, second, later(portal.deps));
    expect(await hand.statesOf(practice)).toEqual(['completed']);
  });

  it('and a stop of the server do not wait for each other', async () => {
    const practice = await hand.owing();
    portal.faults.set({ operation: 'hmrc.obligations', kind: 'too_many_later', times: 1_000 });
    const runId = await hand.begin(practice);
    const stopping = new AbortController();
    // An hour, were it not for the stop, which comes once the run waits.
    const pause: AppDeps['pause'] = (_ms, signal) => {
      stopping.abort();
      return realPause(3_600_000, signal);
    };
    await runLane({ ...portal.deps, pause }, { companyId: practice.companyId, runId, lane: 1 }, stopping.signal);
    expect(await hand.statesOf(practice)).toEqual(['checking']);
  });
});
