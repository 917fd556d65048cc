/** Lets an operator see the portal as a user does: read-only, for half an hour, and recorded in the audit trail. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { doneOutput, idScalar } from './scalars.ts';

export const viewingApi = {
  start: endpoint({
    method: 'POST',
    path: '/operator/viewing/start',
    access: 'operator',
    needsFreshFactor: true,
    summary: 'View the portal as a user for 30 minutes. Changes aren’t allowed, and the audit trail records the reason.',
    input: z.object({
      user_id: idScalar,
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
    }),
    output: z.object({ home_path: z.string() }),
  }),
  end: endpoint({
    method: 'POST',
    path: '/v2/viewing/end',
    access: 'signed_in',
    endsViewing: true,
    summary: 'Stop viewing the portal as a user. Does nothing if no user is being viewed.',
    input: z.object({}),
    output: doneOutput,
  }),
};
