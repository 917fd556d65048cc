/** Returns the progress of the newest import in numbers, for the endpoint and for the event stream. */
import type { clientImportsApi } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { AppDeps } from '../../app-deps.ts';
import { findImport } from './import-queries.ts';

type ImportProgress = EndpointOutput<typeof clientImportsApi.fetchingNewClients>;

export async function getImportProgress(deps: AppDeps, companyId: string): Promise<ImportProgress> {
  const found = await findImport(deps, companyId);
  return {
    state: found?.state ?? null,
    import_id: found?.import_id ?? null,
    found: found?.rows_total ?? 0,
    matched: found?.counts.matched ?? 0,
    new: found?.counts.new ?? 0,
    ambiguous: found?.counts.ambiguous ?? 0,
    rows_done: found?.rows_done ?? 0,
    rows_total: found?.rows_total ?? 0,
  };
}
