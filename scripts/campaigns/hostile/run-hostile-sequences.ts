/** Runs sequences in parallel until enough calls have been made, then checks the results. */
import { setTimeout as pause } from 'node:timers/promises';
import { createSandboxClient } from '../../smoke/sandbox-client.ts';
import { createRandom, pickWeighted } from '../../chaos/random.ts';
import type { CampaignContext, CampaignOutcome } from '../campaign.ts';
import { createRecord } from './campaign-record.ts';
import { checkBooks } from './check-books.ts';
import { createForeignData } from './foreign-data.ts';
import { SequenceEndedError, type Run } from './hostile-person.ts';
import { openOakline } from './oakline.ts';
import { createOperators } from './operators.ts';
import type { HostileTestBed } from './people.ts';
import { createRowCounter } from './row-counter.ts';
import { closeConnections } from './send-request.ts';
import { SEQUENCES } from './sequences.ts';
import { openThreePortals, type ThreePortals } from './three-portals.ts';
import { openWebhookKeys } from './webhook-keys.ts';

/** Enough to keep three portals busy on two cores. */
const CONCURRENT_SEQUENCES = 10;
const CORRUPTED_PER_STEP = 25;
/** A run with fewer calls in total makes fewer before each step, so that it gets further. */
const CALLS_FOR_FULL_STEPS = 20_000;
const PROGRESS_MS = 30_000;
const CLEAR_LIMITS_MS = 1_500;

export async function runHostileSequences(context: CampaignContext): Promise<CampaignOutcome> {
  const { count, log, signal } = context;
  const keys = await openWebhookKeys();
  const portals = await openThreePortals(keys.url);
  const record = createRecord(log);
  try {
    const run: Run = {
      origins: portals.origins,
      sandboxUrl: portals.sandboxUrl,
      record,
      foreign: createForeignData(),
      corruptedPerStep: count < CALLS_FOR_FULL_STEPS ? 3 : CORRUPTED_PER_STEP,
      isOver: () => signal.aborted || record.calls() >= count,
      countRows: await createRowCounter(portals.database),
    };
    await prepareSandbox(run.sandboxUrl);
    const startedAt = performance.now();
    const sharedState = {
      run,
      sandbox: createSandboxClient(run.sandboxUrl),
      operators: await createOperators(run, context.seed),
      oakline: await openOakline(run, context.seed),
      keys,
    };
    await Promise.all([runSequencesConcurrently(sharedState, context), monitorRun(run, portals, log)]);
    const seconds = (performance.now() - startedAt) / 1000;
    await checkBooks(run, portals);
    const missed = record.missed();
    if (missed.length > 0) log(`never reached in a valid state: ${missed.join(', ')}`);
    return { done: record.calls(), findings: record.findings(), figures: record.figures(seconds) };
  } finally {
    closeConnections();
    await portals.close();
    await keys.close();
  }
}

async function prepareSandbox(url: string): Promise<void> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const rateResponse = await fetch(`${url}/control/hmrc-agents/rate`, { ...init, body: '{"requests_per_second":100000}' });
  if (!rateResponse.ok) throw new Error(`the sandbox’s rate limit: ${rateResponse.status}`);
}

async function runSequencesConcurrently(sharedTestBed: Omit<HostileTestBed, 'random'>, { seed }: CampaignContext): Promise<void> {
  let startedCount = 0;
  const runWorker = async (): Promise<void> => {
    while (!sharedTestBed.run.isOver()) {
      const index = startedCount;
      startedCount += 1;
      const random = createRandom(seed * 10_007 + index);
      // The first runs play each sequence once.
      const sequence = SEQUENCES[index] ?? pickWeighted(random, SEQUENCES);
      await runSequenceOnce({ ...sharedTestBed, random }, sequence);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SEQUENCES }, runWorker));
}

async function runSequenceOnce(testBed: HostileTestBed, { name, run }: (typeof SEQUENCES)[number]): Promise<void> {
  try {
    await run(testBed);
  } catch (error) {
    if (error instanceof SequenceEndedError || testBed.run.isOver()) return;
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    testBed.run.record.find(`the sequence ${name} could not continue: ${message.slice(0, 120)}`, stack.slice(0, 600));
  }
}

/** Rate limits would stop a user after a few corrupted calls. They have separate tests. */
async function monitorRun(run: Run, { database }: ThreePortals, log: (line: string) => void): Promise<void> {
  let lastCalls = 0;
  let lastAt = performance.now();
  while (!run.isOver()) {
    await database.query('delete from attempts');
    await pause(CLEAR_LIMITS_MS);
    const now = performance.now();
    if (now - lastAt < PROGRESS_MS) continue;
    const calls = run.record.calls();
    log(
      `${calls} calls, ${Math.round(((calls - lastCalls) * 1000) / (now - lastAt))} a second, ${run.record.findings().length} findings, ${run.record.missed().length} endpoints not reached yet`,
    );
    [lastCalls, lastAt] = [calls, now];
  }
}
