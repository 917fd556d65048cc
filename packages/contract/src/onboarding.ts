/**
 * InstantVAT onboarding steps: about you, company, Government Gateway, bookkeeping, bank account, identity. Users can continue on another
 * device.
 */
import { NAME_CHECK_RESULTS } from '@portal/domain/advances/name-check-results.ts';
import { NAME_MATCHES } from '@portal/domain/advances/compare-names.ts';
import { HMRC_STATUSES_WITHOUT_ENDING } from '@portal/domain/vat-returns/hmrc-status.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import type { BooksStep } from '@portal/domain/partners/partner.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  accountNumberScalar,
  companyInput,
  createNameScalar,
  doneOutput,
  idScalar,
  instantScalar,
  sortCodeScalar,
  stepStatus,
} from './scalars.ts';

/** The steps in order. Each is also the last segment of its page's path. */
export const STEPS = ['about', 'company', 'government-gateway', 'bookkeeping', 'bank-account', 'identity'] as const;
export type Step = (typeof STEPS)[number];

/** Returns the steps in the order that applies for the referring partner. */
export function listSteps(booksStep: BooksStep): readonly Step[] {
  if (booksStep === 'after_hmrc') return STEPS;
  const otherSteps: readonly Step[] = STEPS.filter((step) => step !== 'bookkeeping');
  // The identity check stays last, because only the payout needs it.
  const followingStep: Step = booksStep === 'last' ? 'identity' : 'government-gateway';
  return otherSteps.toSpliced(otherSteps.indexOf(followingStep), 0, 'bookkeeping');
}

/**
 * Returns a step's path: below signup/ for users referred by a partner, below steps/ for everyone else (docs/product/decisions.md section
 * 4). The screens are the same.
 */
export function getStepPath(step: Step, partner: string): `/${string}` {
  return `/v2/instant-vat/${getPartner(partner).name === ORGANIC_PARTNER ? 'steps' : 'signup'}/${step}`;
}

const progress = z.object({
  company_id: z.nullable(idScalar),
  steps: z.array(z.object({ step: z.enum(STEPS), status: stepStatus })),
  /**
   * The step to continue with; null when all are done. Identity comes last and doesn't block the dashboard, because only the payout needs
   * it.
   */
  next_step: z.nullable(z.enum(STEPS)),
  about: z.object({ full_name: z.string(), email: z.string(), phone: z.nullable(z.string()) }),
  company: z.nullable(
    z.object({ name: z.string(), company_number: z.string(), vrn: z.string(), vrn_registered_name: z.nullable(z.string()) }),
  ),
  hmrc: z.object({
    status: z.enum(HMRC_STATUSES_WITHOUT_ENDING),
    connected_at: z.nullable(instantScalar),
    /** The trader's VAT number, which the HMRC connection must cover. */
    vrn: z.nullable(z.string()),
  }),
  books: z.nullable(z.object({ file_name: z.string(), rows: z.int(), applied_at: instantScalar })),
  /** The bookkeeping software whose page the trader came from, which is offered first. */
  books_program: z.nullable(z.enum(BOOKS_PROVIDERS)),
  /** Books that the user allowed us to read when they signed up. They are connected when the company is added. */
  granted_books: z.nullable(
    z.object({
      program: z.enum(BOOKS_PROVIDERS),
      organisations: z.array(
        z.object({
          organisation_id: z.string(),
          name: z.string(),
          /** The numbers recorded in the bookkeeping software, if they are valid. */
          vrn: z.nullable(z.string()),
          company_number: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  bank_account: z.nullable(z.object({ account_holder: z.string(), sort_code: z.string(), account_number_end: z.string() })),
});

/** A trader's onboarding progress. */
export type Progress = z.output<typeof progress>;

export const onboardingApi = {
  progress: endpoint({
    method: 'GET',
    path: '/instant-vat/steps',
    access: 'signed_in',
    summary: 'Get the onboarding progress of a company, by default the user’s newest',
    input: z.object({ company_id: z.optional(idScalar) }),
    output: progress,
  }),
  saveAbout: endpoint({
    method: 'POST',
    path: '/instant-vat/steps/about',
    access: 'signed_in',
    summary: 'Save the user’s name and phone number',
    input: z.object({
      full_name: createNameScalar('your full name'),
      phone: z.optional(z.string().check(z.trim(), z.maxLength(30, 'Use at most 30 characters'))),
    }),
    output: doneOutput,
  }),
  saveCompany: endpoint({
    method: 'POST',
    path: '/instant-vat/steps/company',
    access: 'signed_in',
    summary: 'Add a company, or correct its details until HMRC is connected. Checks the VAT number’s check digits, then HMRC’s register.',
    input: z.object({
      company_id: z.optional(idScalar),
      name: createNameScalar('the company’s name'),
      company_number: z
        .string()
        .check(z.trim(), z.minLength(1, 'Enter the company number'), z.maxLength(20, 'Enter a company number of 8 characters')),
      vrn: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Enter the VAT registration number'),
          z.maxLength(30, 'Enter a VAT registration number of 9 digits'),
        ),
      /**
       * For `granted_books`: the organisation whose books are connected with a new company; null for none. Defaults to the one with the VAT
       * number, or the only one.
       */
      organisation_id: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
    }),
    /** `name_match` compares HMRC's name for the VAT number with the company's. */
    output: z.object({ company_id: idScalar, vrn_registered_name: z.nullable(z.string()), name_match: z.enum(NAME_MATCHES) }),
    maxPerPerson: 30,
  }),
  connectHmrc: endpoint({
    method: 'POST',
    path: '/instant-vat/steps/government-gateway/connect',
    access: 'company.manage',
    summary: 'Start the HMRC authorisation. The browser continues at `authorize_url` and returns to `return_path`.',
    input: z.extend(companyInput, { return_to: z.enum(['steps', 'dashboard']) }),
    output: z.object({ authorize_url: z.string() }),
    callsHmrc: true,
    maxPerPerson: 30,
  }),
  postponeHmrc: endpoint({
    method: 'POST',
    path: '/instant-vat/steps/government-gateway/later',
    access: 'company.manage',
    summary: 'Skip the HMRC connection for now',
    input: companyInput,
    output: doneOutput,
  }),
  emailBankAccountCode: endpoint({
    method: 'POST',
    path: '/instant-vat/steps/bank-account/code',
    access: 'company.manage',
    summary: 'Email the user a code to confirm a change of bank account',
    input: companyInput,
    output: z.object({ emailed_code_id: z.string() }),
  }),
  saveBankAccount: endpoint({
    method: 'POST',
    path: '/instant-vat/steps/bank-account',
    access: 'company.manage',
    summary:
      'Save the UK bank account for payouts. To change it, the user must confirm their identity with a passkey or authenticator code, otherwise the password, otherwise an emailed code. A change pauses payouts for 24 hours, unless only the account holder’s name changes.',
    input: z.extend(companyInput, {
      account_holder: createNameScalar('the account holder’s name'),
      sort_code: sortCodeScalar,
      account_number: accountNumberScalar,
      passkey: z.optional(z.object({ challenge_id: z.string().check(z.maxLength(200)), response: z.record(z.string(), z.unknown()) })),
      confirm_code: z.optional(z.string().check(z.trim(), z.minLength(6, 'Enter the code'), z.maxLength(20, 'Enter the code'))),
      confirm_password: z.optional(z.string().check(z.maxLength(200, 'Use at most 200 characters'))),
      emailed_code: z.optional(z.string().check(z.trim(), z.minLength(6, 'Enter the code'), z.maxLength(20, 'Enter the code'))),
      emailed_code_id: z.optional(z.string().check(z.maxLength(200))),
    }),
    output: z.object({
      /** Whether the account's bank confirmed the name. */
      name_check: z.enum(NAME_CHECK_RESULTS),
      /** For a close match, the similar name that the bank holds. */
      bank_name: z.nullable(z.string()),
      /**
       * `renamed`: the same account under a different holder's name. `confirmed`: the same account, saved before we started sealing
       * accounts.
       */
      saved_as: z.enum(['added', 'unchanged', 'renamed', 'confirmed', 'changed']),
    }),
  }),
};
