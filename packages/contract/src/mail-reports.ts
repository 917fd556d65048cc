/** Email addresses to which a practice's email bounced. See docs/decisions/0075-bounces.md. */
import { FAILURE_CAUSES } from '@portal/domain/mail-reports/delivery-failure.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, emailScalar, idScalar, instantScalar } from './scalars.ts';

/** An address that a company's email isn't sent to, and why. */
export const returnedAddress = z.object({
  email: z.string(),
  cause: z.enum(FAILURE_CAUSES),
  /** The mail server’s message, shortened. */
  detail: z.string(),
  reported_at: instantScalar,
});

const undeliverableAddress = z.extend(returnedAddress, {
  /** The client that has this email address now; null if no client does. */
  client: z.nullable(z.object({ client_id: idScalar, name: z.string() })),
});
export type UndeliverableAddress = z.output<typeof undeliverableAddress>;

export const mailReportsApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/undeliverable-addresses',
    access: 'practice.messages',
    summary:
      'List the email addresses that the practice’s email is no longer sent to, because an email bounced or was reported as spam, newest first, one page at a time. A team member sees only those of assigned clients.',
    input: z.extend(companyInput, {
      cursor: z.optional(z.string().check(z.maxLength(400))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
    }),
    output: z.object({ addresses: z.array(undeliverableAddress), next_cursor: z.nullable(z.string()) }),
  }),
  ofClient: endpoint({
    method: 'GET',
    path: '/client/undeliverable-addresses',
    access: 'client.read',
    summary: 'List a client’s email addresses that email is no longer sent to: its own, and those of its contacts, users and invitations',
    input: z.extend(companyInput, { client_id: idScalar }),
    output: z.object({ addresses: z.array(undeliverableAddress), may_retry: z.boolean() }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/open-tax/undeliverable-addresses/retry',
    access: 'practice.messages',
    summary: 'Resume sending email to an email address. Emails that weren’t sent in the meantime aren’t sent now.',
    input: z.extend(companyInput, { email: emailScalar }),
    output: doneOutput,
  }),
};
