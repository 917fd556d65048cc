/**
 * A practice on OpenTax: sign-up, details and its HMRC connection for agents (docs/product/specification.md sections 2.3 and 7.4;
 * docs/product/decisions.md section 5).
 */
import { HMRC_STATUSES } from '@portal/domain/vat-returns/hmrc-status.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar, nameScalar, stepStatus } from './scalars.ts';

/** The taxes in display order. */
/** One of the four taxes. */
export const taxScalar = z.enum(TAXES);

/** A practice's onboarding steps in order; each is the last segment of its page's path. */
export const PRACTICE_STEPS = ['practice', 'arn', 'hmrc', 'taxes', 'import', 'team'] as const;
export type PracticeStep = (typeof PRACTICE_STEPS)[number];

/** Path of a practice onboarding step, below /portal. */
export function practiceStepPath(step: PracticeStep): `/${string}` {
  return `/v2/open-tax/steps/${step}`;
}

/** The settings tabs; the first is at the page's own path, the others below it. */
export const SETTINGS_TABS = ['profile', 'practice', 'roles', 'connections'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Path of a settings tab, below /portal. */
export function settingsPath(tab: SettingsTab): `/${string}` {
  return tab === 'profile' ? '/v2/open-tax/settings' : `/v2/open-tax/settings/${tab}`;
}

/** HMRC connection of the practice's agent services account. `ending`: still valid, but the 18 months end within 30 days. */
const hmrcConnection = z.object({
  status: z.enum(HMRC_STATUSES),
  connected_at: instantScalar.nullable(),
  ends_at: instantScalar.nullable(),
});

/** An admin may change everything here; a team_member may only read it. */
const role = z.enum(['admin', 'team_member']);

/** The taxes and kinds of deadline that can have a lead time. */
export const LEAD_DAY_KEYS = ['vat_return', 'vat_payment', 'paye_payment', 'ct_return', 'ct_payment', 'sa_return', 'sa_payment'] as const;
export type LeadDayKey = (typeof LEAD_DAY_KEYS)[number];

/** Lead time for internal deadlines: working days before HMRC's date. Omitted if the practice has none. */
const leadDays = z.object(
  Object.fromEntries(
    LEAD_DAY_KEYS.map((name) => [name, z.int().min(1, 'Use 1 day or more, or leave it empty').max(60, 'Use at most 60 days').optional()]),
  ) as Record<LeadDayKey, z.ZodOptional<z.ZodInt>>,
);

const practice = z.object({
  name: z.string(),
  company_number: z.string().nullable(),
  arn: z.string().nullable(),
  agent_code_ct: z.string().nullable(),
  agent_code_paye: z.string().nullable(),
  agent_code_sa: z.string().nullable(),
  taxes: z.array(taxScalar),
  /** The address lines as on an envelope; null if no address is stored. */
  address: z.object({ lines: z.array(z.string()), postcode: z.string() }).nullable(),
  lead_days: leadDays,
});

const progress = z.object({
  company_id: idScalar.nullable(),
  role: role.nullable(),
  steps: z.array(z.object({ step: z.enum(PRACTICE_STEPS), status: stepStatus })),
  /** The step to continue with; null once only steps that can be done at any time (clients, team) remain. */
  next_step: z.enum(PRACTICE_STEPS).nullable(),
  practice: practice.nullable(),
  hmrc: hmrcConnection,
  /** Number of clients in the practice; for a team_member, the assigned ones. */
  clients: z.int(),
});

/** A practice's onboarding progress. */
export type PracticeProgress = z.output<typeof progress>;

/** An agent code issued by HMRC: letters, digits and HMRC's separators. */
const agentCode = (tax: string) =>
  z
    .string()
    .trim()
    .max(14, `Enter a ${tax} agent code with at most 14 characters`)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 /-]*$/, `Enter the ${tax} agent code as shown by HMRC, for example A1234B`)
    .overwrite((code) => code.toUpperCase());

const emptyToNull = z.literal('').transform(() => null);

export const practiceApi = {
  progress: endpoint({
    method: 'GET',
    path: '/open-tax/steps',
    access: 'signed_in',
    summary: 'Get the sign-up progress of a practice, by default the user’s newest',
    input: z.object({ company_id: idScalar.optional() }),
    output: progress,
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/practice',
    access: 'signed_in',
    summary: 'Create a practice with the user as its admin. Repeating the request returns the existing practice.',
    input: z.object({
      name: nameScalar('the practice’s name'),
      company_number: z.string().trim().max(20, 'Enter a company number with 8 characters').optional(),
    }),
    output: z.object({ company_id: idScalar }),
  }),
  accountantProfile: endpoint({
    method: 'GET',
    path: '/open-tax/accountant-profile',
    access: 'practice.read',
    summary: 'Get the user’s profile in a practice, and the practice’s HMRC details',
    input: companyInput,
    output: practice.extend({ company_id: idScalar, full_name: z.string(), email: z.string(), role, hmrc: hmrcConnection }),
  }),
  saveAccountantProfile: endpoint({
    method: 'POST',
    path: '/open-tax/accountant-profile',
    access: 'practice.manage',
    summary: 'Update the practice. Omitted fields are unchanged; an empty string clears a field.',
    input: companyInput.extend({
      name: nameScalar('the practice’s name').optional(),
      company_number: z.string().trim().max(20, 'Enter a company number with 8 characters').optional(),
      arn: z.string().trim().max(20, 'Enter an agent reference number with a letter, ARN and seven digits').optional(),
      agent_code_ct: z.union([emptyToNull, agentCode('corporation tax')]).optional(),
      agent_code_paye: z.union([emptyToNull, agentCode('PAYE')]).optional(),
      agent_code_sa: z.union([emptyToNull, agentCode('Self Assessment')]).optional(),
      taxes: z.array(taxScalar).min(1, 'Choose at least one tax').optional(),
      /** Address lines separated by line breaks; if empty, with an empty postcode, the address is removed. */
      address_lines: z.string().trim().max(400, 'Use at most 400 characters').optional(),
      address_postcode: z.string().trim().max(20, 'Enter a postcode with at most 8 characters').optional(),
      lead_days: leadDays.optional(),
    }),
    output: doneOutput,
  }),
  connectHmrc: endpoint({
    method: 'POST',
    path: '/open-tax/connect-hmrc',
    access: 'practice.manage',
    summary:
      'Start HMRC’s authorisation for the agent services account. The browser continues at `authorize_url` and returns to the given page.',
    input: companyInput.extend({ return_to: z.enum(['steps', 'settings']) }),
    output: z.object({ authorize_url: z.string() }),
    callsHmrc: true,
  }),
  postponeHmrc: endpoint({
    method: 'POST',
    path: '/open-tax/connect-hmrc/later',
    access: 'practice.manage',
    summary: 'Skip the practice’s HMRC connection for now',
    input: companyInput,
    output: doneOutput,
  }),
};
