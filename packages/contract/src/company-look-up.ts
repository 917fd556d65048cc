/** Search at Companies House, and the token that identifies a user to the chat. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { emailScalar } from './scalars.ts';

export const companyLookUpApi = {
  search: endpoint({
    method: 'GET',
    path: '/company-search',
    access: 'signed_in',
    hasEffect: true,
    summary: 'Search Companies House by company name or number',
    input: z.object({ keyword: z.string().check(z.trim(), z.minLength(2, 'Enter at least 2 characters'), z.maxLength(160)) }),
    output: z.object({
      companies: z.array(
        z.object({
          company_number: z.string(),
          name: z.string(),
          status: z.string(),
          type: z.string(),
          address: z.string(),
          incorporated_on: z.nullable(z.string()),
        }),
      ),
    }),
  }),
  chatVisitor: endpoint({
    method: 'GET',
    path: '/chat-visitor-identification',
    access: 'signed_in',
    hasEffect: true,
    summary: 'Create a token that identifies the user to the chat service. Rejected for any email address other than the user’s own.',
    input: z.object({ email: emailScalar }),
    output: z.object({ data: z.object({ token: z.string(), email: z.string() }) }),
  }),
};
