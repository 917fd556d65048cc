/** One refresh of some clients' tax, while the portal dies again and again; the admin joins it, sometimes cancels it, and connects HMRC anew where a death cost the grant. */
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
  /** Deaths between HMRC's answer to a refresh token and our note of it: the grant is lost, and given anew. */
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

/** HMRC's access tokens live four hours: after five, the first call begins with their renewal. */
const TOKEN_OUTLIVED_MS = 5 * 3_600_000;

/** Twenty calls a second, and two commits for each client. */
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
    if (!(await world.connect())) violations.push('HMRC is said to be gone, and its grant is there');
    await start();
  };
  /** The death before may have cost the grant, whose end a start is the first to meet. */
  const startAgain = async (): Promise<void> => {
    try {
      await start();
    } catch (error) {
      if (!(error instanceof PortalRefusal && error.code === 'hmrc.not_connected')) throw error;
      await connectAgain();
    }
  };
  // What is left after the last death has so long.
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

/** How often somebody presses the button again after a death. */
const JOINS = 0.25;

async function outliveTokens({ doubles }: PracticeWorld): Promise<void> {
  const now = parseInstant(await doubles.readClock());
  if (now) await doubles.moveClock({ now: addMilliseconds(now, TOKEN_OUTLIVED_MS) });
}

/** The most calls that left within any one second. */
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
 * Never too fast, over all deaths, and one refresh for all readers, however many of them died. Calls are counted as they leave: HMRC counts arrivals, and
 * on a machine with more to do than it can they travel for up to half a second, so that it may refuse one that left in time. That is told, not judged.
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
    [refreshed <= 1, `the grant was renewed ${refreshed} times where once was enough`],
    // A spent token is offered again only by whoever could not know that it was spent.
    [refused === grantsLost && grantsLost <= deaths, `${refused} spent refresh tokens were offered for ${grantsLost} lost grants`],
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

/** Longer than a lane sleeps, and than a start of the jobs. */
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

/** A reader ends with the clients that it has in hand: two seconds' worth of calls, more where the machine is slow. */
const SILENT_MS = 1_500;
const SILENT_WITHIN_MS = 20_000;

/** HMRC's count of calls once nobody calls any more; undefined where somebody goes on. */
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
