import { createHash } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Database, Db } from '../database.ts';
import { commitOfAborted } from '../embedded/pglite-client.ts';
import * as schema from '../schema/schema.ts';
import { inTransactionScope, refuseInsideTransaction } from '../transaction-scope.ts';
import { openPresence } from './presence.ts';

type PostgresSetting = { readonly url: string; readonly poolSize: number };

// The embedded engine gives int8 as numbers (money is a safe integer of pence); pg gives texts unless told. One answer on both.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`The database holds a number too large to be exact: ${text}`);
  return value;
});

export async function openPostgres(setting: PostgresSetting, onProblem: (error: Error) => void): Promise<Database> {
  const presence = await openPresence(setting.url, onProblem);
  const pool = new GuardedPool({
    connectionString: setting.url,
    max: setting.poolSize,
    connectionTimeoutMillis: 10_000,
    // The pool waits for what this returns, though its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => prepareSession(client, onProblem),
  });
  // An idle connection that the server closes is replaced at the next query; each client below reports its own errors.
  pool.on('error', () => undefined);
  const driver = drizzle(pool, { schema });
  const db = driver as unknown as Db;
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => inTransactionScope(() => transaction(work, config));
  return {
    kind: 'postgres',
    db,
    executeSql: async (text, values) => {
      const result: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values?.length ? [...values] : undefined);
      return { rows: Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows };
    },
    alone: (name, work) => holdingAdvisoryLock(setting.url, name, work),
    holder: presence.holder,
    close: async () => {
      await pool.end();
      // Last: until then others leave alone what is ours.
      await presence.close();
    },
  };
}

/** A pool that refuses a query on another connection than the open transaction's. */
class GuardedPool extends pg.Pool {
  // pg declares a dozen overloads; all of them come down to passing everything on.
  override query = ((...given: unknown[]): unknown => {
    refuseInsideTransaction();
    return (super.query.bind(this) as (...passed: unknown[]) => unknown)(...given);
  }) as pg.Pool['query'];
}

function prepareSession(client: pg.ClientBase, onProblem: (error: Error) => void): Promise<unknown> {
  // A client that the pool has dropped may still fail on its way out; unheard, that would end the process.
  client.on('error', onProblem);
  refuseSilentRollback(client);
  // A transaction left idle would hold its locks for ever.
  return client.query("set timezone to 'UTC'; set idle_in_transaction_session_timeout to '60s'");
}

function refuseSilentRollback(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const checked = (...given: unknown[]): unknown => {
    const result = query(...given);
    const text = typeof given[0] === 'object' && given[0] && 'text' in given[0] ? given[0].text : given[0];
    if (text !== 'commit' || !(result instanceof Promise)) return result;
    return result.then((answer: pg.QueryResult) => {
      if (answer.command === 'ROLLBACK') throw commitOfAborted();
      return answer;
    });
  };
  client.query = checked as typeof client.query;
}

/** On a connection of its own, because a lock belongs to its session and a pool may change sessions in between. */
async function holdingAdvisoryLock<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryKey(name)]);
    return await work();
  } finally {
    // Ending the session frees the lock, also where the work failed.
    await client.end();
  }
}

function advisoryKey(name: string): string {
  return createHash('sha256').update(`portal:${name}`).digest().readBigInt64BE().toString();
}
