import { AppError } from '@portal/domain/app-error.ts';
import pg from 'pg';

/** A pooler may happen to give both connections a session of their own. */
const ROUNDS = 5;

/**
 * Throws if a pooler such as PgBouncer gives each transaction any free session (`pool_mode = transaction`). The tenant of a connection and
 * the locks by which instances know of each other belong to a session, so statements would run for another tenant or find no rows.
 */
export async function assertOwnSessions(url: string): Promise<void> {
  const first = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const second = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A lost connection rejects the statement below too.
  for (const client of [first, second]) client.on('error', () => undefined);
  try {
    await first.connect();
    await second.connect();
    for (let round = 0; round < ROUNDS; round += 1) if (await isSessionShared(first, second)) throw createSharedSessionError();
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

async function isSessionShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const sessionBefore = await readSession(first);
  await second.query('begin');
  try {
    // While the transaction is open, a pooler can't give its session to the first connection.
    if ((await readSession(second)) === sessionBefore) return true;
    return (await readSession(first)) !== sessionBefore;
  } finally {
    await second.query('rollback');
  }
}

async function readSession(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ session: number }>('select pg_backend_pid() as session');
  return rows[0]?.session;
}

function createSharedSessionError(): AppError {
  return new AppError(
    'conflict',
    'database.sessions_shared',
    'DATABASE_URL leads through a connection pooler that shares sessions (PgBouncer: pool_mode = transaction or statement). The portal keeps each tenant’s access in its session, so connect to PostgreSQL itself, or set pool_mode = session.',
  );
}
