/**
 * Endpoints with a file or stream as body or response, kept apart from the JSON endpoints. Server features register them and the API
 * document lists them.
 */
import { REQUEST_LINKS_FILE_PATH, requestLinksFileQuery } from './authorisation-requests.ts';
import { BILLING_FILES } from './billing-files.ts';
import { BOOKS_TEMPLATE_PATH, BOOKS_UPLOAD_PATH, booksUploadOutput, booksUploadQuery } from './books.ts';
import { CLIENT_FILE_ENDPOINTS } from './client-file-endpoints.ts';
import { CLIENT_BOOKS_UPLOAD_PATH, clientBooksUploadQuery } from './client-returns.ts';
import { CLIENTS_TEMPLATE_PATH, CLIENTS_UPLOAD_PATH, clientsUploadOutput, clientsUploadQuery } from './client-imports.ts';
import { EXPORT_TABLE_PATH, exportSelectedInput, exportTableInput } from './clients.ts';
import { COMPANY_DATA_PATH, PERSON_DATA_PATH, PRACTICE_DATA_PATH } from './data-protection.ts';
import {
  advanceFileQuery,
  AGREEMENT_FILE_PATH,
  JOURNALS_FILE_PATH,
  journalsFileQuery,
  QUOTE_FILE_PATH,
  RECEIPT_FILE_PATH,
  receiptFileQuery,
  STATEMENT_FILE_PATH,
  statementFileQuery,
} from './documents.ts';
import type { FileEndpoint } from './file-endpoint.ts';
import { LETTER_FILE_PATH, letterFileQuery } from './engagement.ts';
import { AUDIT_EXPORT_PATH, auditFilters } from './operations.ts';
import { LEDGER_EXPORT_PATH, ledgerFilters } from './operators.ts';
import { LOGO_UPLOAD_PATH, logoUploadOutput, logoUploadQuery } from './practice-brand.ts';
import { companyInput } from './scalars.ts';
import { SYNC_EVENTS_PATH } from './sync-status.ts';
import {
  STATEMENT_TEMPLATE_PATH,
  statementTemplateQuery,
  TAX_STATEMENTS_PATH,
  taxStatementUploadOutput,
  taxStatementUploadQuery,
} from './tax-statements.ts';

const CSV_TYPE = 'text/csv';
const PDF = 'application/pdf';
const ZIP_TYPE = 'application/zip';
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const exportTable = {
  path: EXPORT_TABLE_PATH,
  access: 'practice.export',
  summary: 'Download the filtered and sorted client list as a file',
  query: exportTableInput,
  response: [CSV_TYPE, XLSX_TYPE],
} as const satisfies Partial<FileEndpoint>;

/** The file endpoints by subject and name, in the same form as ALL_ENDPOINTS. */
export const FILE_ENDPOINTS = {
  authorisationRequests: {
    linksFile: {
      method: 'GET',
      path: REQUEST_LINKS_FILE_PATH,
      access: 'practice.export',
      summary: 'Download the links for all pending authorisation requests for a tax',
      query: requestLinksFileQuery,
      response: [CSV_TYPE],
    },
  },
  billing: BILLING_FILES,
  books: {
    template: {
      method: 'GET',
      path: BOOKS_TEMPLATE_PATH,
      access: 'public',
      summary: 'Download a template for a books file',
      response: [CSV_TYPE],
    },
    upload: {
      method: 'POST',
      path: BOOKS_UPLOAD_PATH,
      access: 'company.prepare',
      summary: 'Upload a books file. It is applied in full or not at all.',
      query: booksUploadQuery,
      body: 'file',
      response: booksUploadOutput,
    },
  },
  clientFiles: CLIENT_FILE_ENDPOINTS,
  clientReturns: {
    uploadBooks: {
      method: 'POST',
      path: CLIENT_BOOKS_UPLOAD_PATH,
      access: 'client.work',
      summary: 'Upload a client’s books file. It is applied in full or not at all.',
      query: clientBooksUploadQuery,
      body: 'file',
      response: booksUploadOutput,
    },
  },
  clientImports: {
    template: {
      method: 'GET',
      path: CLIENTS_TEMPLATE_PATH,
      access: 'public',
      summary: 'Download a template for a client list',
      response: [CSV_TYPE],
    },
    upload: {
      method: 'POST',
      path: CLIENTS_UPLOAD_PATH,
      access: 'practice.manage',
      summary: 'Upload and validate a client list. Nothing changes until the import is started.',
      query: clientsUploadQuery,
      body: 'file',
      response: clientsUploadOutput,
    },
  },
  dataProtection: {
    person: {
      method: 'GET',
      path: PERSON_DATA_PATH,
      access: 'signed_in',
      summary: 'Download all of your own data. You must have confirmed your identity in the last ten minutes.',
      response: [ZIP_TYPE],
    },
    company: {
      method: 'GET',
      path: COMPANY_DATA_PATH,
      access: 'company.manage',
      summary: 'Download all of the company’s data. You must have confirmed your identity in the last ten minutes.',
      query: companyInput,
      response: [ZIP_TYPE],
    },
    practice: {
      method: 'GET',
      path: PRACTICE_DATA_PATH,
      access: 'practice.manage',
      summary: 'Download all data about the practice and its clients. You must have confirmed your identity in the last ten minutes.',
      query: companyInput,
      response: [ZIP_TYPE],
    },
  },
  documents: {
    receipt: {
      method: 'GET',
      path: RECEIPT_FILE_PATH,
      access: 'company.read',
      summary: 'Download the receipt of a VAT return filed through us',
      query: receiptFileQuery,
      response: [PDF],
    },
    quote: {
      method: 'GET',
      path: QUOTE_FILE_PATH,
      access: 'company.read',
      summary: 'Download the offer for a refund',
      query: advanceFileQuery,
      response: [PDF],
    },
    agreement: {
      method: 'GET',
      path: AGREEMENT_FILE_PATH,
      access: 'company.read',
      summary: 'Download the agreement for a refund, whether accepted or not',
      query: advanceFileQuery,
      response: [PDF],
    },
    statement: {
      method: 'GET',
      path: STATEMENT_FILE_PATH,
      access: 'company.read',
      summary: 'Download the statement of account for a period',
      query: statementFileQuery,
      response: [PDF, CSV_TYPE],
    },
    journals: {
      method: 'GET',
      path: JOURNALS_FILE_PATH,
      access: 'company.read',
      summary: 'Download a period’s journals for bookkeeping software',
      query: journalsFileQuery,
      response: [CSV_TYPE],
    },
  },
  engagement: {
    letter: {
      method: 'GET',
      path: LETTER_FILE_PATH,
      access: 'client.papers',
      summary: 'Download a letter of engagement with its signature',
      query: letterFileQuery,
      response: [PDF],
    },
  },
  practiceBrand: {
    upload: {
      method: 'POST',
      path: LOGO_UPLOAD_PATH,
      access: 'practice.manage',
      summary: 'Upload the practice’s logo: PNG or JPEG, up to 1 MB. It is re-encoded.',
      query: logoUploadQuery,
      body: 'file',
      response: logoUploadOutput,
    },
  },
  taxStatements: {
    template: {
      method: 'GET',
      path: STATEMENT_TEMPLATE_PATH,
      access: 'public',
      summary: 'Download a template for a tax statement',
      query: statementTemplateQuery,
      response: [CSV_TYPE],
    },
    upload: {
      method: 'POST',
      path: TAX_STATEMENTS_PATH,
      access: 'practice.manage',
      summary: 'Upload a PAYE or corporation tax statement. With hold=1, it is only validated until you start the import.',
      query: taxStatementUploadQuery,
      body: 'file',
      response: taxStatementUploadOutput,
    },
  },
  clients: {
    exportTable: { method: 'GET', ...exportTable },
    exportSelected: { method: 'POST', ...exportTable, body: exportSelectedInput },
  },
  operations: {
    auditExport: {
      method: 'GET',
      path: AUDIT_EXPORT_PATH,
      access: 'operator',
      summary: 'Download the filtered audit trail as a file',
      query: auditFilters,
      response: [CSV_TYPE],
    },
    ledgerExport: {
      method: 'GET',
      path: LEDGER_EXPORT_PATH,
      access: 'operator',
      summary: 'Download the filtered ledger as a file, with a line for each debit and credit',
      query: ledgerFilters,
      response: [CSV_TYPE],
    },
  },
  sync: {
    events: {
      method: 'GET',
      path: SYNC_EVENTS_PATH,
      access: 'practice.read',
      summary: 'Stream the progress of refreshes and imports as server-sent events',
      query: companyInput,
      response: ['text/event-stream'],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FileEndpoint>>>>;
