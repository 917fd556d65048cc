/**
 * What a practice's clients owe, are owed and must file, per tax. Every figure has its source and time; amounts in pence, positive = owed
 * to HMRC.
 */
import { DEADLINES, DUE_KINDS, PERIOD_RETURN_STATES, POSITION_STATES } from '@portal/domain/positions/position.ts';
import { TAX_FIGURES_STATES } from '@portal/domain/positions/figures-state.ts';
import { CHARGE_KINDS, FIGURE_SOURCES } from '@portal/domain/positions/tax-facts.ts';
import { AUTHORISATIONS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

export const figureSource = z.enum(FIGURE_SOURCES);

/** `as_of` is null for figures calculated by rule. */
const sourced = { source: figureSource, as_of: instantScalar.nullable() };

/** A return to file, an amount to pay (positive) or a refund to come (negative); null if the amount is unknown. */
export const dueItem = z.object({
  key: z.string(),
  what: z.enum(DUE_KINDS),
  due_on: dateScalar,
  amount_pence: penceScalar.nullable(),
  title: z.string(),
  period_start: dateScalar.nullable(),
  period_end: dateScalar.nullable(),
  ...sourced,
});

const periodView = z.object({
  key: z.string(),
  start: dateScalar,
  end: dateScalar,
  return_due_on: dateScalar.nullable(),
  return_state: z.enum(PERIOD_RETURN_STATES).nullable(),
  received_on: dateScalar.nullable(),
  payment_due_on: dateScalar.nullable(),
  charged_pence: penceScalar.nullable(),
  outstanding_pence: penceScalar.nullable(),
  ...sourced,
});

const chargeView = z.object({
  key: z.string(),
  title: z.string(),
  kind: z.enum([...CHARGE_KINDS, 'credit']),
  period_start: dateScalar.nullable(),
  period_end: dateScalar.nullable(),
  due_on: dateScalar.nullable(),
  original_pence: penceScalar,
  outstanding_pence: penceScalar,
  /** The part of the charge covered by a credit of the same tax. */
  set_off_pence: penceScalar,
  days_late: z.int(),
  /** Penalty to date, calculated by us. */
  penalty_pence: penceScalar,
  interest_pence: penceScalar,
  ...sourced,
});

const paymentView = z.object({
  amount_pence: penceScalar,
  received_on: dateScalar.nullable(),
  reference: z.string().nullable(),
  ...sourced,
});

/** Full detail of a client and tax, as stored in tax_positions.detail (domain/positions/position.ts). */
export const positionDetail = z.object({
  tax: taxScalar,
  standing: z.enum(POSITION_STATES),
  computed_on: dateScalar,
  set_off_pence: penceScalar,
  refund_held: z.boolean(),
  late: z.object({
    points: z.int().nullable(),
    points_threshold: z.int().nullable(),
    points_source: figureSource.nullable(),
    late_submission_pence: penceScalar,
    late_payment_pence: penceScalar,
    interest_pence: penceScalar,
    is_estimate: z.boolean(),
    estimate_reason: z.string().nullable(),
  }),
  periods: z.array(periodView),
  charges: z.array(chargeView),
  payments: z.array(paymentView),
  items: z.array(dueItem),
});

/** What is known of one tax: amounts never read, old (or the last refresh failed), or current. */
const taxState = z.enum(TAX_FIGURES_STATES);

/** Figures of one tax. Amounts and overdue returns are null until they were read (`figures_state` is `unread`): unknown is never nil. */
const taxFigures = z.object({
  tax: taxScalar,
  figures_state: taxState,
  refresh_failed: z.boolean(),
  owed_pence: penceScalar.nullable(),
  overdue_pence: penceScalar.nullable(),
  overdue_since: dateScalar.nullable(),
  refund_pence: penceScalar.nullable(),
  overdue_returns: z.int().nullable(),
  penalty_points: z.int().nullable(),
  points_threshold: z.int().nullable(),
  penalty_pence: penceScalar.nullable(),
  interest_pence: penceScalar.nullable(),
  is_estimate: z.boolean(),
  next_due_on: dateScalar.nullable(),
  next_due_what: z.enum(DEADLINES).nullable(),
  next_due_pence: penceScalar.nullable(),
  ...sourced,
});

const clientInput = companyInput.extend({ client_id: idScalar });
/** "2025" or "2025-26": the tax year that begins in April 2025. */
const taxYearInput = z.string().regex(/^(19|20|21)\d{2}(-\d{2})?$/, 'Enter a tax year, for example 2025-26');

/** One tax of one client. `figures` and `detail` are null until something is known or calculated. */
const summaryOutput = z.object({ client_id: idScalar, figures: taxFigures.nullable(), detail: positionDetail.nullable() });

const summary = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'client.read',
    summary: `${tax} summary of a client: figures, periods, charges and payments`,
    input: clientInput,
    output: summaryOutput,
  });

/** Items of several clients, earliest first. Pass `next_cursor` as `cursor` for the next page; null at the end. */
const upcomingOutput = z.object({
  items: z.array(dueItem.extend({ client_id: idScalar, client_name: z.string() })),
  next_cursor: z.string().nullable(),
});
const upcomingEndpoint = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'practice.read',
    summary: `${tax} amounts due or refundable, for one client or all visible clients, overdue first`,
    input: companyInput.extend({
      client_id: idScalar.optional(),
      cursor: z.string().max(400).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    output: upcomingOutput,
  });

/** The calendar year in which the earliest stored tax year begins; null if there is none. */
const minimumYearEndpoint = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'practice.read',
    summary: `Get the earliest year with ${tax} data, for one client or all visible clients`,
    input: companyInput.extend({ client_id: idScalar.optional() }),
    output: z.object({ minimum_year: z.int().nullable() }),
  });

const periodsOutput = z.object({ client_id: idScalar, periods: z.array(periodView), as_of: instantScalar.nullable() });
const periods = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'client.read',
    summary: `List a client’s ${tax} periods, newest first`,
    input: clientInput,
    output: periodsOutput,
  });

export const positionsApi = {
  vatSummary: summary('/client/vat-summary', 'VAT'),
  payeSummary: summary('/client/paye-summary', 'PAYE'),
  corpTaxSummary: summary('/client/corp-tax-summary', 'Corporation tax'),
  selfAssessmentSummary: summary('/client/self-assessment-summary', 'Self Assessment'),
  clientTaxes: endpoint({
    method: 'GET',
    path: '/open-tax/client-taxes',
    access: 'client.read',
    summary: 'List a client’s taxes with their figures and HMRC authorisations',
    input: companyInput.extend({ client_company_id: idScalar }),
    output: z.object({
      client_company_id: idScalar,
      name: z.string(),
      taxes: z.array(
        z.object({
          tax: taxScalar,
          authorisation: z.enum(AUTHORISATIONS),
          figures: taxFigures.nullable(),
        }),
      ),
    }),
  }),
  upcomingVat: upcomingEndpoint('/open-tax/upcoming-vat-amounts', 'VAT'),
  upcomingPaye: upcomingEndpoint('/open-tax/upcoming-paye-amounts', 'PAYE'),
  upcomingCorp: upcomingEndpoint('/open-tax/corp-summary/upcoming-amounts', 'Corporation tax'),
  upcomingSelfAssessment: upcomingEndpoint('/open-tax/self-assessment-summary/upcoming-amounts', 'Self Assessment'),
  vatMinimumYear: minimumYearEndpoint('/open-tax/get-vat-minimum-year', 'VAT'),
  payeMinimumYear: minimumYearEndpoint('/open-tax/get-paye-minimum-year', 'PAYE'),
  vatReturns: endpoint({
    method: 'GET',
    path: '/open-tax/vat-return-and-refund-list',
    access: 'client.read',
    summary: 'List a client’s VAT returns for a year starting in April, with the charges and refunds of those periods',
    input: clientInput.extend({ tax_year: taxYearInput }),
    output: periodsOutput.extend({ refunds: z.array(chargeView) }),
  }),
  payeYear: endpoint({
    method: 'GET',
    path: '/open-tax/paye-summary',
    access: 'client.read',
    summary: 'Get a client’s PAYE for a tax year, by month (from 6 April)',
    input: clientInput.extend({ tax_year: taxYearInput }),
    output: z.object({
      client_id: idScalar,
      months: z.array(
        z.object({
          month: z.int(),
          start: dateScalar,
          end: dateScalar,
          due_on: dateScalar,
          charged_pence: penceScalar.nullable(),
          outstanding_pence: penceScalar.nullable(),
          ...sourced,
        }),
      ),
      /** Sums of the months whose amounts are known; null if none is. */
      charged_pence: penceScalar.nullable(),
      outstanding_pence: penceScalar.nullable(),
    }),
  }),
  corpPeriods: periods('/open-tax/corp-summary/tax-periods', 'corporation tax'),
  selfAssessmentPeriods: periods('/open-tax/self-assessment-summary/tax-periods', 'Self Assessment'),
  selfAssessmentPayments: endpoint({
    method: 'GET',
    path: '/open-tax/self-assessment-summary/payments',
    access: 'client.read',
    summary: 'List a client’s Self Assessment payments and charges',
    input: clientInput,
    output: z.object({
      client_id: idScalar,
      payments: z.array(paymentView),
      charges: z.array(chargeView),
      as_of: instantScalar.nullable(),
    }),
  }),
  vatPeriodEnd: endpoint({
    method: 'GET',
    path: '/open-tax/get-vat-return-period-end-date',
    access: 'client.read',
    summary: 'Get the end and due date of a client’s first unfiled VAT period, or null if HMRC expects no return',
    input: clientInput,
    output: z.object({ period_end: dateScalar.nullable(), due_on: dateScalar.nullable(), ...sourced }),
  }),
  selfAssessmentClients: endpoint({
    method: 'GET',
    path: '/open-tax/self-assessment/clients',
    access: 'practice.read',
    summary: 'List clients with Self Assessment, next due first',
    input: companyInput.extend({ cursor: z.string().max(400).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) }),
    output: z.object({
      clients: z.array(z.object({ client_id: idScalar, name: z.string(), figures: taxFigures.nullable() })),
      next_cursor: z.string().nullable(),
    }),
  }),
};
