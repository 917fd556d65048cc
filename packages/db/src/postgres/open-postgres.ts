import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Database, Db } from '../database.ts';
import { createAbortedCommitError } from '../embedded/pglite-client.ts';
import { observeQuery } from '../observe-statements.ts';
import * as schema from '../schema/schema.ts';
import { runInTransactionScope } from '../transaction-scope.ts';
import { assertOwnSessions } from './assert-own-sessions.ts';
import { readConnectOptions } from './connect-options.ts';
import { openPresenceLock } from './presence-lock.ts';
import { ScopedPool } from './scoped-pool.ts';

type PostgresSetting = {
  readonly url: string;
  readonly poolSize: number;
  /** Ends any statement that takes longer. Defaults to no limit. */
  readonly statementTimeoutMs?: number;
  /** Use the owner for migrations: outside scopes, statements then run as the role that logged in. Defaults to runtime. */
  readonly role?: 'runtime' | 'owner';
  /** Makes each connection keep the plan of every statement, for tests that run a few statements thousands of times. */
  readonly preparesStatements?: boolean;
};

// pg returns int8 as text by default. Return numbers instead, as the embedded engine does (money is a safe integer number of pence).
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`The database contains a number too large to be exact: ${text}`);
  return value;
});

const LOCK_POLL_MS = 50;

export async function openPostgres(setting: PostgresSetting, onProblem: (error: Error) => void): Promise<Database> {
  if (setting.role !== 'owner') await assertOwnSessions(setting.url);
  const presenceLock = await openPresenceLock(setting.url, onProblem);
  let certificateEnd: Date | undefined;
  const pool = new ScopedPool({
    defaultScope: setting.role === 'owner' ? { kind: 'owner' } : { kind: 'none' },
    ...readConnectOptions(setting.url, (end) => (certificateEnd = end)),
    max: setting.poolSize,
    connectionTimeoutMillis: 10_000,
    // The pool awaits the returned promise, although its types don't say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => prepareSession(client, onProblem, setting),
  });
  // When the server closes an idle connection, the pool replaces it at the next query. Each client below reports its own errors.
  pool.on('error', () => undefined);
  const driver = drizzle(pool, { schema });
  const db = driver as unknown as Db;
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => runInTransactionScope(() => transaction(work, config));
  return {
    kind: 'postgres',
    db,
    executeSql: async (text, values) => {
      const result: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values?.length ? [...values] : undefined);
      return { rows: Array.isArray(result) ? result.flatMap((statementResult) => statementResult.rows) : result.rows };
    },
    runExclusively: (name, work) => withAdvisoryLock(setting.url, name, work),
    holder: presenceLock.holder,
    ping: presenceLock.ping,
    findCertificateEnd: () => certificateEnd,
    close: async () => {
      await pool.end();
      // Close the lock last, so that other processes don't take over our rows before then.
      await presenceLock.close();
    },
  };
}

function prepareSession(client: pg.ClientBase, onProblem: (error: Error) => void, setting: PostgresSetting): Promise<unknown> {
  const { preparesStatements = false, statementTimeoutMs } = setting;
  // A client removed from the pool may still emit an error, which would end the process without a listener.
  client.on('error', onProblem);
  rejectSilentRollback(client);
  client.query = observeQuery(client.query.bind(client)) as typeof client.query;
  if (preparesStatements) nameStatements(client);
  // A transaction left idle would keep its locks indefinitely. JIT compilation takes longer than running any of our statements: 200 of the
  // 250 ms for a page of the operators' desk (postgresql.org/docs/current/jit-decision.html).
  const planCacheSetting = preparesStatements ? '; set plan_cache_mode to force_generic_plan' : '';
  const timeout = statementTimeoutMs === undefined ? '' : `; set statement_timeout to ${statementTimeoutMs}`;
  return client.query(
    `set timezone to 'UTC'; set idle_in_transaction_session_timeout to '60s'; set jit to off${planCacheSetting}${timeout}`,
  );
}

/** pg caches a statement if it has a name. Commits stay unnamed, as in production, so that a proxy recognises them. */
function nameStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const names = new Map<string, string>();
  const queryWithName = (first: unknown, values: unknown, ...rest: unknown[]): unknown => {
    const config = typeof first === 'string' ? { text: first } : first;
    if (!isUnnamedQuery(config) || !Array.isArray(values) || config.text === 'commit') return query(first, values, ...rest);
    const name = names.get(config.text) ?? `s${names.size}`;
    names.set(config.text, name);
    return query({ ...config, name }, values, ...rest);
  };
  client.query = queryWithName as typeof client.query;
}

function isUnnamedQuery(config: unknown): config is { readonly text: string } {
  return typeof config === 'object' && config !== null && 'text' in config && !('name' in config && config.name);
}

function rejectSilentRollback(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const checked = (...args: unknown[]): unknown => {
    const result = query(...args);
    const queryText = typeof args[0] === 'object' && args[0] && 'text' in args[0] ? args[0].text : args[0];
    if (queryText !== 'commit' || !(result instanceof Promise)) return result;
    return result.then((queryResult: pg.QueryResult) => {
      if (queryResult.command === 'ROLLBACK') throw createAbortedCommitError();
      return queryResult;
    });
  };
  client.query = checked as typeof client.query;
}

/**
 * Uses its own connection, because a lock belongs to its session and a pool may switch sessions. Polls for the lock, because a session
 * waiting for one holds a snapshot, and a `create index concurrently` run by the lock's holder would wait for that snapshot
 * (postgresql.org/docs/current/sql-createindex.html, "Building Indexes Concurrently").
 */
async function withAdvisoryLock<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const key = toAdvisoryKey(name);
    const tryLock = async (): Promise<boolean> => {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [key]);
      return rows[0]?.taken ?? false;
    };
    while (!(await tryLock())) await pause(LOCK_POLL_MS);
    return await work();
  } finally {
    // Ending the session releases the lock, even if the work failed.
    await client.end();
  }
}

function toAdvisoryKey(name: string): string {
  return createHash('sha256').update(`portal:${name}`).digest().readBigInt64BE().toString();
}
