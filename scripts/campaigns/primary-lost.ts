/** Takes the database computers of a Patroni cluster offline under load, using the files in deploy/patroni. */
import { setTimeout as pause } from 'node:timers/promises';
import { syncApi } from '@portal/contract/sync.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import type { FilingTrader } from '../chaos/filing-test-bed.ts';
import { verifySync } from '../chaos/practice/verify-sync.ts';
import { createRandom, type RandomSource } from '../chaos/random.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from './campaign.ts';
import { observeResponses, type Answers } from './primary-lost/responses.ts';
import { createTestUsers, type TestUsers } from './primary-lost/cast.ts';
import { describeMissingTools, type Cluster } from './primary-lost/cluster.ts';
import type { Computer } from './primary-lost/computers.ts';
import { LOSSES, waitForOtherLeader, type Loss } from './primary-lost/losses.ts';
import { type LossTestBed, openLossTestBed } from './primary-lost/stage.ts';
import { describeError, runSale } from './primary-lost/writers.ts';

export const primaryLost: Campaign = {
  name: 'primary-lost',
  proves:
    'When a database computer is lost under load, no acknowledged write is, writes work again in 30 s, and jobs and sessions continue by themselves',
  unit: 'losses',
  target: 30,
  defaultCount: LOSSES.length,
  engines: ['postgres'],
  run: runPrimaryLost,
};

const MAX_OUTAGE_MS = 30_000;
/** The number of sales under way at each loss, each at a different step. */
const SALES = 3;
/** Time before a loss, so that sales and a refresh are under way. */
const WARM_UP_MS = 4_000;
/** Time after writes work again, before the lost computer returns. */
const SINGLE_NODE_MS = 5_000;
const NEW_PRIMARY_LIMIT_MS = 90_000;
/** Time limit for pg_rewind or a new copy of the database on a busy machine. */
const CLUSTER_RECOVERY_LIMIT_MS = 180_000;
const SETTLE_LIMIT_MS = 240_000;

type Run = {
  readonly stage: LossTestBed;
  readonly cast: TestUsers;
  readonly answers: Answers;
  readonly random: RandomSource;
  readonly findings: Set<string>;
  readonly log: (line: string) => void;
  readonly outages: { readonly name: string; readonly ms: number }[];
  readonly rejoins: number[];
};

async function runPrimaryLost({ seed, count, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const missingRecords = describeMissingTools();
  if (missingRecords !== undefined) throw new Error(missingRecords);
  const findings = new Set<string>();
  const answers = observeResponses();
  const testBed = await openLossTestBed(log);
  try {
    const testUsers = await createTestUsers(testBed, answers, findings);
    log(`${testUsers.clients.length} clients and ${testUsers.writers.length} writers are ready`);
    const run: Run = { stage: testBed, cast: testUsers, answers, findings, log, random: createRandom(seed), outages: [], rejoins: [] };
    const stopWriting = new AbortController();
    const writing = testUsers.writers.map((writer) => writer.run(stopWriting.signal));
    let doneCount = 0;
    while (doneCount < count && !signal.aborted) {
      const loss = LOSSES[(seed + doneCount) % LOSSES.length];
      if (!loss) break;
      await runLoss(run, loss).catch((error: unknown) => void findings.add(`${loss.name}: ${describeError(error)}`));
      doneCount += 1;
    }
    stopWriting.abort();
    await Promise.all(writing);
    for (const finding of await verifyEverything(run)) findings.add(finding);
    for (const finding of answers.findings) findings.add(finding);
    return { done: doneCount, findings: [...findings], figures: toFigures(run) };
  } finally {
    await testBed.close();
  }
}

async function runLoss(run: Run, loss: Loss): Promise<void> {
  const { stage, cast, answers, random, findings, log } = run;
  const { cluster, portalUrls } = stage;
  const traders: FilingTrader[] = [];
  for (let sale = 0; sale < SALES; sale += 1) traders.push(await cast.createTrader());
  await cast.letTokensExpire();
  await startRefresh(cast);
  answers.takeCounts();
  const sales = traders.map(async (trader) => {
    await pause(random() * WARM_UP_MS);
    return runSale(cast.people, trader, SETTLE_LIMIT_MS);
  });
  await pause(WARM_UP_MS);
  const computer = await loss.find(cluster);
  const startedAt = performance.now();
  log(`${loss.name}: ${computer.name}`);
  const rejoinMs = await loseAndRestore(cluster, loss, computer);
  const totalMs = answers.readOutageMs(portalUrls, startedAt);
  run.outages.push({ name: loss.name, ms: totalMs });
  run.rejoins.push(rejoinMs);
  if (totalMs > MAX_OUTAGE_MS) findings.add(`${loss.name}: no acknowledged write for ${toSeconds(totalMs)}`);
  for (const name of stage.findEnded()) findings.add(`${loss.name}: ${name} ended by itself`);
  const failedSales = (await Promise.all(sales)).filter((reason) => reason !== undefined);
  for (const reason of failedSales) findings.add(`${loss.name}: a sale failed: ${reason}`);
  for (const finding of await verifyRefresh(run)) findings.add(`${loss.name}: ${finding}`);
  for (const finding of await verifyTraders(stage, traders)) findings.add(`${loss.name}: ${finding}`);
  const counts = [...answers.takeCounts()].map(([status, times]) => `${times} x ${status}`).join(', ');
  log(`  no write for ${toSeconds(totalMs)}, whole again after ${toSeconds(rejoinMs)} more; answers: ${counts}`);
}

/** Loses a computer, restores it and returns how long it took to rejoin. */
async function loseAndRestore(cluster: Cluster, loss: Loss, computer: Computer): Promise<number> {
  try {
    loss.begin(computer);
    if (loss.movesPrimary) await waitForOtherLeader(cluster, computer, NEW_PRIMARY_LIMIT_MS);
    else await pause(MAX_OUTAGE_MS / 2);
    await pause(SINGLE_NODE_MS);
  } finally {
    loss.end(cluster, computer);
  }
  const restoredAt = performance.now();
  await cluster.waitUntilWhole(CLUSTER_RECOVERY_LIMIT_MS);
  return performance.now() - restoredAt;
}

async function startRefresh({ admin, clients }: TestUsers): Promise<void> {
  const params = { company_id: admin.companyId, tax_type: 'vat' } as const;
  await admin.caller.call(syncApi.start, { ...params, client_ids: clients.map(({ id }) => id) });
}

/** Checks that the refresh completes automatically, without any action by a user. */
async function verifyRefresh({ stage, cast }: Run): Promise<readonly string[]> {
  const { companyId } = cast.admin;
  const deadline = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const { rows } = await stage.query(({ executeSql }) => executeSql('select from sync_runs where ended_at is null'));
    if (rows.length === 0) return stage.query(({ db }) => verifySync(db, companyId, 'vat', cast.clients));
    if (performance.now() > deadline) return [`a refresh did not end in ${SETTLE_LIMIT_MS / 1000} s`];
    await pause(1_000);
  }
}

/** Checks the simulators' own records: one return and one payout per trader. */
async function verifyTraders({ sandbox }: LossTestBed, traders: readonly FilingTrader[]): Promise<readonly string[]> {
  const payouts = await sandbox.listPayouts();
  const foundProblems: string[] = [];
  for (const { organisation, bankAccount } of traders) {
    const returns = (await sandbox.listReturns(organisation.vrn)).reduce((sum, { times_accepted }) => sum + times_accepted, 0);
    const paidPayoutCount = payouts.filter(({ account_number }) => account_number === bankAccount.account_number).length;
    if (returns !== 1 || paidPayoutCount !== 1)
      foundProblems.push(`a trader has ${returns} returns at HMRC and ${paidPayoutCount} payouts at the bank`);
  }
  return foundProblems;
}

async function verifyEverything({ stage, cast }: Run): Promise<readonly string[]> {
  // The emails for the last sign-ups may still be in the job queue.
  await pause(SINGLE_NODE_MS);
  const foundProblems: string[] = [];
  for (const writer of cast.writers)
    foundProblems.push(...(await writer.verify().catch((error: unknown) => [`reading back: ${describeError(error)}`])));
  const { difference_pence: difference } = await cast.people.approver.call(operatorsApi.ledger, {});
  if (difference !== 0) foundProblems.push(`the ledger differs by ${difference} pence`);
  const { equal_under_different_keys: equalCount } = await stage.sandbox.readBankStatistics();
  if (equalCount.some(({ not_failed }) => not_failed > 1)) foundProblems.push('the bank carried out equal payments under different keys');
  const audit = await stage.verifyAudit();
  if (audit !== undefined) foundProblems.push(`the audit trail: ${audit}`);
  const { rows } = await stage.query(({ executeSql }) =>
    executeSql(`select data ->> 'kind' as kind from pgboss.job where name = 'portal-failed'`),
  );
  if (rows.length > 0) foundProblems.push(`${rows.length} jobs failed for good: ${JSON.stringify(rows.slice(0, 5))}`);
  const statistics = (await (await fetch(`${stage.site.sandboxUrl}/control/hmrc/statistics`)).json()) as { refresh_refused: number };
  if (statistics.refresh_refused > 0)
    foundProblems.push(`HMRC refused ${statistics.refresh_refused} renewals of tokens: their connections are lost`);
  return foundProblems;
}

function toFigures({ outages, rejoins, cast }: Run): Record<string, string | number> {
  const outageRows = LOSSES.flatMap(({ name }): [string, string][] => {
    const outageTimes = outages.filter((outage) => outage.name === name).map(({ ms }) => ms);
    return outageTimes.length === 0 ? [] : [[`no write after: ${name}`, outageTimes.map(toSeconds).join(', ')]];
  });
  const writes = cast.writers.reduce((sum, writer) => sum + writer.count(), 0);
  return {
    ...Object.fromEntries(outageRows),
    'slowest rejoin': toSeconds(Math.max(0, ...rejoins)),
    'acknowledged writes read back': writes,
  };
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
