/** Stores who represents the VAT group whose number several clients of an import share, so that no import asks again. */
import type { ClientImportRow } from '@portal/contract/client-imports.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientImportRows, clients } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { and, eq, isNotNull, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { lockClient, lockVatGroups } from '../vat-groups/lock-vat-groups.ts';
import { becomeMember, becomeRepresentative } from '../vat-groups/set-vat-group.ts';
import type { ImportKey } from './apply-rows.ts';
import { listImportRows } from './import-queries.ts';
import { getOmittedNumber } from './number-holders.ts';
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
    const rows = await listAppliedRows(tx, key);
    const asked = rows.find((one) => one.row === row);
    if (!asked) throw createNotFoundError();
    const vrn = getOmittedNumber(asked);
    const sharing = rows.flatMap((one) => (one.clientId !== null && getOmittedNumber(one) === vrn ? [one.clientId] : []));
    await lockVatGroups(tx, companyId, sharing, vrn === undefined ? [] : [vrn]);
    const holder = vrn === undefined ? undefined : await lockClient(tx, companyId, eq(clients.vrn, vrn));
    if (vrn === undefined || !holder || holder.id === asked.clientId)
      throw new AppError('conflict', 'clients.vat_group_answered', 'This row no longer shares its VAT number with another client.');
    if (representativeId !== holder.id && representativeId !== asked.clientId)
      throw createInvalidFieldError('representative_id', 'Choose one of the two clients.');
    const change = { companyId, actor: userId, ip };
    for (const shared of rows.filter((one) => getOmittedNumber(one) === vrn && one.clientId !== holder.id)) {
      const [member, current] = [
        await lockClient(tx, companyId, eq(clients.id, shared.clientId ?? '')),
        await lockClient(tx, companyId, eq(clients.vrn, vrn)),
      ];
      if (member && member.vatGroupRole === null) await becomeMember(deps, tx, change, member, { vrn, client: current });
      const problems = shared.problems.filter(({ field }) => field !== 'vrn');
      await tx.update(clientImportRows).set({ problems }).where(matchesRow(key, shared.row));
    }
    const chosen = representativeId === holder.id ? undefined : await lockClient(tx, companyId, eq(clients.id, representativeId));
    if (chosen) await becomeRepresentative(deps, tx, change, chosen);
    const [answered] = (await listImportRows(tx, key, { row, after: 0, limit: 1 })).rows;
    if (!answered) throw createNotFoundError();
    return answered;
  });
}

const matchesImport = ({ companyId, importId }: ImportKey) =>
  and(eq(clientImportRows.companyId, companyId), eq(clientImportRows.importId, importId));
const matchesRow = (key: ImportKey, row: number) => and(matchesImport(key), eq(clientImportRows.row, row));

const listAppliedRows = (tx: Tx, key: ImportKey) =>
  tx
    .select()
    .from(clientImportRows)
    .where(and(matchesImport(key), isNotNull(clientImportRows.appliedAt), isNull(clientImportRows.undone)))
    .orderBy(clientImportRows.row);
