/** What HMRC lets a practice see and do for a client, tax by tax: asked for, counted, checked (specification 7.3; product.md section 5). */
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { AUTHORISATIONS, AUTHORISATION_ACTS, MISSING_FACTS } from '@portal/domain/practice/describe-authorisation.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, idScalar, instantScalar } from './scalars.ts';

const clientInput = companyInput.extend({ client_id: idScalar });

const authorisation = z.object({
  tax: taxScalar,
  status: z.enum(AUTHORISATIONS),
  /** Where it stands, and what to do next (empty where nothing is). */
  sentence: z.string(),
  next: z.string(),
  acts: z.array(z.enum(AUTHORISATION_ACTS)),
  /** What HMRC wants with a request and the client does not have yet: the person gives it with the press. */
  needs: z.enum(MISSING_FACTS).nullable(),
  /** Which of `link_days` days it is, while a request waits. */
  link_day: z.int().nullable(),
  link_days: z.int(),
  /** Where the client answers at HMRC, while a request waits. */
  client_action_url: z.string().nullable(),
  sent_at: instantScalar.nullable(),
  expires_on: dateScalar.nullable(),
  checked_at: instantScalar.nullable(),
});

/** One tax of a client, as its card shows it. */
export type Authorisation = z.output<typeof authorisation>;

const coveredTax = z.enum(AGENT_TAXES);

export const authorisationsApi = {
  agentDetails: endpoint({
    method: 'GET',
    path: '/client/agent-details',
    access: 'client.read',
    summary: 'What HMRC lets the practice see and do for a client, per tax the client has.',
    input: clientInput,
    output: z.object({ arn: z.string().nullable(), authorisations: z.array(authorisation) }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/send',
    access: 'client.work',
    summary:
      'Asks the client for authority at HMRC: the answer has the link for the client. Asking again while a request waits finds that one.',
    input: clientInput.extend({
      tax: coveredTax,
      /** Kept with the client once HMRC has taken it. */
      vat_registered_on: dateScalar.optional(),
      postcode: z.string().trim().max(10, 'A postcode has at most 8 characters').optional(),
    }),
    output: authorisation,
    callsHmrc: true,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/cancel',
    access: 'client.work',
    summary: 'Takes a waiting request back; its link is dead then.',
    input: clientInput.extend({ tax: coveredTax }),
    output: authorisation,
    callsHmrc: true,
  }),
  check: endpoint({
    method: 'POST',
    path: '/open-tax/authorisations/check',
    access: 'client.work',
    summary: 'Asks HMRC how the authority stands now.',
    input: clientInput.extend({ tax: coveredTax }),
    output: authorisation,
    callsHmrc: true,
  }),
};
