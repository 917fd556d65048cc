/** The progress of a practice's latest import. Kept apart from the other import endpoints, because every page of a practice follows it. */
import { IMPORT_STATES } from '@portal/domain/client-imports/import-states.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, idScalar } from './scalars.ts';

/** The path whose response changes as the import progresses. */
export const IMPORT_INFO_PATH = '/open-tax/import-clients/info';

export const importProgressEndpoints = {
  fetchingNewClients: endpoint({
    method: 'GET',
    path: '/open-tax/fetching-new-clients',
    access: 'practice.manage',
    summary: 'Get the progress of the newest import: rows found, matched, new and ambiguous',
    input: companyInput,
    output: z.object({
      state: z.nullable(z.enum(IMPORT_STATES)),
      import_id: z.nullable(idScalar),
      found: z.int(),
      matched: z.int(),
      new: z.int(),
      ambiguous: z.int(),
      rows_done: z.int(),
      rows_total: z.int(),
    }),
  }),
};
