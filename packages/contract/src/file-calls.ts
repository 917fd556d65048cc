/** Calls whose body or answer is a file or a stream, beside the calls of JSON: the server's rooms serve them by this, the API document prints it. */
import type { z } from 'zod';
import { BOOKS_TEMPLATE_PATH, BOOKS_UPLOAD_PATH, booksUploadOutput, booksUploadQuery } from './books.ts';
import { CLIENTS_TEMPLATE_PATH, CLIENTS_UPLOAD_PATH, clientsUploadOutput, clientsUploadQuery } from './client-imports.ts';
import { EXPORT_TABLE_PATH, exportChosenInput, exportTableInput } from './clients.ts';
import type { Endpoint } from './endpoint.ts';
import { companyInput } from './scalars.ts';
import { SYNC_EVENTS_PATH } from './sync.ts';
import {
  STATEMENT_TEMPLATE_PATH,
  statementTemplateQuery,
  TAX_STATEMENTS_PATH,
  taxStatementUploadOutput,
  taxStatementUploadQuery,
} from './tax-statements.ts';

export type FileCall = Pick<Endpoint, 'method' | 'path' | 'access' | 'summary'> & {
  readonly query?: z.ZodObject;
  /** `file`: the bytes of a CSV or XLSX file as the body. */
  readonly body?: 'file' | z.ZodObject;
  /** Media types of what comes back (200), or the JSON that an upload answers (201). */
  readonly gives: readonly string[] | z.ZodType;
};

const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const exportTable = {
  path: EXPORT_TABLE_PATH,
  access: 'practice.read',
  summary: 'The client list as a file: all that the filters find, in the order asked for.',
  query: exportTableInput,
  gives: [CSV, XLSX],
} as const satisfies Partial<FileCall>;

/** By subject and name, as ALL_ENDPOINTS. */
export const FILE_CALLS = {
  books: {
    template: { method: 'GET', path: BOOKS_TEMPLATE_PATH, access: 'public', summary: 'An empty file of books.', gives: [CSV] },
    upload: {
      method: 'POST',
      path: BOOKS_UPLOAD_PATH,
      access: 'company.manage',
      summary: 'Reads a file of books and applies it whole or not at all.',
      query: booksUploadQuery,
      body: 'file',
      gives: booksUploadOutput,
    },
  },
  clientImports: {
    template: { method: 'GET', path: CLIENTS_TEMPLATE_PATH, access: 'public', summary: 'An empty file of clients.', gives: [CSV] },
    upload: {
      method: 'POST',
      path: CLIENTS_UPLOAD_PATH,
      access: 'practice.manage',
      summary: 'Reads and judges a file of clients. Nothing is taken in before the import is started.',
      query: clientsUploadQuery,
      body: 'file',
      gives: clientsUploadOutput,
    },
  },
  taxStatements: {
    template: {
      method: 'GET',
      path: STATEMENT_TEMPLATE_PATH,
      access: 'public',
      summary: 'An empty statement of a tax.',
      query: statementTemplateQuery,
      gives: [CSV],
    },
    upload: {
      method: 'POST',
      path: TAX_STATEMENTS_PATH,
      access: 'practice.manage',
      summary: 'Reads a statement of PAYE or corporation tax; with hold=1 it waits to be started.',
      query: taxStatementUploadQuery,
      body: 'file',
      gives: taxStatementUploadOutput,
    },
  },
  clients: {
    exportTable: { method: 'GET', ...exportTable },
    exportChosen: { method: 'POST', ...exportTable, body: exportChosenInput },
  },
  sync: {
    events: {
      method: 'GET',
      path: SYNC_EVENTS_PATH,
      access: 'practice.read',
      summary: 'The progress of refreshes and imports, as server-sent events.',
      query: companyInput,
      gives: ['text/event-stream'],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FileCall>>>>;
