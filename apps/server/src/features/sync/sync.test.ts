import {
  clientAuthorisations,
  clientObservations,
  clientRows,
  clientSyncs,
  hmrcConnections,
  syncRuns,
  taxPositions,
} from '@portal/db/schema/schema.ts';
import { createClock, type Instant } from '@portal/domain/clock.ts';
import type { SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { addClient } from '../../testing/add-practice.ts';
import { createOaklinePractice, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { runSyncWorker } from './run-sync-worker.ts';
import { getRefreshStatus } from './refresh-progress.ts';
import { getSyncData } from './sync-queries.ts';
import { rebuildPositions } from '../positions/rebuild-position.ts';
import { cancelSync, startSync } from './start-sync.ts';
import { claimQueuedClients, LEASE_MS, getNextWorkMs, settleClaims, type Claim, type RunKey } from './sync-queue.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(() => portal.faults.clear());

const getDb = () => portal.deps.database.db;
const hasVat = ({ taxes }: { readonly taxes: readonly string[] }) => taxes.includes('vat');
const isQuiet = ({ situation, taxes }: { readonly situation: string; readonly taxes: readonly string[] }) =>
  taxes.includes('vat') && (situation === 'up_to_date' || situation === 'due_soon');

function toAdminUser({ adminId }: OaklinePractice): ActingUser {
  const actor = { userId: adminId, email: '', fullName: '', isOperator: false, signInMethod: 'link', role: 'practice_admin' } as const;
  return { actor, caller: { ip: '198.51.100.7', port: undefined, userAgent: '', deviceId: undefined, device: undefined } };
}

const advanceQuarterHour = (deps: AppDeps): AppDeps => ({ ...deps, wallClock: createClock(() => Date.now() + 900_000) });

async function runSync(practice: OaklinePractice, { deps = portal.deps, tax = 'vat' as 'vat' | 'sa' } = {}): Promise<string> {
  const { runId } = await startSync(deps, practice.companyId, tax, toAdminUser(practice));
  await runSyncWorker(deps, { companyId: practice.companyId, runId, workerNumber: 1 }, new AbortController().signal);
  return runId;
}

async function loadStates(practice: OaklinePractice, tax: 'vat' | 'sa' = 'vat'): Promise<Record<string, string>> {
  const rows = await getDb()
    .select()
    .from(clientSyncs)
    .where(and(eq(clientSyncs.companyId, practice.companyId), eq(clientSyncs.tax, tax)));
  const toSituation = (id: string): string => practice.list.find((join) => join.id === id)?.client.situation ?? id;
  return Object.fromEntries(
    rows.map(({ clientId, state, reason }) => [toSituation(clientId), reason === null ? state : `${state}: ${reason}`]),
  );
}

/** Tries to settle a claim. Returns false if the claim is no longer valid. */
const settleClaim = (run: RunKey, claim: Claim): Promise<boolean> =>
  getDb().transaction(async (tx) => {
    const { clock, wallClock } = portal.deps;
    return (await settleClaims(tx, run, [{ claim, readAt: clock.now() }], wallClock.now())).has(claim.clientId);
  });

const findRun = async (runId: string) => (await getDb().select().from(syncRuns).where(eq(syncRuns.id, runId)))[0];
/** The simulator keeps only the last few hundred calls, so count them from a given time. */
const countCallsSince = (at: Instant, operation?: string) =>
  portal.hmrc.listCalls(10_000).filter((call) => call.at > at && (operation === undefined || call.operation === operation)).length;

describe('a sync run', () => {
  it('reads every client and stores a reason for each that failed', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: hasVat });
    const runId = await runSync(practice);
    const failed = {
      authority_revoked: 'failed: not_authorised',
      never_authorised: 'failed: not_authorised',
      link_sent: 'failed: not_authorised',
      insolvent: 'failed: insolvent',
    };
    const expected = practice.list.map(({ client: { situation } }) => [
      situation,
      (failed as Record<string, string>)[situation] ?? 'completed',
    ]);
    expect(await loadStates(practice)).toEqual(Object.fromEntries(expected));
    expect(await findRun(runId)).toMatchObject({ state: 'completed', total: 13, done: 9, failed: 4 });
    const findAttention = async (situation: Parameters<OaklinePractice['getClientId']>[0]) =>
      (
        await getDb()
          .select()
          .from(clientRows)
          .where(eq(clientRows.clientId, practice.getClientId(situation)))
      )[0]?.attention;
    expect(await findAttention('overdue_payment')).toBe('overdue_payment');
    expect(await findAttention('overdue_return')).toBe('overdue_return');
    expect(await findAttention('never_authorised')).toBe('not_authorised');
    expect(await findAttention('insolvent')).toBe('sync_failed');
    const readPosition = async (situation: Parameters<OaklinePractice['getClientId']>[0]) =>
      (
        await getDb()
          .select()
          .from(taxPositions)
          .where(and(eq(taxPositions.clientId, practice.getClientId(situation)), eq(taxPositions.tax, 'vat')))
      )[0];
    expect(await readPosition('penalty_threshold')).toMatchObject({ penaltyPoints: 4, pointsThreshold: 4, source: 'hmrc' });
    expect((await readPosition('refund_coming'))?.refundPence).toBeGreaterThan(0);
    expect((await readPosition('refund_suspended'))?.detail).toMatchObject({ refund_held: true });
    expect((await readPosition('refund_set_off'))?.detail).toBeDefined();
    expect((await readPosition('overdue_payment'))?.overduePence).toBeGreaterThan(0);
  });

  it('makes two calls for an unchanged client and stores nothing twice', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    await runSync(practice);
    const [at, countBefore] = [portal.deps.clock.now(), (await listObservations(practice)).length];
    await runSync(practice);
    expect(countCallsSince(at)).toBe(2 * practice.list.length);
    expect((await listObservations(practice)).length).toBe(countBefore);
  });

  it('is joined when someone starts it again', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const first = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice), {
      clientIds: [practice.list[0]?.id ?? ''],
    });
    const second = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice));
    expect(second).toMatchObject({ runId: first.runId, joined: true, queued: practice.list.length - 1 });
    expect(await findRun(first.runId)).toMatchObject({ total: practice.list.length });
  });

  it('sends the fraud prevention headers of the user who started it', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    await runSync(practice);
    const ownCalls = portal.hmrc
      .listCalls(10_000)
      .filter(({ fraudHeaders }) => fraudHeaders['gov-client-user-ids']?.includes(practice.adminId));
    expect(ownCalls.length).toBeGreaterThan(3 * practice.list.length);
    for (const { fraudHeaders } of ownCalls) expect(fraudHeaders).toMatchObject({ 'gov-client-public-ip': '198.51.100.7' });
  });

  it('reads income tax for clients that HMRC knows', async () => {
    const practice = await createOaklinePractice(portal, {
      clients: 120,
      isIncluded: ({ selfAssessment }) => selfAssessment?.business !== undefined,
    });
    expect(practice.list.length).toBeGreaterThan(2);
    const runId = await runSync(practice, { tax: 'sa' });
    const run = await findRun(runId);
    expect(run).toMatchObject({ state: 'completed', total: practice.list.length });
    expect(run?.done).toBeGreaterThan(1);
    const [position] = await getDb()
      .select()
      .from(taxPositions)
      .where(and(eq(taxPositions.companyId, practice.companyId), eq(taxPositions.source, 'hmrc')));
    expect(position).toMatchObject({ tax: 'sa' });
  });
});

const listObservations = ({ companyId }: OaklinePractice) =>
  getDb().select().from(clientObservations).where(eq(clientObservations.companyId, companyId));

describe('a client whose reading failed', () => {
  it('is reported as revoked only when it was authorised before', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'never_authorised' });
    const [onlyClient] = practice.list;
    const authorisationKey = { companyId: practice.companyId, clientId: onlyClient?.id ?? '', tax: 'vat' as const };
    await getDb()
      .insert(clientAuthorisations)
      .values({ ...authorisationKey, status: 'authorised' });
    await runSync(practice);
    expect(await loadStates(practice)).toEqual({ never_authorised: 'failed: authorisation_revoked' });
    const [authorisation] = await getDb()
      .select()
      .from(clientAuthorisations)
      .where(eq(clientAuthorisations.clientId, onlyClient?.id ?? ''));
    expect(authorisation).toMatchObject({ status: 'revoked', refusal: 'CLIENT_OR_AGENT_NOT_AUTHORISED' });
  });

  it.each([
    ['server_error', 'hmrc_unavailable'],
    ['malformed_body', 'malformed_answer'],
  ] as const)('with %s gets the reason %s, keeps its figures and is retried in the same run', async (kind, reason: SyncReason) => {
    const practice = await createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'overdue_payment' });
    await runSync(practice);
    const before = await getDb().select().from(taxPositions).where(eq(taxPositions.companyId, practice.companyId));
    portal.faults.set({ operation: 'hmrc.obligations', kind, times: 1 });
    const runId = await runSync(practice);
    expect(await loadStates(practice)).toEqual({ overdue_payment: `failed: ${reason}` });
    expect(await getDb().select().from(taxPositions).where(eq(taxPositions.companyId, practice.companyId))).toEqual(before);
    expect(await findRun(runId)).toMatchObject({ endedAt: null, failed: 1, done: 0 });
    // A client whose retry is due does not count as failed, so the number of failures never falls.
    expect(await getRefreshStatus(portal.deps, practice.companyId, 'vat', toAdminUser(practice).actor)).toMatchObject({
      sentence: 'Refreshing VAT for 1 client: 0 done, 0 failed, 1 queued (1 will be retried)',
      run: { counts: { total: 1, queued: 1, waiting: 1, reading: 0, done: 0, failed: 0 } },
    });
    expect(await getSyncData(portal.deps, practice.companyId, 'vat', toAdminUser(practice).actor)).toMatchObject({
      failures: [],
      waits: [{ code: reason, clients: 1, next: 'We’ll try again automatically within ten minutes.' }],
    });
    await runSyncWorker(
      advanceQuarterHour(portal.deps),
      { companyId: practice.companyId, runId, workerNumber: 1 },
      new AbortController().signal,
    );
    expect(await loadStates(practice)).toEqual({ overdue_payment: 'completed' });
    expect(await findRun(runId)).toMatchObject({ state: 'completed', failed: 0, done: 1 });
  });
});

describe('a client that cannot be read', () => {
  it('because of a bug gets the internal reason while the others are read', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const [first] = practice.list;
    const { vat } = portal.deps.hmrcRuns;
    const failingVat: typeof vat = {
      ...vat,
      listObligations: (call, vrn, query) => {
        if (vrn === first?.client.vat?.vrn) throw new TypeError('a bug');
        return vat.listObligations(call, vrn, query);
      },
    };
    await runSync(practice, { deps: { ...portal.deps, hmrcRuns: { ...portal.deps.hmrcRuns, vat: failingVat } } });
    const rows = await getDb().select().from(clientSyncs).where(eq(clientSyncs.companyId, practice.companyId));
    for (const { clientId, state, reason } of rows) {
      expect([state, reason]).toEqual(clientId === first?.id ? ['failed', 'internal'] : ['completed', null]);
    }
  });

  it('because it has no VAT number is reported without a call', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const clientId = await addClient(portal, practice.companyId);
    const { runId } = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice), { clientIds: [clientId] });
    const at = portal.deps.clock.now();
    await runSyncWorker(portal.deps, { companyId: practice.companyId, runId, workerNumber: 1 }, new AbortController().signal);
    expect(await loadStates(practice)).toEqual({ [clientId]: 'failed: no_reference' });
    expect(countCallsSince(at)).toBe(0);
  });
});

describe('an HMRC 429 response', () => {
  it('pauses the whole run without failing a client', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    portal.faults.set({ operation: 'hmrc.liabilities', kind: 'too_many', times: 1 });
    const startedAt = Date.now();
    const runId = await runSync(practice);
    expect(Date.now() - startedAt).toBeGreaterThan(950);
    expect(new Set(Object.values(await loadStates(practice)))).toEqual(new Set(['completed']));
    expect(await findRun(runId)).toMatchObject({ state: 'completed', failed: 0 });
  });
});

describe("the practice's HMRC connection", () => {
  it('is refreshed once for all readers when its token is stale', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    await getDb()
      .update(hmrcConnections)
      .set({ accessToken: portal.deps.tokenCipher.seal('stale', `hmrc_access_token:${practice.companyId}`) })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    const at = portal.deps.clock.now();
    await runSync(practice);
    expect(countCallsSince(at, 'hmrc.token')).toBe(1);
    expect(new Set(Object.values(await loadStates(practice)))).toEqual(new Set(['completed']));
  });

  it('that has ended ends the run with a reason and keeps earlier results', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const [first] = practice.list;
    const earlyStart = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice), { clientIds: [first?.id ?? ''] });
    await runSyncWorker(
      portal.deps,
      { companyId: practice.companyId, runId: earlyStart.runId, workerNumber: 1 },
      new AbortController().signal,
    );
    portal.hmrc.revokeGrant('oakline');
    const runId = await runSync(practice);
    expect(await findRun(runId)).toMatchObject({ state: 'failed', reason: 'connection_ended' });
    const rows = await getDb().select().from(clientSyncs).where(eq(clientSyncs.companyId, practice.companyId));
    for (const row of rows) {
      expect([row.state, row.reason]).toEqual(row.clientId === first?.id ? ['completed', null] : ['failed', 'connection_ended']);
    }
    await expect(startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice))).rejects.toMatchObject({
      code: 'hmrc.not_connected',
    });
  });
});

describe('an instance that hangs', () => {
  it('loses its row when the lease ends, and can no longer write it', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const { runId } = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice));
    const run = { companyId: practice.companyId, runId, tax: 'vat' as const };
    const [lostClaim] = await claimQueuedClients(portal.deps.database, run, portal.deps.wallClock.now());
    if (!lostClaim) throw new Error('nothing was queued');
    await runSyncWorker(portal.deps, { ...run, workerNumber: 1 }, new AbortController().signal);
    expect(Object.values(await loadStates(practice))).toContain('importing');
    const laterDeps = { ...portal.deps, wallClock: createClock(() => Date.now() + LEASE_MS + 1_000) };
    await runSyncWorker(laterDeps, { ...run, workerNumber: 1 }, new AbortController().signal);
    expect(new Set(Object.values(await loadStates(practice)))).toEqual(new Set(['completed']));
    expect(await findRun(runId)).toMatchObject({ state: 'completed', done: practice.list.length });
    expect(await settleClaim(run, lostClaim)).toBe(false);
  });
});

describe('a process that has died', () => {
  it('loses its row at once, without using up an attempt', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const { runId } = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice));
    const run = { companyId: practice.companyId, runId, tax: 'vat' as const };
    // The ID of a process that isn't running.
    const { database } = portal.deps;
    const [lostClaim] = await claimQueuedClients({ db: getDb(), holder: { ...database.holder, id: 7 } }, run, portal.deps.wallClock.now());
    if (!lostClaim) throw new Error('nothing was queued');
    expect(await getNextWorkMs(getDb(), database.holder, run, portal.deps.wallClock.now())).toBe(0);
    await runSyncWorker(portal.deps, { ...run, workerNumber: 1 }, new AbortController().signal);
    expect(await findRun(runId)).toMatchObject({ state: 'completed', done: practice.list.length });
    expect(await settleClaim(run, lostClaim)).toBe(false);
    const [row] = await getDb().select().from(clientSyncs).where(eq(clientSyncs.clientId, lostClaim.clientId));
    expect(row).toMatchObject({ state: 'completed', attempts: 1, holderId: null });
  });

  it('does not block others while it holds the token refresh', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    await getDb()
      .update(hmrcConnections)
      .set({
        accessToken: portal.deps.tokenCipher.seal('spent', `hmrc_access_token:${practice.companyId}`),
        refreshLeaseUntil: createClock(() => Date.now() + 3_600_000).now(),
        refreshHolderId: 7,
      })
      .where(eq(hmrcConnections.companyId, practice.companyId));
    await runSync(practice);
    expect(new Set(Object.values(await loadStates(practice)))).toEqual(new Set(['completed']));
  });
});

describe('a user who starts a refresh repeatedly', () => {
  it('joins the run each time without a deadlock with its workers', async () => {
    const practice = await createOaklinePractice(portal, { clients: 60, isIncluded: isQuiet });
    const { runId } = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice));
    let isRead = false;
    // Loops like the jobs do: a worker that finds every row locked ends and is queued again.
    const readers = [1, 2].map(async (workerNumber) => {
      while ((await findRun(runId))?.endedAt === null)
        await runSyncWorker(portal.deps, { companyId: practice.companyId, runId, workerNumber }, new AbortController().signal);
    });
    const joins = [1, 2].map(async () => {
      while (!isRead) expect(await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice))).toMatchObject({ runId });
    });
    await Promise.all([Promise.all(readers).finally(() => (isRead = true)), ...joins.map((join) => join.catch(ignoreNewRun))]);
    // Checks the run rather than its clients, because starting a refresh just after the run ends queues them again.
    expect(await findRun(runId)).toMatchObject({ state: 'completed', done: practice.list.length, failed: 0 });
  });
});

it('updates a practice’s tasks once for refreshes that end one after the other', async () => {
  const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
  await runSync(practice);
  await runSync(practice);
  const { rows } = await getDb().execute(sql`select 1 from pgboss.job
    where data ->> 'kind' = 'work.update' and data -> 'payload' ->> 'company_id' = ${practice.companyId} and state = 'created'`);
  expect(rows).toHaveLength(1);
});

/** The run may end between the last check and the start, which would create a new run. */
function ignoreNewRun(error: unknown): void {
  if (!(error instanceof Error) || !/runId/.test(error.message)) throw error;
}

describe('a cancelled run', () => {
  it('keeps what was read, releases the rest and writes nothing more', async () => {
    const practice = await createOaklinePractice(portal, { isIncluded: isQuiet });
    const clientIds = practice.list.map(({ id }) => id);
    const rebuild = () =>
      portal.deps.database.db.transaction((tx) =>
        rebuildPositions(tx, {
          companyId: practice.companyId,
          tax: 'vat',
          clientIds,
          today: portal.deps.clock.today(),
          now: portal.deps.clock.now(),
        }),
      );
    await rebuild();
    const { runId } = await startSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice));
    const run = { companyId: practice.companyId, runId, tax: 'vat' as const };
    const [heldClaim] = await claimQueuedClients(portal.deps.database, run, portal.deps.wallClock.now());
    expect(await cancelSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice))).toBe(true);
    expect(heldClaim && (await settleClaim(run, heldClaim))).toBe(false);
    expect(new Set(Object.values(await loadStates(practice)))).toEqual(new Set(['failed: cancelled']));
    // The list shows the failure too, just as rebuilding the figures would.
    const { db } = portal.deps.database;
    const refreshedRows = await db
      .select({ hasFailed: clientRows.refreshFailed })
      .from(clientRows)
      .where(eq(clientRows.companyId, practice.companyId));
    expect(new Set(refreshedRows.map(({ hasFailed }) => hasFailed))).toEqual(new Set([true]));
    const at = portal.deps.clock.now();
    await runSyncWorker(portal.deps, { ...run, workerNumber: 1 }, new AbortController().signal);
    expect(countCallsSince(at)).toBe(0);
    expect(await cancelSync(portal.deps, practice.companyId, 'vat', toAdminUser(practice))).toBe(false);
  });
});
