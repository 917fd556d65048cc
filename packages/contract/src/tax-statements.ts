/**
 * PAYE and corporation tax statements. HMRC has no API for reading these taxes, so the practice exports statements from HMRC's pages and
 * imports them as a file.
 *
 * The upload is a stream: `POST /open-tax/tax-statements?company_id=&tax_type=&file_name=`, with the file as the body; `&hold=1` makes it a
 * dry run. It responds (201) once every row has been read and stored (`importing`); a job then imports the figures, a few hundred clients
 * per step. To follow the progress, poll `get` once a second while `state` is `reading` or `importing`; `rows_done` of `rows` never
 * decreases. If a server stops, nothing is lost: the job continues from where it stopped. During the upload, `list` shows the statement as
 * `reading` with the rows read so far.
 */
import { STATEMENT_TAXES } from '@portal/domain/tax-statements/statement-columns.ts';
import { STATEMENT_OUTCOMES, STATEMENT_STATES } from '@portal/domain/tax-statements/statement-states.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** Maximum file size in bytes and maximum number of rows. A year of 10,000 clients is about 15 MB and 93,000 rows. */
export const MAX_STATEMENT_BYTES = 30 * 1024 * 1024;
export const MAX_STATEMENT_ROWS = 200_000;

export const TAX_STATEMENTS_PATH = '/open-tax/tax-statements';
export const STATEMENT_TEMPLATE_PATH = '/open-tax/tax-statements/template';

export const statementTaxScalar = z.enum(STATEMENT_TAXES);
export const statementTemplateQuery = z.object({ tax_type: z._default(statementTaxScalar, 'paye') });

const taxStatement = z.object({
  statement_id: idScalar,
  tax_type: statementTaxScalar,
  file_name: z.string(),
  imported_by: z.string(),
  imported_at: instantScalar,
  state: z.enum(STATEMENT_STATES),
  rows: z.int(),
  /** Rows with an outcome: imported or rejected. */
  rows_done: z.int(),
  /** Rows that weren't imported. */
  refused: z.int(),
  /** Clients in the file that have the tax, as shown in the client list. */
  clients: z.int(),
  /** Updated clients, as shown in the client list, excluding those removed since. */
  clients_taken: z.int(),
  /**
   * Updated clients that have since been removed. Null if the updated clients aren't recorded, for example after a purge by an earlier
   * version.
   */
  clients_removed: z.nullable(z.int()),
  ended_at: z.nullable(instantScalar),
  /** The reason for the failure, as a sentence. */
  reason: z.nullable(z.string()),
  /** Until this time, individual rows can be looked up; afterwards, only the counts and the updated clients remain. */
  rows_until: z.nullable(instantScalar),
});
export type TaxStatement = z.output<typeof taxStatement>;

const statementRow = z.object({
  /** Line number in the file; the header is 1. */
  row: z.int(),
  outcome: z.enum(STATEMENT_OUTCOMES),
  client_id: z.nullable(idScalar),
  client_name: z.nullable(z.string()),
  /** The invalid column and the problem as a sentence; null unless rejected. */
  field: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type TaxStatementRow = z.output<typeof statementRow>;

const statementOutput = z.object({ statement: taxStatement });
const statementInput = z.extend(companyInput, { statement_id: idScalar });

/** Query parameters of an upload. */
export const taxStatementUploadQuery = z.extend(companyInput, {
  tax_type: statementTaxScalar,
  /** `1`: a dry run, in which the statement stays `ready`. */
  hold: z.optional(z.literal('1')),
  file_name: fileNameScalar,
});

/** The response to an upload (201). */
export const taxStatementUploadOutput = statementOutput;

const ACCESS = 'practice.manage';

export const taxStatementsApi = {
  list: endpoint({
    method: 'GET',
    path: TAX_STATEMENTS_PATH,
    access: ACCESS,
    summary: 'List the practice’s latest 100 statements, including running imports, for one or both taxes',
    input: z.extend(companyInput, { tax_type: z.optional(statementTaxScalar) }),
    output: z.object({ statements: z.array(taxStatement) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/open-tax/tax-statements/statement',
    access: ACCESS,
    summary: 'Get a statement and its progress',
    input: statementInput,
    output: statementOutput,
  }),
  rows: endpoint({
    method: 'GET',
    path: '/open-tax/tax-statements/rows',
    access: ACCESS,
    summary: 'List a statement’s rows in file order, one page at a time, optionally by outcome',
    input: z.extend(statementInput, {
      outcome: z.optional(z.enum(STATEMENT_OUTCOMES)),
      /** The number of the last row on the previous page. */
      after: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
    }),
    output: z.object({ rows: z.array(statementRow), next_after: z.nullable(z.int()) }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/tax-statements/start',
    access: ACCESS,
    summary: 'Start importing a validated statement, or resume one that failed or was cancelled',
    input: statementInput,
    output: statementOutput,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/tax-statements/cancel',
    access: ACCESS,
    summary: 'Cancel the import of a statement after its current step, or discard a validated one. Figures imported so far are kept.',
    input: statementInput,
    output: statementOutput,
  }),
};
