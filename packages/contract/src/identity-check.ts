/** Identity check of a company's owner, through an external provider. */
import { IDENTITY_STATUSES } from '@portal/domain/advances/advance-statuses.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idScalar, instantScalar } from './scalars.ts';

export const identityCheckApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/identity-check',
    access: 'signed_in',
    summary: 'Get the status of the user’s identity check',
    input: z.object({}),
    output: z.object({
      status: z.enum(IDENTITY_STATUSES),
      reasons: z.array(z.string()),
      may_begin: z.boolean(),
      completed_at: z.nullable(instantScalar),
      attempts_left: z.int(),
    }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/instant-vat/identity-check/begin',
    access: 'signed_in',
    summary: 'Start an identity check. The browser continues at `url`.',
    input: z.object({}),
    output: z.object({ check_id: idScalar, url: z.string() }),
  }),
};
