/**
 * Tests authorisations and connections that end, and clocks that differ: each client's state, figures that stay available, and no loss or
 * duplication.
 */
import { clientObservations, hmrcConnections } from '@portal/db/schema/schema.ts';
import { createClock } from '@portal/domain/clock.ts';
import { SYNC_REASONS } from '@portal/domain/sync/sync-reasons.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOaklinePractice, getAgentTokens, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { expectStaleThenRecovered, moveClockLater, createSyncSteps, skipWaiting, type SyncSteps } from '../../testing/sync-steps.ts';
import { runSyncWorker } from './run-sync-worker.ts';
import { sealTokens } from '../hmrc-connection/seal-tokens.ts';

let portal: TestPortal;
let driver: SyncSteps;
beforeAll(async () => {
  portal = await openTestPortal();
  driver = createSyncSteps(portal);
});
afterAll(() => portal.close());
beforeEach(() => portal.faults.clear());

describe('an authorisation', () => {
  it('revoked by one client is reported for that client only, and its dated figures stay', async () => {
    const practice = await createOaklinePractice(portal, {
      clients: 40,
      // Situations that no other test uses, because revoking at the simulator is permanent.
      isIncluded: ({ situation }) => situation === 'refund_coming' || situation === 'refund_suspended',
    });
    await driver.sync(practice);
    const [before, previous] = [await driver.figures(practice), await driver.readSyncView(practice)];
    const [first] = practice.list;
    expect(portal.agents.revoke(OAKLINE.arn, 'MTD-VAT', first?.client.vat?.vrn ?? '')).toBe(true);
    const runId = await driver.sync(practice);
    expect((await driver.readStates(practice)).toSorted()).toEqual([
      ...practice.list.slice(1).map(() => 'completed'),
      'failed: authorisation_revoked',
    ]);
    const now = await driver.readSyncView(practice);
    expect(now.sync).toMatchObject({
      read_at: previous.sync?.read_at,
      retry_at: null,
      reason: { sentence: SYNC_REASONS.authorisation_revoked.sentence, next: SYNC_REASONS.authorisation_revoked.next },
    });
    expect(now.figures).toEqual({ ...previous.figures, figures_state: 'stale', refresh_failed: true });
    expect((await driver.figures(practice)).observations).toBe(before.observations);
    expect(await driver.findRun(runId)).toMatchObject({ state: 'completed', failed: 1 });
  });

  it('lost for the whole practice ends the run with a reason, keeps all figures, and can be renewed', async () => {
    const practice = await createOaklinePractice(portal, {
      isIncluded: ({ situation }) => situation === 'overdue_payment' || situation === 'due_soon',
    });
    await driver.sync(practice);
    const [before, previous] = [await driver.figures(practice), await driver.readSyncView(practice)];
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    const runId = await driver.sync(practice);
    expect(await driver.findRun(runId)).toMatchObject({ state: 'failed', reason: 'connection_ended' });
    const query = { company_id: practice.companyId, tax_type: 'vat' };
    expect((await practice.admin.get('/open-tax/connection-status', query)).body).toMatchObject({
      connection: { status: 'lapsed' },
      can_refresh: false,
    });
    expect((await practice.admin.get('/open-tax/refreshing-clients', query)).body).toMatchObject({
      is_refreshing: false,
      run: { state: 'failed', reason: { sentence: SYNC_REASONS.connection_ended.sentence } },
    });
    const now = await driver.readSyncView(practice);
    expect(now.sync?.read_at).toBe(previous.sync?.read_at);
    expect(now.figures).toEqual(previous.figures);
    expect(await driver.figures(practice)).toEqual(before);
    await reconnect(practice);
    await driver.sync(practice);
    expect(new Set(await driver.readStates(practice))).toEqual(new Set(['completed']));
    expect((await driver.figures(practice)).observations).toBe(before.observations);
  });
});

async function reconnect({ companyId }: OaklinePractice): Promise<void> {
  await portal.deps.database.db
    .update(hmrcConnections)
    .set({ status: 'connected', ...sealTokens(portal.deps, companyId, await getAgentTokens(portal)) })
    .where(eq(hmrcConnections.companyId, companyId));
}

/** Figures without the columns that record how fresh they are. */
function omitFreshness({ observations, positions, rows }: Awaited<ReturnType<SyncSteps['figures']>>) {
  const stripFreshness = <Row extends { refreshFailed: boolean; staleOn: unknown }>({
    refreshFailed: _refreshFailed,
    staleOn: _staleOn,
    ...rest
  }: Row) => rest;
  return { observations, positions: positions.map(stripFreshness), rows: rows.map(stripFreshness) };
}

describe('refreshing the access token', () => {
  const makeTokenStale = async (practice: OaklinePractice) => {
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ accessToken: portal.deps.tokenCipher.seal('stale', `hmrc_access_token:${practice.companyId}`) })
      .where(eq(hmrcConnections.companyId, practice.companyId));
  };

  it('fails the remaining clients while HMRC is unavailable, and they are retried', async () => {
    const practice = await driver.addOwingPractice();
    await expectStaleThenRecovered(portal, driver, practice, 'vat', 'hmrc_unavailable', async () => {
      await makeTokenStale(practice);
      portal.faults.set({ operation: 'hmrc.token', kind: 'server_error', times: 1_000 });
      return driver.sync(practice);
    });
  });

  it('pauses the whole run when HMRC throttles it, without failing a client', async () => {
    const practice = await driver.addOwingPractice();
    await makeTokenStale(practice);
    portal.faults.set({ operation: 'hmrc.token', kind: 'too_many_later', times: 1 });
    const { deps, waitsMs } = skipWaiting(portal.deps);
    const runId = await driver.sync(practice, 'vat', deps);
    expect(waitsMs).toEqual([3_000]);
    expect(await driver.readStates(practice)).toEqual(['completed']);
    expect(await driver.findRun(runId)).toMatchObject({ state: 'completed', failed: 0 });
  });

  it('ends the run and asks the practice to reconnect when the response is lost', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    const before = await driver.figures(practice);
    await makeTokenStale(practice);
    portal.faults.set({ operation: 'hmrc.token', kind: 'timeout_after_work', times: 1 });
    const runId = await driver.sync(practice);
    await driver.work(practice, runId, moveClockLater(portal.deps));
    expect(await driver.findRun(runId)).toMatchObject({ state: 'failed', reason: 'connection_ended' });
    const after = await driver.figures(practice);
    expect(omitFreshness(after)).toEqual(omitFreshness(before));
    // The list shows that the last reading failed, just as rebuilding the figures would.
    expect(after.rows).toMatchObject([{ refreshFailed: true }]);
  });

  it('waits for another instance that died while refreshing, then reports HMRC as unavailable', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    await makeTokenStale(practice);
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ refreshLeaseUntil: createClock(() => Date.now() + 3_600_000).now() })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    const { deps, waitsMs } = skipWaiting(portal.deps);
    await driver.sync(practice, 'vat', deps);
    expect(await driver.readStates(practice)).toEqual(['failed: hmrc_unavailable']);
    expect(waitsMs.reduce((sum, ms) => sum + ms, 0)).toBe(20_000);
  });
});

describe('clocks that differ', () => {
  it('by an hour between us and HMRC cost one more token refresh and fail no client', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    // By our clock, the token is valid for hours, but HMRC rejects it.
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ accessToken: portal.deps.tokenCipher.seal('dead at HMRC already', `hmrc_access_token:${practice.companyId}`) })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    const { refreshed } = portal.hmrc.readStatistics();
    await driver.sync(practice);
    expect(portal.hmrc.readStatistics().refreshed - refreshed).toBe(1);
    // By our clock, the token has expired, but HMRC would still accept it.
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ accessExpiresAt: createClock(() => Date.parse('2026-11-10T08:00:00.000Z')).now() })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    await driver.sync(practice);
    expect(portal.hmrc.readStatistics().refreshed - refreshed).toBe(2);
    expect(await driver.readStates(practice)).toEqual(['completed']);
  });

  it.each([-3_600_000, 600_000])('by %d ms between two instances lose and duplicate nothing', async (skewMs) => {
    const practice = await createOaklinePractice(portal, {
      clients: 40,
      isIncluded: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    const runId = await driver.start(practice);
    const runKey = { companyId: practice.companyId, runId };
    const signal = new AbortController().signal;
    await Promise.all([
      runSyncWorker(portal.deps, { ...runKey, workerNumber: 1 }, signal),
      runSyncWorker(moveClockLater(portal.deps, skewMs), { ...runKey, workerNumber: 2 }, signal),
    ]);
    // The next worker finishes the clients that one worker had taken over from another.
    await driver.work(practice, runId, moveClockLater(portal.deps));
    expect(new Set(await driver.readStates(practice))).toEqual(new Set(['completed']));
    expect(await driver.findRun(runId)).toMatchObject({
      state: 'completed',
      done: practice.list.length,
      total: practice.list.length,
      failed: 0,
    });
    expect((await driver.figures(practice)).observations).toBe(4 * practice.list.length);
  });

  it('because the sandbox clock was set back still treat the latest reading as the newest', async () => {
    const practice = await driver.addOwingPractice();
    await driver.sync(practice);
    portal.moveClock('2026-11-09T09:00:00.000Z');
    try {
      portal.faults.clear();
      await driver.sync(practice);
      expect(await driver.readStates(practice)).toEqual(['completed']);
      const rows = await portal.deps.database.db
        .select()
        .from(clientObservations)
        .where(eq(clientObservations.companyId, practice.companyId));
      const rowsByKind = Map.groupBy(rows, ({ kind, bodyHash }) => `${kind} ${bodyHash}`);
      expect([...rowsByKind.values()].every((list) => list.length === 1)).toBe(true);
    } finally {
      portal.moveClock('2026-11-10T10:00:00.000Z');
    }
  });
});
