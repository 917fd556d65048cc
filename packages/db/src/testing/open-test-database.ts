/**
 * A migrated database for one test file, created quickly: the embedded engine in memory from a prepared dump, or, if
 * TEST_DATABASE_URL names a PostgreSQL server, a copy of a template database there. `close` discards it.
 */
import type { Database } from '../database.ts';
import { createEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { openPglite } from '../embedded/pglite-client.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { loadPreparedDump } from './prepared-dump.ts';
import { createTestPostgresDatabase, testServerUrl } from './test-postgres.ts';

export async function openTestDatabase(): Promise<Database> {
  if (testServerUrl()) return openOnPostgres();
  const client = await openPglite({ storage: 'memory://', loadFrom: await loadPreparedDump() }, failLoudly);
  return createEmbeddedDatabase(client, () => undefined);
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
