/**
 * The invited user's side of an invitation to a practice's team or a trader's company. Having the link proves access to the invited email
 * address.
 */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { COMPANY_WIRE_ROLES } from './company-people.ts';
import { createNameScalar } from './scalars.ts';
import { loginOutput, newPassword } from './sign-in-schemas.ts';

const tokenInput = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

export const teamInvitationsApi = {
  preview: endpoint({
    method: 'GET',
    path: '/team-invitation',
    access: 'public',
    summary: 'Get an invitation by its link, without using it up',
    input: tokenInput,
    output: z.object({
      company: z.string(),
      email: z.string(),
      role: z.enum(['admin', 'team_member', ...COMPANY_WIRE_ROLES]),
      invited_by: z.string(),
      has_account: z.boolean(),
    }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/team-invitation/accept',
    access: 'public',
    summary:
      'Accept an invitation while logged in with the invited email address. If that email address has no account, create one and log in.',
    input: z.extend(tokenInput, {
      /** Only needed for a new account. */
      full_name: z.optional(createNameScalar('your full name')),
      password: z.optional(newPassword),
    }),
    output: loginOutput,
  }),
};
