/**
 * A practice on OpenTax: sign-up, details and its agent connection to HMRC (docs/product/specification.md sections 2.3 and 7.4;
 * docs/product/decisions.md section 5).
 */
import { HMRC_STATUSES } from '@portal/domain/vat-returns/hmrc-status.ts';
import { PERMISSIONS } from '@portal/domain/team/permissions.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, createNameScalar, doneOutput, idScalar, instantScalar, stepStatus } from './scalars.ts';

/** A permission of a team member. */
export const permissionScalar = z.enum(PERMISSIONS);

/** One of the four taxes. */
export const taxScalar = z.enum(TAXES);

/** A practice's onboarding steps in order. Each is also the last segment of its page's path. */
export const PRACTICE_STEPS = ['practice', 'arn', 'hmrc', 'taxes', 'import', 'team'] as const;
export type PracticeStep = (typeof PRACTICE_STEPS)[number];

/** Returns the path of a practice onboarding step, below /portal. */
export function getPracticeStepPath(step: PracticeStep): `/${string}` {
  return `/v2/open-tax/steps/${step}`;
}

/** The settings tabs. The first has the page's own path, the rest are below it. */
export const SETTINGS_TABS = [
  'profile',
  'practice',
  'team',
  'roles',
  'connections',
  'billing',
  'invoices',
  'notifications',
  'developers',
] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Returns the path of a settings tab, below /portal. */
export function getSettingsPath(tab: SettingsTab): `/${string}` {
  return tab === 'profile' ? '/v2/open-tax/settings' : `/v2/open-tax/settings/${tab}`;
}

/** The HMRC connection of the practice's agent services account. `ending`: still valid, but its 18 months end within 30 days. */
const hmrcConnection = z.object({
  status: z.enum(HMRC_STATUSES),
  connected_at: z.nullable(instantScalar),
  ends_at: z.nullable(instantScalar),
});

/** An admin may change everything here. A team_member has read-only access. */
export const practiceRoleScalar = z.enum(['admin', 'team_member']);

/** The taxes and deadline types that can have a lead time. */
export const LEAD_DAY_KEYS = ['vat_return', 'vat_payment', 'paye_payment', 'ct_return', 'ct_payment', 'sa_return', 'sa_payment'] as const;
export type LeadDayKey = (typeof LEAD_DAY_KEYS)[number];

/** Lead times for internal deadlines, in working days before HMRC's date. A key is omitted if the practice hasn't set one. */
const leadDays = z.object(
  Object.fromEntries(
    LEAD_DAY_KEYS.map((name) => [
      name,
      z.optional(z.int().check(z.minimum(1, 'Enter 1 day or more, or leave it empty'), z.maximum(60, 'Enter at most 60 days'))),
    ]),
  ) as Record<LeadDayKey, z.ZodMiniOptional<z.ZodMiniInt>>,
);

const practice = z.object({
  name: z.string(),
  company_number: z.nullable(z.string()),
  arn: z.nullable(z.string()),
  agent_code_ct: z.nullable(z.string()),
  agent_code_paye: z.nullable(z.string()),
  agent_code_sa: z.nullable(z.string()),
  taxes: z.array(taxScalar),
  /** The address lines, as on an envelope; null if no address is stored. */
  address: z.nullable(z.object({ lines: z.array(z.string()), postcode: z.string() })),
  lead_days: leadDays,
});

const progress = z.object({
  company_id: z.nullable(idScalar),
  role: z.nullable(practiceRoleScalar),
  steps: z.array(z.object({ step: z.enum(PRACTICE_STEPS), status: stepStatus })),
  /** The step to continue with; null once only steps that can be done at any time (clients, team) are left. */
  next_step: z.nullable(z.enum(PRACTICE_STEPS)),
  practice: z.nullable(practice),
  hmrc: hmrcConnection,
  /** Number of clients in the practice or, for a team_member, of assigned clients. */
  clients: z.int(),
});

/** A practice's onboarding progress. */
export type PracticeProgress = z.output<typeof progress>;

/** An agent code issued by HMRC: letters, digits and HMRC's separators. */
const createAgentCodeScalar = (tax: string) =>
  z.string().check(
    z.trim(),
    z.maxLength(14, `Enter a ${tax} agent code of at most 14 characters`),
    z.regex(/^[A-Za-z0-9][A-Za-z0-9 /-]*$/, `Enter the ${tax} agent code as shown by HMRC, for example A1234B`),
    z.overwrite((code) => code.toUpperCase()),
  );

const emptyToNullSchema = z.pipe(
  z.literal(''),
  z.transform(() => null),
);

export const practiceApi = {
  progress: endpoint({
    method: 'GET',
    path: '/open-tax/steps',
    access: 'signed_in',
    summary: 'Get a practice’s sign-up progress, by default the user’s newest practice',
    input: z.object({ company_id: z.optional(idScalar) }),
    output: progress,
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/practice',
    access: 'signed_in',
    summary: 'Create a practice with the user as its admin. Repeating the request returns the existing practice.',
    input: z.object({
      name: createNameScalar('the practice’s name'),
      company_number: z.optional(z.string().check(z.trim(), z.maxLength(20, 'Enter a company number of 8 characters'))),
    }),
    output: z.object({ company_id: idScalar }),
  }),
  accountantProfile: endpoint({
    method: 'GET',
    path: '/open-tax/accountant-profile',
    access: 'practice.read',
    summary: 'Get the user’s profile in a practice, and the practice’s HMRC details',
    input: companyInput,
    output: z.extend(practice, {
      company_id: idScalar,
      full_name: z.string(),
      email: z.string(),
      role: practiceRoleScalar,
      /** The user's permissions beyond a team member’s standard rights; all permissions for an admin. */
      permissions: z.array(permissionScalar),
      hmrc: hmrcConnection,
    }),
  }),
  saveAccountantProfile: endpoint({
    method: 'POST',
    path: '/open-tax/accountant-profile',
    access: 'practice.manage',
    summary: 'Update the practice. Omitted fields are unchanged; an empty string clears a field.',
    input: z.extend(companyInput, {
      name: z.optional(createNameScalar('the practice’s name')),
      company_number: z.optional(z.string().check(z.trim(), z.maxLength(20, 'Enter a company number of 8 characters'))),
      arn: z.optional(z.string().check(z.trim(), z.maxLength(20, 'Enter an agent reference number: a letter, ARN, then seven digits'))),
      agent_code_ct: z.optional(z.union([emptyToNullSchema, createAgentCodeScalar('corporation tax')])),
      agent_code_paye: z.optional(z.union([emptyToNullSchema, createAgentCodeScalar('PAYE')])),
      agent_code_sa: z.optional(z.union([emptyToNullSchema, createAgentCodeScalar('Self Assessment')])),
      taxes: z.optional(z.array(taxScalar).check(z.minLength(1, 'Choose at least one tax'))),
      /** Address lines separated by line breaks. If both these and the postcode are empty, the address is removed. */
      address_lines: z.optional(z.string().check(z.trim(), z.maxLength(400, 'Use at most 400 characters'))),
      address_postcode: z.optional(z.string().check(z.trim(), z.maxLength(20, 'Enter a postcode of at most 8 characters'))),
      lead_days: z.optional(leadDays),
    }),
    output: doneOutput,
  }),
  connectHmrc: endpoint({
    method: 'POST',
    path: '/open-tax/connect-hmrc',
    access: 'practice.connections',
    summary:
      'Start the HMRC authorisation for the agent services account. The browser continues at `authorize_url` and returns to the given page.',
    input: z.extend(companyInput, { return_to: z.enum(['steps', 'settings']) }),
    output: z.object({ authorize_url: z.string() }),
    callsHmrc: true,
    maxPerPerson: 30,
  }),
  postponeHmrc: endpoint({
    method: 'POST',
    path: '/open-tax/connect-hmrc/later',
    access: 'practice.connections',
    summary: 'Skip the practice’s HMRC connection for now',
    input: companyInput,
    output: doneOutput,
  }),
};
