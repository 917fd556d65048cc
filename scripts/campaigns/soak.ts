/** Runs at half the machine's capacity for a long time: nothing may fail, and nothing may grow. */
import { setTimeout as pause } from 'node:timers/promises';
import { PRACTICES } from '../../bench/list-limit-data.ts';
import { createRandom } from '../chaos/random.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from './campaign.ts';
import { compareThirds, toPercentile, type SoakSample } from './soak/compare-thirds.ts';
import { createLoad, type Load } from './soak/load.ts';
import { openSoakPortals, type SoakPortals } from './soak/portals.ts';

export const soak: Campaign = {
  name: 'soak',
  proves:
    'Three portals with 10,000 clients serve half of their capacity for 30 minutes without an error, and memory, latency and handles don’t grow',
  unit: 'minutes',
  target: 30,
  defaultCount: 30,
  engines: ['postgres'],
  run: runSoak,
};

const MINUTE_MS = 60_000;
/** The time before capacity is measured, in which code is compiled and pools are filled. */
const COLD_MS = 10_000;
const CAPACITY_MS = 15_000;
const PEOPLE = 24;
/** The share of the total time before samples count. */
const WARM_UP_SHARE = 1 / 6;
/** Keeps garbage collection, which a sample requires, infrequent. */
const MAX_SAMPLE_MS = 30_000;
const SAMPLES = 36;
/** Finds jobs that weren't done in time: at the end, they are more than a minute overdue. */
const LATE_JOBS_SQL = `select data ->> 'kind' as kind from pgboss.job
  where name in ('portal', 'portal-urgent') and state < 'active' and start_after < now() - interval '60 seconds'`;
const JOBS_SQL = `select count(*) filter (where state = 'completed')::int as completed,
  count(*) filter (where name = 'portal-failed')::int as failed from pgboss.job`;
const CONNECTIONS_SQL = 'select count(*)::int as count from pg_stat_activity where datname = current_database()';

async function runSoak({ seed, count, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const portals = await openSoakPortals();
  try {
    const ids = await portals.query<{ id: string }>(`select id from clients where company_id = '${PRACTICES[10_000]}'`);
    const load = createLoad(
      portals.urls,
      ids.map(({ id }) => id),
      createRandom(seed),
    );
    await load.findCapacity(PEOPLE, COLD_MS);
    const capacity = await load.findCapacity(PEOPLE, CAPACITY_MS);
    load.takeTimes();
    const perSecond = capacity / 2;
    log(`capacity ${capacity.toFixed(0)} requests a second; ${perSecond.toFixed(0)} from now on; log in ${portals.logFile}`);
    const startedAt = performance.now();
    const endController = new AbortController();
    const loading = load.runSteadily(perSecond, endController.signal);
    const samples = await collectSamples(portals, load, count * MINUTE_MS, log, signal);
    const minutes = Math.floor((performance.now() - startedAt) / MINUTE_MS);
    endController.abort();
    await loading;
    const { findings, figures } = compareThirds(samples.slice(Math.floor(samples.length * WARM_UP_SHARE)));
    const failures = [...load.findings].map(([findingName, times]) => `${times} times: ${findingName}`);
    const jobs = await checkJobs(portals);
    const rates = { 'requests a second': perSecond.toFixed(0), capacity: capacity.toFixed(0), 'jobs done': jobs.completed };
    return { done: minutes, findings: [...failures, ...jobs.findings, ...findings], figures: { ...rates, ...figures } };
  } finally {
    await portals.close();
  }
}

/** Takes samples until the time is up or the signal is aborted. */
async function collectSamples(
  portals: SoakPortals,
  load: Load,
  milliseconds: number,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly SoakSample[]> {
  const samples: SoakSample[] = [];
  const endMs = performance.now() + milliseconds;
  const everyMs = Math.min(MAX_SAMPLE_MS, milliseconds / SAMPLES);
  while (performance.now() < endMs && !signal.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const times = load.takeTimes();
    const [countRow] = await portals.query<{ count: number }>(CONNECTIONS_SQL);
    const sample = { portals: await portals.measure(), connections: countRow?.count ?? 0, p95Ms: toPercentile(times, 0.95) };
    samples.push(sample);
    const memory = sample.portals
      .map(({ rssBytes, heapBytes }) => `${(rssBytes / 1e6).toFixed(0)}/${(heapBytes / 1e6).toFixed(1)}`)
      .join(' ');
    log(`${times.length} answers, p95 ${sample.p95Ms.toFixed(1)} ms; MB in all/heap: ${memory}; ${sample.connections} connections`);
  }
  return samples;
}

async function checkJobs({ query }: SoakPortals): Promise<{ readonly completed: number; readonly findings: readonly string[] }> {
  const lateJobs = await query<{ kind: string }>(LATE_JOBS_SQL);
  const [jobs] = await query<{ completed: number; failed: number }>(JOBS_SQL);
  const findings = [
    ...(lateJobs.length > 0 ? [`${lateJobs.length} jobs are late, first ${lateJobs[0]?.kind}`] : []),
    ...(jobs && jobs.failed > 0 ? [`${jobs.failed} jobs failed for good`] : []),
  ];
  return { completed: jobs?.completed ?? 0, findings };
}
