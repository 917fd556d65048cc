/**
 * Upload of books as a CSV or XLSX file, imported completely or not at all. The upload is a stream: `POST
 * /instant-vat/books/file?company_id=&file_name=`, with the file as the body.
 */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** Maximum file size in bytes; larger files are rejected before reading. */
export const MAX_BOOKS_FILE_BYTES = 50 * 1024 * 1024;

export const BOOKS_UPLOAD_PATH = '/instant-vat/books/file';
export const BOOKS_TEMPLATE_PATH = '/instant-vat/books/template.csv';

/** Why a file was rejected: line, column and a sentence that says how to fix it. Sent in a problem's `details.errors`. */
export const booksFileError = z.object({ line: z.int(), column: z.string(), reason: z.string() });
export type BooksFileError = z.output<typeof booksFileError>;

const booksFile = z.object({
  file_id: idScalar,
  file_name: z.string(),
  rows: z.int(),
  first_date: z.nullable(dateScalar),
  last_date: z.nullable(dateScalar),
  flagged: z.int(),
  applied_at: instantScalar,
});

/** Query parameters of an upload. */
export const booksUploadQuery = z.extend(companyInput, { file_name: fileNameScalar });

/** Response of a successful upload (201). */
export const booksUploadOutput = booksFile;
export type BooksFile = z.output<typeof booksFile>;

export const booksApi = {
  current: endpoint({
    method: 'GET',
    path: '/instant-vat/books',
    access: 'company.read',
    summary: 'Get the current books file and the earlier ones',
    input: companyInput,
    output: z.object({ current: z.nullable(booksFile), earlier: z.array(booksFile) }),
  }),
};
