/**
 * A migrated database for one test file, created quickly: the embedded engine in memory from a prepared dump, or, if
 * TEST_DATABASE_URL names a PostgreSQL server, a copy of a template database there. `close` discards it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { createEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { createEngine, type RunStatement } from '../embedded/engine.ts';
import { createClient } from '../embedded/pglite-client.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { loadPreparedDump } from './prepared-dump.ts';
import { createTestPostgresDatabase, testServerUrl } from './test-postgres.ts';

export async function openTestDatabase(): Promise<Database> {
  if (testServerUrl()) return openOnPostgres();
  // In this thread: a test sends one statement at a time, and handing each to another thread takes longer than most statements.
  const runStatement = await createEngine({ storage: 'memory://', loadFrom: await loadPreparedDump() });
  const run: RunStatement = async (statement) => {
    try {
      return await runStatement(statement);
    } finally {
      // Lets timers and connections go on after each statement, as they do beside another thread.
      await nextTurn();
    }
  };
  return createEmbeddedDatabase(
    createClient(run, async () => undefined),
    () => undefined,
  );
}

async function openOnPostgres(): Promise<Database> {
  const { url, drop } = await createTestPostgresDatabase('migrated');
  let isClosed = false;
  const database = await openPostgres({ url, poolSize: 5 }, (error) => isClosed || failLoudly(error));
  return {
    ...database,
    close: async () => {
      isClosed = true;
      await database.close();
      await drop();
    },
  };
}

function failLoudly(error: Error): void {
  throw error;
}
