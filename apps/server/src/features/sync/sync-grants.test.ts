/** Authority and grant as they end, and clocks that differ: what each client's state says, what stays to be seen, and that nothing is lost or doubled. */
import { clientObservations, hmrcConnections } from '@portal/db/schema/schema.ts';
import { clockFrom } from '@portal/domain/clock.ts';
import { SYNC_REASONS } from '@portal/domain/practice/sync-reasons.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentTokens, oaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
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

describe('authority', () => {
  it('that one client takes back is told of that client alone; its figures stay, dated', async () => {
    const practice = await oaklinePractice(portal, {
      clients: 40,
      // Nobody else's: what a client takes back at the double stays taken back.
      passes: ({ situation }) => situation === 'refund_coming' || situation === 'refund_suspended',
    });
    await hand.sync(practice);
    const [before, was] = [await hand.figures(practice), await hand.told(practice)];
    const [first] = practice.list;
    expect(portal.agents.revoke(OAKLINE.arn, 'MTD-VAT', first?.client.vat?.vrn ?? '')).toBe(true);
    const runId = await hand.sync(practice);
    expect((await hand.statesOf(practice)).toSorted()).toEqual([
      ...practice.list.slice(1).map(() => 'completed'),
      'failed: authorisation_revoked',
    ]);
    const now = await hand.told(practice);
    expect(now.sync).toMatchObject({
      read_at: was.sync?.read_at,
      retry_at: null,
      reason: { sentence: SYNC_REASONS.authorisation_revoked.sentence, next: SYNC_REASONS.authorisation_revoked.next },
    });
    expect(now.figures).toEqual(was.figures);
    expect((await hand.figures(practice)).observations).toBe(before.observations);
    expect(await hand.findRun(runId)).toMatchObject({ state: 'completed', failed: 1 });
  });

  it('that the whole practice has lost ends the run with its reason; all figures stay, dated, and a new grant reads them again', async () => {
    const practice = await oaklinePractice(portal, {
      passes: ({ situation }) => situation === 'overdue_payment' || situation === 'due_soon',
    });
    await hand.sync(practice);
    const [before, was] = [await hand.figures(practice), await hand.told(practice)];
    portal.hmrc.revokeGrant(OAKLINE.hmrcUserId);
    const runId = await hand.sync(practice);
    expect(await hand.findRun(runId)).toMatchObject({ state: 'failed', reason: 'connection_ended' });
    const query = { company_id: practice.companyId, tax_type: 'vat' };
    expect((await practice.admin.get('/open-tax/connection-status', query)).body).toMatchObject({
      connection: { status: 'lapsed' },
      can_refresh: false,
    });
    expect((await practice.admin.get('/open-tax/refreshing-clients', query)).body).toMatchObject({
      is_refreshing: false,
      run: { state: 'failed', reason: { sentence: SYNC_REASONS.connection_ended.sentence } },
    });
    const now = await hand.told(practice);
    expect(now.sync?.read_at).toBe(was.sync?.read_at);
    expect(now.figures).toEqual(was.figures);
    expect(await hand.figures(practice)).toEqual(before);
    await reconnect(practice);
    await hand.sync(practice);
    expect(new Set(await hand.statesOf(practice))).toEqual(new Set(['completed']));
    expect((await hand.figures(practice)).observations).toBe(before.observations);
  });
});

async function reconnect({ companyId }: OaklinePractice): Promise<void> {
  const { accessToken, refreshToken } = await agentTokens(portal);
  const { tokenCipher } = portal.deps;
  await portal.deps.database.db
    .update(hmrcConnections)
    .set({ status: 'connected', accessToken: tokenCipher.seal(accessToken), refreshToken: tokenCipher.seal(refreshToken) })
    .where(eq(hmrcConnections.companyId, companyId));
}

describe('the renewal of the grant', () => {
  const spoilt = async (practice: OaklinePractice) => {
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ accessToken: portal.deps.tokenCipher.seal('stale') })
      .where(eq(hmrcConnections.companyId, practice.companyId));
  };

  it('that HMRC cannot do now fails the clients in hand, and is done later', async () => {
    const practice = await hand.owing();
    await expectStaleThenWell(portal, hand, practice, 'vat', 'hmrc_unavailable', async () => {
      await spoilt(practice);
      portal.faults.set({ operation: 'hmrc.token', kind: 'server_error', times: 1_000 });
      return hand.sync(practice);
    });
  });

  it('that HMRC is too busy for lets the whole run wait, and no client fails for it', async () => {
    const practice = await hand.owing();
    await spoilt(practice);
    portal.faults.set({ operation: 'hmrc.token', kind: 'too_many_later', times: 1 });
    const { deps, waitsMs } = withoutWaiting(portal.deps);
    const runId = await hand.sync(practice, 'vat', deps);
    expect(waitsMs).toEqual([3_000]);
    expect(await hand.statesOf(practice)).toEqual(['completed']);
    expect(await hand.findRun(runId)).toMatchObject({ state: 'completed', failed: 0 });
  });

  it('whose answer is lost leaves a spent token: the run ends and says that the practice must connect again', async () => {
    const practice = await hand.owing();
    await hand.sync(practice);
    const before = await hand.figures(practice);
    await spoilt(practice);
    portal.faults.set({ operation: 'hmrc.token', kind: 'timeout_after_work', times: 1 });
    const runId = await hand.sync(practice);
    await hand.work(practice, runId, later(portal.deps));
    expect(await hand.findRun(runId)).toMatchObject({ state: 'failed', reason: 'connection_ended' });
    expect(await hand.figures(practice)).toEqual(before);
  });

  it('that another instance died over is waited for, and named as HMRC’s absence where it lasts', async () => {
    const practice = await hand.owing();
    await hand.sync(practice);
    await spoilt(practice);
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ refreshLeaseUntil: clockFrom(() => Date.now() + 3_600_000).now() })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    const { deps, waitsMs } = withoutWaiting(portal.deps);
    await hand.sync(practice, 'vat', deps);
    expect(await hand.statesOf(practice)).toEqual(['failed: hmrc_unavailable']);
    expect(waitsMs.reduce((sum, ms) => sum + ms, 0)).toBe(20_000);
  });
});

describe('clocks that differ', () => {
  it('by an hour between us and HMRC cost one more renewal at most, and no client', async () => {
    const practice = await hand.owing();
    await hand.sync(practice);
    // We think that the token lives for hours; HMRC calls it dead.
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ accessToken: portal.deps.tokenCipher.seal('dead at HMRC already') })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    const { refreshed } = portal.hmrc.readStatistics();
    await hand.sync(practice);
    expect(portal.hmrc.readStatistics().refreshed - refreshed).toBe(1);
    // We think that it is dead; HMRC would still take it.
    await portal.deps.database.db
      .update(hmrcConnections)
      .set({ accessExpiresAt: clockFrom(() => Date.parse('2026-11-10T08:00:00.000Z')).now() })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    await hand.sync(practice);
    expect(portal.hmrc.readStatistics().refreshed - refreshed).toBe(2);
    expect(await hand.statesOf(practice)).toEqual(['completed']);
  });

  it.each([-3_600_000, 600_000])('by %d ms between two instances lose and double nothing', async (skewMs) => {
    const practice = await oaklinePractice(portal, {
      clients: 40,
      passes: ({ taxes, situation }) => taxes.includes('vat') && situation === 'up_to_date',
    });
    const runId = await hand.begin(practice);
    const of = { companyId: practice.companyId, runId };
    const signal = new AbortController().signal;
    await Promise.all([runLane(portal.deps, { ...of, lane: 1 }, signal), runLane(later(portal.deps, skewMs), { ...of, lane: 2 }, signal)]);
    // What one took out of the other's hand is finished by the next slice.
    await hand.work(practice, runId, later(portal.deps));
    expect(new Set(await hand.statesOf(practice))).toEqual(new Set(['completed']));
    expect(await hand.findRun(runId)).toMatchObject({
      state: 'completed',
      done: practice.list.length,
      total: practice.list.length,
      failed: 0,
    });
    expect((await hand.figures(practice)).observations).toBe(4 * practice.list.length);
  });

  it('because the day was put back keep the newest reading the newest', async () => {
    const practice = await hand.owing();
    await hand.sync(practice);
    portal.moveClock('2026-11-09T09:00:00.000Z');
    try {
      portal.faults.clear();
      await hand.sync(practice);
      expect(await hand.statesOf(practice)).toEqual(['completed']);
      const rows = await portal.deps.database.db
        .select()
        .from(clientObservations)
        .where(eq(clientObservations.companyId, practice.companyId));
      const byKind = Map.groupBy(rows, ({ kind, bodyHash }) => `${kind} ${bodyHash}`);
      expect([...byKind.values()].every((list) => list.length === 1)).toBe(true);
    } finally {
      portal.moveClock('2026-11-10T10:00:00.000Z');
    }
  });
});
