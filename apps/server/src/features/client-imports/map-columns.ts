/** Applies a user's choice of sheet, header and columns to an import that has not been started. */
import type { Tx } from '@portal/db/database.ts';
import { clientImportFiles, clientImportRows, clientImports, practices } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { DEFAULT_STATUS_CHOICES } from '@portal/domain/client-imports/client-status-text.ts';
import type { ColumnMapping } from '@portal/domain/client-imports/import-columns.ts';
import type { ClientsSheet } from '@portal/domain/client-imports/import-table.ts';
import { isListSource } from '@portal/domain/client-imports/import-states.ts';
import { hasNameColumn } from '@portal/domain/client-imports/recognise-columns.ts';
import { rememberTargets } from '@portal/domain/tables/recognise-columns.ts';
import { inspectClientsFile } from '@portal/providers/clients-file/read-clients-file.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ImportKey } from './apply-rows.ts';
import { insertRows, validateRows, withUploadedFile } from './read-uploaded-file.ts';
import { lockImport, matchesImport, type Requester } from './start-import.ts';
import { listIgnoredColumns, loadRememberedColumns } from './validate-clients-file.ts';

/** If `columns` is undefined, the chosen sheet and header are read and their columns suggested. */
export type ChosenColumns = ClientsSheet & { readonly columns: ColumnMapping | undefined };

/** Validates all rows again, so corrections to single rows are lost. */
export async function mapColumns(deps: AppDeps, key: ImportKey, chosenColumns: ChosenColumns, requester: Requester): Promise<void> {
  const { companyId } = key;
  const rememberedColumns = await loadRememberedColumns(deps, companyId);
  await deps.database.db.transaction(async (tx) => {
    const { state, fileName, source } = await lockImport(tx, key);
    if (isListSource(source))
      throw new AppError(
        'conflict',
        'clients.columns_fixed',
        'This list was read from practice software, so the contents of its columns are already known.',
      );
    const bytes = await loadFile(tx, key);
    if ((state !== 'mapping' && state !== 'ready') || bytes === undefined)
      throw new AppError(
        'conflict',
        'clients.import_started',
        'This import has already started. To change its columns, upload the file again.',
      );
    await withUploadedFile(bytes, fileName, async (uploadedFile) => {
      const inspectedFile = await inspectClientsFile(uploadedFile, rememberedColumns, chosenColumns);
      const table = { ...inspectedFile.table, columns: chosenColumns.columns ?? inspectedFile.table.columns };
      if (chosenColumns.columns !== undefined) assertColumnsArePossible(chosenColumns.columns, table.headings.length);
      await tx.delete(clientImportRows).where(and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, key.importId)));
      const rows =
        chosenColumns.columns === undefined ? undefined : await validateRows(tx, companyId, uploadedFile, table, deps.clock.today());
      await insertRows(tx, key, rows ?? []);
      const change = {
        state: rows === undefined ? 'mapping' : 'ready',
        rowsTotal: rows?.length ?? 0,
        table,
        statusChoices: DEFAULT_STATUS_CHOICES,
      } as const;
      await tx
        .update(clientImports)
        .set({ ...change, ignoredColumns: listIgnoredColumns(table) })
        .where(matchesImport(key));
      if (chosenColumns.columns === undefined) return;
      const importColumns = rememberTargets(rememberedColumns, table.headings, chosenColumns.columns);
      await tx.update(practices).set({ importColumns }).where(eq(practices.companyId, companyId));
      await recordAudit(tx, {
        companyId,
        at: deps.clock.now(),
        actor: requester.userId,
        action: 'clients.import_columns_chosen',
        subject: key.importId,
        after: { sheet: table.sheet, headerLine: table.headerLine, rows: rows?.length ?? 0 },
        ip: requester.ip,
      });
    });
  });
}

function assertColumnsArePossible(columns: ColumnMapping, count: number): void {
  if (columns.length !== count) throw createInvalidFieldError('columns', `Choose what each of the ${count} columns contains.`);
  if (!hasNameColumn(columns)) throw createInvalidFieldError('columns', 'Choose which column contains the client’s name.');
}

async function loadFile(tx: Tx, { companyId, importId }: ImportKey): Promise<Uint8Array | undefined> {
  const [importFile] = await tx
    .select({ bytes: clientImportFiles.bytes })
    .from(clientImportFiles)
    .where(and(eq(clientImportFiles.companyId, companyId), eq(clientImportFiles.importId, importId)));
  return importFile?.bytes;
}
