/**
 * Client import from a file: validated first, imported by a job, reversible for a day. Only a practice admin can import
 * (docs/product/decisions.md section 3). The upload is a stream: `POST /open-tax/client-imports?company_id=&file_name=&source=`, with the
 * file as the body.
 */
import { IMPORTED_STATUSES, STATUS_CHOICES } from '@portal/domain/client-imports/client-status-text.ts';
import { IMPORT_COLUMNS, IMPORT_TARGETS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import {
  FILE_SOURCES,
  IMPORT_OUTCOMES,
  IMPORT_SOURCES,
  IMPORT_STATES,
  ROW_CHOICES,
  ROW_FILTERS,
  UNDONE_ROWS,
} from '@portal/domain/client-imports/import-states.ts';
import { MATCHED_BY } from '@portal/domain/client-imports/match-clients.ts';
import { z } from 'zod/mini';
import { assignmentRule } from './assignment-rules.ts';
import { endpoint } from './endpoint.ts';
import { IMPORT_INFO_PATH, importProgressEndpoints } from './import-progress.ts';
import { companyInput, fileNameScalar, idScalar, instantScalar } from './scalars.ts';

/** Maximum file size in bytes, and maximum number of rows. */
export const MAX_CLIENTS_FILE_BYTES = 20 * 1024 * 1024;
export const MAX_CLIENTS_FILE_ROWS = 20_000;

export const CLIENTS_UPLOAD_PATH = '/open-tax/client-imports';
export const CLIENTS_TEMPLATE_PATH = '/open-tax/client-imports/template';

/** Higher than any line number in a file of the maximum size. */
const MAX_ROW_NUMBER = 10_000_000;

const outcome = z.enum(IMPORT_OUTCOMES);

const columnTarget = z.nullable(z.enum(IMPORT_TARGETS));

/** The file's table: its sheets, and the meaning of each column of the chosen sheet. */
const importTable = z.object({
  sheets: z.array(z.object({ sheet: z.int(), name: z.string() })),
  sheet: z.int(),
  /** The line with the header; 0 if the sheet has none. */
  header_line: z.int(),
  /** The first lines that aren't empty, one of which is the header. */
  first_lines: z.array(z.object({ line: z.int(), text: z.string() })),
  /** `samples`: up to three values. `target`: null for a column that isn't imported. */
  columns: z.array(z.object({ heading: z.string(), samples: z.array(z.string()), target: columnTarget })),
});
export type ImportTable = z.output<typeof importTable>;

/** How to treat prospects, and existing clients whose status differs from the file's. */
const statusChoices = z.object({ prospects: z.enum(STATUS_CHOICES.prospects), existing: z.enum(STATUS_CHOICES.existing) });

const clientImport = z.object({
  import_id: idScalar,
  file_name: z.string(),
  source: z.enum(IMPORT_SOURCES),
  state: z.enum(IMPORT_STATES),
  counts: z.object({
    new: z.int(),
    matched: z.int(),
    ambiguous: z.int(),
    duplicate: z.int(),
    invalid: z.int(),
    skipped: z.int(),
    needs_fixing: z.int(),
    /** Prospects and suppliers that the import leaves out. */
    not_client: z.int(),
    /** New clients imported as archived. */
    archived: z.int(),
    /** Existing clients whose status differs in the file. */
    status_differs: z.int(),
  }),
  status_choices: statusChoices,
  rows_done: z.int(),
  rows_total: z.int(),
  /** The number of clients created and updated so far. */
  applied: z.object({ new: z.int(), matched: z.int() }),
  /** The result of undoing the import, once undone. */
  undone: z.object({ removed: z.int(), restored: z.int(), kept: z.int() }),
  ignored_columns: z.array(z.string()),
  /** The file's columns, as long as they can still be mapped, which is until the import starts. */
  table: z.nullable(importTable),
  started_by: z.string(),
  created_at: instantScalar,
  ended_at: z.nullable(instantScalar),
  /** Whether the rows have been deleted, which happens after 30 days. The numbers can then no longer be opened. */
  rows_removed: z.boolean(),
  /** Deadline for undoing the import; null if it can't be undone. */
  undo_until: z.nullable(instantScalar),
  /** The reason for the failure, as a sentence. */
  reason: z.nullable(z.string()),
});
export type ClientImport = z.output<typeof clientImport>;

/** Query parameters of an upload. */
export const clientsUploadQuery = z.extend(companyInput, { file_name: fileNameScalar, source: z._default(z.enum(FILE_SOURCES), 'file') });

/** The response to an upload (201). */
export const clientsUploadOutput = clientImport;

const candidate = z.object({ client_id: idScalar, name: z.string(), references: z.array(z.string()) });

const importRow = z.object({
  row: z.int(),
  outcome,
  /** The row's cells by column, as received. */
  said: z.record(z.string(), z.string()),
  problems: z.array(z.object({ field: z.string(), problem: z.string() })),
  /** The fields used to match the row. */
  matched_by: z.array(z.enum(MATCHED_BY)),
  /** The client that the row created, updated or refers to. */
  client_id: z.nullable(idScalar),
  client_name: z.nullable(z.string()),
  /** The status in the file; null if the file has none. */
  file_status: z.nullable(z.enum(IMPORTED_STATUSES)),
  /** Whether a matched client's status differs from the file's, or did before this import changed it. */
  status_differs: z.boolean(),
  status_changed: z.boolean(),
  /** The clients that an ambiguous row may refer to. */
  candidates: z.array(candidate),
  /** For an imported row whose VAT number another client holds: that client, until someone says who represents the VAT group. */
  shares_vrn_with: z.nullable(z.object({ client_id: idScalar, name: z.string() })),
  applied: z.boolean(),
  undone: z.nullable(z.enum(UNDONE_ROWS)),
});
export type ClientImportRow = z.output<typeof importRow>;

/** A row's values by column, as typed by the user. An empty value clears the column. */
const rowValues = z.object(
  Object.fromEntries(IMPORT_COLUMNS.map((column) => [column, z.optional(z.string().check(z.maxLength(500)))])) as Record<
    ImportColumn,
    z.ZodMiniOptional<z.ZodMiniString<string>>
  >,
);

const importInput = z.extend(companyInput, { import_id: idScalar });
const importOutput = z.object({ import: clientImport });

const ACCESS = 'practice.manage';

export const clientImportsApi = {
  info: endpoint({
    method: 'GET',
    path: IMPORT_INFO_PATH,
    access: ACCESS,
    summary: 'Get a client import, by default the newest, and earlier imports',
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
    summary: 'List an import’s rows in file order, one page at a time, optionally by outcome or only those that need fixing',
    input: z.extend(importInput, {
      outcome: z.optional(z.enum(ROW_FILTERS)),
      /** The number of the last row on the previous page. */
      after: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
    }),
    output: z.object({ rows: z.array(importRow), next_after: z.nullable(z.int()) }),
  }),
  fromProgram: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/from-program',
    access: ACCESS,
    summary:
      'Read the client list from the practice’s connected bookkeeping software, as if it had been uploaded as a file. Nothing is imported yet.',
    input: z.extend(companyInput, { program: z.literal('freeagent') }),
    output: importOutput,
    maxPerPerson: 30,
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/start',
    access: ACCESS,
    summary: 'Start an import, or resume one that was stopped. The imported clients are then refreshed from HMRC for the first time.',
    input: importInput,
    output: importOutput,
    needsIdempotencyKey: true,
    callsHmrc: true,
    maxPerPerson: 60,
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
    summary:
      'Undo an import within 24 hours. Removes the clients it created, if they haven’t been changed since, and clears the fields it filled.',
    input: importInput,
    output: importOutput,
  }),
  assignments: endpoint({
    method: 'GET',
    path: '/open-tax/import-clients/assignments',
    access: ACCESS,
    summary:
      'Count the new clients that each of the practice’s assignment rules would assign if the import started now, and those left unassigned',
    input: importInput,
    output: z.object({ rules: z.array(z.extend(assignmentRule, { clients: z.int() })), new_clients: z.int(), unassigned: z.int() }),
    runsOneAtATime: true,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/resolve',
    access: ACCESS,
    summary: 'Resolve an ambiguous row: match it to a client, create a new client or skip it',
    input: z.extend(importInput, {
      row: z.int().check(z.minimum(1), z.maximum(MAX_ROW_NUMBER, 'Choose a row from the file')),
      choice: z.enum(ROW_CHOICES),
      client_id: z.optional(idScalar),
    }),
    output: z.object({ row: importRow }),
  }),
  map: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/map',
    access: ACCESS,
    summary:
      'Choose the sheet, the header row and what each column contains. Once the columns are chosen, the rows are validated again and the choice is saved.',
    input: z.extend(importInput, {
      sheet: z.int().check(z.minimum(0), z.maximum(1000)),
      header_line: z.int().check(z.minimum(0), z.maximum(2_000_000)),
      columns: z.optional(z.array(columnTarget).check(z.maxLength(300))),
    }),
    output: importOutput,
  }),
  chooseStatuses: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/statuses',
    access: ACCESS,
    summary:
      'Before an import, choose whether prospects are left out or imported as archived clients, and whether existing clients keep their status',
    input: z.extend(importInput, statusChoices.shape),
    output: importOutput,
  }),
  correct: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/correct',
    access: ACCESS,
    summary: 'Correct the values in a row that hasn’t been imported. Values left out are unchanged.',
    input: z.extend(importInput, {
      row: z.int().check(z.minimum(1), z.maximum(MAX_ROW_NUMBER, 'Choose a row from the file')),
      values: rowValues,
    }),
    output: z.object({ row: importRow }),
  }),
  answerVatGroup: endpoint({
    method: 'POST',
    path: '/open-tax/import-clients/vat-group',
    access: ACCESS,
    summary:
      'Record which client is the representative member of the VAT group whose number an imported row shares: the client that holds the number, or the row’s. The row’s client, and all other clients of the import that share the number and have neither VAT nor a VAT group of their own, become members of the group.',
    input: z.extend(importInput, {
      row: z.int().check(z.minimum(1), z.maximum(MAX_ROW_NUMBER, 'Choose a row from the file')),
      representative_id: idScalar,
    }),
    output: z.object({ row: importRow }),
  }),
  rejected: endpoint({
    method: 'GET',
    path: '/open-tax/import-clients/rejected',
    access: ACCESS,
    summary: 'Get a CSV file of the rows that weren’t imported, with the reasons, ready to upload again',
    input: importInput,
    output: z.object({ file_name: z.string(), rows: z.int(), csv: z.string() }),
  }),
  ...importProgressEndpoints,
};
