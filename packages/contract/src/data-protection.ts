/** A user's and a company's data: downloading the data, and closing an account. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput } from './scalars.ts';

/** Paths of the downloads. Each needs a second factor confirmed within the last ten minutes. */
export const PERSON_DATA_PATH = '/v2/data/person';
export const COMPANY_DATA_PATH = '/v2/data/company';
export const PRACTICE_DATA_PATH = '/v2/data/practice';
/** Maximum number of downloads of each kind per user in 15 minutes. */
export const MAX_DATA_DOWNLOADS = 5;

/** Why an account can't be closed yet. */
export const CLOSING_BLOCKERS = [
  'operator',
  'last_owner',
  'other_owners',
  'advance',
  'filing',
  'payout',
  'owed',
  'undecided_payment',
  'shortfall',
  'direct_debit',
  'subscription',
] as const;
export type ClosingBlocker = (typeof CLOSING_BLOCKERS)[number];

/** The consequences of closing an account. */
export const closingOutput = z.object({
  /** What the user must type to confirm: their email address, or the company's name. */
  confirm_with: z.string(),
  /** Empty if the account can be closed now. `first`: the company or practice that must be closed first. */
  blockers: z.array(
    z.object({
      kind: z.enum(CLOSING_BLOCKERS),
      text: z.string(),
      first: z.nullable(z.object({ of: z.enum(['company', 'practice']), company_id: z.string() })),
    }),
  ),
  /** What ends or is deleted immediately, as sentences. */
  ends: z.array(z.string()),
  /** What we must keep because of the law or a possible dispute, and the day on which it will be deleted; null if never. */
  kept: z.array(z.object({ what: z.string(), why: z.string(), until: z.nullable(dateScalar) })),
});

const typedConfirmation = z.string().check(z.trim(), z.minLength(1, 'Type it to confirm'), z.maxLength(400, 'Use at most 400 characters'));

export const dataProtectionApi = {
  personClosing: endpoint({
    method: 'GET',
    path: '/v2/account/closing',
    access: 'signed_in',
    summary: 'Preview what closing the user’s account would do, and anything that prevents it',
    input: z.object({}),
    output: closingOutput,
  }),
  closePerson: endpoint({
    method: 'POST',
    path: '/v2/account/close',
    access: 'signed_in',
    summary: 'Permanently close the user’s account. `confirm_with` is the user’s email address.',
    input: z.object({ confirm_with: typedConfirmation }),
    output: doneOutput,
    maxPerPerson: 10,
  }),
  companyClosing: endpoint({
    method: 'GET',
    path: '/v2/company/closing',
    access: 'company.manage',
    summary: 'Preview what closing the company’s account would do, and anything that prevents it',
    input: companyInput,
    output: closingOutput,
  }),
  closeCompany: endpoint({
    method: 'POST',
    path: '/v2/company/close',
    access: 'company.manage',
    summary: 'Permanently close the company’s account. `confirm_with` is the company’s name.',
    input: z.extend(companyInput, { confirm_with: typedConfirmation }),
    output: doneOutput,
    maxPerPerson: 10,
  }),
  practiceClosing: endpoint({
    method: 'GET',
    path: '/v2/practice/closing',
    access: 'practice.manage',
    summary: 'Preview what closing the practice’s account would do, and anything that prevents it',
    input: companyInput,
    output: closingOutput,
  }),
  closePractice: endpoint({
    method: 'POST',
    path: '/v2/practice/close',
    access: 'practice.manage',
    summary: 'Permanently close the practice’s account and delete its clients’ data. `confirm_with` is the practice’s name.',
    input: z.extend(companyInput, { confirm_with: typedConfirmation }),
    output: doneOutput,
    maxPerPerson: 10,
  }),
};
