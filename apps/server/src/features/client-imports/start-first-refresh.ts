/** Reads the imported clients' figures from HMRC after the import, so that the practice sees figures instead of an empty list. */
import type { Tx } from '@portal/db/database.ts';
import { clientImports } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { startRefreshAfterImport } from '../sync/start-sync.ts';
import { matchesImport } from './start-import.ts';

type EndedImport = Pick<typeof clientImports.$inferSelect, 'companyId' | 'id' | 'startedBy' | 'fraudHeaders'>;

/**
 * Figures are read from HMRC only after a user's click: the refresh sends the headers of the user who started the import, and uses them
 * only once.
 */
export async function startFirstRefresh(
  deps: AppDeps,
  tx: Tx,
  { companyId, id: importId, startedBy, fraudHeaders }: EndedImport,
): Promise<void> {
  if (fraudHeaders === null) return;
  await tx.update(clientImports).set({ fraudHeaders: null }).where(matchesImport({ companyId, importId }));
  await startRefreshAfterImport(deps, tx, { companyId, importId, startedBy, fraudHeaders });
}
