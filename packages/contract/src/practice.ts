/** A practice on OpenTax: signing up, its details, HMRC's grant for agents (specification 2.3 and 7.4; product.md section 5). */
import { HMRC_STATUSES } from '@portal/domain/filing/hmrc-status.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar, nameScalar, stepStatus } from './scalars.ts';

/** The taxes, in the order in which they are shown. */
/** One of the four taxes on the wire. */
export const taxScalar = z.enum(TAXES);

/** The steps of a practice in their order; each is the last part of its page's path. */
export const PRACTICE_STEPS = ['practice', 'arn', 'hmrc', 'taxes', 'import', 'team'] as const;
export type PracticeStep = (typeof PRACTICE_STEPS)[number];

/** Where a step of a practice is, below /portal. */
export function practiceStepPath(step: PracticeStep): `/${string}` {
  return `/v2/open-tax/steps/${step}`;
}

/** The settings' tabs; the first is the page's own address, the others stand below it. */
export const SETTINGS_TABS = ['profile', 'practice', 'roles', 'connections'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Where a tab of the settings is, below /portal. */
export function settingsPath(tab: SettingsTab): `/${string}` {
  return tab === 'profile' ? '/v2/open-tax/settings' : `/v2/open-tax/settings/${tab}`;
}

/** HMRC's permission for the practice's agent services account. `ending`: alive, but the 18 months end within 30 days. */
const grant = z.object({
  status: z.enum(HMRC_STATUSES),
  connected_at: instantScalar.nullable(),
  ends_at: instantScalar.nullable(),
});

/** An admin may change everything here, a team_member reads it. */
const role = z.enum(['admin', 'team_member']);

/** Of which tax and kind of deadline. */
export const LEAD_NAMES = ['vat_return', 'vat_payment', 'paye_payment', 'ct_return', 'ct_payment', 'sa_return', 'sa_payment'] as const;
export type LeadName = (typeof LEAD_NAMES)[number];

/** The practice's own dates: working days before HMRC's day on which it wants to be done. Left out: no date of its own. */
const leadDays = z.object(
  Object.fromEntries(
    LEAD_NAMES.map((name) => [name, z.int().min(1, 'Use 1 day or more, or leave it empty').max(60, 'Use at most 60 days').optional()]),
  ) as Record<LeadName, z.ZodOptional<z.ZodInt>>,
);

const practice = z.object({
  name: z.string(),
  company_number: z.string().nullable(),
  arn: z.string().nullable(),
  agent_code_ct: z.string().nullable(),
  agent_code_paye: z.string().nullable(),
  agent_code_sa: z.string().nullable(),
  taxes: z.array(taxScalar),
  /** Lines as on an envelope; null where none is kept. */
  address: z.object({ lines: z.array(z.string()), postcode: z.string() }).nullable(),
  lead_days: leadDays,
});

const progress = z.object({
  company_id: idScalar.nullable(),
  role: role.nullable(),
  steps: z.array(z.object({ step: z.enum(PRACTICE_STEPS), status: stepStatus })),
  /** Where the person goes on; null when only what may come at any time (clients, team) is left. */
  next_step: z.enum(PRACTICE_STEPS).nullable(),
  practice: practice.nullable(),
  hmrc: grant,
  /** How many clients the practice has; a team_member is told of the assigned ones. */
  clients: z.int(),
});

/** How far a practice has come; also what every step answers. */
export type PracticeProgress = z.output<typeof progress>;

/** A reference that HMRC gave an agent: letters, digits and the marks HMRC writes between them. */
const agentCode = (tax: string) =>
  z
    .string()
    .trim()
    .max(14, `The ${tax} agent code has at most 14 characters`)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 /-]*$/, `Enter the ${tax} agent code as HMRC wrote it, for example A1234B`)
    .overwrite((code) => code.toUpperCase());

const emptied = z.literal('').transform(() => null);

export const practiceApi = {
  progress: endpoint({
    method: 'GET',
    path: '/open-tax/steps',
    access: 'signed_in',
    summary: 'How far the signed-in person has come with a practice (the newest one where none is named).',
    input: z.object({ company_id: idScalar.optional() }),
    output: progress,
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/practice',
    access: 'signed_in',
    summary: 'Makes a practice whose admin the signed-in person is. The same practice again is the one that is there.',
    input: z.object({
      name: nameScalar('the name of the practice'),
      company_number: z.string().trim().max(20, 'A company number has 8 characters').optional(),
    }),
    output: z.object({ company_id: idScalar }),
  }),
  accountantProfile: endpoint({
    method: 'GET',
    path: '/open-tax/accountant-profile',
    access: 'practice.read',
    summary: 'Who the signed-in person is in a practice, and what the practice is to HMRC.',
    input: companyInput,
    output: practice.extend({ company_id: idScalar, full_name: z.string(), email: z.string(), role, hmrc: grant }),
  }),
  saveAccountantProfile: endpoint({
    method: 'POST',
    path: '/open-tax/accountant-profile',
    access: 'practice.manage',
    summary: 'Changes what is given of the practice; what is left out stays, an empty text takes away.',
    input: companyInput.extend({
      name: nameScalar('the name of the practice').optional(),
      company_number: z.string().trim().max(20, 'A company number has 8 characters').optional(),
      arn: z.string().trim().max(20, 'An agent reference number is a letter, ARN and seven digits').optional(),
      agent_code_ct: z.union([emptied, agentCode('corporation tax')]).optional(),
      agent_code_paye: z.union([emptied, agentCode('PAYE')]).optional(),
      agent_code_sa: z.union([emptied, agentCode('Self Assessment')]).optional(),
      taxes: z.array(taxScalar).min(1, 'Choose at least one tax').optional(),
      /** Lines by line breaks; empty with an empty postcode takes the address away. */
      address_lines: z.string().trim().max(400, 'Use at most 400 characters').optional(),
      address_postcode: z.string().trim().max(20, 'A postcode has at most 8 characters').optional(),
      lead_days: leadDays.optional(),
    }),
    output: doneOutput,
  }),
  connectHmrc: endpoint({
    method: 'POST',
    path: '/open-tax/connect-hmrc',
    access: 'practice.manage',
    summary: "Starts HMRC's consent for the agent services account; the browser goes to `authorize_url` and comes back to the page named.",
    input: companyInput.extend({ return_to: z.enum(['steps', 'settings']) }),
    output: z.object({ authorize_url: z.string() }),
    callsHmrc: true,
  }),
  postponeHmrc: endpoint({
    method: 'POST',
    path: '/open-tax/connect-hmrc/later',
    access: 'practice.manage',
    summary: 'Leaves the connection to HMRC for later.',
    input: companyInput,
    output: doneOutput,
  }),
};
