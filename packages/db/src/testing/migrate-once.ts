/** A helper process for tests, which migrates the database at a URL and exits. */
import { migrateDatabase } from '../migrate-database.ts';
import { openDatabase } from '../open-database.ts';

const database = await openDatabase({ kind: 'postgres', url: process.argv[2] ?? '', poolSize: 2, role: 'owner' }, (error) => {
  throw error;
});
await migrateDatabase(database);
await database.close();
