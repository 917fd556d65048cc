/**
 * Preloaded into the portal's process (`node --import`), only by crash tests and campaigns. It watches database statements and provider
 * calls, and kills the process with SIGKILL exactly before or after the requested step.
 */
import type { Statement as EngineStatement } from '@portal/db/embedded/worker-protocol.ts';
import { openSync, writeSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';
import type { QueryResponse, KillPlan, Phase, QueryRequest } from './kill-plan.ts';
import {
  describeCall,
  describeFetchedJobs,
  createStatementTracker,
  type StatementTracker,
  type JobKinds,
  type Statement,
} from './step-labels.ts';

/**
 * Kills at the nth time a statement is sent or completed, counted from the start: during migrations, before anything can be sent to the
 * process. With `all`, it records every statement instead.
 */
const killAtStatement = process.env['CHAOS_KILL_AT_STATEMENT'];
let statementsPassed = 0;
const jobs: JobKinds = new Map();
const stepCounts = new Map<string, number>();
let killPlan: KillPlan | undefined;
let pointsPassed = 0;
/** By then, all of the portal's code has been loaded. */
const FLUSH_CACHE_AFTER_MS = 3_000;
const databaseWorkers = new Set<Worker>();
/** A message id that the portal's own statements never use. */
const QUERY_MESSAGE_ID = -1;

// The database engine's worker thread also loads this module, but doesn't need watching.
if (isMainThread) {
  const trace = openSync(process.env['CHAOS_TRACE'] ?? '/dev/null', 'a');
  watchCalls(trace, openSync(process.env['CHAOS_DEPARTURES'] ?? '/dev/null', 'a'));
  watchEmbedded(trace);
  watchPostgres(trace);
  process.on('message', (receivedMessage: KillPlan | QueryRequest) => {
    if ('query' in receivedMessage) {
      const statement = {
        type: 'query',
        text: receivedMessage.query,
        values: [],
        rowMode: 'object',
        dates: 'text',
      } satisfies EngineStatement;
      for (const engine of databaseWorkers) engine.postMessage({ id: QUERY_MESSAGE_ID, statement });
      return;
    }
    killPlan = receivedMessage;
    stepCounts.clear();
    pointsPassed = 0;
    process.send?.('armed');
  });
  // The test process has ended, and the portal must not outlive it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
  // A killed process never writes its compile cache at exit, so it is flushed early for the next start.
  setTimeout(flushCompileCache, FLUSH_CACHE_AFTER_MS).unref();
}

type Step = { readonly label: string; readonly nth: number };

function startStep(trace: number, label: string | undefined, isBeforeSkipped = false): Step | undefined {
  if (label === undefined || !killPlan) return undefined;
  const step = { label, nth: (stepCounts.get(label) ?? 0) + 1 };
  stepCounts.set(label, step.nth);
  if (!isBeforeSkipped) recordPoint(trace, step, 'before');
  return step;
}

function recordPoint(trace: number, step: Step | undefined, phase: Phase): void {
  if (!step || !killPlan) return;
  writeSync(trace, `${JSON.stringify({ ...step, phase })}\n`);
  const { killAt, killAtPoint } = killPlan;
  pointsPassed += 1;
  const isPlanned = killAt?.label === step.label && killAt.nth === step.nth && killAt.phase === phase;
  if (isPlanned || pointsPassed === killAtPoint) process.kill(process.pid, 'SIGKILL');
}

function recordStatement(trace: number, text: string, phase: Phase): void {
  if (killAtStatement === undefined) return;
  statementsPassed += 1;
  const isPlanned = statementsPassed === Number(killAtStatement);
  if (!isPlanned && killAtStatement !== 'all') return;
  writeSync(trace, `${JSON.stringify({ label: text.slice(0, 80), nth: 1, phase })}\n`);
  if (isPlanned) process.kill(process.pid, 'SIGKILL');
}

/** Watches provider calls. For calls to HMRC, it also records when each one was sent, across all of the site's processes. */
function watchCalls(trace: number, departures: number): void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).pathname.startsWith('/hmrc/')) writeSync(departures, `${performance.timeOrigin + performance.now()}\n`);
    const step = startStep(trace, describeCall(init?.method ?? 'GET', url));
    const response = await original(input, init);
    recordPoint(trace, step, 'after');
    return response;
  };
}

type WorkerRequest = {
  readonly id: number;
  readonly statement: { readonly type: string; readonly text?: string; readonly values?: unknown[] };
};
type WorkerReply = { readonly id: number; readonly ok: boolean; readonly answer?: { readonly rows: unknown[] } };

/** PGlite runs in a worker thread, so its statements are the messages posted to the worker. */
function watchEmbedded(trace: number): void {
  const tracker = createStatementTracker(jobs);
  const pendingSteps = new Map<number, Step | undefined>();
  const pendingTexts = new Map<number, string>();
  const { postMessage, emit } = Worker.prototype;
  Worker.prototype.postMessage = function post(this: Worker, message: WorkerRequest, ...rest) {
    databaseWorkers.add(this);
    const { text, values } = message.statement;
    recordStatement(trace, text ?? '', 'before');
    pendingTexts.set(message.id, text ?? '');
    if (text !== undefined) pendingSteps.set(message.id, startStep(trace, tracker.track({ text, values })));
    postMessage.call(this, message, ...rest);
  };
  Worker.prototype.emit = function emitAndInspect(this: Worker, event: string | symbol, ...args: unknown[]) {
    const reply = args[0] as WorkerReply | undefined;
    if (event === 'message' && reply?.id === QUERY_MESSAGE_ID) {
      // Without a reply, a waiting test would mistake "no rows" for "no jobs left".
      if (!reply.ok) throw new Error('The query of the test failed in the database thread.');
      process.send?.({ rows: reply.answer?.rows ?? [] } satisfies QueryResponse);
      return true;
    }
    if (event === 'message' && typeof reply === 'object') {
      recordStatement(trace, pendingTexts.get(reply.id) ?? '', 'after');
      pendingTexts.delete(reply.id);
      if (reply.ok) recordPoint(trace, pendingSteps.get(reply.id), 'after');
      if (reply.ok && reply.answer) recordFetchedJobs(trace, reply.answer.rows);
      pendingSteps.delete(reply.id);
    }
    return (emit as (...all: unknown[]) => boolean).call(this, event, ...args);
  };
}

/** A job is known only once it has been fetched, so there is no "before" step. */
function recordFetchedJobs(trace: number, rows: readonly unknown[]): void {
  recordPoint(trace, startStep(trace, describeFetchedJobs(rows, jobs), true), 'after');
}

type PgQuery = (...args: unknown[]) => unknown;

/** Resolves the `pg` driver from the database package, so that the same Client class is patched. */
function watchPostgres(trace: number): void {
  const loadFromDatabase = createRequire(new URL('../../packages/db/package.json', import.meta.url));
  const { Client } = loadFromDatabase('pg') as { Client: { prototype: { query: PgQuery } } };
  const trackers = new WeakMap<object, StatementTracker>();
  const original = Client.prototype.query;
  Client.prototype.query = function query(this: object, ...args: unknown[]): unknown {
    const tracker = trackers.get(this) ?? createStatementTracker(jobs);
    trackers.set(this, tracker);
    const statement = toStatement(args);
    recordStatement(trace, statement.text, 'before');
    const step = startStep(trace, tracker.track(statement));
    const onResponse = (workerReply: unknown): void => {
      recordStatement(trace, statement.text, 'after');
      recordPoint(trace, step, 'after');
      recordFetchedJobs(trace, listRows(workerReply));
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const received = (error: unknown, workerReply: unknown): unknown => {
        if (!error) onResponse(workerReply);
        return (callback as PgQuery)(error, workerReply);
      };
      return original.call(this, ...args.slice(0, -1), received);
    }
    const result = original.call(this, ...args);
    if (result instanceof Promise) result.then(onResponse, () => undefined);
    return result;
  };
}

function toStatement([first, second]: readonly unknown[]): Statement {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  const config = first as { text?: string; values?: unknown[] };
  return { text: config.text ?? '', values: config.values ?? (Array.isArray(second) ? second : []) };
}

function listRows(workerReply: unknown): readonly unknown[] {
  const allResults = Array.isArray(workerReply) ? workerReply : [workerReply];
  return allResults.flatMap((entry) =>
    typeof entry === 'object' && entry !== null && 'rows' in entry && Array.isArray(entry.rows) ? entry.rows : [],
  );
}
