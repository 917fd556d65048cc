/** A refresh worked on by hand, lane by lane, and all that a failure must leave as it was: for tests of HMRC's faults. */
import { clientObservations, clientRows, clientSyncs, syncRuns, taxPositions } from '@portal/db/schema/schema.ts';
import { createClock } from '@portal/domain/clock.ts';
import { SYNC_REASONS, type SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { createSelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-client.ts';
import { createVatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { AppDeps } from '../app-deps.ts';
import type { Person } from '../features/hmrc-connection/with-trader-access-token.ts';
import { runSyncWorker } from '../features/sync/run-sync-worker.ts';
import { startSync } from '../features/sync/start-sync.ts';
import { oaklinePractice, type OaklinePractice } from './oakline-practice.ts';
import type { TestPortal } from './open-test-portal.ts';

type Read = 'vat' | 'sa';

export type SyncByHand = ReturnType<typeof syncByHand>;

export function syncByHand(portal: TestPortal) {
  const db = portal.deps.database.db;
  const hand = {
    /** One client (of Self Assessment a few) with something to show, in a practice of its own. */
    owing: (tax: Read = 'vat') => owing(portal, tax),
    begin: async (practice: OaklinePractice, tax: Read = 'vat') =>
      (await startSync(portal.deps, practice.companyId, tax, adminOf(practice))).runId,
    /** One slice of the run. */
    work: (practice: OaklinePractice, runId: string, deps = portal.deps) =>
      runSyncWorker(deps, { companyId: practice.companyId, runId, workerNumber: 1 }, new AbortController().signal),
    sync: async (practice: OaklinePractice, tax: Read = 'vat', deps = portal.deps): Promise<string> => {
      const runId = await hand.begin(practice, tax);
      await hand.work(practice, runId, deps);
      return runId;
    },
    findRun: async (runId: string) => (await db.select().from(syncRuns).where(eq(syncRuns.id, runId)))[0],
    figures: (practice: OaklinePractice) => readFigures(portal, practice),
    statesOf: async ({ companyId }: OaklinePractice, tax: Read = 'vat') => {
      const rows = await db
        .select()
        .from(clientSyncs)
        .where(and(eq(clientSyncs.companyId, companyId), eq(clientSyncs.tax, tax)));
      return rows.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
    },
    told,
    towards: (change: { readonly apiUrl?: string; readonly timeoutMs?: number }) => towards(portal, change),
  };
  return hand;
}

/** The same portal, which waits for nothing and notes how long it would have waited. */
export function withoutWaiting(deps: AppDeps): { readonly deps: AppDeps; readonly waitsMs: readonly number[] } {
  const waitsMs: number[] = [];
  return { deps: { ...deps, pause: async (ms) => void waitsMs.push(ms) }, waitsMs };
}

/** The same portal, so long later by the computer's clock. */
export const later = (deps: AppDeps, ms = 900_000): AppDeps => ({ ...deps, wallClock: createClock(() => Date.now() + ms) });

function owing(portal: TestPortal, tax: Read): Promise<OaklinePractice> {
  if (tax === 'vat') return oaklinePractice(portal, { passes: ({ situation }) => situation === 'overdue_payment' });
  return oaklinePractice(portal, {
    clients: 60,
    passes: ({ nino, selfAssessment, situation }) =>
      nino !== undefined && selfAssessment?.business !== undefined && !/authori|link_sent/.test(situation),
  });
}

function adminOf({ adminId }: OaklinePractice): Person {
  const actor = { userId: adminId, email: '', fullName: '', isOperator: false, signInMethod: 'link', role: 'practice_admin' } as const;
  return { actor, caller: { ip: '198.51.100.7', port: undefined, userAgent: '', deviceId: undefined, device: undefined } };
}

/** What a failure must not change: what was said, and what follows from it. */
async function readFigures({ deps }: TestPortal, { companyId }: OaklinePractice) {
  const observations = await deps.database.db.select().from(clientObservations).where(eq(clientObservations.companyId, companyId));
  const positions = await deps.database.db.select().from(taxPositions).where(eq(taxPositions.companyId, companyId));
  const rows = await deps.database.db.select().from(clientRows).where(eq(clientRows.companyId, companyId));
  const byId = <Row extends { clientId: string }>(list: readonly Row[]) => list.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1));
  return {
    observations: observations.length,
    positions: byId(positions),
    rows: byId(rows).map(({ attention: _attention, ...row }) => row),
  };
}

/** What the practice is told of the first client, by the product's own calls. */
async function told(practice: OaklinePractice, tax: Read = 'vat') {
  const of = { company_id: practice.companyId, client_id: practice.list[0]?.id ?? '' };
  const { body } = await practice.admin.get('/client/sync-data', of);
  const taxes = body['taxes'] as {
    tax_type: string;
    reason: { code: string; sentence: string; next: string } | null;
    read_at: string;
    retry_at: string | null;
  }[];
  const summary = (await practice.admin.get(tax === 'vat' ? '/client/vat-summary' : '/client/self-assessment-summary', of)).body;
  return { sync: taxes.find(({ tax_type }) => tax_type === tax), figures: summary['figures'] as { source: string; as_of: string } };
}

/** The clients towards HMRC at another address, or with less patience. */
function towards(portal: TestPortal, change: { readonly apiUrl?: string; readonly timeoutMs?: number }): AppDeps {
  const { deps } = portal;
  const settings = {
    apiUrl: `${portal.doublesUrl}/hmrc`,
    authorizeUrl: `${portal.doublesUrl}/hmrc-www/oauth/authorize`,
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

/** Reads, fails by `fail`, and reads again: each client says why meanwhile, its figures stay under the time at which HMRC said them, and nothing is lost or doubled. */
export async function expectStaleThenWell(
  portal: TestPortal,
  hand: SyncByHand,
  practice: OaklinePractice,
  tax: Read,
  reason: SyncReason,
  fail: () => Promise<string>,
): Promise<void> {
  await hand.sync(practice, tax);
  const [before, was] = [await hand.figures(practice), await hand.told(practice, tax)];
  expect(was.figures.source).toBe('hmrc');
  const runId = await fail();
  expect(new Set(await hand.statesOf(practice, tax))).toEqual(new Set([`failed: ${reason}`]));
  const now = await hand.told(practice, tax);
  expect(now.sync?.reason).toMatchObject({ code: reason, sentence: SYNC_REASONS[reason].sentence });
  expect(now.sync?.retry_at).not.toBeNull();
  // The figures of before are there, under the time at which HMRC said them.
  expect(now.sync?.read_at).toBe(was.sync?.read_at);
  expect(now.figures).toEqual(was.figures);
  expect(await hand.figures(practice)).toEqual(before);
  expect(await hand.findRun(runId)).toMatchObject({ endedAt: null, done: 0, failed: practice.list.length });
  portal.faults.clear();
  await hand.work(practice, runId, later(portal.deps));
  expect(new Set(await hand.statesOf(practice, tax))).toEqual(new Set(['completed']));
  expect(await hand.findRun(runId)).toMatchObject({ state: 'completed', done: practice.list.length, failed: 0 });
  expect((await hand.figures(practice)).observations).toBe(before.observations);
  const well = await hand.told(practice, tax);
  expect(well.sync?.reason).toBeNull();
  expect(Date.parse(well.figures.as_of)).toBeGreaterThan(Date.parse(was.figures.as_of));
}
