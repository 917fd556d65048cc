/** A dry run: finds the rows of an uploaded statement that would be rejected, without importing anything. */
import { taxStatementClients, taxStatementRows, taxStatements } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { gatherClient } from '@portal/domain/practice/statements/gather-statements.ts';
import type { StatementTax } from '@portal/domain/practice/statements/statement-columns.ts';
import { and, asc, count, eq, gt, isNotNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { ofStatement } from './forget-judgement.ts';
import { loadRows, refuseRows } from './run-statement.ts';
import { isStatement, type StatementKey } from './statement-key.ts';

/** Clients for each transaction. Short transactions let other writers in. */
const CLIENTS_A_STEP = 100;

export async function judgeHeld({ database: { db } }: AppDeps, key: StatementKey, tax: StatementTax): Promise<void> {
  const of = { companyId: key.companyId, id: key.statementId };
  let last: string | undefined;
  do {
    const ids = await nextClients(db, key, last);
    last = ids.length === CLIENTS_A_STEP ? ids.at(-1) : undefined;
    await db.transaction(async (tx) => {
      const rows = await loadRows(tx, of, ids);
      const gathered = ids.map((id) => gatherClient(tax, id, rows.get(id) ?? []));
      await refuseRows(
        tx,
        of,
        gathered.flatMap((one) => (one.taken ? [] : one.refused)),
      );
    });
  } while (last !== undefined);
  await db.transaction((tx) => countRefused(tx, key));
}

async function nextClients(
  db: AppDeps['database']['db'],
  { companyId, statementId }: StatementKey,
  after: string | undefined,
): Promise<string[]> {
  const { clientId } = taxStatementClients;
  const rows = await db
    .select({ clientId })
    .from(taxStatementClients)
    .where(
      and(
        eq(taxStatementClients.companyId, companyId),
        eq(taxStatementClients.statementId, statementId),
        after === undefined ? undefined : gt(clientId, after),
      ),
    )
    .orderBy(asc(clientId))
    .limit(CLIENTS_A_STEP);
  return rows.map((row) => row.clientId);
}

async function countRefused(tx: Tx, key: StatementKey): Promise<void> {
  const [refused] = await tx
    .select({ rows: count() })
    .from(taxStatementRows)
    .where(ofStatement(key, isNotNull(taxStatementRows.problem)));
  await tx
    .update(taxStatements)
    .set({ rowsRefused: refused?.rows ?? 0 })
    .where(isStatement(key));
}
