import type { Tx } from '@portal/db/database.ts';
import { taxStatementRows, taxStatements } from '@portal/db/schema/schema.ts';
import { and, count, eq, isNotNull } from 'drizzle-orm';
import { isStatement, type StatementKey } from './statement-key.ts';

/**
 * Clears the findings of a dry run when the statement is imported. The job validates its rows again against the clients that exist then.
 */
export async function forgetJudgement(tx: Tx, key: StatementKey): Promise<void> {
  await tx
    .update(taxStatementRows)
    .set({ field: null, problem: null })
    .where(ofStatement(key, isNotNull(taxStatementRows.clientId)));
  const [unknown] = await tx
    .select({ rows: count() })
    .from(taxStatementRows)
    .where(ofStatement(key, isNotNull(taxStatementRows.problem)));
  await tx
    .update(taxStatements)
    .set({ rowsRefused: unknown?.rows ?? 0, rowsDone: unknown?.rows ?? 0 })
    .where(isStatement(key));
}

export function ofStatement({ companyId, statementId }: StatementKey, which: ReturnType<typeof isNotNull>) {
  return and(eq(taxStatementRows.companyId, companyId), eq(taxStatementRows.statementId, statementId), which);
}
