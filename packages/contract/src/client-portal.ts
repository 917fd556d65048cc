/**
 * The client portal: what a client's users can see and change about their own company (docs/product/decisions.md section 5,
 * docs/decisions/0051-clients-portal.md). `company_id` is the client.
 */
import { TAX_FIGURES_STATES } from '@portal/domain/positions/figures-state.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dueItem } from './position-detail.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** The choices for how many days before a due date to send a reminder. */
export const REMIND_DAYS = [3, 7, 14, 28] as const;

const preference = z.object({
  /** How many days before something is due to send a reminder; null for never. */
  remind_days: z.nullable(z.literal([...REMIND_DAYS])),
  /** Whether to notify when someone joins or leaves. */
  people_emails: z.boolean(),
});
export type NotificationPreference = z.output<typeof preference>;

/** `reference` is null if it is unknown. It is always null for corporation tax, where it appears only on HMRC's notice. */
const portalItem = z.extend(dueItem, { tax: taxScalar, is_overdue: z.boolean(), reference: z.nullable(z.string()) });
export type PortalItem = z.output<typeof portalItem>;

/** One tax. Amounts are null while it is `unread`, because unknown must not look like zero. */
const portalTax = z.object({
  tax: taxScalar,
  figures_state: z.enum(TAX_FIGURES_STATES),
  as_of: z.nullable(instantScalar),
  owed_pence: z.nullable(penceScalar),
});
export type PortalTax = z.output<typeof portalTax>;

/** HMRC's bank account for a tax, verified on `verified_on`. The current details are at `check_at`. */
const bankAccount = z.object({
  tax: taxScalar,
  name: z.string(),
  sort_code: z.string(),
  account_number: z.string(),
  verified_on: dateScalar,
  check_at: z.string(),
});
export type HmrcAccount = z.output<typeof bankAccount>;

export const clientPortalApi = {
  overview: endpoint({
    method: 'GET',
    path: '/client/portal',
    access: 'client.own',
    summary:
      'Get what the client has to file and pay, how to pay it, refunds due, and authorisation requests awaiting its response at HMRC',
    input: companyInput,
    output: z.object({
      client_id: idScalar,
      name: z.string(),
      practice: z.string(),
      /** Today's date in London. */
      today: dateScalar,
      taxes: z.array(portalTax),
      /** Returns and payments, earliest first. */
      due: z.array(portalItem),
      refunds: z.array(portalItem),
      accounts: z.array(bankAccount),
      /** What the user or client still needs to provide: a phone number, consent to electronic communication, or a signature. */
      to_do: z.object({ phone: z.boolean(), consent: z.boolean(), letter: z.boolean() }),
      /** What the practice has requested and the client hasn’t answered yet; null if nothing is open. */
      asked: z.nullable(z.object({ items: z.int(), due_on: dateScalar })),
      /** The practice’s requests to act for the client at HMRC, with the pages where the client responds to them. */
      requests: z.array(z.object({ tax: taxScalar, url: z.string(), answer_by: dateScalar })),
    }),
  }),
  consent: endpoint({
    method: 'POST',
    path: '/client/consent',
    access: 'client.own',
    summary: 'Agree to receive documents and notices electronically instead of by post',
    input: z.extend(companyInput, { agree: z.literal(true, 'Confirm that you agree') }),
    output: doneOutput,
  }),
  people: endpoint({
    method: 'GET',
    path: '/client/people',
    access: 'client.own',
    summary: 'List the people who can see the client’s taxes',
    input: companyInput,
    output: z.object({
      client_id: idScalar,
      name: z.string(),
      practice: z.string(),
      people: z.array(z.object({ full_name: z.string(), email: z.string(), joined_at: instantScalar, is_you: z.boolean() })),
    }),
  }),
  leave: endpoint({
    method: 'POST',
    path: '/client/leave',
    access: 'client.own',
    summary: 'Give up your own access to the client',
    input: z.extend(companyInput, { confirm: z.literal(true, 'Confirm that you want to leave') }),
    output: doneOutput,
  }),
  preference: endpoint({
    method: 'GET',
    path: '/client/notification-preference',
    access: 'client.own',
    summary: 'Get the user’s email preferences for the client',
    input: companyInput,
    output: preference,
  }),
  savePreference: endpoint({
    method: 'POST',
    path: '/client/notification-preference',
    access: 'client.own',
    summary: 'Choose which emails the user gets about the client',
    input: z.extend(companyInput, preference.shape),
    output: preference,
  }),
};
