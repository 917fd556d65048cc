import { sql } from '@portal/db/sql.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '@portal/db/database.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { defineJobs, type JobHandlers } from './job-table.ts';
import { openJobs, type Jobs } from './open-jobs.ts';

type Kinds = {
  greet: { name: string };
  pay: { name: string };
  brittle: { name: string };
  hasty: { name: string };
  beat: Record<string, never>;
};

const table = defineJobs<Kinds>({
  greet: {},
  pay: { isUrgent: true, retryLimit: 0 },
  brittle: { retryLimit: 1, retrySeconds: 1, retryMaxSeconds: 1 },
  hasty: { retryLimit: 0, expireSeconds: 2 },
  beat: { every: 1 },
});
const silentLogger = pino({ level: 'silent' });

let database: Database;
let jobs: Jobs<Kinds>;
let greetedNames: string[];
const defaultHandlers: JobHandlers<Kinds> = {
  greet: async ({ name }) => void greetedNames.push(name),
  pay: async ({ name }) => void greetedNames.push(name),
  brittle: async () => {
    throw new Error('it broke');
  },
  hasty: async () => undefined,
  beat: async () => undefined,
};

beforeAll(async () => void (database = await openTestDatabase()));
beforeEach(async () => {
  greetedNames = [];
  // pg-boss then creates its tables again, so that no test sees another test's jobs.
  await database.db.execute(sql`drop schema if exists pgboss cascade`);
  jobs = await openJobs({ database, table, logger: silentLogger });
});
afterEach(() => jobs.stop());
afterAll(() => database.close());

describe('jobs, on either database', () => {
  it('run once, soon after the transaction that enqueues them', async () => {
    await jobs.start(defaultHandlers);
    const latenciesMs: number[] = [];
    for (const name of ['Ann', 'Bob', 'Cem']) {
      const enqueuedAt = performance.now();
      await database.db.transaction((tx) => jobs.enqueue(tx, 'greet', { name }));
      await vi.waitFor(() => expect(greetedNames).toContain(name), { interval: 5, timeout: 60_000 });
      latenciesMs.push(performance.now() - enqueuedAt);
    }
    expect(greetedNames).toEqual(['Ann', 'Bob', 'Cem']);
    // Polls are a second apart, and each job is enqueued just after a poll. Takes the best of three, because the machine may be busy.
    expect(Math.min(...latenciesMs)).toBeLessThan(900);
    expect(await jobs.runDue(defaultHandlers, { includesDelayed: true })).toBe(0);
  });

  it('do not exist if that transaction rolls back', async () => {
    const rolledBack = database.db.transaction(async (tx) => {
      await jobs.enqueue(tx, 'greet', { name: 'Ann' });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await jobs.runDue(defaultHandlers, { includesDelayed: true })).toBe(0);
  });

  it('run concurrently without waiting for a poll', async () => {
    await jobs.start(defaultHandlers);
    const names = Array.from({ length: 20 }, (_, index) => `trader ${index}`);
    await database.db.transaction(async (tx) => {
      for (const name of names) await jobs.enqueue(tx, 'greet', { name });
    });
    await vi.waitFor(() => expect(greetedNames.toSorted()).toEqual(names.toSorted()), { timeout: 15_000 });
    // With one job per poll, they would take 20 seconds.
  });

  it('with the same key are merged while queued and never run concurrently', async () => {
    let atOnce = 0;
    let maxAtOnce = 0;
    // The first job runs until all are enqueued, however slow the machine is.
    const first = Promise.withResolvers<undefined>();
    const slow: JobHandlers<Kinds> = {
      ...defaultHandlers,
      greet: async ({ name }) => {
        maxAtOnce = Math.max(maxAtOnce, ++atOnce);
        await (maxAtOnce === 1 ? first.promise : new Promise((resolve) => setTimeout(resolve, 200)));
        atOnce--;
        greetedNames.push(name);
      },
    };
    const enqueueAnn = () => jobs.enqueue(database.db, 'greet', { name: 'Ann' }, { singletonKey: 'greet:Ann' });
    await enqueueAnn();
    await enqueueAnn();
    await jobs.start(slow);
    await vi.waitFor(() => expect(atOnce).toBe(1), { timeout: 60_000, interval: 5 });
    await enqueueAnn();
    await jobs.enqueue(database.db, 'greet', { name: 'Bob' });
    await vi.waitFor(() => expect(atOnce).toBe(2), { timeout: 60_000, interval: 5 });
    first.resolve(undefined);
    await vi.waitFor(() => expect(greetedNames).toEqual(['Ann', 'Bob', 'Ann']), { timeout: 60_000 });
    expect(maxAtOnce).toBe(2);
  });

  it('that are delayed run earlier if an equal one is enqueued without delay', async () => {
    const options = { singletonKey: 'greet:Ann' };
    await jobs.enqueue(database.db, 'greet', { name: 'Ann' }, { ...options, delaySeconds: 3600 });
    expect(await jobs.runDue(defaultHandlers)).toBe(0);
    await jobs.enqueue(database.db, 'greet', { name: 'Ann' }, options);
    expect(await jobs.runDue(defaultHandlers)).toBe(1);
  });

  it('that fail are retried after a delay, then stored with their reason until an operator retries them', async () => {
    const attempts: number[] = [];
    const failingHandlers: JobHandlers<Kinds> = {
      ...defaultHandlers,
      brittle: async (_payload, { attempt, isLastAttempt }) => {
        attempts.push(attempt);
        throw new Error(isLastAttempt ? 'it broke for good' : 'it broke');
      },
    };
    await jobs.enqueue(database.db, 'brittle', { name: 'Ann' });
    await jobs.start(failingHandlers);
    await vi.waitFor(async () => expect(await jobs.listFailed(10)).toHaveLength(1), { timeout: 60_000 });
    expect(attempts).toEqual([1, 2]);
    const [failedJob] = await jobs.listFailed(10);
    expect(failedJob).toMatchObject({ kind: 'brittle', payload: { name: 'Ann' }, reason: 'it broke for good' });
    expect(await jobs.retryFailed(failedJob?.id ?? '')).toBe(true);
    await vi.waitFor(() => expect(attempts).toEqual([1, 2, 1]), { timeout: 60_000 });
    expect(await jobs.listFailed(10)).toEqual([]);
  });

  it('that are urgent run although long ones keep every other worker busy, and again when an operator retries them', async () => {
    const gate = Promise.withResolvers<void>();
    let runningCount = 0;
    let fails = true;
    const busyHandlers: JobHandlers<Kinds> = {
      ...defaultHandlers,
      greet: async () => {
        runningCount += 1;
        await gate.promise;
      },
      pay: async ({ name }) => {
        if (fails) throw new Error('the bank is closed');
        greetedNames.push(name);
      },
    };
    await jobs.start(busyHandlers);
    for (let count = 0; count < 20; count++) await jobs.enqueue(database.db, 'greet', { name: `${count}` });
    await vi.waitFor(() => expect(runningCount).toBe(8), { timeout: 60_000, interval: 5 });
    await jobs.enqueue(database.db, 'pay', { name: 'Ann' }, { singletonKey: 'pay:Ann' });
    await vi.waitFor(async () => expect(await jobs.listFailed(10)).toMatchObject([{ kind: 'pay' }]), { timeout: 60_000 });
    fails = false;
    await jobs.retryFailed((await jobs.listFailed(10))[0]?.id ?? '');
    await vi.waitFor(() => expect(greetedNames).toEqual(['Ann']), { timeout: 60_000, interval: 5 });
    expect(runningCount).toBe(8);
    gate.resolve();
  });

  it('store no parameters of a failed query', async () => {
    const failingQuery: JobHandlers<Kinds> = {
      ...defaultHandlers,
      brittle: async () => void (await database.db.execute(sql`select ${'a secret'}::int`)),
    };
    await jobs.enqueue(database.db, 'brittle', { name: 'Ann' });
    await jobs.runDue(failingQuery, { includesDelayed: true });
    const [failedJob] = await jobs.listFailed(10);
    expect(failedJob?.reason).toMatch(/invalid input syntax/);
    expect(failedJob?.reason).not.toContain('Failed query');
  });

  it('of a periodic kind run once per interval, whatever the number of instances', async () => {
    let beats = 0;
    const countingBeats: JobHandlers<Kinds> = { ...defaultHandlers, beat: async () => void beats++ };
    const otherJobs = await openJobs({ database, table, logger: silentLogger });
    const startedAt = Date.now();
    await Promise.all([jobs.start(countingBeats), otherJobs.start(countingBeats)]);
    await vi.waitFor(() => expect(beats).toBeGreaterThanOrEqual(3), { timeout: 60_000, interval: 20 });
    await otherJobs.stop();
    expect(beats).toBeLessThanOrEqual(Math.ceil((Date.now() - startedAt) / 1000) + 1);
  });

  it('that are running finish before a stop completes, and none starts afterwards', async () => {
    let isAtWork = false;
    const slow: JobHandlers<Kinds> = {
      ...defaultHandlers,
      greet: async ({ name }) => {
        isAtWork = true;
        await new Promise((resolve) => setTimeout(resolve, 300));
        greetedNames.push(name);
      },
    };
    await jobs.start(slow);
    await jobs.enqueue(database.db, 'greet', { name: 'Ann' });
    await vi.waitFor(() => expect(isAtWork).toBe(true), { timeout: 60_000, interval: 5 });
    expect(jobs.isRunning()).toBe(true);
    await jobs.stop();
    expect(greetedNames).toEqual(['Ann']);
    expect(jobs.isRunning()).toBe(false);
  });

  it('interrupted by a stop run again', async () => {
    let runs = 0;
    const hangingHandlers: JobHandlers<Kinds> = { ...defaultHandlers, greet: () => (runs++, new Promise(() => undefined)) };
    await jobs.start(hangingHandlers);
    await jobs.enqueue(database.db, 'greet', { name: 'Ann' });
    await vi.waitFor(() => expect(runs).toBe(1), { timeout: 60_000 });
    await jobs.stop(1000);
    jobs = await openJobs({ database, table, logger: silentLogger });
    // A restart counts as an ordinary attempt, so that server restarts never park a job.
    const lostRunCounts: number[] = [];
    const recordLostRuns: JobHandlers<Kinds> = {
      ...defaultHandlers,
      greet: async (_payload, { lostRuns }) => void lostRunCounts.push(lostRuns),
    };
    expect(await jobs.runDue(recordLostRuns, { includesDelayed: true })).toBe(1);
    expect(lostRunCounts).toEqual([0]);
  });

  it('that exceed the time limit of their kind are aborted and fail with that reason', async () => {
    const abortStates: boolean[] = [];
    const hangingHandlers: JobHandlers<Kinds> = {
      ...defaultHandlers,
      hasty: async (_payload, { signal }) => {
        signal.addEventListener('abort', () => abortStates.push(true));
        await new Promise(() => undefined);
      },
    };
    await jobs.enqueue(database.db, 'hasty', { name: 'Ann' });
    await jobs.start(hangingHandlers);
    await vi.waitFor(async () => expect(await jobs.listFailed(10)).toHaveLength(1), { timeout: 60_000 });
    expect(await jobs.listFailed(10)).toMatchObject([{ kind: 'hasty', reason: 'The job did not finish within 2 seconds.' }]);
    expect(abortStates).toEqual([true]);
  });
});
