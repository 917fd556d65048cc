/** Tests which clients are refreshed once a practice's trial has ended, with HMRC's simulator over real HTTP. */
import { clientSyncs, practices, selectedConnections, subscriptions, syncRuns } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { ZERO } from '@portal/domain/money.ts';
import { addDays, plainDate } from '@portal/domain/plain-date.ts';
import { buildBatchHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPriceList } from '../../testing/add-price-list.ts';
import { createOaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runSyncWorker } from '../sync/run-sync-worker.ts';
import { startNightlySync } from '../sync/start-sync.ts';
import { noticeTrialEnds } from './notice-trial-end.ts';

const START_TIME = '2026-11-10T09:00:00.000Z';
const TODAY = plainDate('2026-11-10');
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: START_TIME });
  await addPriceList(portal);
});
afterAll(() => portal.close());
beforeEach(() => portal.moveClock(START_TIME));

const BATCH_HEADERS = buildBatchHeaders({ productName: 'Tidewater', publicIp: '198.51.100.7', version: '1' }, []);
const getDb = () => portal.deps.database.db;
const endTrial = (practice: OaklinePractice, trialEndsOn = TODAY) =>
  getDb().update(practices).set({ trialEndsOn }).where(eq(practices.companyId, practice.companyId));

/** A practice whose VAT clients have been read once; those that HMRC lets it read are linked. */
async function addReadPractice(): Promise<OaklinePractice> {
  const practice = await createOaklinePractice(portal, { isIncluded: ({ taxes }) => taxes.includes('vat') });
  expect(await listRefreshed(practice)).toHaveLength(practice.list.length);
  return practice;
}

const refresh = (practice: OaklinePractice) => practice.admin.post('/open-tax/sync', { company_id: practice.companyId, tax_type: 'vat' });

/** Refreshes all clients, and returns the situations of those that were read. */
async function listRefreshed(practice: OaklinePractice): Promise<string[]> {
  const { status, body } = await refresh(practice);
  expect(status, JSON.stringify(body)).toBe(200);
  return finishRun(practice);
}

async function finishRun({ companyId, list }: OaklinePractice): Promise<string[]> {
  const [run] = await getDb()
    .select({ id: syncRuns.id })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.state, 'checking')));
  if (!run) return [];
  await runSyncWorker(portal.deps, { companyId, runId: run.id, workerNumber: 1 }, new AbortController().signal);
  const rows = await getDb()
    .select({ clientId: clientSyncs.clientId })
    .from(clientSyncs)
    .where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.runId, run.id)));
  return rows.map(({ clientId }) => list.find(({ id }) => id === clientId)?.client.situation ?? '').toSorted();
}

const select = (practice: OaklinePractice, situations: readonly Parameters<OaklinePractice['getClientId']>[0][]) =>
  practice.admin.post('/open-tax/pricing-connections', {
    company_id: practice.companyId,
    selected: true,
    connections: situations.map((situation) => ({ client_id: practice.getClientId(situation), tax: 'vat' })),
  });

const readNotice = async ({ admin, companyId }: OaklinePractice) =>
  (await admin.get('/open-tax/billing/notice', { company_id: companyId })).body['trial'];

/** HMRC doesn't let the practice read these, so they aren't linked, and a reading shows whether that has changed. */
const UNLINKED = ['authority_revoked', 'insolvent', 'link_sent', 'never_authorised'];

/** Takes places of the plan with other selected connections, which aren't read from HMRC. */
async function takePlaces(practice: OaklinePractice, places: number): Promise<void> {
  const rows = practice.list
    .slice(0, places)
    .map(({ id: clientId }) => ({ companyId: practice.companyId, clientId, tax: 'paye' as const, linked: true }));
  expect(rows).toHaveLength(places);
  await getDb()
    .insert(selectedConnections)
    .values(rows.map((row) => ({ ...row, selectedAt: portal.deps.clock.now() })));
  portal.moveClock('2026-11-10T09:05:00.000Z');
}

/** The free tier of the sandbox's price list. */
const FREE = 10;

describe('after the trial', () => {
  it('the connections selected first are refreshed, as many as are free or paid for, and those that aren’t linked yet', async () => {
    const practice = await addReadPractice();
    const { companyId, adminId } = practice;
    await endTrial(practice);
    await takePlaces(practice, FREE - 1);
    expect((await select(practice, ['up_to_date'])).status).toBe(200);
    portal.moveClock('2026-11-10T09:10:00.000Z');
    await select(practice, ['overdue_return']);
    expect(await listRefreshed(practice)).toEqual([...UNLINKED, 'up_to_date'].toSorted());
    const prices = { priceListVersion: 1, netPence: ZERO, amountDuePence: ZERO };
    const createdAt = portal.deps.clock.now();
    const subscription = { companyId, id: companyId, orderedBy: adminId, createdAt, subscribedOn: TODAY, connections: FREE + 1, ...prices };
    await getDb()
      .insert(subscriptions)
      .values({ ...subscription, status: 'active' });
    expect(await listRefreshed(practice)).toEqual([...UNLINKED, 'overdue_return', 'up_to_date'].toSorted());
  });

  it('a practice with few connections needn’t select any', async () => {
    const practice = await addReadPractice();
    await endTrial(practice);
    expect(await listRefreshed(practice)).toHaveLength(practice.list.length);
  });

  it('a client outside the plan is refused with the reason, and its figures stay', async () => {
    const practice = await addReadPractice();
    await endTrial(practice);
    await takePlaces(practice, FREE);
    const response = await practice.admin.post('/open-tax/sync', {
      company_id: practice.companyId,
      tax_type: 'vat',
      client_ids: [practice.getClientId('up_to_date')],
    });
    expect(response).toMatchObject({ status: 409, body: { code: 'billing.not_in_plan' } });
    const [sync] = await getDb()
      .select({ state: clientSyncs.state })
      .from(clientSyncs)
      .where(eq(clientSyncs.clientId, practice.getClientId('up_to_date')));
    expect(sync?.state).toBe('completed');
  });

  it('a second press while a refresh is running joins it, although some clients are outside the plan', async () => {
    const practice = await addReadPractice();
    await endTrial(practice);
    await takePlaces(practice, FREE);
    const first = await refresh(practice);
    expect(first.body).toMatchObject({ queued: UNLINKED.length, joined: false });
    expect((await refresh(practice)).body).toEqual({ run_id: first.body['run_id'], queued: 0, joined: true });
  });

  it('the nightly refresh reads the plan’s connections only', async () => {
    const practice = await addReadPractice();
    await endTrial(practice);
    await takePlaces(practice, FREE);
    await startNightlySync(portal.deps, practice.companyId, 'vat', BATCH_HEADERS);
    expect(await finishRun(practice)).toEqual([]);
    await getDb()
      .delete(selectedConnections)
      .where(and(eq(selectedConnections.companyId, practice.companyId), eq(selectedConnections.clientId, practice.list[0]?.id ?? '')));
    await select(practice, ['up_to_date']);
    await startNightlySync(portal.deps, practice.companyId, 'vat', BATCH_HEADERS);
    expect(await finishRun(practice)).toEqual(['up_to_date']);
  });

  it('a practice without a limit is refreshed as before', async () => {
    const practice = await addReadPractice();
    await takePlaces(practice, FREE);
    expect(await listRefreshed(practice)).toHaveLength(practice.list.length);
    expect(await readNotice(practice)).toBeNull();
  });
});

describe('the end of a trial', () => {
  const listTrialEmails = ({ adminId }: OaklinePractice) =>
    portal.sentEmails.filter(({ to }) => to === `${adminId}@oakline.example`).map(({ subject }) => subject);

  it('is 90 days after a practice was created', async () => {
    const { admin } = await createOaklinePractice(portal, { isIncluded: () => false });
    const { body } = await admin.post('/open-tax/practice', { name: 'A New Practice' });
    const billing = await admin.get('/open-tax/billing', { company_id: String(body['company_id']) });
    expect(billing.body['trial']).toEqual({ ends_on: addDays(TODAY, 90), has_ended: false });
  });

  it('is shown from 14 days before, and is emailed once to the admins', async () => {
    const practice = await addReadPractice();
    await takePlaces(practice, FREE);
    const outside = practice.list.length - UNLINKED.length;
    const trialEndsOn = addDays(TODAY, 14);
    await endTrial(practice, addDays(TODAY, 15));
    expect(await readNotice(practice)).toBeNull();
    await endTrial(practice, trialEndsOn);
    expect(await readNotice(practice)).toEqual({ ends_on: trialEndsOn, has_ended: false, no_connections_outside: outside });
    await noticeTrialEnds(portal.deps);
    await noticeTrialEnds(portal.deps);
    await portal.runJobs();
    expect(listTrialEmails(practice)).toEqual([expect.stringContaining('trial of Tidewater ends on 24 November 2026')]);
    await endTrial(practice);
    expect(await readNotice(practice)).toEqual({ ends_on: TODAY, has_ended: true, no_connections_outside: outside });
  });

  it('isn’t mentioned if the plan covers every connection', async () => {
    const practice = await addReadPractice();
    await endTrial(practice, addDays(TODAY, 3));
    expect(await readNotice(practice)).toBeNull();
    await noticeTrialEnds(portal.deps);
    await portal.runJobs();
    expect(listTrialEmails(practice)).toEqual([]);
  });
});
