/** Validates a whole clients file before anything is changed: the dry run. */
import type { FILE_SOURCES, ImportOutcome } from '@portal/domain/client-imports/import-states.ts';
import { randomUUID } from 'node:crypto';
import { type ClientImport, MAX_CLIENTS_FILE_ROWS } from '@portal/contract/client-imports.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientImports } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { createMatcher } from '@portal/domain/client-imports/match-clients.ts';
import { readClientsFile, type ClientsFileRow } from '@portal/providers/clients-file/read-clients-file.ts';
import { UnreadableFileError } from '@portal/providers/records-file/unreadable-file-error.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { loadKnownClients } from './known-clients.ts';
import { getImport } from './import-queries.ts';

export type UploadedClients = {
  readonly companyId: string;
  readonly fileName: string;
  readonly source: (typeof FILE_SOURCES)[number];
  readonly bytes: AsyncIterable<Uint8Array>;
};

type ValidatedRow = Pick<ClientsFileRow, 'row' | 'rawValues' | 'problems'> & {
  readonly outcome: ImportOutcome;
  readonly clientId: string | null;
  readonly candidates: readonly string[];
};

/** Stores the validated file, ready to start. It replaces an upload that has not been started; started imports stay. */
export async function validateClientsFile(deps: AppDeps, actor: Actor, file: UploadedClients, ip: string): Promise<ClientImport> {
  const { companyId, fileName, source } = file;
  const { rows, ignoredColumns } = await readAndValidate(deps, file);
  if (rows.length === 0) throw fileRejectedError(2, 'the file has no clients below its header');
  const importId = randomUUID();
  const at = deps.clock.now();
  return deps.database.db.transaction(async (tx) => {
    await tx.delete(clientImports).where(and(eq(clientImports.companyId, companyId), eq(clientImports.state, 'ready')));
    await tx.insert(clientImports).values({
      companyId,
      id: importId,
      source,
      fileName,
      state: 'ready',
      startedBy: actor.userId,
      createdAt: at,
      rowsTotal: rows.length,
      ignoredColumns,
    });
    for (let from = 0; from < rows.length; from += 2_000) await insertRows(tx, companyId, importId, rows.slice(from, from + 2_000));
    const after = { fileName, rows: rows.length };
    await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'clients.file_read', subject: importId, after, ip });
    // Read inside the transaction, because a colleague's upload may replace this one at once.
    return getImport(deps, companyId, importId, tx);
  });
}

async function readAndValidate(
  deps: AppDeps,
  { companyId, fileName, bytes }: UploadedClients,
): Promise<{ rows: readonly ValidatedRow[]; ignoredColumns: readonly string[] }> {
  const match = createMatcher(await loadKnownClients(deps.database.db, companyId));
  const file = readClientsFile(bytes, { fileName, maxRows: MAX_CLIENTS_FILE_ROWS });
  const rows: ValidatedRow[] = [];
  try {
    for await (const batch of file.rows) for (const row of batch) rows.push(validateRow(row, match));
  } catch (error) {
    if (error instanceof UnreadableFileError) throw fileRejectedError(error.line, error.message);
    throw error;
  }
  return { rows, ignoredColumns: file.ignoredColumns() };
}

function validateRow({ row, rawValues, client, problems }: ClientsFileRow, match: ReturnType<typeof createMatcher>): ValidatedRow {
  const validated = { row, rawValues, problems, clientId: null, candidates: [] };
  if (client === null) return { ...validated, outcome: 'invalid' };
  const found = match(client, row);
  switch (found.outcome) {
    case 'new':
      return { ...validated, outcome: 'new' };
    case 'matched':
      return { ...validated, outcome: 'matched', clientId: found.clientId };
    case 'duplicate':
      return { ...validated, outcome: 'duplicate', problems: [{ field: found.field, problem: `Line ${found.row} is the same client.` }] };
    case 'ambiguous':
      return {
        ...validated,
        outcome: 'ambiguous',
        problems: [{ field: found.field, problem: found.problem }],
        candidates: found.candidates,
      };
  }
}

function fileRejectedError(line: number, reason: string): AppError {
  const sentence = reason.replace(/^line \d+ /i, '');
  return new AppError(
    'impossible',
    'clients.file_rejected',
    `We couldn’t read the file. No clients have changed. Line ${line}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.?$/, '.')}`,
    { errors: [{ line, column: '', reason: sentence }] },
  );
}

async function insertRows(tx: Tx, companyId: string, importId: string, rows: readonly ValidatedRow[]): Promise<void> {
  const json = JSON.stringify(rows);
  await tx.execute(sql`
    insert into client_import_rows (company_id, import_id, row, raw_values, outcome, problems, client_id, candidates)
    select ${companyId}::uuid, ${importId}::uuid, r."row", r."rawValues", r.outcome, r.problems, r."clientId", r.candidates
    from jsonb_to_recordset(${json}::jsonb) as r(
      "row" int, "rawValues" jsonb, outcome text, problems jsonb, "clientId" uuid, candidates jsonb)`);
}
