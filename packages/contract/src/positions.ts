/**
 * Amounts that a practice's clients owe or are owed, and the returns they must file, by tax. Every figure has its source and time; amounts
 * are in pence, positive = owed to HMRC.
 */
import { NEXT_DUE_KINDS } from '@portal/domain/positions/position.ts';
import { TAX_FIGURES_STATES } from '@portal/domain/positions/figures-state.ts';
import { AUTHORISATIONS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { chargeView, dueItem, paymentView, periodView, positionDetail, quarterlyUpdate, sourceFields } from './position-detail.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

/**
 * Figures for one tax. Amounts, overdue returns and updates are null while it is `unread`, because an unknown amount must never look like
 * nil.
 */
const taxFigures = z.object({
  tax: taxScalar,
  figures_state: z.enum(TAX_FIGURES_STATES),
  refresh_failed: z.boolean(),
  owed_pence: z.nullable(penceScalar),
  overdue_pence: z.nullable(penceScalar),
  overdue_since: z.nullable(dateScalar),
  refund_pence: z.nullable(penceScalar),
  overdue_returns: z.nullable(z.int()),
  overdue_updates: z.nullable(z.int()),
  penalty_points: z.nullable(z.int()),
  points_threshold: z.nullable(z.int()),
  penalty_pence: z.nullable(penceScalar),
  interest_pence: z.nullable(penceScalar),
  is_estimate: z.boolean(),
  next_due_on: z.nullable(dateScalar),
  next_due_what: z.nullable(z.enum(NEXT_DUE_KINDS)),
  next_due_pence: z.nullable(penceScalar),
  ...sourceFields,
});

const clientInput = z.extend(companyInput, { client_id: idScalar });
/** "2025" or "2025-26", for the tax year that begins in April 2025. */
const taxYearInput = z.string().check(z.regex(/^(19|20|21)\d{2}(-\d{2})?$/, 'Enter a tax year, for example 2025-26'));

/** One tax of a client. `figures` and `detail` are null until something is known or calculated. */
const summaryOutput = z.object({ client_id: idScalar, figures: z.nullable(taxFigures), detail: z.nullable(positionDetail) });

const createSummaryEndpoint = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'client.figures',
    summary: `Get a client’s ${tax} summary: figures, periods, charges and payments`,
    input: clientInput,
    output: summaryOutput,
  });

/** Items of several clients, earliest first. Pass `next_cursor` as `cursor` to get the next page; null on the last page. */
const upcomingOutput = z.object({
  items: z.array(z.extend(dueItem, { client_id: idScalar, client_name: z.string() })),
  next_cursor: z.nullable(z.string()),
});
const createUpcomingEndpoint = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'practice.read',
    summary: `List ${tax} amounts due or refundable, for one client or all visible clients, overdue first`,
    input: z.extend(companyInput, {
      client_id: z.optional(idScalar),
      cursor: z.optional(z.string().check(z.maxLength(400))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    output: upcomingOutput,
  });

/** The calendar year in which the earliest stored tax year begins; null if no tax year is stored. */
const createMinimumYearEndpoint = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'practice.read',
    summary: `Get the earliest year with ${tax} data, for one client or all visible clients`,
    input: z.extend(companyInput, { client_id: z.optional(idScalar) }),
    output: z.object({ minimum_year: z.nullable(z.int()) }),
  });

const periodsOutput = z.object({ client_id: idScalar, periods: z.array(periodView), as_of: z.nullable(instantScalar) });
const createPeriodsEndpoint = (path: `/${string}`, tax: string) =>
  endpoint({
    method: 'GET',
    path,
    access: 'client.read',
    summary: `List a client’s ${tax} periods, newest first`,
    input: clientInput,
    output: periodsOutput,
  });

const payePeriod = {
  start: dateScalar,
  end: dateScalar,
  charged_pence: z.nullable(penceScalar),
  outstanding_pence: z.nullable(penceScalar),
  ...sourceFields,
};

export const positionsApi = {
  vatSummary: createSummaryEndpoint('/client/vat-summary', 'VAT'),
  payeSummary: createSummaryEndpoint('/client/paye-summary', 'PAYE'),
  corpTaxSummary: createSummaryEndpoint('/client/corp-tax-summary', 'Corporation tax'),
  selfAssessmentSummary: createSummaryEndpoint('/client/self-assessment-summary', 'Self Assessment'),
  clientTaxes: endpoint({
    method: 'GET',
    path: '/open-tax/client-taxes',
    access: 'client.read',
    summary: 'List a client’s taxes with their figures and HMRC authorisations',
    input: z.extend(companyInput, { client_company_id: idScalar }),
    output: z.object({
      client_company_id: idScalar,
      name: z.string(),
      taxes: z.array(
        z.object({
          tax: taxScalar,
          authorisation: z.enum(AUTHORISATIONS),
          figures: z.nullable(taxFigures),
        }),
      ),
    }),
  }),
  upcomingVat: createUpcomingEndpoint('/open-tax/upcoming-vat-amounts', 'VAT'),
  upcomingPaye: createUpcomingEndpoint('/open-tax/upcoming-paye-amounts', 'PAYE'),
  upcomingCorp: createUpcomingEndpoint('/open-tax/corp-summary/upcoming-amounts', 'Corporation tax'),
  upcomingSelfAssessment: createUpcomingEndpoint('/open-tax/self-assessment-summary/upcoming-amounts', 'Self Assessment'),
  vatMinimumYear: createMinimumYearEndpoint('/open-tax/get-vat-minimum-year', 'VAT'),
  payeMinimumYear: createMinimumYearEndpoint('/open-tax/get-paye-minimum-year', 'PAYE'),
  vatReturns: endpoint({
    method: 'GET',
    path: '/open-tax/vat-return-and-refund-list',
    access: 'client.read',
    summary: 'List a client’s VAT returns for a year starting in April, with the charges and refunds for those periods',
    input: z.extend(clientInput, { tax_year: taxYearInput }),
    output: z.extend(periodsOutput, { refunds: z.array(chargeView) }),
  }),
  payeYear: endpoint({
    method: 'GET',
    path: '/open-tax/paye-summary',
    access: 'client.read',
    summary: 'Get a client’s PAYE for a tax year, by tax month (starting 6 April)',
    input: z.extend(clientInput, { tax_year: taxYearInput }),
    output: z.object({
      client_id: idScalar,
      months: z.array(z.object({ month: z.int(), ...payePeriod, due_on: dateScalar })),
      /** Charges for longer than a quarter, such as Class 1A contributions. */
      others: z.array(z.object({ key: z.string(), ...payePeriod, due_on: z.nullable(dateScalar) })),
      /** Sums of the known amounts of the months and of `others`; null if no amount is known. */
      charged_pence: z.nullable(penceScalar),
      outstanding_pence: z.nullable(penceScalar),
    }),
  }),
  corpPeriods: createPeriodsEndpoint('/open-tax/corp-summary/tax-periods', 'corporation tax'),
  selfAssessmentPeriods: endpoint({
    method: 'GET',
    path: '/open-tax/self-assessment-summary/tax-periods',
    access: 'client.read',
    summary: 'List a client’s Self Assessment tax years and quarterly updates, newest first',
    input: clientInput,
    output: z.extend(periodsOutput, { quarterly_updates: z.array(quarterlyUpdate) }),
  }),
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
      as_of: z.nullable(instantScalar),
    }),
  }),
  vatPeriodEnd: endpoint({
    method: 'GET',
    path: '/open-tax/get-vat-return-period-end-date',
    access: 'client.read',
    summary: 'Get the end date and due date of a client’s first unfiled VAT period, or null if HMRC expects no return',
    input: clientInput,
    output: z.object({ period_end: z.nullable(dateScalar), due_on: z.nullable(dateScalar), ...sourceFields }),
  }),
  selfAssessmentClients: endpoint({
    method: 'GET',
    path: '/open-tax/self-assessment/clients',
    access: 'practice.read',
    summary: 'List clients with Self Assessment, next due first',
    input: z.extend(companyInput, {
      cursor: z.optional(z.string().check(z.maxLength(400))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    output: z.object({
      clients: z.array(z.object({ client_id: idScalar, name: z.string(), figures: z.nullable(taxFigures) })),
      next_cursor: z.nullable(z.string()),
    }),
  }),
};
