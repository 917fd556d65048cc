/** The embedded engine as Drizzle's PGlite driver uses it: queries and transactions run one at a time in the worker thread. */
import { Worker } from 'node:worker_threads';
import { refuseInsideTransaction } from '../transaction-scope.ts';
import type { Answer, Reply, Statement, WorkerData } from './worker-protocol.ts';

type QueryOptions = { readonly rowMode?: 'array' | 'object'; readonly parsers?: unknown };
type Query = (text: string, values?: readonly unknown[], options?: QueryOptions) => Promise<Answer>;

export type PgliteClient = {
  query: Query;
  transaction<Result>(work: (tx: { query: Query }) => Promise<Result>): Promise<Result>;
  /** Several statements without parameters, or one with parameters. Dates are `Date` objects. */
  executeSql(text: string, values?: readonly unknown[]): Promise<Answer>;
  dump(): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
};

export async function openPglite(data: WorkerData, onLost: (error: Error) => void): Promise<PgliteClient> {
  const { run, worker } = await startWorker(data, onLost);
  const exclusively = createMutex();
  const query: Query = (text, values = [], options) => run(statementOf(text, values, options));

  return {
    query: (text, values, options) => {
      refuseInsideTransaction();
      return exclusively(() => query(text, values, options));
    },
    transaction: (work) => exclusively(() => runTransaction(query, work)),
    executeSql: (text, values) => {
      refuseInsideTransaction();
      const statement: Statement = values?.length
        ? { do: 'query', text, values, rowMode: 'object', dates: 'date' }
        : { do: 'script', text };
      return exclusively(() => run(statement));
    },
    dump: () => exclusively(async () => (await run({ do: 'dump' })).rows[0] as Uint8Array<ArrayBuffer>),
    close: async () => {
      await exclusively(() => run({ do: 'close' }));
      await worker.terminate();
    },
  };
}

/** Drizzle requests dates as text by passing parsers. Functions cannot be posted, so their presence becomes a flag. */
function statementOf(text: string, values: readonly unknown[], options: QueryOptions = {}): Statement {
  return { do: 'query', text, values, rowMode: options.rowMode ?? 'object', dates: options.parsers ? 'text' : 'date' };
}

/** Holds the mutex for the whole transaction: there is one connection, so any other query would run inside it. */
async function runTransaction<Result>(query: Query, work: (tx: { query: Query }) => Promise<Result>): Promise<Result> {
  let open = true;
  let aborted = false;
  const insideQuery: Query = async (text, values, options) => {
    if (!open) throw new Error('This transaction has ended: something in it was not awaited.');
    if (/^rollback to savepoint/i.test(text)) aborted = false;
    return query(text, values, options).catch((error: unknown) => {
      aborted = true;
      throw error;
    });
  };
  await query('begin');
  try {
    const result = await work({ query: insideQuery });
    open = false;
    if (aborted) throw commitOfAborted();
    await query('commit');
    return result;
  } catch (error) {
    open = false;
    await query('rollback');
    throw error;
  }
}

/** PostgreSQL responds to a commit after a failed statement with a silent rollback, which must not look like success. */
export function commitOfAborted(): Error {
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

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

async function startWorker(data: WorkerData, onLost: (error: Error) => void) {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: data,
    name: 'database',
    // Messages are short-lived; the large allocations are in the engine's memory, not in this thread's heap.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let lost: Error | undefined;

  const lose = (error: Error): void => {
    lost = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  worker.on('message', (reply: Reply) => settle(waiting, reply));
  worker.on('error', (error) => {
    lose(error instanceof Error ? error : new Error(String(error)));
    if (lost) onLost(lost);
  });
  worker.on('exit', () => lose(lost ?? new Error('The embedded database is closed.')));

  const run = (statement: Statement): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (lost) return reject(lost);
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, statement });
    });
  return { run, worker };
}

function settle(waiting: Map<number, Waiting>, reply: Reply): void {
  const one = waiting.get(reply.id);
  waiting.delete(reply.id);
  if (reply.ok) one?.resolve(reply.answer);
  else one?.reject(Object.assign(new Error(reply.error.message), reply.error.fields));
}
