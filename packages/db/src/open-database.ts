/** Opens the configured database, loading only the libraries of the engine in use. */
import type { Database, DatabaseSetting } from './database.ts';

/** Opens the database. `onProblem` receives errors that occur outside any query, such as a lost connection or a crashed engine. */
export async function openDatabase(setting: DatabaseSetting, onProblem: (error: Error) => void): Promise<Database> {
  if (setting.kind === 'embedded') {
    const { openEmbedded } = await import('./embedded/open-embedded.ts');
    return openEmbedded(setting.dataDir, onProblem);
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres(setting, onProblem);
}
