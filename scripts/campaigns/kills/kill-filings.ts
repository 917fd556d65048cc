/**
 * Waves of traders who file and sell their refunds at the same time, while the portal is killed repeatedly. Once all have settled, HMRC's
 * and the bank's own records are compared with the ledger.
 */
import { openDatabase } from '@portal/db/open-database.ts';
import { createAgentSimulatorClient } from '../../portfolio/agent-simulator-client.ts';
import { openFilingTestBed, type FilingTestBed, type FilingTrader } from '../../chaos/filing-test-bed.ts';
import { collectFindings, listLedgerViolations, listTraderViolations, readPostedPence } from '../../chaos/findings.ts';
import { readKillPoints, type KillPoint } from '../../chaos/kill-plan.ts';
import { killAtPoint, killRandomly } from '../../chaos/practice/kill-randomly.ts';
import { readLogTail } from '../../chaos/processes.ts';
import { pick, type RandomSource } from '../../chaos/random.ts';
import { runToSettlement, type TraderRun } from '../../chaos/run-to-settlement.ts';
import { checkBooks } from '../../restore-drill/check-books.ts';
import type { Caller } from '../../smoke/caller.ts';
import { describeError, type KillContext, type KillResult } from './kill-result.ts';
import { joinSignals } from '../join-signals.ts';

/** The number per wave, so that each kill affects several. */
const TRADERS = 10;
const KILLS_IN_WAVE = 24;
/** Signing up is much more expensive than filing. */
const CREATED_AT_ONCE = 4;
/** On PostgreSQL, a trader waits a minute after a kill while filing, and for heartbeats after one in a job. */
const LIMIT_MS = 900_000;
const POLL_MS = 400;
const CALLS_PER_SECOND = 50;
const SHARE_AT_NAMED_STEP = 0.6;
const KILL_LIMITS = { points: 40, ms: 1_500 } as const;

export async function killFilings(context: KillContext, count: number, databaseUrl: string | undefined): Promise<KillResult> {
  const filingTestBed = await openFilingTestBed(databaseUrl, { HMRC_CALLS_PER_SECOND: String(CALLS_PER_SECOND) });
  const testBed = { ...filingTestBed, approver: serialise(filingTestBed.approver), releasers: filingTestBed.releasers.map(serialise) };
  const findings: string[] = [];
  let doneCount = 0;
  try {
    await createAgentSimulatorClient(testBed.site.sandboxUrl).setRequestsPerSecond(CALLS_PER_SECOND);
    const points = await recordPoints(testBed, findings);
    context.log(`filing and payout: a run has ${points.length} points`);
    while (doneCount < count && !context.signal.aborted && findings.length === 0) {
      const startedAt = performance.now();
      const waveResult = await runWave(context, testBed, points, Math.min(KILLS_IN_WAVE, count - doneCount));
      doneCount += waveResult.kills;
      findings.push(...waveResult.findings, ...(await verifyBooks(testBed, databaseUrl)));
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      context.log(`filing and payout: ${waveResult.kills} kills of ${TRADERS} traders in ${seconds} s, ${findings.length} findings`);
    }
  } catch (error) {
    findings.push(describeError(error));
  } finally {
    if (findings.length > 0) context.log(`Last lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    for (const step of testBed.lastSteps) context.steps.add(step);
    await testBed.close();
  }
  return { kills: doneCount, crashes: testBed.countCrashes(), lostConnections: 0, findings };
}

/** Records the points that a trader passes when nothing is killed. */
async function recordPoints(testBed: FilingTestBed, findings: string[]): Promise<KillPoint[]> {
  const traders = await createTraders(testBed, 1);
  const postedBefore = await readPostedPence(testBed);
  await testBed.setKillPlan({});
  const runs = await Promise.all(traders.map((trader) => settle(testBed, trader, () => 0)));
  findings.push(...(await verifyTraders(testBed, traders, runs, postedBefore)));
  return readKillPoints(testBed.readTrace());
}

async function runWave(
  { random, signal }: KillContext,
  testBed: FilingTestBed,
  points: readonly KillPoint[],
  count: number,
): Promise<Pick<KillResult, 'kills' | 'findings'>> {
  await testBed.revive();
  const traders = await createTraders(testBed, TRADERS);
  const postedBefore = await readPostedPence(testBed);
  const killsBefore = testBed.countKills();
  const settledController = new AbortController();
  const killLoop = killRepeatedly(testBed, random, points, count, joinSignals(signal, settledController.signal));
  // Killing may fail while the traders are still working, and is awaited after them.
  killLoop.catch(() => undefined);
  const runs = await Promise.all(traders.map((trader) => settle(testBed, trader, random)));
  settledController.abort();
  await killLoop;
  await testBed.revive();
  const kills = testBed.countKills() - killsBefore;
  return { kills, findings: await verifyTraders(testBed, traders, runs, postedBefore) };
}

async function createTraders(testBed: FilingTestBed, count: number): Promise<FilingTrader[]> {
  const traders: FilingTrader[] = [];
  while (traders.length < count) {
    const batch = Array.from({ length: Math.min(CREATED_AT_ONCE, count - traders.length) }, () => testBed.createTrader());
    traders.push(...(await Promise.all(batch)));
  }
  return traders;
}

function settle(testBed: FilingTestBed, trader: FilingTrader, random: RandomSource): Promise<TraderRun> {
  const options = { limitMs: LIMIT_MS, pollMs: POLL_MS, shouldRepeatKeys: random() < 0.5, clicks: random() < 0.5 ? 2 : 1 };
  return runToSettlement(testBed, trader, options);
}

async function killRepeatedly(
  testBed: FilingTestBed,
  random: RandomSource,
  points: readonly KillPoint[],
  count: number,
  signal: AbortSignal,
): Promise<void> {
  for (let kill = 0; kill < count && !signal.aborted; kill += 1) {
    if (random() < SHARE_AT_NAMED_STEP) {
      // Uses the first occurrence, because the traders' steps interleave.
      await testBed.revive();
      await killAtPoint(testBed, { killAt: { ...pick(random, points), nth: 1 } });
    } else await killRandomly(testBed, random, KILL_LIMITS);
  }
}

async function verifyTraders(
  testBed: FilingTestBed,
  traders: readonly FilingTrader[],
  runs: readonly TraderRun[],
  postedBefore: number,
): Promise<string[]> {
  const allFindings = await Promise.all(traders.map((trader) => collectFindings(testBed, trader, postedBefore)));
  const refundPence = allFindings.reduce((sum, item) => sum + item.refundPence, 0);
  const ledgers = allFindings
    .slice(0, 1)
    .map(({ ledgerDifferencePence, postedPence }) => ({ ledgerDifferencePence, postedPence, refundPence }));
  const violationsPerTrader = traders.flatMap(({ organisation }, index) => {
    const [runFindings, run] = [allFindings[index], runs[index]];
    return runFindings && run ? listTraderViolations(runFindings, run).map((sentence) => `${organisation.vrn}: ${sentence}`) : [];
  });
  return [...violationsPerTrader, ...ledgers.flatMap((ledger) => listLedgerViolations(ledger))];
}

/** Runs with the portal stopped, because only one process can open the embedded database. */
async function verifyBooks(testBed: FilingTestBed, databaseUrl: string | undefined): Promise<string[]> {
  await testBed.kill();
  const setting =
    databaseUrl === undefined
      ? ({ kind: 'embedded', dataDir: testBed.site.folder } as const)
      : ({ kind: 'postgres', url: databaseUrl, poolSize: 2, role: 'owner' } as const);
  const database = await openDatabase(setting, () => undefined);
  try {
    const { unbalanced, auditProblems } = await checkBooks(database.db);
    return [
      ...(unbalanced > 0 ? [`${unbalanced} postings don’t balance`] : []),
      ...(auditProblems > 0 ? [`the audit trail has ${auditProblems} problems`] : []),
    ];
  } finally {
    await database.close();
  }
}

/** Limits a user to one action at a time, with one confirmation by authenticator code. */
function serialise(caller: Caller): Caller {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...caller,
    call: (endpoint, input, options) => {
      const next = last.then(() => caller.call(endpoint, input, options));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
