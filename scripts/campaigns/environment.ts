/** Failures of disks, clocks, connections and calendars. */
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../chaos/random.ts';
import { installOnDebian } from '../testing/debian.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from './campaign.ts';
import { CONDITIONS } from './environment/conditions.ts';
import type { Condition, TestEnvironment } from './environment/condition.ts';
import { createFakeClock, findFakeTime } from './environment/fake-clock.ts';
import { openMachine, type Machine } from './environment/machine.ts';
import { canMount, mountSmallDisk } from './environment/small-disk.ts';
import { listFaults, readFigures, signUpUser, exercisePortal, type ActionOutcome, type ExerciseResult } from './environment/use-portal.ts';

export const environment: Campaign = {
  name: 'environment',
  proves:
    'When a disk is full, a clock jumps or connections run out, people get a clear error, nothing is lost, and everything works again by itself',
  unit: 'conditions',
  target: 100,
  defaultCount: CONDITIONS.length,
  run: runEnvironment,
};

/** Holds the database, PostgreSQL's write-ahead log and the portal's other data. */
const DATA_DISK_MB = 400;
const SPOOL_DISK_MB = 24;
/** How long a portal may take to work again after it was restarted or its database has recovered. */
const RECOVERY_MS = 60_000;

async function runEnvironment({ seed, count, engine, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  if (!canMount()) throw new Error('This campaign fills file systems of its own, which only root may mount (Linux).');
  const disks = { dataDisk: mountSmallDisk(DATA_DISK_MB), spoolDisk: mountSmallDisk(SPOOL_DISK_MB) };
  const fakeTimeLibrary = findFakeTime() ?? ((await installOnDebian('faketime')) ? findFakeTime() : undefined);
  const clock = fakeTimeLibrary === undefined ? undefined : createFakeClock(fakeTimeLibrary, disks.spoolDisk.folder);
  const dataFolder = disks.dataDisk.folder;
  const postgresSettings = ['max_connections=25'];
  const options = {
    engine,
    dataFolder,
    spoolFolder: disks.spoolDisk.folder,
    postgresSettings,
    portalSettings: { DATABASE_POOL_SIZE: '6' },
  };
  const closeDisks = (): void => [disks.dataDisk, disks.spoolDisk].forEach((disk) => disk.close());
  const machine = await openMachine({ ...options, ...(clock ? { environment: clock.environment } : {}) }).catch((error: unknown) => {
    closeDisks();
    throw error;
  });
  const findings: string[] = [];
  const references: string[] = [];
  let [doneCount, refusedCount, restarts, slowestMs] = [0, 0, 0, 0];
  try {
    for (const condition of chooseConditions(engine, seed, count)) {
      if (signal.aborted) break;
      const result = await applyCondition({ machine, ...disks, clock }, condition);
      doneCount += 1;
      refusedCount += result.refused;
      restarts += result.restarts;
      slowestMs = Math.max(slowestMs, result.recoverySeconds);
      references.push(...result.references);
      findings.push(...result.findings.map((finding) => `${condition.name}: ${finding}`));
      log(
        `${condition.name}: ${result.refused} refused, ${result.restarts} restarts, works again after ${result.recoverySeconds} s${result.findings.map((finding) => `\n  FOUND: ${finding}`).join('')}`,
      );
    }
    findings.push(...(await machine.check(references)));
  } finally {
    await machine.close();
    closeDisks();
  }
  const figures = {
    'calls refused with a reason': refusedCount,
    'restarts by the process manager': restarts,
    'slowest recovery (s)': slowestMs,
    'messages acknowledged and found': references.length,
  };
  return { done: doneCount, findings, figures };
}

/** Returns all the conditions in random order, repeated as often as needed. */
function chooseConditions(engine: Machine['engine'], seed: number, count: number): Condition[] {
  const random = createRandom(seed);
  const possibleConditions = CONDITIONS.filter(({ engines }) => engines.includes(engine));
  const rounds = Math.ceil(Math.min(count, 10_000) / possibleConditions.length);
  const shuffledConditions = Array.from({ length: rounds }, () =>
    possibleConditions
      .map((condition) => ({ condition, order: random() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ condition }) => condition),
  );
  return shuffledConditions.flat().slice(0, count);
}

type ConditionResult = {
  readonly findings: readonly string[];
  readonly refused: number;
  readonly restarts: number;
  readonly recoverySeconds: number;
  readonly references: readonly string[];
};

async function applyCondition(testEnvironment: TestEnvironment, condition: Condition): Promise<ConditionResult> {
  const { machine } = testEnvironment;
  const before = await readFigures(machine);
  machine.readLog();
  const end = await condition.begin(testEnvironment);
  const visitDuringCondition = await exercisePortalTogether(machine, condition);
  const wasAlive = machine.isAlive();
  const findings = listFaults(visitDuringCondition.endings, { mayDrop: !wasAlive || condition.mayDropConnections === true });
  const refusedCount = visitDuringCondition.endings.filter(({ outcome }) => outcome !== 'done').length;
  findings.push(...((await condition.check?.(machine)) ?? []));
  if (condition.mustRefuse && refusedCount === 0) findings.push('nothing was refused, so the condition was not reached');
  await end();
  const startedAt = performance.now();
  const restarts = await machine.restart();
  const after = await waitUntilWorking(machine);
  const recoverySeconds = Math.round((performance.now() - startedAt) / 100) / 10;
  findings.push(
    ...after.failed.map(
      ({ action, status, message }) => `still fails ${RECOVERY_MS / 1000} s afterwards: ${action}: ${status ?? ''} ${message}`,
    ),
  );
  if (after.failed.length === 0) {
    const figures = await readFigures(machine);
    if (figures !== before && !condition.changesFigures) findings.push(`the figures changed from ${before} to ${figures}`);
  }
  findings.push(...((await condition.check?.(machine)) ?? []));
  // The embedded engine can't continue after a failed write to its write-ahead log, so its process ends and is restarted.
  if (machine.engine === 'postgres' && restarts > 0) findings.push(`the portal or the database ended and was started ${restarts} times`);
  const reasons = findings.length > 0 ? listReasons(machine.readLog()) : [];
  findings.push(...reasons.map((reason) => `the log says: ${reason}`));
  return {
    findings,
    refused: refusedCount,
    restarts,
    recoverySeconds,
    references: [...visitDuringCondition.references, ...after.references],
  };
}

async function exercisePortalTogether(machine: Machine, { people = 1, rounds = 2 }: Condition): Promise<ExerciseResult> {
  const visits = await Promise.all(Array.from({ length: people }, () => exercisePortal(machine, rounds)));
  return { endings: visits.flatMap(({ endings }) => endings), references: visits.flatMap(({ references }) => references) };
}

async function waitUntilWorking(machine: Machine): Promise<{ failed: readonly ActionOutcome[]; references: readonly string[] }> {
  const deadline = performance.now() + RECOVERY_MS;
  const references: string[] = [];
  for (;;) {
    const visitResult = await exercisePortal(machine);
    references.push(...visitResult.references);
    const endings = [...visitResult.endings, await signUpUser(machine)];
    const failedEndings = endings.filter(({ outcome }) => outcome !== 'done');
    if (failedEndings.length === 0 || performance.now() > deadline) return { failed: failedEndings, references };
    await pause(500);
  }
}

const MAX_REASONS = 3;

/** Returns the distinct errors in the log, latest last. */
function listReasons(log: string): string[] {
  const reasons = log.split('\n').flatMap((line) => {
    const messages = [...line.matchAll(/"message":"((?:[^"\\]|\\.){1,160})/g)].map(([, message = '']) => message);
    return messages.length === 0 ? [] : [messages.join(': ')];
  });
  return [...new Set(reasons)].slice(-MAX_REASONS);
}
