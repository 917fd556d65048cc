/** Stores who represents the VAT group whose number several clients of an import share, so that no import asks again. */
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clients } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { and, eq, inArray, isNotNull, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { becomeMembers, becomeRepresentative } from '../vat-groups/change-vat-group.ts';
import { lockClient, lockVatGroups } from '../vat-groups/lock-vat-groups.ts';

import type { ImportKey } from './apply-rows.ts';
import { listImportRows } from './import-queries.ts';
import { getOmittedNumber, isOpenTo } from './number-holders.ts';
import { assertRowsCanChange } from './resolve-row.ts';
import { lockImport, type Requester } from './start-import.ts';

export type VatGroupAnswer = { readonly row: number; readonly representativeId: string };

export async function answerVatGroup(
  deps: AppDeps,
  key: ImportKey,
  { row, representativeId }: VatGroupAnswer,
  { userId, ip }: Requester,
): Promise<ClientImportRow> {
  const { companyId } = key;
  return deps.database.db.transaction(async (tx) => {
    assertRowsCanChange((await lockImport(tx, key)).state);
    const rows = await listOpenRows(tx, key);
    const askedRow = rows.find((importRow) => importRow.row === row);
    const vrn = askedRow && getOmittedNumber(askedRow);
    if (!askedRow || vrn === undefined) {
      const isRow = (await listImportRows(tx, key, { row, after: 0, limit: 1 })).rows.length > 0;
      throw isRow ? createAnsweredError() : createNotFoundError();
    }
    const sharingClientIds = rows.filter((importRow) => getOmittedNumber(importRow) === vrn);
    const ids = sharingClientIds.flatMap(({ clientId }) => clientId ?? []);
    await lockVatGroups(tx, companyId, ids, [vrn]);
    const holder = await lockClient(tx, companyId, eq(clients.vrn, vrn));
    const stored = await tx
      .select()
      .from(clients)
      .where(and(eq(clients.companyId, companyId), inArray(clients.id, ids)));
    const askedClient = stored.find(({ id }) => id === askedRow.clientId);
    if (!holder || !askedClient || holder.id === askedClient.id || !isOpenTo(vrn, askedClient)) throw createAnsweredError();
    if (representativeId !== holder.id && representativeId !== askedClient.id)
      throw createInvalidFieldError('representative_id', 'Choose one of the two clients.');
    const change = { companyId, actor: userId, ip, importId: key.importId };
    // A file takes no VAT away: another client with VAT of its own stays a question of its own row.
    const settled = stored.filter(
      (client) => client.id !== holder.id && isOpenTo(vrn, client) && (client === askedClient || !(client.hasVat || client.vrn !== null)),
    );
    const joining = settled.filter(({ vatGroupRole }) => vatGroupRole === null);
    await becomeMembers(deps, tx, change, joining, { vrn, client: holder });
    if (representativeId === askedClient.id) {
      const chosenClient = await lockClient(tx, companyId, eq(clients.id, askedClient.id));
      if (chosenClient) await becomeRepresentative(deps, tx, change, chosenClient);
    }
    const settledIds = new Set(settled.map(({ id }) => id));
    await removeQuestions(
      tx,
      key,
      sharingClientIds.filter(({ clientId }) => clientId !== null && (settledIds.has(clientId) || clientId === holder.id)),
    );
    const [answeredRow] = (await listImportRows(tx, key, { row, after: 0, limit: 1 })).rows;
    if (!answeredRow) throw createNotFoundError();
    return answeredRow;
  });
}

const createAnsweredError = () =>
  new AppError('conflict', 'clients.vat_group_answered', 'This row no longer shares its VAT number with another client.');

const matchesImport = ({ companyId, importId }: ImportKey) =>
  and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId));

type OpenRow = Pick<typeof clientImportRows.$inferSelect, 'row' | 'appliedAt' | 'undone' | 'clientId' | 'problems' | 'rawValues'>;

function listOpenRows(tx: Tx, key: ImportKey): Promise<OpenRow[]> {
  const { row, appliedAt, undone, clientId, problems, rawValues } = clientImportRows;
  const hasQuestion = sql`${problems} @> '[{"field": "vrn"}]'::jsonb`;
  return tx
    .select({ row, appliedAt, undone, clientId, problems, rawValues })
    .from(clientImportRows)
    .where(and(matchesImport(key), isNotNull(appliedAt), isNull(undone), hasQuestion))
    .orderBy(row);
}

async function removeQuestions(tx: Tx, { companyId, importId }: ImportKey, rows: readonly OpenRow[]): Promise<void> {
  const list = rows.map(({ row, problems }) => ({ row, problems: problems.filter(({ field }) => field !== 'vrn') }));
  await tx.execute(sql`
    update client_import_rows r set problems = n.problems
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n("row" int, problems jsonb)
    where r.company_id = ${companyId}::uuid and r.import_id = ${importId}::uuid and r."row" = n."row"`);
}
