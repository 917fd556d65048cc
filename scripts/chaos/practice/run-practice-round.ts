/**
 * One round of the practice test: import new clients, refresh their VAT and Self Assessment, then stop the portal and check the database.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { syncApi } from '@portal/contract/sync.ts';
import type { Db } from '@portal/db/database.ts';
import { createClock, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { AGENT_TAXES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import type { Portfolio } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { sql } from '@portal/db/sql.ts';
import type { RandomSource } from '../random.ts';
import { crashTestImport } from './crash-test-import.ts';
import { verifyImport } from './verify-import.ts';
import { verifyPositions } from './verify-positions.ts';
import { verifySync, readStates, type KnownClient } from './verify-sync.ts';
import type { PracticeTestBed } from './practice-test-bed.ts';
import { crashTestSync } from './crash-test-sync.ts';

export type RoundPlan = {
  readonly seed: number;
  /** The number of rows in the file; the portal applies 500 at a time. */
  readonly clients: number;
  readonly importKills: number;
  readonly syncKills: number;
  /** The number of clients that are refreshed. */
  readonly refreshedClients: number;
  readonly taxes: readonly ('vat' | 'sa')[];
  readonly shouldCancel: boolean;
  /** Whether all clients are refreshed once more, without kills and with the same expected result. */
  readonly refreshesAgain: boolean;
  /** Once aborted, there are no more kills and the round runs to its end. */
  readonly signal?: AbortSignal;
};

export type ChaosPartResult = {
  readonly name: string;
  readonly killCount: number;
  readonly lostGrants: number;
  /** How many calls HMRC rejected because there were too many. */
  readonly throttled: number;
  readonly elapsedMs: number;
  readonly violations: readonly string[];
};

/** Time allowed for the remaining work after the last kill of a part. */
const TIMEOUT_MS = 300_000;
/** The number of new clients whose positions are compared with a rebuild. */
const MAX_REBUILT_CLIENTS = 200;

/** Runs one round and reports each part when it finishes. */
export async function runPracticeRound(
  testBed: PracticeTestBed,
  random: RandomSource,
  plan: RoundPlan,
  report: (part: ChaosPartResult) => void,
): Promise<void> {
  const limitMs = TIMEOUT_MS;
  const today = await testBed.startNextDay();
  await testBed.revive();
  await testBed.ensureConnected();
  let startedAt = performance.now();
  const reportPart = (
    name: string,
    part: Pick<ChaosPartResult, 'killCount' | 'lostGrants' | 'throttled'>,
    violations: readonly string[],
  ): void => {
    const { killCount, lostGrants, throttled } = part;
    report({ name, killCount, lostGrants, throttled, violations, elapsedMs: performance.now() - startedAt });
    startedAt = performance.now();
  };
  const { companyId } = testBed.admin;
  const importResult = await crashTestImport(testBed, random, {
    clients: plan.clients,
    seed: plan.seed,
    today,
    maxKills: plan.importKills,
    shouldCancel: plan.shouldCancel,
    limitMs,
    signal: plan.signal,
  });
  // The import has started a refresh of all its clients, which HMRC's rate limit would stretch to minutes; until it ended, there would
  // always be work left.
  for (const tax of AGENT_TAXES) await cancelRefresh(testBed, tax);
  const inspection = await inspectWhenIdle(testBed, limitMs, async (db) => {
    const foundClients = await findClients(db, companyId, importResult.portfolio);
    const sampleIds = toClientIds(Object.values(foundClients).flat()).slice(0, MAX_REBUILT_CLIENTS);
    const ruleViolations = [
      ...(await verifyImport(db, companyId, importResult.validated)),
      ...(await verifyPositions(db, companyId, sampleIds, { today, now: toEndOfDay(today) })),
    ];
    return { found: foundClients, violations: [...importResult.violations, ...ruleViolations] };
  });
  reportPart(`import of ${plan.clients}`, { killCount: importResult.killCount, lostGrants: 0, throttled: 0 }, inspection.violations);
  for (const tax of plan.taxes) {
    const clients = inspection.found[tax].slice(0, plan.refreshedClients);
    const options = { tax, clientIds: toClientIds(clients), limitMs, signal: plan.signal };
    const syncResult = await crashTestSync(testBed, random, { ...options, maxKills: plan.syncKills, shouldCancel: plan.shouldCancel });
    const ruleViolations = await verifyRefresh(testBed, { tax, clients, today, limitMs });
    const repeatViolations = plan.refreshesAgain ? await repeatRefresh(testBed, random, { ...options, clients, today }) : [];
    reportPart(`${tax} of ${clients.length}`, syncResult, [...syncResult.violations, ...ruleViolations, ...repeatViolations]);
  }
}

async function cancelRefresh(testBed: PracticeTestBed, tax: AgentTax): Promise<void> {
  const params = { company_id: testBed.admin.companyId, tax_type: tax };
  const { is_refreshing: isRefreshing } = await testBed.callWithRestart(syncApi.refreshingClients, params);
  if (isRefreshing) await testBed.callWithRestart(syncApi.cancel, params);
}

function verifyRefresh(
  testBed: PracticeTestBed,
  { tax, clients, today, limitMs }: { tax: 'vat' | 'sa'; clients: readonly KnownClient[]; today: PlainDate; limitMs: number },
): Promise<string[]> {
  const { companyId } = testBed.admin;
  return inspectWhenIdle(testBed, limitMs, async (db) => [
    ...(await verifySync(db, companyId, tax, clients)),
    ...(await verifyPositions(db, companyId, toClientIds(clients), { today, now: toEndOfDay(today) })),
  ]);
}

/** An undisturbed refresh must find the same states and store nothing more. */
async function repeatRefresh(
  testBed: PracticeTestBed,
  random: RandomSource,
  {
    tax,
    clientIds,
    limitMs,
    clients,
    today,
  }: { tax: 'vat' | 'sa'; clientIds: readonly string[]; limitMs: number; clients: readonly KnownClient[]; today: PlainDate },
): Promise<string[]> {
  const readCurrentStates = (): Promise<Map<string, string>> =>
    testBed.killAndQuery(({ db }) => readStates(db, testBed.admin.companyId, tax, clients));
  const before = await readCurrentStates();
  const repeatedSync = await crashTestSync(testBed, random, { tax, clientIds, limitMs, maxKills: 0, shouldCancel: false });
  const ruleViolations = await verifyRefresh(testBed, { tax, clients, today, limitMs });
  const after = await readCurrentStates();
  const changedStates = [...before].filter(([id, state]) => after.get(id) !== state);
  return [
    ...repeatedSync.violations.map((sentence) => `read again: ${sentence}`),
    ...ruleViolations.map((sentence) => `read again: ${sentence}`),
    ...(changedStates.length > 0
      ? [`an undisturbed refresh finds ${changedStates.length} clients in another state, first ${changedStates[0]?.[1]}`]
      : []),
  ];
}

function toClientIds(clients: readonly KnownClient[]): readonly string[] {
  return [...new Set(clients.map(({ id }) => id))];
}

/** Returns the portfolio's clients as stored in the portal: those with VAT, and individuals with a National Insurance number. */
export async function findClients(db: Db, companyId: string, { list }: Portfolio): Promise<Record<'vat' | 'sa', readonly KnownClient[]>> {
  const { rows } = await db.execute<{ id: string; vrn: string | null; nino: string | null; has_vat: boolean; has_sa: boolean }>(
    sql`select id, vrn, nino, has_vat, has_sa from clients where company_id = ${companyId}`,
  );
  const byVrn = new Map(rows.map((row) => [row.vrn, row]));
  const byNino = new Map(rows.map((row) => [row.nino, row]));
  const toKnownClient = (client: { id: string } | undefined, situation: KnownClient['situation']): KnownClient[] =>
    client ? [{ id: client.id, situation }] : [];
  return {
    vat: list.flatMap(({ vat, situation }) => (vat && byVrn.get(vat.vrn)?.has_vat ? toKnownClient(byVrn.get(vat.vrn), situation) : [])),
    sa: list.flatMap(({ nino, situation }) =>
      nino !== undefined && byNino.get(nino)?.has_sa ? toKnownClient(byNino.get(nino), situation) : [],
    ),
  };
}

const POLL_MS = 500;

/** Waits until no jobs that change figures are left, then kills the portal and opens its database. */
async function inspectWhenIdle<Found>(testBed: PracticeTestBed, limitMs: number, inspect: (db: Db) => Promise<Found>): Promise<Found> {
  await testBed.revive();
  const deadline = performance.now() + limitMs;
  for (;;) {
    const runningJobs = (await testBed.queryRunning(BUSY_JOBS_SQL)) as readonly { readonly job: string }[];
    if (runningJobs.length === 0) return testBed.killAndQuery(({ db }) => inspect(db));
    if (performance.now() > deadline) throw new Error(`these jobs did not finish: ${runningJobs.map(({ job }) => job).join('; ')}`);
    await pause(POLL_MS);
  }
}

/**
 * Selects jobs that change figures. Refreshes are omitted because their own rows show when they have ended, and an idle sync worker ends
 * itself at its next run.
 */
export const BUSY_JOBS_SQL = `
  select concat_ws(' ', data ->> 'kind', state, 'after', start_after, 'tried', retry_count, left(output::text, 300)) as job
  from pgboss.job where name in ('portal', 'portal-urgent') and state < 'completed'
    and data ->> 'kind' in ('clients.import', 'clients.rebuild-positions', 'practice.refresh-totals')`;

/** Returns the time of the comparison rebuild. It only dates computed items, which aren't compared. */
export function toEndOfDay(today: PlainDate): Instant {
  return createClock(() => Date.parse(`${today}T23:00:00.000Z`)).now();
}
