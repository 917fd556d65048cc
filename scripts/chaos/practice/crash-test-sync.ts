/**
 * Refreshes one tax for some clients while the portal is killed repeatedly. The admin clicks Refresh again, sometimes cancels, and
 * reconnects HMRC if a kill lost the connection.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { syncApi } from '@portal/contract/sync.ts';
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import { addMilliseconds, parseInstant } from '@portal/domain/clock.ts';
import { PortalError } from '../../smoke/caller.ts';
import type { RandomSource } from '../random.ts';
import { killRandomly } from './kill-randomly.ts';
import { CALLS_PER_SECOND, type HmrcStatistics, type PracticeTestBed } from './practice-test-bed.ts';

export type SyncOutcome = {
  readonly last: TaxRefreshStatus;
  readonly killCount: number;
  /**
   * The number of kills between HMRC's response to a refresh token and the portal's commit. Each one loses the connection, so it must be
   * made again.
   */
  readonly lostGrants: number;
  readonly throttled: number;
  readonly violations: readonly string[];
};

export type SyncOptions = {
  readonly tax: 'vat' | 'sa';
  readonly clientIds: readonly string[];
  readonly maxKills: number;
  readonly shouldCancel: boolean;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
};

/** HMRC's access tokens last four hours, so after five hours, the first call must refresh the token. */
const PAST_TOKEN_EXPIRY_MS = 5 * 3_600_000;

/** About twenty calls a second, with two commits per client. */
const KILL_LIMITS = { points: 60, ms: 1_500 } as const;

export async function crashTestSync(testBed: PracticeTestBed, random: RandomSource, options: SyncOptions): Promise<SyncOutcome> {
  await testBed.revive();
  const killsBefore = testBed.countKills();
  const { tax, clientIds, maxKills, shouldCancel, limitMs } = options;
  const params = { company_id: testBed.admin.companyId, tax_type: tax } as const;
  const readStatus = (): Promise<TaxRefreshStatus> => testBed.callWithRestart(syncApi.refreshingClients, params);
  const start = (): Promise<unknown> => testBed.callWithRestart(syncApi.start, { ...params, client_ids: [...clientIds] });
  const violations: string[] = [];
  await expireTokens(testBed);
  const before = await testBed.readStatistics();
  await start();
  let [kills, lostGrants, isCancelled] = [0, 0, false];
  const reconnect = async (): Promise<void> => {
    lostGrants += 1;
    if (!(await testBed.ensureConnected())) violations.push('HMRC was reported as disconnected, but the connection exists');
    await start();
  };
  /** The last kill may have lost the connection, which becomes apparent only when a refresh starts. */
  const restart = async (): Promise<void> => {
    try {
      await start();
    } catch (error) {
      if (!(error instanceof PortalError && error.code === 'hmrc.not_connected')) throw error;
      await reconnect();
    }
  };
  // Time allowed for the remaining work after the last kill.
  let deadline = performance.now() + limitMs;
  let last = await readStatus();
  while (performance.now() < deadline) {
    if (!last.is_refreshing) {
      if (last.run?.reason?.code !== 'connection_ended') break;
      await reconnect();
    } else if (shouldCancel && !isCancelled && kills === 1) {
      isCancelled = true;
      violations.push(...(await cancelDuringKill(testBed, random, params, readStatus)));
      await restart();
    } else if (kills < maxKills && !options.signal?.aborted) {
      kills += 1;
      await killRandomly(testBed, random, KILL_LIMITS);
      if (random() < JOIN_PROBABILITY) await restart();
      deadline = performance.now() + limitMs;
    } else {
      await pause(200);
    }
    last = await readStatus();
  }
  if (last.is_refreshing) violations.push(`the refresh has not ended: ${last.sentence}`);
  const killCount = testBed.countKills() - killsBefore;
  const after = await testBed.readStatistics();
  violations.push(...verifyCalls(before, after, { killCount, lostGrants, departures: testBed.readDepartures() }));
  return { last, killCount, lostGrants, throttled: after.throttled - before.throttled, violations };
}

/** The probability that a user clicks Refresh again after a kill. */
const JOIN_PROBABILITY = 0.25;

async function expireTokens({ sandbox }: PracticeTestBed): Promise<void> {
  const now = parseInstant(await sandbox.readClock());
  if (now) await sandbox.moveClock({ now: addMilliseconds(now, PAST_TOKEN_EXPIRY_MS) });
}

/** Returns the largest number of calls sent within any one second. */
export function countMaxCallsInOneSecond(departures: readonly number[]): number {
  let maxCalls = 0;
  let windowStart = 0;
  for (const [index, time] of departures.entries()) {
    while ((departures[windowStart] ?? time) <= time - 1_000) windowStart += 1;
    maxCalls = Math.max(maxCalls, index - windowStart + 1);
  }
  return maxCalls;
}

/**
 * The portal must never exceed the rate limit, and must refresh the token once for all workers, however many are killed. Calls are counted
 * when they are sent: HMRC counts arrivals, and on a busy machine a call can take half a second to arrive, so HMRC may reject one that was
 * sent in time. Such rejections are reported, but aren't violations.
 */
function verifyCalls(
  before: HmrcStatistics,
  after: HmrcStatistics,
  { killCount, lostGrants, departures }: { killCount: number; lostGrants: number; departures: readonly number[] },
): string[] {
  const callsInOneSecond = countMaxCallsInOneSecond(departures);
  const refreshedCount = after.refreshed - before.refreshed;
  const rejectedTokens = after.refresh_refused - before.refresh_refused;
  const rules: [boolean, string][] = [
    [departures.length >= after.calls - before.calls, `${departures.length} calls left, and more arrived`],
    [callsInOneSecond <= CALLS_PER_SECOND, `${callsInOneSecond} calls left for HMRC in one second`],
    [refreshedCount <= 1, `the token was refreshed ${refreshedCount} times instead of once`],
    // A used refresh token is resent only if the kill happened before the portal could store the new one.
    [
      rejectedTokens === lostGrants && lostGrants <= killCount,
      `${rejectedTokens} spent refresh tokens were sent for ${lostGrants} lost connections`,
    ],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}

/** Longer than a sync worker sleeps, and longer than jobs take to start. */
const QUIET_PERIOD_MS = 3_000;

async function cancelDuringKill(
  testBed: PracticeTestBed,
  random: RandomSource,
  params: { company_id: string; tax_type: 'vat' | 'sa' },
  readStatus: () => Promise<TaxRefreshStatus>,
): Promise<string[]> {
  const cancelRequest = testBed.admin.caller.call(syncApi.cancel, params).catch(() => undefined);
  await pause(random() * 60);
  await testBed.kill();
  await cancelRequest;
  if ((await readStatus()).is_refreshing) await testBed.callWithRestart(syncApi.cancel, params);
  const current = await readStatus();
  if (current.run?.state === 'completed' || current.run?.reason?.code === 'connection_ended') return [];
  if (current.run?.state !== 'cancelled') return [`the cancelled refresh is ${current.run?.state}`];
  const calls = await waitForNoCalls(testBed);
  if (calls === undefined) return ['HMRC was still called long after the cancellation'];
  await killRandomly(testBed, random, KILL_LIMITS);
  await testBed.revive();
  await pause(QUIET_PERIOD_MS);
  const statusAfterRestart = await readStatus();
  const newCalls = (await testBed.readStatistics()).calls - calls;
  const isUnchanged =
    statusAfterRestart.run?.state === 'cancelled' && JSON.stringify(statusAfterRestart.run.counts) === JSON.stringify(current.run.counts);
  return [
    ...(isUnchanged ? [] : [`the cancelled refresh continued: ${JSON.stringify([current.run, statusAfterRestart.run])}`]),
    ...(newCalls > 0 ? [`${newCalls} calls went to HMRC after the cancellation`] : []),
  ];
}

/** A sync worker finishes its current batch: about two seconds of calls, more on a slow machine. */
const NO_CALLS_MS = 1_500;
const NO_CALLS_TIMEOUT_MS = 20_000;

/** Waits until calls to HMRC stop, and returns their count; undefined if they don't stop in time. */
async function waitForNoCalls(testBed: PracticeTestBed): Promise<number | undefined> {
  const deadline = performance.now() + NO_CALLS_TIMEOUT_MS;
  let { calls } = await testBed.readStatistics();
  while (performance.now() < deadline) {
    await pause(NO_CALLS_MS);
    const current = (await testBed.readStatistics()).calls;
    if (current === calls) return calls;
    calls = current;
  }
  return undefined;
}
