/** Reads an uploaded client file and validates its rows against the practice's clients. */
import { MAX_CLIENTS_FILE_ROWS } from '@portal/contract/client-imports.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { DEFAULT_STATUS_CHOICES, type ImportedStatus, type StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import type { ImportOutcome } from '@portal/domain/client-imports/import-states.ts';
import type { ImportTable } from '@portal/domain/client-imports/import-table.ts';
import { createMatcher, listSharedReferences, type MatchedBy } from '@portal/domain/client-imports/match-clients.ts';
import { omitSharedReferences } from '@portal/domain/client-imports/shared-references.ts';
import { createGroupReader } from '@portal/domain/client-imports/stated-groups.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { readClientsFile, type ClientsFileRow } from '@portal/providers/clients-file/read-clients-file.ts';
import { openTable, type OpenTable } from '@portal/providers/records-file/open-table.ts';
import { UnreadableFileError } from '@portal/providers/records-file/unreadable-file-error.ts';
import { sql } from '@portal/db/sql.ts';
import type { ImportKey } from './apply-rows.ts';
import { loadKnownClients } from './known-clients.ts';
import { isLeftOut } from './plan-rows.ts';

export type ValidatedRow = Pick<ClientsFileRow, 'row' | 'rawValues' | 'problems'> & {
  readonly outcome: ImportOutcome;
  readonly clientId: string | null;
  readonly clientStatus: ImportedStatus | null;
  readonly matchedBy: readonly MatchedBy[] | null;
  readonly candidates: readonly string[];
};

/** Opens a file and passes it to the callback. A file that can't be read is rejected with the line and the reason. */
export async function withUploadedFile<Result>(
  bytes: Uint8Array,
  fileName: string,
  work: (table: OpenTable) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(await openTable(bytes, fileName));
  } catch (error) {
    if (error instanceof UnreadableFileError) throw createFileRejectedError(error.line, error.message);
    throw error;
  }
}

/** Returns all rows of the mapped sheet, each with the effect of importing it. */
export async function validateRows(
  db: Db | Tx,
  companyId: string,
  file: OpenTable,
  { sheet, headerLine, columns }: ImportTable,
  today: PlainDate,
): Promise<readonly ValidatedRow[]> {
  const knownClients = await loadKnownClients(db, companyId);
  const read: ClientsFileRow[] = [];
  for await (const batch of readClientsFile(file, { sheet, headerLine, columns, maxRows: MAX_CLIENTS_FILE_ROWS, today }))
    read.push(...batch);
  if (read.length === 0) throw createFileRejectedError(headerLine + 1, 'the file has no clients below its header row');
  const [match, readGroup] = [createMatcher(knownClients), createGroupReader(read, knownClients)];
  return read.map((row) => matchRow({ ...row, client: row.client && readGroup(row.client, row.row) }, match, DEFAULT_STATUS_CHOICES));
}

/** Returns the outcome of a validated row. A row that can be imported keeps the problems with its omitted details. */
export function matchRow(
  { row, rawValues, client, problems }: ClientsFileRow,
  match: ReturnType<typeof createMatcher>,
  choices: StatusChoices,
): ValidatedRow {
  const validatedRow = { row, rawValues, problems, clientId: null, clientStatus: client?.status ?? null, matchedBy: null, candidates: [] };
  if (client === null) return { ...validatedRow, outcome: 'invalid' };
  const clientMatch = match(client, row);
  const checks = [...problems, ...omitSharedReferences(client, listSharedReferences(clientMatch)).problems];
  if (clientMatch.outcome === 'new')
    return { ...validatedRow, problems: checks, outcome: isLeftOut(client, choices) ? 'not_client' : 'new' };
  if (clientMatch.outcome === 'matched')
    return { ...validatedRow, problems: checks, outcome: 'matched', clientId: clientMatch.clientId, matchedBy: clientMatch.by };
  const { outcome, field, problem } = clientMatch;
  return {
    ...validatedRow,
    outcome,
    problems: [{ field, problem }],
    candidates: clientMatch.outcome === 'ambiguous' ? clientMatch.candidates : [],
  };
}

const ROWS_PER_STATEMENT = 2_000;

export async function insertRows(tx: Tx, { companyId, importId }: ImportKey, rows: readonly ValidatedRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const json = JSON.stringify(rows.slice(from, from + ROWS_PER_STATEMENT));
    await tx.execute(sql`
      insert into client_import_rows (company_id, import_id, row, raw_values, outcome, problems, client_id, client_status, matched_by, candidates)
      select ${companyId}::uuid, ${importId}::uuid, r."row", r."rawValues", r.outcome, r.problems, r."clientId", r."clientStatus", r."matchedBy", r.candidates
      from jsonb_to_recordset(${json}::jsonb) as r(
        "row" int, "rawValues" jsonb, outcome text, problems jsonb, "clientId" uuid, "clientStatus" text, "matchedBy" jsonb, candidates jsonb)`);
  }
}

function createFileRejectedError(line: number, reason: string): AppError {
  const sentence = reason.replace(/^line \d+ /i, '');
  return new AppError(
    'impossible',
    'clients.file_rejected',
    `We couldn’t read the file. No clients have changed. Line ${line}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.?$/, '.')}`,
    { errors: [{ line, column: '', reason: sentence }] },
  );
}
