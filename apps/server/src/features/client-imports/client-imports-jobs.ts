/** Client import jobs, and a sweep that queues running imports again when their job was lost. */
import { clientImports } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enrichClients, sweepRegister } from './enrich-clients.ts';
import { failImport, runImport } from './run-import.ts';
import { enqueueImport } from './start-import.ts';
import { rebuildImportedPositions } from './rebuild-imported-positions.ts';

export function clientImportJobs(
  deps: AppDeps,
): Pick<
  PortalJobHandlers,
  'clients.import' | 'clients.rebuild-positions' | 'clients.enrich' | 'clients.enrich-sweep' | 'client-imports.sweep'
> {
  return {
    'clients.import': async ({ company_id: companyId, import_id: importId }, run) => {
      try {
        await runImport(deps, { companyId, importId }, run);
      } catch (error) {
        if (run.isLastAttempt) await failImport(deps, { companyId, importId });
        throw error;
      }
    },
    'clients.rebuild-positions': ({ company_id: companyId, import_id: importId }, run) =>
      rebuildImportedPositions(deps, { companyId, importId }, run),
    'clients.enrich': ({ company_id }, run) => enrichClients(deps, company_id, run),
    'clients.enrich-sweep': () => sweepRegister(deps),
    'client-imports.sweep': async () => {
      const { db } = deps.database;
      const runningImports = await db
        .select({ companyId: clientImports.companyId, importId: clientImports.id })
        .from(clientImports)
        .where(eq(clientImports.state, 'importing'));
      await tryEach(runningImports, (key) => enqueueImport(deps, db, key));
    },
  };
}
