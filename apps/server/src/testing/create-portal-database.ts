import { openDatabase } from '@portal/db/open-database.ts';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { pino } from 'pino';
import { migratePortal } from '../start/migrate-portal.ts';

/** Creates a PostgreSQL database on which a portal process can start, as after `npm run migrate`. */
export async function createPortalDatabase(): ReturnType<typeof createTestPostgresDatabase> {
  const createdDatabase = await createTestPostgresDatabase('migrated');
  await migrateDatabaseAt(createdDatabase.url);
  return createdDatabase;
}

export async function migrateDatabaseAt(url: string): Promise<void> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 2, role: 'owner' }, (error) => {
    throw error;
  });
  await migratePortal(database, pino({ level: 'silent' }));
  await database.close();
}
