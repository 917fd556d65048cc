/** Bulk refresh of the clients' figures from HMRC. */
import { z } from 'zod/mini';
import { matchingClients } from './client-filters.ts';
import { endpoint } from './endpoint.ts';
import { idScalar } from './scalars.ts';
import { syncInput, syncStatusEndpoints } from './sync-status.ts';

/** Clients by ID, or all that match a list filter; otherwise all that the user may see. Reads only active clients that have the tax. */
const refreshInput = z
  .extend(syncInput, {
    client_ids: z.optional(z.array(idScalar).check(z.minLength(1), z.maxLength(1000))),
    matching: z.optional(matchingClients),
  })
  .check(
    z.refine(({ client_ids: ids, matching }) => ids === undefined || matching === undefined, {
      message: 'Choose clients by ID, or all clients that match a filter',
      path: ['client_ids'],
    }),
  );

export const syncApi = {
  ...syncStatusEndpoints,
  start: endpoint({
    method: 'POST',
    path: '/open-tax/sync',
    access: 'practice.read',
    summary: 'Start refreshing a tax from HMRC for all visible clients or a selection. If a refresh is already running, joins it.',
    input: refreshInput,
    output: z.object({ run_id: idScalar, queued: z.int(), joined: z.boolean() }),
    callsHmrc: true,
    maxPerPerson: 120,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/sync/cancel',
    access: 'practice.manage',
    summary: 'Cancel the running refresh of a tax. Figures read so far are kept.',
    input: syncInput,
    output: z.object({ cancelled: z.boolean() }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/open-tax/sync/retry',
    access: 'practice.read',
    summary: 'Retry the visible clients whose last refresh failed',
    input: refreshInput,
    output: z.object({ run_id: idScalar, queued: z.int(), joined: z.boolean() }),
    callsHmrc: true,
    maxPerPerson: 60,
  }),
};
