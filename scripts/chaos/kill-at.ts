/**
 * Preloaded into the portal's process (`node --import`) by the chaos scripts only. It watches database statements and provider calls,
 * and kills the process with SIGKILL exactly before or after the requested step.
 */
import { openSync, writeSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';
import type { Answered, Arming, Phase, Question } from './kill-plan.ts';
import { nameCall, nameTakenJobs, openConversation, type Conversation, type KnownJobs, type Statement } from './step-labels.ts';

const jobs: KnownJobs = new Map();
const passed = new Map<string, number>();
let arming: Arming | undefined;
let pointsPassed = 0;
/** All of the portal's code is loaded by then. */
const COMPILED_MS = 3_000;
const engines = new Set<Worker>();
/** Message id that the portal's own statements never use. */
const QUESTION = -1;

// The database engine's worker thread loads this module too, but has nothing to watch.
if (isMainThread) {
  const trace = openSync(process.env['CHAOS_TRACE'] ?? '/dev/null', 'a');
  watchCalls(trace, openSync(process.env['CHAOS_DEPARTURES'] ?? '/dev/null', 'a'));
  watchEmbedded(trace);
  watchPostgres(trace);
  process.on('message', (told: Arming | Question) => {
    if ('ask' in told) {
      const statement = { do: 'query', text: told.ask, values: [], rowMode: 'object', dates: 'text' };
      for (const engine of engines) engine.postMessage({ id: QUESTION, statement });
      return;
    }
    arming = told;
    passed.clear();
    pointsPassed = 0;
    process.send?.('armed');
  });
  // The test process is gone, so the portal must not outlive it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
  // A killed process never writes its compile cache at exit, so it is flushed early for the next start.
  setTimeout(flushCompileCache, COMPILED_MS).unref();
}

type Step = { readonly label: string; readonly nth: number };

function begin(trace: number, label: string | undefined, doesNothingBefore = false): Step | undefined {
  if (label === undefined || !arming) return undefined;
  const step = { label, nth: (passed.get(label) ?? 0) + 1 };
  passed.set(label, step.nth);
  if (!doesNothingBefore) pass(trace, step, 'before');
  return step;
}

function pass(trace: number, step: Step | undefined, phase: Phase): void {
  if (!step || !arming) return;
  writeSync(trace, `${JSON.stringify({ ...step, phase })}\n`);
  const { killAt, killAtPoint } = arming;
  pointsPassed += 1;
  const isNamed = killAt?.label === step.label && killAt.nth === step.nth && killAt.phase === phase;
  if (isNamed || pointsPassed === killAtPoint) process.kill(process.pid, 'SIGKILL');
}

/** Watches provider calls. For calls to HMRC it also records when each one leaves, across all processes of the site. */
function watchCalls(trace: number, departures: number): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).pathname.startsWith('/hmrc/')) writeSync(departures, `${performance.timeOrigin + performance.now()}\n`);
    const step = begin(trace, nameCall(init?.method ?? 'GET', url));
    const answer = await real(input, init);
    pass(trace, step, 'after');
    return answer;
  };
}

type Posted = { readonly id: number; readonly statement: { readonly do: string; readonly text?: string; readonly values?: unknown[] } };
type Replied = { readonly id: number; readonly ok: boolean; readonly answer?: { readonly rows: unknown[] } };

/** PGlite runs in a worker thread, so its statements are the messages posted to the worker. */
function watchEmbedded(trace: number): void {
  const conversation = openConversation(jobs);
  const underway = new Map<number, Step | undefined>();
  const { postMessage, emit } = Worker.prototype;
  Worker.prototype.postMessage = function post(this: Worker, message: Posted, ...rest) {
    engines.add(this);
    const { text, values } = message.statement;
    if (text !== undefined) underway.set(message.id, begin(trace, conversation.hear({ text, values })));
    postMessage.call(this, message, ...rest);
  };
  Worker.prototype.emit = function hear(this: Worker, event: string | symbol, ...given: unknown[]) {
    const reply = given[0] as Replied | undefined;
    if (event === 'message' && reply?.id === QUESTION) {
      process.send?.({ rows: reply.answer?.rows ?? [] } satisfies Answered);
      return true;
    }
    if (event === 'message' && typeof reply === 'object') {
      if (reply.ok) pass(trace, underway.get(reply.id), 'after');
      if (reply.ok && reply.answer) noteTaken(trace, reply.answer.rows);
      underway.delete(reply.id);
    }
    return (emit as (...all: unknown[]) => boolean).call(this, event, ...given);
  };
}

/** A job is only known once it has been fetched, so there is no "before" step. */
function noteTaken(trace: number, rows: readonly unknown[]): void {
  pass(trace, begin(trace, nameTakenJobs(rows, jobs), true), 'after');
}

type PgQuery = (...given: unknown[]) => unknown;

/** Resolves the `pg` driver from the database package, so that the same Client class is patched. */
function watchPostgres(trace: number): void {
  const loadFromDatabase = createRequire(new URL('../../packages/db/package.json', import.meta.url));
  const { Client } = loadFromDatabase('pg') as { Client: { prototype: { query: PgQuery } } };
  const conversations = new WeakMap<object, Conversation>();
  const real = Client.prototype.query;
  Client.prototype.query = function query(this: object, ...given: unknown[]): unknown {
    const conversation = conversations.get(this) ?? openConversation(jobs);
    conversations.set(this, conversation);
    const step = begin(trace, conversation.hear(statementOf(given)));
    const heard = (answer: unknown): void => {
      pass(trace, step, 'after');
      noteTaken(trace, rowsOf(answer));
    };
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const told = (error: unknown, answer: unknown): unknown => {
        if (!error) heard(answer);
        return (callback as PgQuery)(error, answer);
      };
      return real.call(this, ...given.slice(0, -1), told);
    }
    const result = real.call(this, ...given);
    if (result instanceof Promise) result.then(heard, () => undefined);
    return result;
  };
}

function statementOf([first, second]: readonly unknown[]): Statement {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  const config = first as { text?: string; values?: unknown[] };
  return { text: config.text ?? '', values: config.values ?? (Array.isArray(second) ? second : []) };
}

function rowsOf(answer: unknown): readonly unknown[] {
  const all = Array.isArray(answer) ? answer : [answer];
  return all.flatMap((one) => (typeof one === 'object' && one !== null && 'rows' in one && Array.isArray(one.rows) ? one.rows : []));
}
