/**
 * Creates a client for the embedded engine in the shape that Drizzle's PGlite driver expects. Queries and transactions run one at a time in
 * the worker thread.
 */
import { Worker } from 'node:worker_threads';
import { observeStatement } from '../observe-statements.ts';
import { assertOutsideTransaction } from '../transaction-scope.ts';
import type { RunStatement } from './engine.ts';
import type { EngineData, Reply, Statement, StatementResult } from './worker-protocol.ts';

type QueryOptions = { readonly rowMode?: 'array' | 'object'; readonly parsers?: unknown };
type RunQuery = (text: string, values?: readonly unknown[], options?: QueryOptions) => Promise<StatementResult>;

export type PgliteClient = {
  query: RunQuery;
  transaction<Result>(work: (tx: { query: RunQuery }) => Promise<Result>): Promise<Result>;
  /** Runs either several statements without parameters, or one with parameters. Dates are `Date` objects. */
  executeSql(text: string, values?: readonly unknown[]): Promise<StatementResult>;
  dump(): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
};

export async function openPglite(data: EngineData, onCrash: (error: Error) => void): Promise<PgliteClient> {
  const { run, worker } = await startWorker(data, onCrash);
  return createClient(run, async () => void (await worker.terminate()));
}

export function createClient(run: RunStatement, afterClose: () => Promise<void>): PgliteClient {
  const runExclusively = createMutex();
  const query: RunQuery = (text, values = [], options) => observeStatement(text, values, () => run(toStatement(text, values, options)));

  return {
    query: (text, values, options) => {
      assertOutsideTransaction();
      return runExclusively(() => query(text, values, options));
    },
    transaction: (work) => runExclusively(() => runTransaction(query, work)),
    executeSql: (text, values = []) => {
      assertOutsideTransaction();
      const statement: Statement = values.length
        ? { type: 'query', text, values, rowMode: 'object', dates: 'date' }
        : { type: 'script', text };
      return observeStatement(text, values, () => runExclusively(() => run(statement)));
    },
    dump: () => runExclusively(async () => (await run({ type: 'dump' })).rows[0] as Uint8Array<ArrayBuffer>),
    close: async () => {
      await runExclusively(() => run({ type: 'close' }));
      await afterClose();
    },
  };
}

/** Drizzle requests dates as text by passing parsers. Functions can't be posted, so their presence becomes a flag. */
function toStatement(text: string, values: readonly unknown[], options: QueryOptions = {}): Statement {
  return { type: 'query', text, values, rowMode: options.rowMode ?? 'object', dates: options.parsers ? 'text' : 'date' };
}

/** Holds the mutex for the whole transaction. There is only one connection, so any other query would run inside the transaction. */
async function runTransaction<Result>(query: RunQuery, work: (tx: { query: RunQuery }) => Promise<Result>): Promise<Result> {
  let isOpen = true;
  let isAborted = false;
  const queryInside: RunQuery = async (text, values, options) => {
    if (!isOpen) throw new Error('This transaction has ended: something in it was not awaited.');
    if (/^rollback to savepoint/i.test(text)) isAborted = false;
    return query(text, values, options).catch((error: unknown) => {
      isAborted = true;
      throw error;
    });
  };
  await query('begin');
  try {
    const result = await work({ query: queryInside });
    isOpen = false;
    if (isAborted) throw createAbortedCommitError();
    await query('commit');
    return result;
  } catch (error) {
    isOpen = false;
    await query('rollback');
    throw error;
  }
}

/**
 * Creates the error for a commit after a failed statement. PostgreSQL responds with a silent rollback, which must not look like success.
 */
export function createAbortedCommitError(): Error {
  return new Error('A statement of this transaction failed and its error was ignored: the transaction was rolled back.');
}

function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

type PendingReply = { readonly resolve: (statementResult: StatementResult) => void; readonly reject: (error: Error) => void };

async function startWorker(data: EngineData, onCrash: (error: Error) => void) {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: data,
    name: 'database',
    // A small heap is enough for short-lived messages; the large allocations are in the engine's own memory.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  const pendingReplies = new Map<number, PendingReply>();
  let nextId = 0;
  let crashError: Error | undefined;

  const rejectAll = (error: Error): void => {
    crashError = error;
    for (const { reject } of pendingReplies.values()) reject(error);
    pendingReplies.clear();
  };
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  worker.on('message', (reply: Reply) => settle(pendingReplies, reply));
  worker.on('error', (error) => {
    rejectAll(error instanceof Error ? error : new Error(String(error)));
    if (crashError) onCrash(crashError);
  });
  worker.on('exit', () => rejectAll(crashError ?? new Error('The embedded database is closed.')));

  const run: RunStatement = (statement) =>
    new Promise((resolve, reject) => {
      if (crashError) return reject(crashError);
      const id = nextId++;
      pendingReplies.set(id, { resolve, reject });
      worker.postMessage({ id, statement });
    });
  return { run, worker };
}

function settle(pendingReplies: Map<number, PendingReply>, reply: Reply): void {
  const pendingReply = pendingReplies.get(reply.id);
  pendingReplies.delete(reply.id);
  if (reply.ok) pendingReply?.resolve(reply.answer);
  else pendingReply?.reject(Object.assign(new Error(reply.error.message), reply.error.fields));
}
