/** Corrects the values of a row that has not been imported, on screen instead of in the file. */
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import { clientImportRows } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import { toStorableText, type RawValues } from '@portal/domain/client-imports/map-cells.ts';
import { createMatcher } from '@portal/domain/client-imports/match-clients.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { createGroupReader } from '@portal/domain/client-imports/stated-groups.ts';
import { and, asc, eq, inArray, isNull, ne } from '@portal/db/sql.ts';
import type { Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { applyRows, type ImportKey } from './apply-rows.ts';
import { listImportRows } from './import-queries.ts';
import { loadKnownClients } from './known-clients.ts';
import { matchRow } from './read-uploaded-file.ts';
import { enqueueImportedPositions } from './rebuild-imported-positions.ts';
import { assertRowsCanChange } from './resolve-row.ts';
import { listStatedRows, loadImportContext } from './run-import.ts';
import { lockImport, type Requester } from './start-import.ts';

export type RowCorrection = { readonly row: number; readonly values: Readonly<Partial<Record<ImportColumn, string | undefined>>> };

/** Before the import has run, the row is only validated again. Afterwards it is imported immediately if possible. */
export async function correctRow(deps: AppDeps, key: ImportKey, correction: RowCorrection, requester: Requester): Promise<ClientImportRow> {
  const { companyId, importId } = key;
  const { row } = correction;
  return deps.database.db.transaction(async (tx) => {
    const { state, statusChoices } = await lockImport(tx, key);
    assertRowsCanChange(state);
    const isThisRow = and(
      eq(clientImportRows.companyId, companyId),
      eq(clientImportRows.importId, importId),
      eq(clientImportRows.row, row),
    );
    const [lockedRow] = await tx.select().from(clientImportRows).where(isThisRow).for('update');
    if (!lockedRow) throw createNotFoundError();
    if (lockedRow.appliedAt !== null)
      throw new AppError('conflict', 'clients.row_is_imported', 'This row has been imported. Change the client instead.');
    const rawValues = mergeValues(lockedRow.rawValues, correction.values);
    const today = deps.clock.today();
    const { match, readGroup } = await createReadersForRow(tx, key, row);
    const read = validateImportRow(rawValues, today);
    const validatedRow = matchRow({ row, ...read, client: read.client && readGroup(read.client, row) }, match, statusChoices);
    const { outcome, problems, clientId, clientStatus, matchedBy, candidates } = validatedRow;
    await tx
      .update(clientImportRows)
      .set({ rawValues, outcome, problems, clientId, clientStatus, matchedBy, candidates: [...candidates], choice: null })
      .where(isThisRow);
    if (state !== 'ready' && (outcome === 'new' || outcome === 'matched')) {
      const context = await loadImportContext(tx, key, today, statusChoices);
      const moment = { now: deps.clock.now(), today, actor: requester.userId };
      await applyRows(tx, key, [{ row, rawValues, choice: null, clientId }], context, moment);
      await enqueueImportedPositions(deps, tx, key);
    }
    const change = { companyId, at: deps.clock.now(), actor: requester.userId, subject: importId, ip: requester.ip };
    await recordAudit(tx, { ...change, action: 'clients.import_row_corrected', after: { row, fields: Object.keys(correction.values) } });
    const [correctedRow] = (await listImportRows(tx, key, { row, after: 0, limit: 1 })).rows;
    if (!correctedRow) throw createNotFoundError();
    return correctedRow;
  });
}

function mergeValues(previous: RawValues, values: RowCorrection['values']): RawValues {
  return Object.fromEntries(
    IMPORT_COLUMNS.flatMap((column) => {
      const value = values[column] === undefined ? previous[column] : toStorableText(values[column]);
      return value === undefined || value === '' ? [] : [[column, value]];
    }),
  );
}

/** Creates a matcher that knows the practice's clients and the other rows of the file that will be imported, with their VAT groups. */
async function createReadersForRow(tx: Tx, { companyId, importId }: ImportKey, row: number) {
  const knownClients = await loadKnownClients(tx, companyId, importId);
  const match = createMatcher(knownClients);
  const readGroup = createGroupReader(await listStatedRows(tx, { companyId, importId }), knownClients);
  const otherRows = await tx
    .select({ row: clientImportRows.row, rawValues: clientImportRows.rawValues })
    .from(clientImportRows)
    .where(
      and(
        eq(clientImportRows.companyId, companyId),
        eq(clientImportRows.importId, importId),
        ne(clientImportRows.row, row),
        inArray(clientImportRows.outcome, ['new', 'matched']),
        isNull(clientImportRows.appliedAt),
      ),
    )
    .orderBy(asc(clientImportRows.row));
  for (const otherRow of otherRows) {
    const { client } = validateImportRow(otherRow.rawValues);
    if (client !== null) match(readGroup(client, otherRow.row), otherRow.row);
  }
  return { match, readGroup };
}
