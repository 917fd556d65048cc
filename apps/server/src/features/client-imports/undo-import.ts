/**
 * Undoes an import within a day. A client that the import created is removed unless someone has worked on it (retention-reasons.ts). A Companies
 * House profile does not count, because the import requested it itself. A field that the import filled is cleared unless its value has changed
 * since, and turnover that it stated is removed.
 */
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clientImports } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isVatRegistrationValid } from '@portal/domain/clients/vat-group.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, desc, eq, isNotNull, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { rebuildTaxes } from '../positions/rebuild-position.ts';
import { lockClients, selectIds } from '../clients/lock-clients.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { countRows, getUndoDeadline } from './import-queries.ts';
import { removeImportedTurnovers } from './import-turnovers.ts';
import { getRetentionReason, hasStayingMembers } from './retention-reasons.ts';
import { FILLABLE_COLUMNS, type FilledValues, type FillableClient } from './plan-rows.ts';
import { matchesImport, lockImport, type Requester } from './start-import.ts';
import { loadFillableClients, writeFillableClients, type ImportKey, type ApplyTime } from './apply-rows.ts';

const ROWS_PER_STEP = 500;

const VAT_COLUMNS: ReadonlySet<string> = new Set(['hasVat', 'vrn', 'vatGroupRole', 'vatGroupVrn']);

/** Each step is one transaction. After an interruption, a second request continues with the remaining rows. */
export async function undoImport(deps: AppDeps, key: ImportKey, requester: Requester): Promise<void> {
  while (await deps.database.db.transaction((tx) => undoStep(deps, tx, key, requester)));
}

async function undoStep(deps: AppDeps, tx: Tx, key: ImportKey, { userId, ip }: Requester): Promise<boolean> {
  const { companyId, importId } = key;
  const moment = { now: deps.clock.now(), today: deps.clock.today() };
  const lockedImport = await lockImport(tx, key);
  if (lockedImport.state === 'undone') return false;
  const { applied } = await countRows(tx, key);
  if (getUndoDeadline(lockedImport, applied.new + applied.matched, moment.now) === null) {
    throw new AppError(
      'conflict',
      'clients.undo_not_possible',
      'You can only undo an import that added or changed clients, within 24 hours of it finishing. Close or change these clients one by one instead.',
    );
  }
  // Undo the last rows first: if several rows filled one client, the last must be reverted first.
  const rows = await tx
    .select({
      row: clientImportRows.row,
      outcome: clientImportRows.outcome,
      clientId: clientImportRows.clientId,
      before: clientImportRows.before,
    })
    .from(clientImportRows)
    .where(
      and(
        eq(clientImportRows.companyId, companyId),
        eq(clientImportRows.importId, importId),
        isNotNull(clientImportRows.appliedAt),
        isNull(clientImportRows.undone),
      ),
    )
    .orderBy(desc(clientImportRows.row))
    .limit(ROWS_PER_STEP);
  // Locked before checking whether a client may be removed, so that a change made at the same time isn't lost.
  await lockClients(tx, companyId, selectIds(rows.flatMap(({ clientId }) => clientId ?? [])));
  await restoreMatchedClients(
    tx,
    key,
    rows.filter(({ outcome }) => outcome === 'matched'),
    moment,
  );
  await removeCreated(
    tx,
    key,
    rows.filter(({ outcome }) => outcome === 'new'),
    { at: moment.now, actor: userId, ip },
  );
  if (rows.length === ROWS_PER_STEP) return true;
  await tx.update(clientImports).set({ state: 'undone' }).where(matchesImport(key));
  const { undone: after } = await countRows(tx, key);
  await recordAudit(tx, { companyId, at: moment.now, actor: userId, action: 'clients.import_undone', subject: importId, after, ip });
  await enqueueTotals(deps, tx, companyId);
  return false;
}

type AppliedRow = { readonly row: number; readonly clientId: string | null; readonly before: unknown };

type UndoneBy = { readonly at: Instant; readonly actor: string; readonly ip: string };

async function removeCreated(tx: Tx, { companyId, importId }: ImportKey, rows: readonly AppliedRow[], undoneBy: UndoneBy): Promise<void> {
  if (rows.length === 0) return;
  const createdRows = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made("row" int, "clientId" uuid)`;
  const retentionResult = await tx.execute<{ row: number; id: string | null; kept: string | null }>(sql`
    select made."row", c.id, ${getRetentionReason(importId)} as kept from ${createdRows}
    left join clients c on c.company_id = ${companyId}::uuid and c.id = made."clientId" and c.import_id = ${importId}::uuid`);
  const removedIds = retentionResult.rows.flatMap(({ id, kept: retentionReason }) => (id !== null && retentionReason === null ? [id] : []));
  // The foreign keys would delete related rows client by client. Clearing each large table in one statement is faster.
  for (const table of ['due_items', 'tax_positions', 'client_rows']) {
    await tx.execute(
      sql`delete from ${sql.identifier(table)} where company_id = ${companyId}::uuid and client_id = any(${toIdArray(removedIds)})`,
    );
  }
  await recordEndedAssignments(tx, companyId, removedIds, undoneBy);
  await tx.execute(sql`delete from clients where company_id = ${companyId}::uuid and id = any(${toIdArray(removedIds)})`);
  const results = retentionResult.rows.map(({ row, kept: retentionReason }) => ({
    row,
    undone: retentionReason === null ? 'removed' : 'kept',
    problem: retentionReason,
  }));
  await writeUndoResults(tx, { companyId, importId }, results);
}

/** Access reports must show until when each user could see the clients that a rule had assigned. */
async function recordEndedAssignments(tx: Tx, companyId: string, ids: readonly string[], undoneBy: UndoneBy): Promise<void> {
  const { rows } = await tx.execute<{ user_id: string; duty: string; client_ids: string[] }>(sql`
    select user_id, duty, jsonb_agg(client_id order by client_id) as client_ids from client_members
    where company_id = ${companyId}::uuid and client_id = any(${toIdArray(ids)}) group by user_id, duty order by user_id, duty`);
  for (const undoneRow of rows) {
    const subject = undoneRow.client_ids.length === 1 ? (undoneRow.client_ids[0] ?? '') : `${undoneRow.client_ids.length} clients`;
    await recordAudit(tx, { companyId, ...undoneBy, action: 'clients.unassigned', subject, after: undoneRow });
  }
}

/** Passes any number of IDs as one parameter. */
function toIdArray(ids: readonly string[]) {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))::uuid[]`;
}

type UndoResult = { readonly row: number; readonly undone: string; readonly problem: string | null };

async function writeUndoResults(tx: Tx, { companyId, importId }: ImportKey, results: readonly UndoResult[]): Promise<void> {
  await tx.execute(sql`
    update client_import_rows r set undone = n.undone,
      problems = case when n.problem is null then r.problems else r.problems || jsonb_build_array(jsonb_build_object('field', 'name', 'problem', n.problem)) end
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as n("row" int, undone text, problem text)
    where r.company_id = ${companyId}::uuid and r.import_id = ${importId}::uuid and r."row" = n."row"`);
}

async function restoreMatchedClients(tx: Tx, key: ImportKey, rows: readonly AppliedRow[], moment: ApplyTime): Promise<void> {
  if (rows.length === 0) return;
  const { companyId, importId } = key;
  const ids = rows.flatMap(({ clientId }) => clientId ?? []);
  const current = await loadFillableClients(tx, companyId, ids);
  const representing = await tx.execute<{ id: string }>(sql`select c.id from clients c
    where c.company_id = ${companyId}::uuid and c.id = any(${toIdArray(ids)}) and c.vrn is not null and ${hasStayingMembers(importId)}`);
  const representatives = new Set(representing.rows.map(({ id }) => id));
  const changedClients = new Set<string>();
  const results = rows.map(({ row, clientId, before }) => {
    const existing = current.get(clientId ?? '');
    if (existing === undefined) return { row, undone: 'kept', problem: 'This client no longer exists.' };
    const restoredFields = restoreClient(existing, (before ?? {}) as FilledValues, representatives.has(existing.id));
    if (restoredFields.hasChanged) {
      current.set(existing.id, restoredFields.client);
      changedClients.add(existing.id);
    }
    return {
      row,
      undone: restoredFields.isComplete ? 'restored' : 'kept',
      problem: restoredFields.isComplete ? null : 'Not undone, because the client has been changed since.',
    };
  });
  await removeImportedTurnovers(tx, key, [...current.keys()], moment.now);
  const list = [...changedClients].flatMap((id) => current.get(id) ?? []);
  if (list.length > 0) await writeAndRebuild(tx, companyId, list, moment);
  await writeUndoResults(tx, key, results);
}

function restoreClient(
  client: FillableClient,
  previous: FilledValues,
  isRepresentative: boolean,
): { client: FillableClient; hasChanged: boolean; isComplete: boolean } {
  const entries = FILLABLE_COLUMNS.flatMap((column) => (previous[column] === undefined ? [] : [[column, previous[column]] as const]));
  const isUnchanged = ([column, { set }]: (typeof entries)[number]) => client[column] === set;
  const revert = (list: typeof entries) => ({ ...client, ...Object.fromEntries(list.map(([column, { was }]) => [column, was])) });
  const allUnchanged = entries.filter(isUnchanged);
  // A VAT group that someone has recorded since needs the number and VAT that the import filled.
  const isReverted = !isRepresentative && isVatRegistrationValid(revert(allUnchanged));
  const unchangedEntries = isReverted ? allUnchanged : allUnchanged.filter(([column]) => !VAT_COLUMNS.has(column));
  return {
    client: revert(unchangedEntries),
    hasChanged: unchangedEntries.length > 0,
    isComplete: unchangedEntries.length === entries.length,
  };
}

async function writeAndRebuild(tx: Tx, companyId: string, list: readonly FillableClient[], moment: ApplyTime): Promise<void> {
  await writeFillableClients(tx, companyId, list, moment.now);
  const ids = list.map(({ id }) => id);
  await upsertClientRows(tx, companyId, ids);
  // A removed tax loses its position. A remaining tax may have lost the reference on which its position was based.
  await rebuildTaxes(tx, { companyId, ...moment }, Object.fromEntries(TAXES.map((tax) => [tax, ids])));
}
