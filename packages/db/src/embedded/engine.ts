/** The embedded engine: PostgreSQL compiled to WebAssembly. Runs in the thread that creates it. */
import { PGlite, types, type Results } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPreparedRun } from './prepared-statements.ts';
import type { EngineData, Statement, StatementResult } from './worker-protocol.ts';

export type RunStatement = (statement: Statement) => Promise<StatementResult>;

const identity = (value: string): string => value;
// A Date only has millisecond precision, but Drizzle expects the full text with microseconds. The numbers are the array types.
const arrayTypes = [1231, 1115, 1185, 1187, 1182];
const dateTypes = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, ...arrayTypes];

export async function createEngine({ storage, loadFrom, preparesStatements = false }: EngineData): Promise<RunStatement> {
  const engine = await PGlite.create(storage, {
    extensions: { btree_gin, pg_trgm },
    // The engine's default of 160 MB would take memory from this process, although the operating system already caches the file pages.
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
    ...(loadFrom ? { loadDataDir: loadFrom } : {}),
  });
  await engine.exec("set timezone to 'UTC'");
  // Dates default to text, because passing parsers with a statement makes the engine copy its table of hundreds of parsers each time.
  const dateObjectParsers = Object.fromEntries(dateTypes.flatMap((type) => (engine.parsers[type] ? [[type, engine.parsers[type]]] : [])));
  for (const type of dateTypes) engine.parsers[type] = identity;
  const runPrepared = preparesStatements ? createPreparedRun(engine) : undefined;
  const dateParsers = { ...engine.parsers, ...dateObjectParsers };
  return async (statement) => {
    if (statement.type === 'query' && runPrepared) {
      const parsers = statement.dates === 'date' ? dateParsers : engine.parsers;
      return toStatementResult(await runPrepared(statement.text, statement.values, { rowMode: statement.rowMode, parsers }));
    }
    if (statement.type === 'query') {
      const options = { rowMode: statement.rowMode, ...(statement.dates === 'date' ? { parsers: dateObjectParsers } : {}) };
      return toStatementResult(await engine.query(statement.text, [...statement.values], options));
    }
    if (statement.type === 'script') return runScript(engine, statement.text, dateObjectParsers);
    if (statement.type === 'dump') return { rows: [new Uint8Array(await (await engine.dumpDataDir('none')).arrayBuffer())], rowCount: 1 };
    await engine.close();
    return { rows: [], rowCount: 0 };
  };
}

/**
 * Runs several statements together. If one fails inside a transaction, rolls it back, so that the transaction doesn't stay open on the only
 * connection.
 */
async function runScript(engine: PGlite, text: string, parsers: PGlite['parsers']): Promise<StatementResult> {
  try {
    const results = await engine.exec(text, { parsers });
    return { rows: results.flatMap((result) => result.rows), rowCount: null };
  } catch (error) {
    if (/\bbegin\b/i.test(text)) await engine.exec('rollback');
    throw error;
  }
}

/** Counts rows as `pg` does: the rows changed, otherwise the rows read. */
function toStatementResult(result: Results<unknown>): StatementResult {
  return { rows: result.rows, rowCount: result.affectedRows || result.rows.length };
}
