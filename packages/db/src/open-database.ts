/** Opens the database that the settings name. Each engine's libraries are loaded only when it is the one in use. */
import type { Database, DatabaseSetting } from './database.ts';

/** `onProblem` hears of a lost connection or a dead engine, outside any query. */
export async function openDatabase(setting: DatabaseSetting, onProblem: (error: Error) => void): Promise<Database> {
  if (setting.kind === 'embedded') {
    const { openEmbedded } = await import('./embedded/open-embedded.ts');
    return openEmbedded(setting.dataDir, onProblem);
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres(setting, onProblem);
}
