import { join } from 'node:path';
import type { Database } from '../database.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { createDataFolder } from './create-data-folder.ts';
import { openPglite, type PgliteClient } from './pglite-client.ts';

export async function openEmbedded(dataDir: string, onProblem: (error: Error) => void): Promise<Database> {
  const lock = lockDataDir(dataDir);
  try {
    // The engine starts in its own thread while this one loads Drizzle. Each takes half a second.
    const opening = openStorage(join(dataDir, 'database'), onProblem);
    const [client, { createEmbeddedDatabase: createDatabase }] = await Promise.all([opening, import('./embedded-database.ts')]);
    return createDatabase(client, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openStorage(storage: string, onProblem: (error: Error) => void): Promise<PgliteClient> {
  await createDataFolder(storage);
  return openPglite({ storage }, onProblem);
}
