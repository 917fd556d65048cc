/**
 * Opens a migrated database for one test file, quickly: either the embedded engine in memory from a prepared dump or, if TEST_DATABASE_URL
 * names a PostgreSQL server, a copy of a template database there. `close` discards it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { createEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { createEngine, type RunStatement } from '../embedded/engine.ts';
import { createClient } from '../embedded/pglite-client.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { loadPreparedDump } from './prepared-dump.ts';
import { createTestPostgresDatabase, getTestServerUrl } from './test-postgres.ts';

type TestDatabaseOptions = {
  /** Plans each statement only once, for tests that run the same statements thousands of times. */
  readonly preparesStatements?: boolean;
  /** For tests that break connections. In all other tests, a lost connection is an error. */
  readonly survivesLostConnections?: boolean;
};

/** Disables query plans for specific values, and also statistics and writes that matter only after a crash. */
const LONG_RUN_SETTINGS =
  'set plan_cache_mode to force_generic_plan; set synchronous_commit to off; set track_counts to off; set track_activities to off';

export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const { preparesStatements = false, survivesLostConnections = false } = options;
  if (getTestServerUrl()) return openOnPostgres(preparesStatements, survivesLostConnections ? () => undefined : rethrow);
  // Runs in this thread. A test sends one statement at a time, and handing each to another thread takes longer than most statements do.
  const runStatement = await createEngine({ storage: 'memory://', loadFrom: await loadPreparedDump(), preparesStatements });
  if (preparesStatements) await runStatement({ type: 'script', text: LONG_RUN_SETTINGS });
  const run: RunStatement = async (statement) => {
    try {
      return await runStatement(statement);
    } finally {
      // Lets timers and connections continue after each statement, as they would if the engine had its own thread.
      await nextTurn();
    }
  };
  return createEmbeddedDatabase(
    createClient(run, async () => undefined),
    () => undefined,
  );
}

async function openOnPostgres(preparesStatements: boolean, onProblem: (error: Error) => void): Promise<Database> {
  const { url, drop } = await createTestPostgresDatabase('migrated');
  let isClosed = false;
  const database = await openPostgres({ url, poolSize: 5, preparesStatements, role: 'owner' }, (error) => isClosed || onProblem(error));
  return {
    ...database,
    close: async () => {
      isClosed = true;
      await database.close();
      await drop();
    },
  };
}

function rethrow(error: Error): void {
  throw error;
}
