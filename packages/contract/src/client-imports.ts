/**
 * Clients by file: read and judged first, taken in by a job, undone within a day. Only an admin of the practice may (product.md section 3).
 * The upload itself is a stream: `POST /open-tax/client-imports?company_id=&file_name=&source=`, the file as the body.
 */
import {
  FILE_SOURCES,
  IMPORT_OUTCOMES,
  IMPORT_SOURCES,
  IMPORT_STATES,
  ROW_CHOICES,
  UNDONE_ROWS,
} from '@portal/domain/practice/client-import/import-states.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** The largest file that is read, in bytes, and the most rows. */
export const CLIENTS_FILE_LIMIT_BYTES = 20 * 1024 * 1024;
export const CLIENTS_FILE_LIMIT_ROWS = 20_000;

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
  /** Clients made and filled in so far. */
  applied: z.object({ new: z.int(), matched: z.int() }),
  /** What undoing did, where it was undone. */
  undone: z.object({ removed: z.int(), restored: z.int(), kept: z.int() }),
  ignored_columns: z.array(z.string()),
  started_by: z.string(),
  created_at: instantScalar,
  ended_at: instantScalar.nullable(),
  /** Until when it can be undone; null where it cannot. */
  undo_until: instantScalar.nullable(),
  /** Why it failed, as a sentence. */
  reason: z.string().nullable(),
});
export type ClientImport = z.output<typeof clientImport>;

/** What the address of an upload says. */
export const clientsUploadQuery = companyInput.extend({ file_name: fileNameScalar, source: z.enum(FILE_SOURCES).default('file') });

/** What an upload answers (201). */
export const clientsUploadOutput = clientImport;

const candidate = z.object({ client_id: idScalar, name: z.string(), references: z.array(z.string()) });

const importRow = z.object({
  row: z.int(),
  outcome,
  /** The row's cells by column, as they came. */
  said: z.record(z.string(), z.string()),
  problems: z.array(z.object({ field: z.string(), problem: z.string() })),
  /** The client that the row made, filled or means. */
  client_id: idScalar.nullable(),
  client_name: z.string().nullable(),
  /** Of an ambiguous row, those it may mean. */
  candidates: z.array(candidate),
  applied: z.boolean(),
  undone: z.enum(UNDONE_ROWS).nullable(),
});
export type ClientImportRow = z.output<typeof importRow>;

const importInput = companyInput.extend({ import_id: idScalar });
const importOutput = z.object({ import: clientImport });

const ACCESS = 'practice.manage';

export const clientImportsApi = {
  info: endpoint({
    method: 'GET',
    path: '/open-tax/import-clients/info',
    access: ACCESS,
    summary: 'An import of clients, the newest unless one is named, and those before it.',
    input: companyInput.extend({ import_id: idScalar.optional() }),
    output: z.object({
      import: clientImport.nullable(),
      earlier: z.array(z.object({ import_id: idScalar, file_name: z.string(), state: z.enum(IMPORT_STATES), created_at: instantScalar })),
    }),
  }),
  rows: endpoint({
    method: 'GET',
    path: '/open-tax/import-clients/rows',
    access: ACCESS,
    summary: 'The rows of an import in their order, of one outcome or of all, by pages.',
    input: importInput.extend({
      outcome: outcome.optional(),
      /** The last row of the page before. */
      after: z.coerce.number().int().min(0).max(10_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ rows: z.array(importRow), next_after: z.int().nullable() }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/start',
    access: ACCESS,
    summary: 'Takes the clients in; one that was stopped goes on where it stood.',
    input: importInput,
    output: importOutput,
    needsIdempotencyKey: true,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/cancel',
    access: ACCESS,
    summary: 'Stops an import after the step in hand; the clients taken in so far stay.',
    input: importInput,
    output: importOutput,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/undo',
    access: ACCESS,
    summary: 'Within 24 hours: removes the clients it made that nobody has worked on since, and empties the fields it filled.',
    input: importInput,
    output: importOutput,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/resolve',
    access: ACCESS,
    summary: 'Settles an ambiguous row: which client it is, that it is a new one, or that nothing is done.',
    input: importInput.extend({
      row: z.int().min(1),
      choice: z.enum(ROW_CHOICES),
      client_id: idScalar.optional(),
    }),
    output: z.object({ row: importRow }),
  }),
  fetchingNewClients: endpoint({
    method: 'GET',
    path: '/open-tax/fetching-new-clients',
    access: ACCESS,
    summary: 'How far the newest import of clients is: found in the file, matched with clients, new, ambiguous.',
    input: companyInput,
    output: z.object({
      state: z.enum(IMPORT_STATES).nullable(),
      import_id: idScalar.nullable(),
      found: z.int(),
      matched: z.int(),
      new: z.int(),
      ambiguous: z.int(),
      rows_done: z.int(),
      rows_total: z.int(),
    }),
  }),
};
