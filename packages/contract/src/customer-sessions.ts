/** Lets an operator log a customer out everywhere, when an account was taken over or a device was lost. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { doneOutput, idScalar } from './scalars.ts';

export const customerSessionsApi = {
  end: endpoint({
    method: 'POST',
    path: '/operator/customers/end-sessions',
    access: 'operator',
    needsFreshFactor: true,
    summary:
      'Log a customer out on every device. Their password, unused sign-in links, API keys, connected apps and calendar links stop working. An administrator can also remove their passkeys, authenticator app and linked accounts (`removes_methods`). They are emailed, and the audit trail records the reason. Operators can’t be logged out this way.',
    input: z.object({
      user_id: idScalar,
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
      removes_methods: z._default(z.boolean(), false),
    }),
    output: doneOutput,
  }),
};
