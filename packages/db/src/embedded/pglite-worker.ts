/** Runs the embedded engine in its own thread, because a long query on the main thread would block every request. */
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types, type Results } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { ENGINE_FLAGS } from './engine-flags.ts';
import type { Answer, Reply, SqlErrorFields, Statement, WorkerData } from './worker-protocol.ts';

const { storage, loadFrom } = workerData as WorkerData;
const port = parentPort;
if (!port) throw new Error('pglite-worker.ts must run as a worker thread.');

const identity = (value: string): string => value;
// A Date keeps milliseconds only, but Drizzle expects the full text with microseconds. The numbers are the array types.
const arrayTypes = [1231, 1115, 1185, 1187, 1182];
const dateTexts = Object.fromEntries(
  [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, ...arrayTypes].map((type) => [type, identity]),
);

for (const flag of ENGINE_FLAGS) setFlagsFromString(flag);

const engine = await PGlite.create(storage, {
  extensions: { btree_gin, pg_trgm },
  // The engine's default of 160 MB would take memory from this process, although the operating system caches the file pages anyway.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
  ...(loadFrom ? { loadDataDir: new Blob([new Uint8Array(loadFrom)]) } : {}),
});
await engine.exec("set timezone to 'UTC'");

async function run(statement: Statement): Promise<Answer> {
  if (statement.type === 'query') {
    const parsers = statement.dates === 'text' ? dateTexts : {};
    return toAnswer(await engine.query(statement.text, [...statement.values], { rowMode: statement.rowMode, parsers }));
  }
  if (statement.type === 'script') return runScript(statement.text);
  if (statement.type === 'dump') return { rows: [new Uint8Array(await (await engine.dumpDataDir('none')).arrayBuffer())], rowCount: 1 };
  await engine.close();
  return { rows: [], rowCount: 0 };
}

/**
 * Runs several statements at once. If one fails inside a transaction, rolls back so that the transaction does not stay open on the only
 * connection.
 */
async function runScript(text: string): Promise<Answer> {
  try {
    const results = await engine.exec(text);
    return { rows: results.flatMap((result) => result.rows), rowCount: null };
  } catch (error) {
    if (/\bbegin\b/i.test(text)) await engine.exec('rollback');
    throw error;
  }
}

/** Counts rows as `pg` does: rows changed, otherwise rows read. */
function toAnswer(result: Results<unknown>): Answer {
  return { rows: result.rows, rowCount: result.affectedRows || result.rows.length };
}

function toErrorFields(error: unknown): SqlErrorFields {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const stringFields = Object.entries(error).filter(([, value]) => typeof value === 'string');
  return { message: error.message, fields: Object.fromEntries(stringFields) };
}

port.on('message', ({ id, statement }: { id: number; statement: Statement }) => {
  const reply = (message: Reply): void => {
    port.postMessage(message);
    if (statement.type === 'close') port.close();
  };
  run(statement).then(
    (answer) => reply({ id, ok: true, answer }),
    (error: unknown) => reply({ id, ok: false, error: toErrorFields(error) }),
  );
});
port.postMessage('ready');
