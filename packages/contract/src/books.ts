/**
 * Upload of books as a CSV or XLSX file from any bookkeeping software. The file is imported completely or not at all. The upload is a
 * stream: `POST /instant-vat/books/file?company_id=&file_name=`, with the file as the body.
 */
import { BOOKS_TARGETS, KIND_MEANINGS } from '@portal/domain/books/books-targets.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, doneOutput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** Maximum file size in bytes. Larger files are rejected before they are read. */
export const MAX_BOOKS_FILE_BYTES = 50 * 1024 * 1024;

export const BOOKS_UPLOAD_PATH = '/instant-vat/books/file';
export const BOOKS_TEMPLATE_PATH = '/instant-vat/books/template.csv';

/** Errors of one kind: the number of rows affected, and the first few lines. Sent in a problem's `details.groups`. */
export const booksErrorGroup = z.object({ column: z.string(), reason: z.string(), count: z.int(), lines: z.array(z.int()) });
export type BooksErrorGroup = z.output<typeof booksErrorGroup>;

const booksFile = z.object({
  file_id: idScalar,
  file_name: z.string(),
  rows: z.int(),
  first_date: z.nullable(dateScalar),
  last_date: z.nullable(dateScalar),
  flagged: z.int(),
  applied_at: instantScalar,
  /** The bookkeeping software that the books came from; null for a file. */
  program: z.nullable(z.enum(BOOKS_PROVIDERS)),
  /**
   * Rows dated before the first or after the last VAT period that HMRC has listed. Null if there are none, if HMRC hasn't listed any period,
   * and for earlier files.
   */
  outside_periods: z.nullable(
    z.object({ first_period_start: dateScalar, last_period_end: dateScalar, rows_before: z.int(), rows_after: z.int() }),
  ),
});

/** Query parameters of an upload. */
export const booksUploadQuery = z.extend(companyInput, { file_name: fileNameScalar });

const kindMeaning = z.nullable(z.enum(KIND_MEANINGS));
const treatmentMeaning = z.nullable(z.enum(TREATMENTS));
const columnTarget = z.nullable(z.enum(BOOKS_TARGETS));

/** The contents of a pending file, and what is known about the meaning of its columns and values. */
const booksTable = z.object({
  /** Zero-based. */
  sheet: z.int(),
  sheets: z.array(z.object({ sheet: z.int(), name: z.string() })),
  /** The line with the headings; 0 if the sheet has none. */
  header_line: z.int(),
  first_lines: z.array(z.object({ line: z.int(), text: z.string() })),
  columns: z.array(z.object({ heading: z.string(), samples: z.array(z.string()), target: columnTarget })),
  /** The kind or treatment of every row, for a file without that column. */
  fixed_kind: z.nullable(z.enum(BOOKS_KINDS)),
  fixed_treatment: treatmentMeaning,
  kinds: z.array(z.object({ text: z.string(), meaning: kindMeaning })),
  treatments: z.array(z.object({ text: z.string(), meaning: treatmentMeaning })),
});
export type BooksTableOutput = z.output<typeof booksTable>;

/** A file that needs a decision from the user. None of it is used until then. */
const pendingBooks = z.object({
  upload_id: idScalar,
  file_name: z.string(),
  uploaded_at: instantScalar,
  /** `columns`: the meaning of the columns. `incomplete`: whether to use a file that covers only part of a period. */
  waits_for: z.enum(['columns', 'incomplete']),
  table: booksTable,
  /** The periods that the file covers only partly, with the dates of its first and last rows. */
  gaps: z.array(z.object({ period_start: dateScalar, period_end: dateScalar, first_date: dateScalar, last_date: dateScalar })),
});
export type PendingBooks = z.output<typeof pendingBooks>;

/** The response to an upload (201) and to each later step: the file is in use (`file`) or pending (`pending`). */
export const booksUploadOutput = z.object({
  file: z.nullable(booksFile),
  pending: z.nullable(pendingBooks),
  /** Rows that are totals or other parts of a report. */
  left_out_lines: z.array(z.int()),
});
export type BooksUpload = z.output<typeof booksUploadOutput>;
export type BooksFile = z.output<typeof booksFile>;

const uploadInput = z.extend(companyInput, { upload_id: idScalar });

/** The meaning of a pending file's columns and values. */
export const booksMapFields = {
  sheet: z.int().check(z.minimum(0), z.maximum(1000)),
  header_line: z.int().check(z.minimum(0), z.maximum(2_000_000)),
  columns: z.optional(z.array(columnTarget).check(z.maxLength(300))),
  fixed_kind: z._default(z.nullable(z.enum(BOOKS_KINDS)), null),
  fixed_treatment: z._default(treatmentMeaning, null),
  kinds: z._default(z.array(z.object({ text: z.string().check(z.maxLength(60)), meaning: kindMeaning })).check(z.maxLength(40)), []),
  treatments: z._default(
    z.array(z.object({ text: z.string().check(z.maxLength(60)), meaning: treatmentMeaning })).check(z.maxLength(40)),
    [],
  ),
};

export const currentBooksOutput = z.object({
  current: z.nullable(booksFile),
  earlier: z.array(booksFile),
  pending: z.nullable(pendingBooks),
});

export const booksApi = {
  current: endpoint({
    method: 'GET',
    path: '/instant-vat/books',
    access: 'company.read',
    summary: 'Get the current books file and earlier ones',
    input: companyInput,
    output: currentBooksOutput,
  }),
  map: endpoint({
    method: 'POST',
    path: '/instant-vat/books/map',
    access: 'company.prepare',
    runsOneAtATime: true,
    summary:
      'Choose a pending file’s sheet and header row, and what its columns and values mean. Once the columns are chosen, the file is read and the choice is saved.',
    input: z.extend(uploadInput, booksMapFields),
    output: booksUploadOutput,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/instant-vat/books/apply',
    access: 'company.prepare',
    runsOneAtATime: true,
    summary: 'Use a pending file even though it covers only part of a period',
    input: uploadInput,
    output: booksUploadOutput,
  }),
  discard: endpoint({
    method: 'POST',
    path: '/instant-vat/books/discard',
    access: 'company.prepare',
    summary: 'Delete a pending file',
    input: uploadInput,
    output: doneOutput,
  }),
};
