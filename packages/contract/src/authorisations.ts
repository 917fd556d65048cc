/**
 * Authorisations that a client gives a practice at HMRC for each tax: requesting, cancelling and checking them
 * (docs/product/specification.md section 7.3; docs/product/decisions.md section 5).
 */
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { AUTHORISATIONS, AUTHORISATION_ACTIONS, MISSING_FACTS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { REQUEST_EMAIL_BLOCKERS, REQUEST_EMAIL_KINDS } from '@portal/domain/authorisations/request-email.ts';
import { RECIPIENT_STATUSES } from '@portal/domain/messages/message-status.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, idScalar, instantScalar } from './scalars.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });

/** The latest email about a pending request. `cancelled`: the client responded to the request, or it ended, before the email was sent. */
const requestEmail = z.object({
  kind: z.enum(REQUEST_EMAIL_KINDS),
  /** `unknown`: the email may have been sent. `no_link` and `no_email` say what is missing for sending it. */
  status: z.enum([...RECIPIENT_STATUSES, ...REQUEST_EMAIL_BLOCKERS]),
  to: z.nullable(z.string()),
  /** When the outcome became known or, until then, when the email was requested. */
  at: instantScalar,
  /** Why the email failed, as reported by the mail server. */
  reason: z.nullable(z.string()),
  /** The practice’s mailbox connection has been lost, so nothing is sent until someone reconnects or disconnects the mailbox. */
  is_waiting: z.boolean(),
  /** The day on which the only reminder is sent if the client hasn’t responded by then. */
  reminds_on: z.nullable(dateScalar),
});
export type RequestEmail = z.output<typeof requestEmail>;
export { requestEmail as requestEmailSchema };

const authorisation = z.object({
  tax: taxScalar,
  status: z.enum(AUTHORISATIONS),
  /** The current status as a sentence, and the next step (empty if there is none). */
  sentence: z.string(),
  next: z.string(),
  acts: z.array(z.enum(AUTHORISATION_ACTIONS)),
  /** A detail that HMRC requires with a request but that is missing from the client record. The user enters it when sending the request. */
  needs: z.nullable(z.enum(MISSING_FACTS)),
  /** The day of a pending request's life, from 1 to `link_days`, or null otherwise. */
  link_day: z.nullable(z.int()),
  link_days: z.int(),
  /** The page at HMRC where the client responds, while a request is pending. */
  client_action_url: z.nullable(z.string()),
  sent_at: z.nullable(instantScalar),
  expires_on: z.nullable(dateScalar),
  checked_at: z.nullable(instantScalar),
  /** Null if the practice chose not to email the request, and always for the client’s own users. */
  email: z.nullable(requestEmail),
});

/** A client's authorisation for one tax. */
export type Authorisation = z.output<typeof authorisation>;

const coveredTax = z.enum(AGENT_TAXES);

export const authorisationsApi = {
  agentDetails: endpoint({
    method: 'GET',
    path: '/client/agent-details',
    access: 'client.figures',
    summary: 'List a client’s HMRC authorisations, by tax',
    input: clientInput,
    output: z.object({
      arn: z.nullable(z.string()),
      /** Whether the practice emails HMRC’s link to a client when it creates a request. */
      emails_clients: z.boolean(),
      authorisations: z.array(authorisation),
    }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/send',
    access: 'client.work',
    summary:
      'Request authorisation from a client and email the client HMRC’s link, which is also in the response. If a request is already pending, returns it.',
    input: z.extend(clientInput, {
      tax: coveredTax,
      /** Saved in the client record once HMRC has accepted the date. */
      vat_registered_on: z.optional(dateScalar),
      postcode: z.optional(z.string().check(z.trim(), z.maxLength(10, 'Enter a postcode of at most 8 characters'))),
      /**
       * Whether to email the link to the client, with one reminder. An admin’s choice is saved. Defaults to the practice’s saved choice.
       */
      emails_client: z.optional(z.boolean()),
    }),
    output: authorisation,
    callsHmrc: true,
    maxPerPerson: 120,
  }),
  email: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/email',
    access: 'client.work',
    summary: 'Send or resend the email with HMRC’s link for a client’s pending authorisation request',
    /** The browser chooses `message_id`, so that a double click sends the email only once. */
    input: z.extend(clientInput, { tax: coveredTax, message_id: idScalar }),
    output: authorisation,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/cancel',
    access: 'client.work',
    summary: 'Cancel a pending authorisation request. Its link stops working.',
    input: z.extend(clientInput, { tax: coveredTax }),
    output: authorisation,
    callsHmrc: true,
    maxPerPerson: 120,
  }),
  check: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/check',
    access: 'client.work',
    summary: 'Check the status of an authorisation with HMRC',
    input: z.extend(clientInput, { tax: coveredTax }),
    output: authorisation,
    callsHmrc: true,
    maxPerPerson: 120,
  }),
};
