/** The dump that embedded test databases start from. Creating a database takes three seconds; loading the dump takes less than one. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { createEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { openPglite } from '../embedded/pglite-client.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { getSchemaHash } from './schema-hash.ts';

const cacheFolder = fileURLToPath(new URL('../../../../node_modules/.cache/portal-test-database', import.meta.url));

let dump: Promise<Blob> | undefined;

/** Reads the dump once per process. Each database loads its own copy. */
export function loadPreparedDump(): Promise<Blob> {
  return (dump ??= readDump());
}

async function readDump(): Promise<Blob> {
  const file = join(cacheFolder, `${getSchemaHash()}.tar`);
  if (!existsSync(file)) await writeDump(file);
  return new Blob([await readFile(file)]);
}

async function writeDump(file: string): Promise<void> {
  const client = await openPglite({ storage: 'memory://' }, () => undefined);
  const database = createEmbeddedDatabase(client, () => undefined);
  await migrateDatabase(database);
  // Without the template databases, which tests don't need, the dump is three times smaller and faster to load.
  for (const template of ['template0', 'template1']) {
    await client.executeSql(`alter database ${template} with is_template false`);
    await client.query(`drop database ${template}`);
  }
  // Drops the migrations' write-ahead log, 16 MB that every database would load and read again on starting.
  for (const statement of ['set wal_recycle = off', 'select pg_switch_wal()', 'checkpoint']) await client.executeSql(statement);
  const content = await client.dump();
  await database.close();
  await mkdir(cacheFolder, { recursive: true });
  // Write to a temporary file and rename it, so that other workers never read a partial file.
  const temporaryFile = `${file}.${process.pid}.${Math.trunc(performance.now() * 1000)}`;
  await writeFile(temporaryFile, content);
  await rename(temporaryFile, file);
}
