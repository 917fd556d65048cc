/** Our contact details, and messages from the contact page (docs/product/specification.md section 2.6, "Contact us"). */
import { CONTACT_TOPICS } from '@portal/domain/operators/contact-messages.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { createNameScalar, emailScalar } from './scalars.ts';

export const contactApi = {
  details: endpoint({
    method: 'GET',
    path: '/contact-details',
    access: 'public',
    summary: 'Get our contact details: email address and, if set, phone number and postal address',
    input: z.object({}),
    output: z.object({ email: z.string(), phone: z.nullable(z.string()), address: z.nullable(z.string()) }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/contact-message',
    access: 'public',
    summary: 'Send a message to support. The response contains a reference number.',
    input: z.object({
      name: createNameScalar('your name'),
      email: emailScalar,
      topic: z.enum(CONTACT_TOPICS, 'Choose a topic'),
      message: z
        .string()
        .check(
          z.trim(),
          z.minLength(10, 'Enter a message of at least 10 characters'),
          z.maxLength(5_000, 'Enter a message of at most 5,000 characters'),
        ),
    }),
    output: z.object({ reference: z.string() }),
  }),
};
