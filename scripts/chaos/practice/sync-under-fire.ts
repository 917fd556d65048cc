/**
 * Refreshes one tax of some clients while the portal is killed repeatedly. The admin presses refresh again, sometimes cancels, and
 * reconnects HMRC when a kill lost the connection.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { syncApi, type Refreshing } from '@portal/contract/sync.ts';
import { addMilliseconds, parseInstant } from '@portal/domain/clock.ts';
import { PortalRefusal } from '../../smoke/caller.ts';
import type { Chance } from '../shake.ts';
import { killByChance } from './kill-by-chance.ts';
import { CALLS_PER_SECOND, type HmrcStatistics, type PracticeWorld } from './practice-world.ts';

export type SyncOutcome = {
  readonly last: Refreshing;
  readonly deaths: number;
  /** Kills between HMRC's response to a refresh token and the portal's commit. The connection is lost and must be made again. */
  readonly grantsLost: number;
  readonly throttled: number;
  readonly violations: readonly string[];
};

export type SyncOptions = {
  readonly tax: 'vat' | 'sa';
  readonly clientIds: readonly string[];
  readonly mostKills: number;
  readonly cancels: boolean;
  readonly limitMs: number;
};

/** HMRC's access tokens last four hours, so after five hours the first call must refresh the token. */
const TOKEN_OUTLIVED_MS = 5 * 3_600_000;

/** About twenty calls a second, and two commits for each client. */
const LATEST = { points: 60, ms: 1_500 } as const;

export async function syncUnderFire(world: PracticeWorld, chance: Chance, options: SyncOptions): Promise<SyncOutcome> {
  await world.revive();
  const deathsBefore = world.countDeaths();
  const { tax, clientIds, mostKills, cancels, limitMs } = options;
  const of = { company_id: world.admin.companyId, tax_type: tax } as const;
  const look = (): Promise<Refreshing> => world.ask(syncApi.refreshingClients, of);
  const start = (): Promise<unknown> => world.ask(syncApi.start, { ...of, client_ids: [...clientIds] });
  const violations: string[] = [];
  await outliveTokens(world);
  const before = await world.readStatistics();
  await start();
  let [kills, grantsLost, isCancelled] = [0, 0, false];
  const connectAgain = async (): Promise<void> => {
    grantsLost += 1;
    if (!(await world.connect())) violations.push('HMRC was reported as disconnected, but the connection exists');
    await start();
  };
  /** The last kill may have lost the connection, and starting a refresh is the first call to notice. */
  const startAgain = async (): Promise<void> => {
    try {
      await start();
    } catch (error) {
      if (!(error instanceof PortalRefusal && error.code === 'hmrc.not_connected')) throw error;
      await connectAgain();
    }
  };
  // Time allowed for the remaining work after the last kill.
  let until = performance.now() + limitMs;
  let last = await look();
  while (performance.now() < until) {
    if (!last.is_refreshing) {
      if (last.run?.reason?.code !== 'connection_ended') break;
      await connectAgain();
    } else if (cancels && !isCancelled && kills === 1) {
      isCancelled = true;
      violations.push(...(await cancelUnderFire(world, chance, of, look)));
      await startAgain();
    } else if (kills < mostKills) {
      kills += 1;
      await killByChance(world, chance, LATEST);
      if (chance() < JOINS) await startAgain();
      until = performance.now() + limitMs;
    } else {
      await pause(200);
    }
    last = await look();
  }
  if (last.is_refreshing) violations.push(`the refresh has not ended: ${last.sentence}`);
  const deaths = world.countDeaths() - deathsBefore;
  const after = await world.readStatistics();
  violations.push(...judgeCalls(before, after, { deaths, grantsLost, departures: world.readDepartures() }));
  return { last, deaths, grantsLost, throttled: after.throttled - before.throttled, violations };
}

/** Probability that a person presses refresh again after a kill. */
const JOINS = 0.25;

async function outliveTokens({ doubles }: PracticeWorld): Promise<void> {
  const now = parseInstant(await doubles.readClock());
  if (now) await doubles.moveClock({ now: addMilliseconds(now, TOKEN_OUTLIVED_MS) });
}

/** The largest number of calls that left within any one second. */
export function mostInOneSecond(departures: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of departures.entries()) {
    while ((departures[first] ?? at) <= at - 1_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/**
 * The portal must never exceed the rate limit, and must refresh the token once for all workers, however many are killed. Calls are counted
 * when
 * they leave: HMRC counts arrivals, and on a busy machine a call can take half a second to arrive, so HMRC may reject one that left in
 * time. Such rejections are reported but are not violations.
 */
function judgeCalls(
  before: HmrcStatistics,
  after: HmrcStatistics,
  { deaths, grantsLost, departures }: { deaths: number; grantsLost: number; departures: readonly number[] },
): string[] {
  const left = mostInOneSecond(departures);
  const refreshed = after.refreshed - before.refreshed;
  const refused = after.refresh_refused - before.refresh_refused;
  const rules: [boolean, string][] = [
    [departures.length >= after.calls - before.calls, `${departures.length} calls left, and more arrived`],
    [left <= CALLS_PER_SECOND, `${left} calls left for HMRC in one second`],
    [refreshed <= 1, `the token was refreshed ${refreshed} times instead of once`],
    // A spent refresh token is sent again only when the kill happened before the portal could store the new one.
    [refused === grantsLost && grantsLost <= deaths, `${refused} spent refresh tokens were sent for ${grantsLost} lost connections`],
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

/** Longer than a sync worker sleeps and than the jobs take to start. */
const STILL_MS = 3_000;

async function cancelUnderFire(
  world: PracticeWorld,
  chance: Chance,
  of: { company_id: string; tax_type: 'vat' | 'sa' },
  look: () => Promise<Refreshing>,
): Promise<string[]> {
  const pressed = world.admin.caller.call(syncApi.cancel, of).catch(() => undefined);
  await pause(chance() * 60);
  await world.kill();
  await pressed;
  if ((await look()).is_refreshing) await world.ask(syncApi.cancel, of);
  const seen = await look();
  if (seen.run?.state === 'completed' || seen.run?.reason?.code === 'connection_ended') return [];
  if (seen.run?.state !== 'cancelled') return [`the cancelled refresh is ${seen.run?.state}`];
  const calls = await awaitSilence(world);
  if (calls === undefined) return ['HMRC was still called long after the cancellation'];
  await killByChance(world, chance, LATEST);
  await world.revive();
  await pause(STILL_MS);
  const later = await look();
  const made = (await world.readStatistics()).calls - calls;
  const isStill = later.run?.state === 'cancelled' && JSON.stringify(later.run.counts) === JSON.stringify(seen.run.counts);
  return [
    ...(isStill ? [] : [`the cancelled refresh went on: ${JSON.stringify([seen.run, later.run])}`]),
    ...(made > 0 ? [`${made} calls went to HMRC after the cancellation`] : []),
  ];
}

/** A sync worker finishes its current batch: about two seconds of calls, more on a slow machine. */
const SILENT_MS = 1_500;
const SILENT_WITHIN_MS = 20_000;

/** Waits until calls to HMRC stop and returns their count; undefined if they do not stop in time. */
async function awaitSilence(world: PracticeWorld): Promise<number | undefined> {
  const until = performance.now() + SILENT_WITHIN_MS;
  let { calls } = await world.readStatistics();
  while (performance.now() < until) {
    await pause(SILENT_MS);
    const seen = (await world.readStatistics()).calls;
    if (seen === calls) return calls;
    calls = seen;
  }
  return undefined;
}
