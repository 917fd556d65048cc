/** Returns the progress of the newest import in numbers, for the endpoint and for the event stream. */
import type { clientImportsApi } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findImport } from './import-queries.ts';

type ImportProgress = EndpointOutput<typeof clientImportsApi.fetchingNewClients>;

export async function getImportProgress(deps: AppDeps, companyId: string): Promise<ImportProgress> {
  const foundImport = await findImport(deps, companyId);
  return {
    state: foundImport?.state ?? null,
    import_id: foundImport?.import_id ?? null,
    found: foundImport?.rows_total ?? 0,
    matched: foundImport?.counts.matched ?? 0,
    new: foundImport?.counts.new ?? 0,
    ambiguous: foundImport?.counts.ambiguous ?? 0,
    rows_done: foundImport?.rows_done ?? 0,
    rows_total: foundImport?.rows_total ?? 0,
  };
}
