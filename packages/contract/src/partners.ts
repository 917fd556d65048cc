/** Partners: their referrals by stage, their contacts, and a trader's agent. */
import { REFERRAL_STAGES } from '@portal/domain/partners/referral-stage.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, emailScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

const partnerName = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.minLength(1, 'Enter a partner name'), z.maxLength(60, 'Enter a partner name'));
const namedPartner = z.object({ name: z.string(), logo_text: z.string() });

export const partnersApi = {
  referrals: endpoint({
    method: 'GET',
    path: '/partner/referrals',
    access: 'signed_in',
    summary:
      'List a partner’s referrals with their stages, newest first, without amounts. Empty unless the user is one of the partner’s contacts.',
    input: z.object({ partner: z.optional(partnerName), before: z.optional(z.string().check(z.maxLength(100))) }),
    output: z.object({
      /** The partners that the user is a contact of. */
      partners: z.array(namedPartner),
      /** The partner shown: the requested one, otherwise the first; null if the user isn't a contact of any partner. */
      partner: z.nullable(z.extend(namedPartner, { is_agent: z.boolean(), referral_owner: z.string() })),
      /** Attribution: companies on the partner's terms, and users who first or last arrived through its link. */
      counts: z.object({ companies: z.int(), first_touch: z.int(), last_touch: z.int() }),
      referrals: z.array(z.object({ company_name: z.string(), stage: z.enum(REFERRAL_STAGES), since: dateScalar })),
      next_before: z.nullable(z.string()),
    }),
  }),
};

export const agentApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/agent',
    access: 'company.read',
    summary: 'Get the trader’s agent, and the accountant it can appoint as its agent',
    input: companyInput,
    output: z.object({
      agent: z.nullable(z.extend(namedPartner, { since: instantScalar })),
      /**
       * The accountant who referred the trader and may become its agent, with the consent text; null if no accountant referred the trader.
       */
      may_set: z.nullable(z.extend(namedPartner, { consent_text: z.string() })),
    }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/instant-vat/agent/set',
    access: 'company.manage',
    summary: 'Appoint the accountant who referred the trader as its agent',
    input: companyInput,
    output: doneOutput,
  }),
  end: endpoint({
    method: 'POST',
    path: '/instant-vat/agent/end',
    access: 'company.manage',
    summary: 'Remove the agent, which ends its access to the company',
    input: companyInput,
    output: doneOutput,
  }),
};

export const operatorPartnersApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/partners',
    access: 'operator',
    summary: 'List partners with their terms, referral counts and contacts',
    input: z.object({}),
    output: z.object({
      partners: z.array(
        z.extend(namedPartner, {
          kind: z.string(),
          fee_rate_bps: z.int(),
          referral_owner: z.string(),
          companies: z.int(),
          first_touch: z.int(),
          last_touch: z.int(),
          /** Refunds of the partner's companies that we have paid out: number, total and our fees. */
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
    access: 'operator.manage',
    summary: 'Add a user as a partner’s contact, who can then see the stages of its referrals',
    input: z.object({ partner: partnerName, email: emailScalar }),
    output: doneOutput,
  }),
  removeContact: endpoint({
    method: 'POST',
    path: '/operator/partners/contacts/remove',
    access: 'operator.manage',
    summary: 'Remove a contact from a partner',
    input: z.object({ partner: partnerName, user_id: idScalar }),
    output: doneOutput,
  }),
};
