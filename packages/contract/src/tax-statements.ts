/**
 * Statements of PAYE and corporation tax, which no API of HMRC tells: the practice takes them from HMRC's pages and imports them as a file.
 * The upload itself is a stream: `POST /open-tax/tax-statements?company_id=&tax_type=&file_name=`, the file as the body.
 */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, idScalar, instantScalar } from './scalars.ts';

/** The largest file that is read, in bytes, and the most rows: a year of 10,000 clients has about 15 MB and 93,000 rows. */
export const STATEMENT_LIMIT_BYTES = 30 * 1024 * 1024;
export const STATEMENT_LIMIT_ROWS = 200_000;

export const TAX_STATEMENTS_PATH = '/open-tax/tax-statements';
/** With `?tax_type=`. */
export const STATEMENT_TEMPLATE_PATH = '/open-tax/tax-statements/template';

/** The taxes that come by statement. */
export const STATEMENT_TAXES = ['paye', 'ct'] as const;
export const statementTaxScalar = z.enum(STATEMENT_TAXES);

const taxStatement = z.object({
  statement_id: idScalar,
  tax_type: statementTaxScalar,
  file_name: z.string(),
  imported_by: z.string(),
  imported_at: instantScalar,
  rows: z.int(),
  /** Of the rows, those of which nothing was taken. */
  refused: z.int(),
});
export type TaxStatement = z.output<typeof taxStatement>;

const refusedRow = z.object({ row: z.int(), field: z.string(), problem: z.string() });

/** What an upload answers (201): `clients` whose statements were taken in, and the first of the refused rows. */
export const taxStatementUploadOutput = z.object({ statement: taxStatement, clients: z.int(), first_refused: z.array(refusedRow) });
export type TaxStatementUpload = z.output<typeof taxStatementUploadOutput>;

const ACCESS = 'practice.manage';

export const taxStatementsApi = {
  list: endpoint({
    method: 'GET',
    path: TAX_STATEMENTS_PATH,
    access: ACCESS,
    summary: 'The newest hundred statements that the practice imported, of one tax or of both.',
    input: companyInput.extend({ tax_type: statementTaxScalar.optional() }),
    output: z.object({ statements: z.array(taxStatement) }),
  }),
  refused: endpoint({
    method: 'GET',
    path: '/open-tax/tax-statements/refused',
    access: ACCESS,
    summary: 'The rows of a statement of which nothing was taken, with the reasons, by pages.',
    input: companyInput.extend({
      statement_id: idScalar,
      /** The last row of the page before. */
      after: z.coerce.number().int().min(0).max(10_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ rows: z.array(refusedRow), next_after: z.int().nullable() }),
  }),
};
