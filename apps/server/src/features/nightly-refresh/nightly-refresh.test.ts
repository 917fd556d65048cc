/** Tests the nightly refresh: off until an operator confirms HMRC's headers (docs/decisions/0018). */
import { auditEntries, sessions, syncRuns } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { makeOperator } from '../../testing/test-trader.ts';
import { createSyncSteps } from '../../testing/sync-steps.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

describe('the nightly refresh', () => {
  it('starts only at night, after an operator has recorded HMRC’s headers and an admin has switched it on', async () => {
    const steps = createSyncSteps(portal);
    const db = portal.deps.database.db;
    const practice = await steps.addOwingPractice();
    const { companyId } = practice;
    await steps.sync(practice);
    const load = async () => (await practice.admin.get('/open-tax/nightly-refresh', { company_id: companyId })).body;
    const set = (isOn: boolean) => practice.admin.post('/open-tax/nightly-refresh', { company_id: companyId, is_on: isOn });
    const sweep = async () => {
      await portal.deps.enqueue(db, 'nightly-refresh.sweep', {});
      await portal.runJobs();
      return db
        .select()
        .from(syncRuns)
        .where(eq(syncRuns.companyId, companyId))
        .then((runs) => runs.filter(({ startedBy }) => startedBy === null));
    };
    expect(await load()).toEqual({ is_on: false, is_confirmed: false, last_started_at: null });
    const earlyResponse = await set(true);
    expect([earlyResponse.status, earlyResponse.body['code']]).toEqual([409, 'sync.nightly_not_confirmed']);
    const feedbackInput = { headers: ['Gov-Client-Connection-Method', 'Gov-Vendor-Version'], note: 'HMRC ticket 4711 of 3 November 2026' };
    expect((await practice.admin.post('/operator/batch-headers', feedbackInput)).status).toBe(404);
    await makeOperator(portal, practice.memberId);
    await db.update(sessions).set({ factorAt: portal.deps.wallClock.now() }).where(eq(sessions.userId, practice.memberId));
    expect((await practice.member.post('/operator/batch-headers', { ...feedbackInput, note: 'yes' })).status).toBe(400);
    expect((await practice.member.post('/operator/batch-headers', feedbackInput)).status).toBe(200);
    expect((await practice.member.get('/operator/batch-headers', {})).body).toMatchObject({ confirmation: feedbackInput });
    portal.moveClock('2026-11-12T02:30:00.000Z');
    // Confirmed, but the practice has not switched it on.
    expect(await sweep()).toEqual([]);
    expect((await set(true)).status).toBe(200);
    portal.moveClock('2026-11-12T12:30:00.000Z');
    expect(await sweep()).toEqual([]);
    portal.moveClock('2026-11-13T02:30:00.000Z');
    expect(await sweep()).toMatchObject([{ tax: 'vat', state: 'completed', done: 1 }]);
    // Only once per night.
    expect(await sweep()).toHaveLength(1);
    const call = portal.hmrc.listCalls(1)[0];
    expect(call?.fraudHeaders).toMatchObject({ 'gov-client-connection-method': 'BATCH_PROCESS_DIRECT' });
    expect(Object.keys(call?.fraudHeaders ?? {}).toSorted()).toEqual(['gov-client-connection-method', 'gov-vendor-version']);
    const [startEntry] = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.actor, 'schedule')));
    expect(startEntry).toMatchObject({ action: 'sync.started', after: { tax: 'vat', queued: 1 } });
    // Withdrawn: nothing is read from the next night on.
    await practice.member.post('/operator/batch-headers', { headers: [], note: 'HMRC ticket 4711: withdrawn' });
    expect(await load()).toMatchObject({ is_on: true, is_confirmed: false });
    portal.moveClock('2026-11-14T02:30:00.000Z');
    expect(await sweep()).toHaveLength(1);
  });
});
