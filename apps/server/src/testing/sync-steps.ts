/** Runs syncs step by step for tests of HMRC failures, and reads data that a failure must leave unchanged. */
import { clientObservations, clientRows, clientSyncs, syncRuns, taxPositions } from '@portal/db/schema/schema.ts';
import { createClock } from '@portal/domain/clock.ts';
import { SYNC_REASONS, type SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { createSelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-client.ts';
import { createVatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { and, eq } from '@portal/db/sql.ts';
import { expect } from 'vitest';
import type { AppDeps } from '../app-deps.ts';
import type { ActingUser } from '../features/hmrc-connection/with-trader-access-token.ts';
import { runSyncWorker } from '../features/sync/run-sync-worker.ts';
import { startSync } from '../features/sync/start-sync.ts';
import { createOaklinePractice, type OaklinePractice } from './oakline-practice.ts';
import type { TestPortal } from './open-test-portal.ts';

type ReadTax = 'vat' | 'sa';

export type SyncSteps = ReturnType<typeof createSyncSteps>;

export function createSyncSteps(portal: TestPortal) {
  const db = portal.deps.database.db;
  const steps = {
    /** Adds a practice with one client that owes tax (a few clients for Self Assessment). */
    addOwingPractice: (tax: ReadTax = 'vat') => addOwingPractice(portal, tax),
    start: async (practice: OaklinePractice, tax: ReadTax = 'vat') =>
      (await startSync(portal.deps, practice.companyId, tax, toAdmin(practice))).runId,
    /** Runs one job of the sync worker. */
    work: (practice: OaklinePractice, runId: string, deps = portal.deps) =>
      runSyncWorker(deps, { companyId: practice.companyId, runId, workerNumber: 1 }, new AbortController().signal),
    sync: async (practice: OaklinePractice, tax: ReadTax = 'vat', deps = portal.deps): Promise<string> => {
      const runId = await steps.start(practice, tax);
      await steps.work(practice, runId, deps);
      return runId;
    },
    findRun: async (runId: string) => (await db.select().from(syncRuns).where(eq(syncRuns.id, runId)))[0],
    figures: (practice: OaklinePractice) => readFigures(portal, practice),
    readStates: async ({ companyId }: OaklinePractice, tax: ReadTax = 'vat') => {
      const rows = await db
        .select()
        .from(clientSyncs)
        .where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.tax, tax)));
      return rows.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
    },
    readSyncView,
    withHmrcOptions: (change: { readonly apiUrl?: string; readonly timeoutMs?: number }) => withHmrcOptions(portal, change),
  };
  return steps;
}

/** Returns the same portal, but without real waits; records how long it would have waited. */
export function skipWaiting(deps: AppDeps): { readonly deps: AppDeps; readonly waitsMs: readonly number[] } {
  const waitsMs: number[] = [];
  return { deps: { ...deps, pause: async (ms) => void waitsMs.push(ms) }, waitsMs };
}

/** Returns the same portal with the computer's clock moved forward by `ms`. */
export const moveClockLater = (deps: AppDeps, ms = 900_000): AppDeps => ({ ...deps, wallClock: createClock(() => Date.now() + ms) });

function addOwingPractice(portal: TestPortal, tax: ReadTax): Promise<OaklinePractice> {
  if (tax === 'vat') return createOaklinePractice(portal, { isIncluded: ({ situation }) => situation === 'overdue_payment' });
  return createOaklinePractice(portal, {
    clients: 60,
    isIncluded: ({ nino, selfAssessment, situation }) =>
      nino !== undefined && selfAssessment?.business !== undefined && !/authori|link_sent/.test(situation),
  });
}

function toAdmin({ adminId }: OaklinePractice): ActingUser {
  const actor = { userId: adminId, email: '', fullName: '', isOperator: false, signInMethod: 'link', role: 'practice_admin' } as const;
  return { actor, caller: { ip: '198.51.100.7', port: undefined, userAgent: '', deviceId: undefined, device: undefined } };
}

/** Reads data that a failure must not change: observations and the figures derived from them. */
async function readFigures({ deps }: TestPortal, { companyId }: OaklinePractice) {
  const observations = await deps.database.db.select().from(clientObservations).where(eq(clientObservations.companyId, companyId));
  const positions = await deps.database.db.select().from(taxPositions).where(eq(taxPositions.companyId, companyId));
  const rows = await deps.database.db.select().from(clientRows).where(eq(clientRows.companyId, companyId));
  const sortByClientId = <Row extends { clientId: string }>(list: readonly Row[]) =>
    list.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1));
  return {
    observations: observations.length,
    positions: sortByClientId(positions),
    rows: sortByClientId(rows).map(({ attention: _attention, ...row }) => row),
  };
}

/** Reads the first client's sync status and figures from the API. */
async function readSyncView(practice: OaklinePractice, tax: ReadTax = 'vat') {
  const clientKey = { company_id: practice.companyId, client_id: practice.list[0]?.id ?? '' };
  const { body } = await practice.admin.get('/client/sync-data', clientKey);
  const taxes = body['taxes'] as {
    tax_type: string;
    reason: { code: string; sentence: string; next: string } | null;
    read_at: string;
    retry_at: string | null;
  }[];
  const summary = (await practice.admin.get(tax === 'vat' ? '/client/vat-summary' : '/client/self-assessment-summary', clientKey)).body;
  return { sync: taxes.find(({ tax_type }) => tax_type === tax), figures: summary['figures'] as { source: string; as_of: string } };
}

/** Returns the same portal with HMRC at another URL or with a shorter timeout. */
function withHmrcOptions(portal: TestPortal, change: { readonly apiUrl?: string; readonly timeoutMs?: number }): AppDeps {
  const { deps } = portal;
  const settings = {
    apiUrl: `${portal.sandboxUrl}/hmrc`,
    authorizeUrl: `${portal.sandboxUrl}/hmrc-www/oauth/authorize`,
    clientId: 'sandbox-client-id',
    clientSecret: 'sandbox-client-secret',
    redirectUri: 'http://localhost:3999/callback',
    fetch,
    clock: deps.clock,
    ...change,
  };
  const hmrc = createHmrcClient(settings);
  return { ...deps, hmrc, hmrcRuns: { vat: { ...hmrc, ...createVatPenaltiesClient(settings) }, sa: createSelfAssessmentClient(settings) } };
}

/**
 * Syncs, fails using `fail`, and syncs again. During the failure, each client shows the reason, and its figures keep the time at which HMRC
 * reported them. Nothing is lost or duplicated.
 */
export async function expectStaleThenRecovered(
  portal: TestPortal,
  steps: SyncSteps,
  practice: OaklinePractice,
  tax: ReadTax,
  reason: SyncReason,
  fail: () => Promise<string>,
): Promise<void> {
  await steps.sync(practice, tax);
  const [earlierFigures, earlierView] = [await steps.figures(practice), await steps.readSyncView(practice, tax)];
  expect(earlierView.figures.source).toBe('hmrc');
  const runId = await fail();
  expect(new Set(await steps.readStates(practice, tax))).toEqual(new Set([`failed: ${reason}`]));
  const failedView = await steps.readSyncView(practice, tax);
  expect(failedView.sync?.reason).toMatchObject({ code: reason, sentence: SYNC_REASONS[reason].sentence });
  expect(failedView.sync?.retry_at).not.toBeNull();
  // Still shows the earlier figures, with the time at which HMRC reported them.
  expect(failedView.sync?.read_at).toBe(earlierView.sync?.read_at);
  expect(failedView.figures).toEqual(earlierView.figures);
  expect(await steps.figures(practice)).toEqual(earlierFigures);
  expect(await steps.findRun(runId)).toMatchObject({ endedAt: null, done: 0, failed: practice.list.length });
  portal.faults.clear();
  await steps.work(practice, runId, moveClockLater(portal.deps));
  expect(new Set(await steps.readStates(practice, tax))).toEqual(new Set(['completed']));
  expect(await steps.findRun(runId)).toMatchObject({ state: 'completed', done: practice.list.length, failed: 0 });
  expect((await steps.figures(practice)).observations).toBe(earlierFigures.observations);
  const recoveredView = await steps.readSyncView(practice, tax);
  expect(recoveredView.sync?.reason).toBeNull();
  expect(Date.parse(recoveredView.figures.as_of)).toBeGreaterThan(Date.parse(earlierView.figures.as_of));
}
