/** Shows that this process is alive by holding a lock, which the server releases when the process, its computer or its network fails. */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../sql.ts';
import pg from 'pg';
import type { Database } from '../database.ts';

/** The first half of each lock's key. The second half is the process ID in `Holder`. */
export const PRESENCE_LOCK_CLASS = 7_302;
const RECONNECT_DELAY_MS = 1_000;
/** Longer than a proxy in front of the database takes to accept connections again, including several attempts. */
const RECONNECT_GRACE_MS = 15_000;
/** The first connection opens while the server's code loads, which can occupy a busy machine for many seconds. */
const CONNECT_TIMEOUT_MS = 60_000;

/**
 * Uses its own session, because a pool may switch sessions. A lost connection also loses the lock, so it reconnects with the same ID.
 *
 * If the server itself went down, all processes lost their locks together. So a process that had to reconnect doesn't treat any other
 * as dead until they have all had time to reconnect. Otherwise, it would send HMRC a refresh token that another process has just used.
 */
export async function openPresenceLock(
  url: string,
  onProblem: (error: Error) => void,
  { reconnectGraceMs = RECONNECT_GRACE_MS } = {},
): Promise<Pick<Database, 'holder' | 'ping' | 'close'>> {
  const id = randomInt(1, 2 ** 31);
  const closing = new AbortController();
  let client = await connect(url, id);
  /** The `performance.now()` time from which a missing lock means a dead process. */
  let othersKnownFrom = 0;
  const watch = (): void => {
    client.on('error', onProblem);
    client.once('end', () => void reconnect());
  };
  const reconnect = async (): Promise<void> => {
    othersKnownFrom = Infinity;
    while (!closing.signal.aborted) {
      try {
        client = await connect(url, id);
        othersKnownFrom = performance.now() + reconnectGraceMs;
        return watch();
      } catch (error) {
        onProblem(error instanceof Error ? error : new Error(String(error)));
        await pause(RECONNECT_DELAY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      }
    }
  };
  watch();
  return {
    holder: {
      id,
      hasDied: (holderId) => {
        if (performance.now() < othersKnownFrom) return sql`false`;
        return sql`${holderId} not in (
        select objid::bigint from pg_locks where locktype = 'advisory' and classid = ${PRESENCE_LOCK_CLASS}
        and database = (select oid from pg_database where datname = current_database()))`;
      },
    },
    ping: async () => void (await client.query('select 1')),
    close: async () => {
      closing.abort();
      await client.end();
    },
  };
}

async function connect(url: string, id: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
  try {
    await client.connect();
    // A computer that disappears doesn't close its connection, so the server sends keepalives and gives up after 15 seconds.
    await client.query('set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2');
    // Waits until the server has ended our own lost session.
    await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCK_CLASS, id]);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
