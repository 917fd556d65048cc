/** Changes in the clients' figures since yesterday. */
import { POSITION_CHANGE_KINDS } from '@portal/domain/positions/describe-position-change.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, idScalar, instantScalar } from './scalars.ts';

/** `first`: figures read for the first time, which don't count as a change of the client's position. */
export const POSITION_CHANGE_GROUPS = ['changed', 'first'] as const;

/** The maximum number of client and tax combinations in one response. */
export const POSITION_CHANGES_PAGE_SIZE = 50;

export const positionChangesApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/position-changes',
    access: 'practice.read',
    summary: 'List changes in visible clients’ figures since the start of yesterday, and figures read for the first time, newest first',
    input: z.extend(companyInput, {
      tax: z.optional(taxScalar),
      group: z._default(z.enum(POSITION_CHANGE_GROUPS), 'changed'),
      from: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    }),
    output: z.object({
      since: dateScalar,
      /**
       * The number of client and tax combinations in each group. The list shows `POSITION_CHANGES_PAGE_SIZE` of the chosen group, after skipping
       * the first `from`.
       */
      totals: z.object({ changed: z.int(), first: z.int() }),
      changes: z.array(
        z.object({
          client_id: idScalar,
          name: z.string(),
          tax: taxScalar,
          changed_at: instantScalar,
          details: z.array(z.object({ kind: z.enum(POSITION_CHANGE_KINDS), text: z.string() })),
        }),
      ),
    }),
  }),
};
