/** Operations: failed jobs, the health of providers, and searching the audit trail. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

const jobInput = z.object({
  job_id: idScalar,
  reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
});

/** Filters of the audit search, also used in the export and the page's URL. */
export const auditFilters = z.object({
  company_id: z.optional(idScalar),
  /** A user's email address or ID, or "rules", "bank", "hmrc" or "visitor". */
  person: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  /** The start of an action's name, for example "advance." or "payout.released". */
  action: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  /** ID of the record that was changed. */
  subject: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  from: z.optional(dateScalar),
  to: z.optional(dateScalar),
});

/** The audit search as a CSV file. */
export const AUDIT_EXPORT_PATH = '/operator/audit/export';

export const operationsApi = {
  jobs: endpoint({
    method: 'GET',
    path: '/operator/jobs',
    access: 'operator',
    summary: 'List background jobs that have failed after all retries, newest first',
    input: z.object({}),
    output: z.object({
      jobs: z.array(
        z.object({
          job_id: idScalar,
          kind: z.string(),
          failed_at: instantScalar,
          error: z.string(),
          /** The company and advance that the job concerns, if any. */
          company_id: z.nullable(idScalar),
          company_name: z.nullable(z.string()),
          advance_id: z.nullable(idScalar),
        }),
      ),
    }),
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/operator/jobs/retry',
    access: 'operator.manage',
    summary: 'Run a failed job again with all its retries. Jobs skip work that is already done, so nothing happens twice.',
    input: jobInput,
    output: doneOutput,
  }),
  discardJob: endpoint({
    method: 'POST',
    path: '/operator/jobs/discard',
    access: 'operator.manage',
    summary: 'Discard a failed job. Its work isn’t done; the audit trail keeps a record of it.',
    input: jobInput,
    output: doneOutput,
  }),
  health: endpoint({
    method: 'GET',
    path: '/operator/health',
    access: 'operator',
    summary: 'Get our last successful and last failed call to each provider, across all instances',
    input: z.object({}),
    output: z.object({
      providers: z.array(
        z.object({
          provider: z.string(),
          name: z.string(),
          last_success_at: z.nullable(instantScalar),
          last_failure_at: z.nullable(instantScalar),
          last_failure: z.nullable(z.string()),
          failures_in_a_row: z.int(),
        }),
      ),
      now: instantScalar,
    }),
  }),
  audit: endpoint({
    method: 'GET',
    path: '/operator/audit',
    access: 'operator',
    summary: 'Search the audit trail of all companies, newest first, one page at a time',
    input: z.extend(auditFilters, { cursor: z.optional(z.string().check(z.maxLength(300))) }),
    output: z.object({
      entries: z.array(
        z.object({
          company_id: z.nullable(idScalar),
          company_name: z.nullable(z.string()),
          sequence: z.int(),
          at: instantScalar,
          actor: z.string(),
          action: z.string(),
          subject: z.string(),
          before: z.nullable(z.string()),
          after: z.nullable(z.string()),
          ip: z.string(),
        }),
      ),
      next_cursor: z.nullable(z.string()),
    }),
  }),
};
