/** A dry run: finds rows of an uploaded statement that would be rejected, without importing anything. */
import { taxStatementClients, taxStatementRows, taxStatements } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { combineClientRows } from '@portal/domain/tax-statements/combine-statements.ts';
import type { StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { and, asc, count, eq, gt, isNotNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { isStatementRow } from './clear-findings.ts';
import { loadRows, rejectRows } from './run-statement.ts';
import { matchesStatement, type StatementKey } from './statement-key.ts';

/** Clients per transaction. Short transactions let other writers proceed. */
const CLIENTS_PER_STEP = 100;

export async function validateStatement({ database: { db } }: AppDeps, key: StatementKey, tax: StatementTax): Promise<void> {
  const statement = { companyId: key.companyId, id: key.statementId };
  let last: string | undefined;
  do {
    const ids = await listNextClients(db, key, last);
    last = ids.length === CLIENTS_PER_STEP ? ids.at(-1) : undefined;
    await db.transaction(async (tx) => {
      const rows = await loadRows(tx, statement, ids);
      const combined = ids.map((id) => combineClientRows(tax, id, rows.get(id) ?? []));
      await rejectRows(
        tx,
        statement,
        combined.flatMap((result) => (result.isAccepted ? [] : result.rejected)),
      );
    });
  } while (last !== undefined);
  await db.transaction((tx) => updateRejectedCount(tx, key));
}

async function listNextClients(
  db: AppDeps['database']['db'],
  { companyId, statementId }: StatementKey,
  afterText: string | undefined,
): Promise<string[]> {
  const { clientId } = taxStatementClients;
  const rows = await db
    .select({ clientId })
    .from(taxStatementClients)
    .where(
      and(
        eq(taxStatementClients.companyId, companyId),
        eq(taxStatementClients.statementId, statementId),
        afterText === undefined ? undefined : gt(clientId, afterText),
      ),
    )
    .orderBy(asc(clientId))
    .limit(CLIENTS_PER_STEP);
  return rows.map((row) => row.clientId);
}

async function updateRejectedCount(tx: Tx, key: StatementKey): Promise<void> {
  const [countRow] = await tx
    .select({ rows: count() })
    .from(taxStatementRows)
    .where(isStatementRow(key, isNotNull(taxStatementRows.problem)));
  await tx
    .update(taxStatements)
    .set({ rowsRejected: countRow?.rows ?? 0 })
    .where(matchesStatement(key));
}
