/**
 * Statements of PAYE and corporation tax, which no API of HMRC tells: the practice takes them from HMRC's pages and imports them as a file.
 *
 * The upload itself is a stream: `POST /open-tax/tax-statements?company_id=&tax_type=&file_name=`, the file as the body; with `&hold=1` it is a dry run. It answers (201) once
 * every row is read and kept (`importing`); a job then takes the figures in, a few hundred clients a step. How it is polled: `get`, once a
 * second, while `state` is `reading` or `importing`; `rows_done` of `rows` is how far it is, and it only grows. A server that dies loses nothing:
 * the job goes on where it stood. While the file is on its way, `list` shows it as `reading` with the rows read so far.
 */
import { STATEMENT_TAXES } from '@portal/domain/practice/statements/statement-columns.ts';
import { STATEMENT_OUTCOMES, STATEMENT_STATES } from '@portal/domain/practice/statements/statement-states.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** The largest file that is read, in bytes, and the most rows: a year of 10,000 clients has about 15 MB and 93,000 rows. */
export const STATEMENT_LIMIT_BYTES = 30 * 1024 * 1024;
export const STATEMENT_LIMIT_ROWS = 200_000;

export const TAX_STATEMENTS_PATH = '/open-tax/tax-statements';
export const STATEMENT_TEMPLATE_PATH = '/open-tax/tax-statements/template';

export const statementTaxScalar = z.enum(STATEMENT_TAXES);
export const statementTemplateQuery = z.object({ tax_type: statementTaxScalar.default('paye') });

const taxStatement = z.object({
  statement_id: idScalar,
  tax_type: statementTaxScalar,
  file_name: z.string(),
  imported_by: z.string(),
  imported_at: instantScalar,
  state: z.enum(STATEMENT_STATES),
  rows: z.int(),
  /** Of the rows, those with an outcome: taken or refused. */
  rows_done: z.int(),
  /** Of the rows, those of which nothing was taken. */
  refused: z.int(),
  /** Clients that the file names and that have the tax, and those of them whose figures were taken in so far. */
  clients: z.int(),
  clients_taken: z.int(),
  ended_at: instantScalar.nullable(),
  /** Why it failed, as a sentence. */
  reason: z.string().nullable(),
  /** Until when each row can be looked up; afterwards only the counts are kept. */
  rows_until: instantScalar.nullable(),
});
export type TaxStatement = z.output<typeof taxStatement>;

const statementRow = z.object({
  /** The line of the file; the header is 1. */
  row: z.int(),
  outcome: z.enum(STATEMENT_OUTCOMES),
  client_id: idScalar.nullable(),
  client_name: z.string().nullable(),
  /** The column at fault, and what is wrong as a sentence; null unless refused. */
  field: z.string().nullable(),
  problem: z.string().nullable(),
});
export type TaxStatementRow = z.output<typeof statementRow>;

const statementOutput = z.object({ statement: taxStatement });
const statementInput = companyInput.extend({ statement_id: idScalar });

/** What the address of an upload says. */
export const taxStatementUploadQuery = companyInput.extend({
  tax_type: statementTaxScalar,
  /** `1`: a dry run; the statement waits as `ready`. */
  hold: z.literal('1').optional(),
  file_name: fileNameScalar,
});

/** What an upload answers (201). */
export const taxStatementUploadOutput = statementOutput;

const ACCESS = 'practice.manage';

export const taxStatementsApi = {
  list: endpoint({
    method: 'GET',
    path: TAX_STATEMENTS_PATH,
    access: ACCESS,
    summary: 'The newest hundred statements that the practice imported or imports, of one tax or of both.',
    input: companyInput.extend({ tax_type: statementTaxScalar.optional() }),
    output: z.object({ statements: z.array(taxStatement) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/open-tax/tax-statements/statement',
    access: ACCESS,
    summary: 'One statement and how far it is.',
    input: statementInput,
    output: statementOutput,
  }),
  rows: endpoint({
    method: 'GET',
    path: '/open-tax/tax-statements/rows',
    access: ACCESS,
    summary: 'The rows of a statement in their order, of one outcome or of all, by pages.',
    input: statementInput.extend({
      outcome: z.enum(STATEMENT_OUTCOMES).optional(),
      /** The last row of the page before. */
      after: z.coerce.number().int().min(0).max(10_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ rows: z.array(statementRow), next_after: z.int().nullable() }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/tax-statements/start',
    access: ACCESS,
    summary: 'Takes in a statement that waits, or goes on with one that failed or was cancelled, where it stood.',
    input: statementInput,
    output: statementOutput,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/tax-statements/cancel',
    access: ACCESS,
    summary: 'Stops a statement after the step in hand, or puts one that waits away; what was taken in so far stays.',
    input: statementInput,
    output: statementOutput,
  }),
};
