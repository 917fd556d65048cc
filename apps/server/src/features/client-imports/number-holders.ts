/** Finds the clients that hold the VAT numbers of imported rows that share them: the question who represents the VAT group is open. */
import type { Db, Tx } from '@portal/db/database.ts';
import { clients, type clientImportRows } from '@portal/db/schema/schema.ts';
import { parseNineDigitVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';

type ImportRow = Pick<typeof clientImportRows.$inferSelect, 'row' | 'appliedAt' | 'undone' | 'clientId' | 'problems' | 'rawValues'>;
type NumberHolder = { readonly client_id: string; readonly name: string };

/** Returns the VAT number of an imported row that was left out, because another client may hold it. */
export function getOmittedNumber({ appliedAt, undone, clientId, problems, rawValues }: ImportRow): string | undefined {
  const isOmitted = appliedAt !== null && undone === null && clientId !== null && problems.some(({ field }) => field === 'vrn');
  const parsed = isOmitted ? parseNineDigitVrn(rawValues['vrn'] ?? '') : undefined;
  return parsed?.ok ? parsed.value.vrn : undefined;
}

type GroupPart = Pick<typeof clients.$inferSelect, 'vatGroupRole' | 'vatGroupVrn'>;

/** Returns whether the client may still become part of the group with this number: a person may have put it into another since. */
export const isOpenTo = (vrn: string, { vatGroupRole: role, vatGroupVrn }: GroupPart): boolean =>
  role === null || (role === 'member' && vatGroupVrn === vrn);

/** Returns the holder by row number, for rows whose question is still open. */
export async function findNumberHolders(db: Db | Tx, companyId: string, rows: readonly ImportRow[]): Promise<Map<number, NumberHolder>> {
  const numbers = new Map(rows.flatMap((row) => toPair(row.row, getOmittedNumber(row))));
  if (numbers.size === 0) return new Map();
  const holders = await db
    .select({ vrn: clients.vrn, client_id: clients.id, name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.vrn, [...new Set(numbers.values())])));
  const byNumber = new Map(holders.map(({ vrn, ...holder }) => [vrn, holder]));
  const clientIds = rows.flatMap(({ row, clientId }) => (numbers.has(row) && clientId !== null ? [clientId] : []));
  const parts = await db
    .select({ id: clients.id, vatGroupRole: clients.vatGroupRole, vatGroupVrn: clients.vatGroupVrn })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), inArray(clients.id, clientIds)));
  const partById = new Map(parts.map((part) => [part.id, part]));
  return new Map(
    rows.flatMap(({ row, clientId }) => {
      const vrn = numbers.get(row) ?? '';
      const [holder, part] = [byNumber.get(vrn), partById.get(clientId ?? '')];
      const isOpen = holder !== undefined && holder.client_id !== clientId && part !== undefined && isOpenTo(vrn, part);
      return isOpen ? [[row, holder] as const] : [];
    }),
  );
}

const toPair = (row: number, vrn: string | undefined) => (vrn === undefined ? [] : [[row, vrn] as const]);
