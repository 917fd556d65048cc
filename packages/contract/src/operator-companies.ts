/** Companies as operators see them: the list, everything we store about one company, and the exposure limits. */
import { z } from 'zod/mini';
import { advanceState } from './advances.ts';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { returnedAddress } from './mail-reports.ts';
import { dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

const exposure = z.object({ exposure_pence: penceScalar, limit_pence: penceScalar });

export const operatorCompaniesApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/companies',
    access: 'operator',
    summary: 'List companies with what HMRC owes us for each, by largest exposure or newest first, one page at a time',
    input: z.object({
      q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
      sort: z._default(z.enum(['exposure', 'name', 'newest']), 'exposure'),
      page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1),
    }),
    output: z.object({
      companies: z.array(
        z.object({
          company_id: idScalar,
          name: z.string(),
          vrn: z.nullable(z.string()),
          company_number: z.nullable(z.string()),
          hmrc: z.nullable(z.string()),
          open_advances: z.int(),
          settled_advances: z.int(),
          exposure_pence: penceScalar,
          created_at: instantScalar,
        }),
      ),
      count: z.int(),
      pages: z.int(),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/operator/company',
    access: 'operator',
    summary: 'Get a company: users, identity checks, bank accounts, HMRC connection, advances, documents and exposure',
    input: z.object({ company_id: idScalar }),
    output: z.object({
      company: z.object({
        company_id: idScalar,
        name: z.string(),
        vrn: z.nullable(z.string()),
        /** Another company that is connected for this VAT number, so this one can't be. */
        vrn_holder: z.nullable(z.object({ company_id: idScalar, name: z.string(), added_at: instantScalar })),
        vrn_registered_name: z.nullable(z.string()),
        company_number: z.nullable(z.string()),
        register_status: z.nullable(z.string()),
        register_type: z.nullable(z.string()),
        register_read_at: z.nullable(instantScalar),
        partner: z.string(),
        created_at: instantScalar,
      }),
      exposure,
      people: z.array(
        z.object({
          user_id: idScalar,
          name: z.string(),
          email: z.string(),
          role: z.string(),
          since: instantScalar,
          last_seen_at: z.nullable(instantScalar),
          identity: z.nullable(z.object({ status: z.string(), at: instantScalar })),
        }),
      ),
      /** Email addresses of the company's users that have bounced, newest first. We still try to email traders. */
      undeliverable: z.array(returnedAddress),
      bank_accounts: z.array(
        z.object({ account_holder: z.string(), sort_code: z.string(), account_number_end: z.string(), added_at: instantScalar }),
      ),
      collection_account: z.nullable(
        z.object({ account_holder: z.string(), sort_code: z.string(), account_number: z.string(), opened_at: instantScalar }),
      ),
      hmrc: z.nullable(
        z.object({
          status: z.string(),
          connected_at: z.nullable(instantScalar),
          permission_ends_at: z.nullable(instantScalar),
          ended_at: z.nullable(instantScalar),
          figures_as_of: z.nullable(instantScalar),
        }),
      ),
      obligations: z.array(
        z.object({
          period_start: dateScalar,
          period_end: dateScalar,
          due_on: dateScalar,
          status: z.string(),
          received_on: z.nullable(dateScalar),
        }),
      ),
      advances: z.array(
        z.object({
          advance_id: idScalar,
          period_end: dateScalar,
          state: advanceState,
          refund_pence: penceScalar,
          net_pence: penceScalar,
          outstanding_pence: penceScalar,
          quoted_at: instantScalar,
          paid_at: z.nullable(instantScalar),
          hours_to_payout: z.nullable(z.number()),
        }),
      ),
      documents: z.array(
        z.object({
          kind: z.enum(['agreement', 'filing_receipt', 'books_file']),
          title: z.string(),
          at: instantScalar,
          reference: z.nullable(z.string()),
        }),
      ),
    }),
  }),
  exposure: endpoint({
    method: 'GET',
    path: '/operator/exposure',
    access: 'operator',
    summary: 'Get the amount outstanding in total and for the largest companies, with the limits and who set them',
    input: z.object({}),
    output: z.object({
      total: exposure,
      company_limit_pence: penceScalar,
      largest: z.array(z.object({ company_id: idScalar, name: z.string(), exposure_pence: penceScalar, limit_pence: penceScalar })),
      changes: z.array(
        z.object({
          company_id: z.nullable(idScalar),
          company_name: z.nullable(z.string()),
          limit_pence: penceScalar,
          reason: z.string(),
          requested_by: z.string(),
          decided_by: z.string(),
          at: instantScalar,
        }),
      ),
    }),
  }),
  changeLimit: endpoint({
    method: 'POST',
    path: '/operator/exposure/limit',
    access: 'operator.manage',
    summary: 'Request a different exposure limit, for a company or overall. It takes effect once another operator approves it.',
    input: z.object({
      /** Null for the limit across all companies. */
      company_id: z.nullable(idScalar),
      limit_pence: z
        .int()
        .check(z.minimum(0, 'Enter an amount of £0 or more'), z.maximum(1_000_000_000_00, 'Enter at most £1,000,000,000')),
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
    }),
    output: requestedOutput,
  }),
  moveVatNumber: endpoint({
    method: 'POST',
    path: '/operator/vat-numbers/move',
    access: 'operator.manage',
    summary:
      'Request that a VAT number connected to another company is moved to this one. It takes effect once another operator approves it.',
    input: z.object({
      company_id: idScalar,
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
    }),
    output: requestedOutput,
  }),
};
