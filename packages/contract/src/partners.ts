/** Partners: the stages of their referrals, the people who may see them, and the agent of a trader. */
import { REFERRAL_STAGES } from '@portal/domain/partners/referral-stage.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, emailScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

const partnerName = z.string().trim().toLowerCase().min(1, 'Name the partner').max(60, 'Name the partner');
const namedPartner = z.object({ name: z.string(), logo_text: z.string() });

export const partnersApi = {
  referrals: endpoint({
    method: 'GET',
    path: '/partner/referrals',
    access: 'signed_in',
    summary:
      'The referrals of a partner whose contact one is, newest first: how far each has come, never a figure. Empty for everybody else.',
    input: z.object({ partner: partnerName.optional(), before: z.string().max(100).optional() }),
    output: z.object({
      /** The partners whose contact the person is. */
      partners: z.array(namedPartner),
      /** The one that is shown: the named one, else the first; null where the person is the contact of none. */
      partner: namedPartner.extend({ is_agent: z.boolean(), referral_owner: z.string() }).nullable(),
      /** Attribution: companies on the partner's terms, and people who came by its links first or last. */
      counts: z.object({ companies: z.int(), first_touch: z.int(), last_touch: z.int() }),
      referrals: z.array(z.object({ company_name: z.string(), stage: z.enum(REFERRAL_STAGES), since: dateScalar })),
      next_before: z.string().nullable(),
    }),
  }),
};

export const agentApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/agent',
    access: 'company.read',
    summary: 'The accountant that a trader has set as its agent, and the one that it may set.',
    input: companyInput,
    output: z.object({
      agent: namedPartner.extend({ since: instantScalar }).nullable(),
      /** The accountant who sent the trader, with what setting it as agent means; null where no accountant did. */
      may_set: namedPartner.extend({ consent_text: z.string() }).nullable(),
    }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/instant-vat/agent/set',
    access: 'company.manage',
    summary: 'Sets the accountant who sent the trader as its agent.',
    input: companyInput,
    output: doneOutput,
  }),
  end: endpoint({
    method: 'POST',
    path: '/instant-vat/agent/end',
    access: 'company.manage',
    summary: 'Removes the agent: it sees nothing of the company from now on.',
    input: companyInput,
    output: doneOutput,
  }),
};

export const operatorPartnersApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/partners',
    access: 'operator',
    summary: 'Every partner with its terms, its referrals in numbers and its contacts.',
    input: z.object({}),
    output: z.object({
      partners: z.array(
        namedPartner.extend({
          kind: z.string(),
          fee_rate_bps: z.int(),
          referral_owner: z.string(),
          companies: z.int(),
          first_touch: z.int(),
          last_touch: z.int(),
          /** Refunds of its companies that we have paid for: how many, their sum, and our fees of them. */
          refunds_bought: z.int(),
          refunds_pence: penceScalar,
          fees_pence: penceScalar,
          contacts: z.array(z.object({ user_id: idScalar, full_name: z.string(), email: z.string(), added_at: instantScalar })),
        }),
      ),
    }),
  }),
  addContact: endpoint({
    method: 'POST',
    path: '/operator/partners/contacts/add',
    access: 'operator',
    summary: 'Lets a person with an account see the stages of a partner’s referrals.',
    input: z.object({ partner: partnerName, email: emailScalar }),
    output: doneOutput,
  }),
  removeContact: endpoint({
    method: 'POST',
    path: '/operator/partners/contacts/remove',
    access: 'operator',
    summary: 'Ends that.',
    input: z.object({ partner: partnerName, user_id: idScalar }),
    output: doneOutput,
  }),
};
