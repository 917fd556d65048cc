/** Stores the turnover that a file states as the practice's own figure, and removes it when the import is undone. */
import { randomUUID } from 'node:crypto';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients, clientTurnovers } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { ImportedTurnover, RowProblem } from '@portal/domain/client-imports/imported-client.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { isVatRegistered } from '../clients/is-vat-registered.ts';

/** `id` is the client's. */
export type TurnoverRow = { readonly row: number; readonly id: string; readonly client: { readonly turnover: ImportedTurnover | null } };

/** As in apply-rows.ts, which imports this file. */
type ImportKey = { readonly companyId: string; readonly importId: string };
type Entry = { readonly now: Instant; readonly actor: string };

const getKey = (clientId: string, end: PlainDate): string => `${clientId} ${end}`;

/**
 * Call it once the clients are stored, because whether they are registered for VAT is stored with the turnover. A figure that the practice
 * has for the same 12 months isn't replaced: the row's problem says so if it differs.
 */
export async function importTurnovers(
  tx: Tx,
  { companyId, importId }: ImportKey,
  rows: readonly TurnoverRow[],
  { now, actor }: Entry,
): Promise<ReadonlyMap<number, RowProblem>> {
  const problems = new Map<number, RowProblem>();
  const stated = rows.flatMap(({ row, id, client }) => (client.turnover === null ? [] : [{ row, clientId: id, ...client.turnover }]));
  if (stated.length === 0) return problems;
  const known = await loadKnown(
    tx,
    companyId,
    stated.map(({ clientId }) => clientId),
  );
  const added: object[] = [];
  for (const { row, clientId, turnover_pence: amount, end_on: end } of stated) {
    const knownAmount = known.get(getKey(clientId, end));
    if (knownAmount === undefined) {
      known.set(getKey(clientId, end), amount);
      added.push({ id: randomUUID(), client_id: clientId, end_on: end, turnover_pence: amount });
    } else if (knownAmount !== amount) {
      const problem = `You already have turnover of ${formatPounds(knownAmount)} for this client for the 12 months to ${formatDate(end)}. To replace it, enter the turnover on the client’s page.`;
      problems.set(row, { field: 'taxable_turnover', problem });
    }
  }
  if (added.length > 0) {
    await tx.execute(sql`
      insert into client_turnovers (company_id, client_id, id, source, end_on, turnover_pence, was_registered, entered_by, import_id, known_at)
      select c.company_id, c.id, n.id, 'practice', n.end_on, n.turnover_pence, ${isVatRegistered('c')}, ${actor}::uuid, ${importId}::uuid, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as n(id uuid, client_id uuid, end_on date, turnover_pence bigint)
      join clients c on c.company_id = ${companyId}::uuid and c.id = n.client_id`);
  }
  return problems;
}

/** Returns the practice's newest figure for each client and month end. */
async function loadKnown(tx: Tx, companyId: string, clientIds: readonly string[]): Promise<Map<string, Pence>> {
  const rows = await tx
    .select({ clientId: clientTurnovers.clientId, end: clientTurnovers.endOn, amount: clientTurnovers.turnoverPence })
    .from(clientTurnovers)
    .where(
      and(
        eq(clientTurnovers.companyId, companyId),
        isInIdList(clientTurnovers.clientId, clientIds),
        eq(clientTurnovers.source, 'practice'),
      ),
    )
    .orderBy(asc(clientTurnovers.knownAt), asc(clientTurnovers.id));
  return new Map(rows.map(({ clientId, end, amount }) => [getKey(clientId, end), amount]));
}

/** Marks the clients as changed, so that the assistant looks at them again. */
export async function removeImportedTurnovers(
  tx: Tx,
  { companyId, importId }: ImportKey,
  clientIds: readonly string[],
  now: Instant,
): Promise<void> {
  const removed = await tx
    .delete(clientTurnovers)
    .where(
      and(
        eq(clientTurnovers.companyId, companyId),
        isInIdList(clientTurnovers.clientId, clientIds),
        eq(clientTurnovers.importId, importId),
      ),
    )
    .returning({ clientId: clientTurnovers.clientId });
  if (removed.length === 0) return;
  const ids = [...new Set(removed.map(({ clientId }) => clientId))];
  await tx
    .update(clients)
    .set({ updatedAt: now })
    .where(and(eq(clients.companyId, companyId), isInIdList(clients.id, ids)));
}
