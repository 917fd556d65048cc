/** Deletes statement rows after their retention period. Keeps the totals and the list of updated clients. */
import { taxStatementClients, taxStatementRows, taxStatements } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt, ne } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { getRowsCutOff } from '../retention/row-retention.ts';

/** Uses one transaction per statement. */
export async function purgeStatementRows(deps: AppDeps): Promise<void> {
  const since = getRowsCutOff(deps.clock.now());
  const expiredStatements = await deps.database.db
    .select({ companyId: taxStatements.companyId, id: taxStatements.id })
    .from(taxStatements)
    .where(and(lt(taxStatements.endedAt, since), isNull(taxStatements.rowsRemovedAt)));
  await tryEach(expiredStatements, (expiredStatement) => purgeStatement(deps, expiredStatement));
}

type ExpiredStatement = { readonly companyId: string; readonly id: string };

function purgeStatement({ database, clock }: AppDeps, { companyId, id }: ExpiredStatement): Promise<void> {
  return database.db.transaction(async (tx) => {
    const isThisStatement = and(eq(taxStatements.companyId, companyId), eq(taxStatements.id, id));
    const [foundStatement] = await tx.select({ endedAt: taxStatements.endedAt }).from(taxStatements).where(isThisStatement).for('update');
    // The statement has been started again in the meantime.
    if (!foundStatement?.endedAt) return;
    await tx.delete(taxStatementRows).where(and(eq(taxStatementRows.companyId, companyId), eq(taxStatementRows.statementId, id)));
    await tx
      .delete(taxStatementClients)
      .where(
        and(
          eq(taxStatementClients.companyId, companyId),
          eq(taxStatementClients.statementId, id),
          ne(taxStatementClients.outcome, 'taken'),
        ),
      );
    await tx.update(taxStatements).set({ rowsRemovedAt: clock.now() }).where(isThisStatement);
  });
}
