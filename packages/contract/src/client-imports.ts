/**
 * Client import from a file: validated first, imported by a job, reversible for a day. Only a practice admin may import
 * (docs/product/decisions.md section 3).
 * The upload is a stream: `POST /open-tax/client-imports?company_id=&file_name=&source=`, with the file as the body.
 */
import {
  FILE_SOURCES,
  IMPORT_OUTCOMES,
  IMPORT_SOURCES,
  IMPORT_STATES,
  ROW_CHOICES,
  UNDONE_ROWS,
} from '@portal/domain/client-imports/import-states.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** Maximum file size in bytes, and maximum number of rows. */
export const MAX_CLIENTS_FILE_BYTES = 20 * 1024 * 1024;
export const MAX_CLIENTS_FILE_ROWS = 20_000;

export const CLIENTS_UPLOAD_PATH = '/open-tax/client-imports';
export const CLIENTS_TEMPLATE_PATH = '/open-tax/client-imports/template';

const outcome = z.enum(IMPORT_OUTCOMES);

const clientImport = z.object({
  import_id: idScalar,
  file_name: z.string(),
  source: z.enum(IMPORT_SOURCES),
  state: z.enum(IMPORT_STATES),
  counts: z.object({ new: z.int(), matched: z.int(), ambiguous: z.int(), duplicate: z.int(), invalid: z.int(), skipped: z.int() }),
  rows_done: z.int(),
  rows_total: z.int(),
  /** Clients created and clients updated so far. */
  applied: z.object({ new: z.int(), matched: z.int() }),
  /** The result of undoing, once the import is undone. */
  undone: z.object({ removed: z.int(), restored: z.int(), kept: z.int() }),
  ignored_columns: z.array(z.string()),
  started_by: z.string(),
  created_at: instantScalar,
  ended_at: z.nullable(instantScalar),
  /** Deadline for undoing the import; null if it cannot be undone. */
  undo_until: z.nullable(instantScalar),
  /** The reason for the failure, as a sentence. */
  reason: z.nullable(z.string()),
});
export type ClientImport = z.output<typeof clientImport>;

/** Query parameters of an upload. */
export const clientsUploadQuery = z.extend(companyInput, { file_name: fileNameScalar, source: z._default(z.enum(FILE_SOURCES), 'file') });

/** Response of an upload (201). */
export const clientsUploadOutput = clientImport;

const candidate = z.object({ client_id: idScalar, name: z.string(), references: z.array(z.string()) });

const importRow = z.object({
  row: z.int(),
  outcome,
  /** The cells of the row by column, as received. */
  said: z.record(z.string(), z.string()),
  problems: z.array(z.object({ field: z.string(), problem: z.string() })),
  /** The client that the row created, updated or refers to. */
  client_id: z.nullable(idScalar),
  client_name: z.nullable(z.string()),
  /** Clients that an ambiguous row may refer to. */
  candidates: z.array(candidate),
  applied: z.boolean(),
  undone: z.nullable(z.enum(UNDONE_ROWS)),
});
export type ClientImportRow = z.output<typeof importRow>;

const importInput = z.extend(companyInput, { import_id: idScalar });
const importOutput = z.object({ import: clientImport });

const ACCESS = 'practice.manage';

export const clientImportsApi = {
  info: endpoint({
    method: 'GET',
    path: '/open-tax/import-clients/info',
    access: ACCESS,
    summary: 'Get a client import, by default the newest, and the earlier ones',
    input: z.extend(companyInput, { import_id: z.optional(idScalar) }),
    output: z.object({
      import: z.nullable(clientImport),
      earlier: z.array(z.object({ import_id: idScalar, file_name: z.string(), state: z.enum(IMPORT_STATES), created_at: instantScalar })),
    }),
  }),
  rows: endpoint({
    method: 'GET',
    path: '/open-tax/import-clients/rows',
    access: ACCESS,
    summary: 'List the rows of an import in file order, optionally by outcome, one page at a time',
    input: z.extend(importInput, {
      outcome: z.optional(outcome),
      /** The last row of the previous page. */
      after: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
    }),
    output: z.object({ rows: z.array(importRow), next_after: z.nullable(z.int()) }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/start',
    access: ACCESS,
    summary: 'Start an import, or continue one that was stopped',
    input: importInput,
    output: importOutput,
    needsIdempotencyKey: true,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/cancel',
    access: ACCESS,
    summary: 'Cancel an import after its current step. Clients imported so far are kept.',
    input: importInput,
    output: importOutput,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/undo',
    access: ACCESS,
    summary: 'Undo an import within 24 hours. Removes created clients that have not been changed since, and clears the fields it filled.',
    input: importInput,
    output: importOutput,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/resolve',
    access: ACCESS,
    summary: 'Resolve an ambiguous row: match it to a client, create a new client or skip it',
    input: z.extend(importInput, {
      row: z.int().check(z.minimum(1)),
      choice: z.enum(ROW_CHOICES),
      client_id: z.optional(idScalar),
    }),
    output: z.object({ row: importRow }),
  }),
  fetchingNewClients: endpoint({
    method: 'GET',
    path: '/open-tax/fetching-new-clients',
    access: ACCESS,
    summary: 'Get the progress of the newest import: rows found, matched, new and ambiguous',
    input: companyInput,
    output: z.object({
      state: z.nullable(z.enum(IMPORT_STATES)),
      import_id: z.nullable(idScalar),
      found: z.int(),
      matched: z.int(),
      new: z.int(),
      ambiguous: z.int(),
      rows_done: z.int(),
      rows_total: z.int(),
    }),
  }),
};
