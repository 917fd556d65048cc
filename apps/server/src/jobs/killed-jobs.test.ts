/** Tests how a job is handled if its process dies. Needs real processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database, DatabaseSetting } from '@portal/db/database.ts';
import { migrateDatabase } from '@portal/db/migrate-database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { lostJobRuns } from '@portal/db/schema/schema.ts';
import { createTestPostgresDatabase, getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fatalJobs, type FatalJobs } from '../testing/fatal-jobs.ts';
import type { JobHandlers } from './job-table.ts';
import { openJobs, type Jobs } from './open-jobs.ts';

const scriptFile = fileURLToPath(new URL('../testing/crash-in-job-process.ts', import.meta.url));
const logger = pino({ level: 'silent' });
const JOB_KEY = { singletonKey: 'fatal:Ann' };

let setting: DatabaseSetting;
let dispose: () => Promise<void>;
let database: Database | undefined;
let jobs: Jobs<FatalJobs> | undefined;
let child: ChildProcess | undefined;

beforeEach(async () => {
  if (getTestServerUrl() === undefined) {
    const dataDir = mkdtempSync(join(tmpdir(), 'portal-killed-'));
    setting = { kind: 'embedded', dataDir };
    dispose = async () => rmSync(dataDir, { recursive: true, force: true });
    return;
  }
  const { url, drop } = await createTestPostgresDatabase('empty');
  setting = { kind: 'postgres', url, poolSize: 5, role: 'owner' };
  dispose = drop;
});
afterEach(async () => {
  // After a timeout, the process wouldn't end otherwise.
  child?.kill('SIGKILL');
  await close();
  await dispose();
});

async function open(): Promise<Jobs<FatalJobs>> {
  database = await openDatabase(setting, () => undefined);
  await migrateDatabase(database);
  return (jobs = await openJobs({ database, table: fatalJobs, logger }));
}

async function close(): Promise<void> {
  await jobs?.stop(1_000);
  await database?.close();
  [jobs, database] = [undefined, undefined];
}

/** Runs the jobs in a process until a job kills the process or is parked. Returns the process's output. */
async function runProcess(): Promise<string> {
  const location = setting.kind === 'embedded' ? setting.dataDir : setting.url;
  const crashingProcess = spawn(process.execPath, [scriptFile, setting.kind, location], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = crashingProcess;
  let text = '';
  crashingProcess.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes('parked')) crashingProcess.kill('SIGKILL');
  });
  await new Promise((resolve) => crashingProcess.once('close', resolve));
  return text;
}

async function enqueueFatalJob(): Promise<void> {
  const { enqueue } = await open();
  if (database) await enqueue(database.db, 'fatal', { name: 'Ann' }, JOB_KEY);
  await close();
}

describe('a job whose process is killed', () => {
  it('runs again in the next process, with one lost run counted', async () => {
    await enqueueFatalJob();
    expect(await runProcess()).toMatch(/^run 1 of \S+\n$/);
    const runs: object[] = [];
    const { start } = await open();
    await start({
      fatal: async ({ name }, { attempt, lostRuns }) => void runs.push({ name, attempt, lostRuns }),
      sound: async () => undefined,
    });
    await vi.waitFor(() => expect(runs).toEqual([{ name: 'Ann', attempt: 2, lostRuns: 1 }]), { timeout: 60_000 });
  });

  it('is parked after five retries, while other jobs continue, until an operator starts it again', async () => {
    await enqueueFatalJob();
    const first = await runProcess();
    if (setting.kind === 'embedded') {
      for (let retry = 1; retry <= 5; retry += 1) expect(await runProcess()).toMatch(new RegExp(`^run ${retry + 1} of `));
    } else {
      // Detecting a missed heartbeat takes ten seconds, so the test stores the count of lost runs between the first and the last run
      // itself.
      await open();
      await database?.db.insert(lostJobRuns).values({ jobId: first.trim().split(' ').at(-1) ?? '', count: 5 });
      await close();
    }
    expect(await runProcess()).toBe('parked Ann\n');

    const { enqueue, runDue, listFailed } = await open();
    const runNames: string[] = [];
    const handlers: JobHandlers<FatalJobs> = {
      fatal: async ({ name }) => void runNames.push(`fatal ${name}`),
      sound: async ({ name }) => void runNames.push(`sound ${name}`),
    };
    if (!database) throw new Error('the database is closed');
    const { db } = database;
    expect(await listFailed(10)).toMatchObject([
      { kind: 'fatal', payload: { name: 'Ann' }, reason: expect.stringMatching(/died or hung in 6 runs/) },
    ]);
    // A sweep that finds unfinished work enqueues it again.
    await enqueue(db, 'fatal', { name: 'Ann' }, JOB_KEY);
    await enqueue(db, 'sound', { name: 'Bob' });
    await runDue(handlers, { includesDelayed: true });
    expect(runNames).toEqual(['sound Bob']);
    await enqueue(db, 'fatal', { name: 'Ann' }, { ...JOB_KEY, shouldReplaceParked: true });
    await runDue(handlers, { includesDelayed: true });
    expect(runNames).toEqual(['sound Bob', 'fatal Ann']);
    expect(await listFailed(10)).toEqual([]);
  }, 180_000);
});
