/** Deletes import rows after their retention period. Keeps their totals. */
import { clientImportRows, clientImports } from '@portal/db/schema/schema.ts';
import { and, eq, inArray, isNull, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { getRowsCutOff } from '../retention/row-retention.ts';
import { countRows } from './import-queries.ts';

/** Uses one transaction for each import. A file that was never started is deleted completely. */
export async function purgeImportRows(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const since = getRowsCutOff(deps.clock.now());
  const expiredImports = await db
    .select({ companyId: clientImports.companyId, id: clientImports.id })
    .from(clientImports)
    .where(and(lt(clientImports.endedAt, since), isNull(clientImports.rowsRemovedAt)));
  await tryEach(expiredImports, (expiredImport) => purgeImport(deps, expiredImport));
  await db.delete(clientImports).where(and(inArray(clientImports.state, ['mapping', 'ready']), lt(clientImports.createdAt, since)));
}

type ExpiredImport = { readonly companyId: string; readonly id: string };

function purgeImport({ database, clock }: AppDeps, { companyId, id }: ExpiredImport): Promise<void> {
  return database.db.transaction(async (tx) => {
    const isThisImport = and(eq(clientImports.companyId, companyId), eq(clientImports.id, id));
    const [foundImport] = await tx.select({ endedAt: clientImports.endedAt }).from(clientImports).where(isThisImport).for('update');
    if (!foundImport?.endedAt) return;
    const rowCounts = await countRows(tx, { companyId, importId: id });
    await tx.delete(clientImportRows).where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, id)));
    await tx.update(clientImports).set({ rowCounts, rowsRemovedAt: clock.now(), table: null }).where(isThisImport);
  });
}
