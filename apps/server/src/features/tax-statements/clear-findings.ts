import type { Tx } from '@portal/db/database.ts';
import { taxStatementRows, taxStatements } from '@portal/db/schema/schema.ts';
import { and, count, eq, isNotNull } from '@portal/db/sql.ts';
import { matchesStatement, type StatementKey } from './statement-key.ts';

/**
 * Clears the findings of a dry run when the statement is imported. The job validates the rows again, against the clients that exist at that
 * time.
 */
export async function clearFindings(tx: Tx, key: StatementKey): Promise<void> {
  await tx
    .update(taxStatementRows)
    .set({ field: null, problem: null })
    .where(isStatementRow(key, isNotNull(taxStatementRows.clientId)));
  const [unmatchedRow] = await tx
    .select({ rows: count() })
    .from(taxStatementRows)
    .where(isStatementRow(key, isNotNull(taxStatementRows.problem)));
  await tx
    .update(taxStatements)
    .set({ rowsRejected: unmatchedRow?.rows ?? 0, rowsDone: unmatchedRow?.rows ?? 0 })
    .where(matchesStatement(key));
}

export function isStatementRow({ companyId, statementId }: StatementKey, condition: ReturnType<typeof isNotNull>) {
  return and(eq(taxStatementRows.companyId, companyId), eq(taxStatementRows.statementId, statementId), condition);
}
