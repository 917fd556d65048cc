/** Books by file: CSV or XLSX, applied whole or not at all. The upload itself is a stream: `POST /instant-vat/books/file?company_id=&file_name=`, the file as the body. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** The largest file that is read, in bytes; a larger one is refused before it is read. */
export const BOOKS_FILE_LIMIT_BYTES = 50 * 1024 * 1024;

export const BOOKS_UPLOAD_PATH = '/instant-vat/books/file';
export const BOOKS_TEMPLATE_PATH = '/instant-vat/books/template.csv';

/** Why a file was refused: the line, the column and a sentence with the mend. It travels in a problem's `details.errors`. */
export const booksFileError = z.object({ line: z.int(), column: z.string(), reason: z.string() });
export type BooksFileError = z.output<typeof booksFileError>;

const booksFile = z.object({
  file_id: idScalar,
  file_name: z.string(),
  rows: z.int(),
  first_date: dateScalar.nullable(),
  last_date: dateScalar.nullable(),
  flagged: z.int(),
  applied_at: instantScalar,
});

/** What the address of an upload says. */
export const booksUploadQuery = companyInput.extend({ file_name: fileNameScalar });

/** What a successful upload answers (201). */
export const booksUploadOutput = booksFile;
export type BooksFile = z.output<typeof booksFile>;

export const booksApi = {
  current: endpoint({
    method: 'GET',
    path: '/instant-vat/books',
    access: 'company.read',
    summary: 'The file the books are read from now, and those before it.',
    input: companyInput,
    output: z.object({ current: booksFile.nullable(), earlier: z.array(booksFile) }),
  }),
};
