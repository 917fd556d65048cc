import { randomInt } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from '../sql.ts';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database, Db } from '../database.ts';
import * as schema from '../schema/schema.ts';
import { runInTransactionScope } from '../transaction-scope.ts';
import type { PgliteClient } from './pglite-client.ts';

export function createEmbeddedDatabase(client: PgliteClient, afterClose: () => void): Database {
  // Drizzle's type requires PGlite's whole class but calls only `query` and `transaction`.
  const driver = drizzle(client as unknown as PGlite, { schema });
  const db = driver as unknown as Db;
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => runInTransactionScope(() => transaction(work, config));
  const id = randomInt(1, 2 ** 31);
  return {
    kind: 'embedded',
    db,
    executeSql: (text, values) => client.executeSql(text, values),
    // The lock on the data folder guarantees that no other process is running.
    runExclusively: (_name, work) => work(),
    // Because of that lock, a process with another ID must have died.
    holder: { id, hasDied: (holderId) => sql`${holderId} <> ${id}` },
    ping: async () => void (await client.executeSql('select 1')),
    findCertificateEnd: () => undefined,
    close: async () => {
      await client.close();
      afterClose();
    },
  };
}
