/** Deletes the rows of statements after their retention period. Their totals stay. */
import { taxStatementClients, taxStatementRows, taxStatements } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, lt } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { rowsKeptSince } from '../retention/keep-rows-for.ts';

/** One transaction for each statement. */
export async function forgetStatementRows(deps: AppDeps): Promise<void> {
  const since = rowsKeptSince(deps.clock.now());
  const over = await deps.database.db
    .select({ companyId: taxStatements.companyId, id: taxStatements.id })
    .from(taxStatements)
    .where(and(lt(taxStatements.endedAt, since), isNull(taxStatements.rowsRemovedAt)));
  await tryEach(over, (of) => forgetStatement(deps, of));
}

type Of = { readonly companyId: string; readonly id: string };

function forgetStatement({ database, clock }: AppDeps, { companyId, id }: Of): Promise<void> {
  return database.db.transaction(async (tx) => {
    const isIt = and(eq(taxStatements.companyId, companyId), eq(taxStatements.id, id));
    const [found] = await tx.select({ endedAt: taxStatements.endedAt }).from(taxStatements).where(isIt).for('update');
    // The statement has just been started again.
    if (!found?.endedAt) return;
    await tx.delete(taxStatementRows).where(and(eq(taxStatementRows.companyId, companyId), eq(taxStatementRows.statementId, id)));
    await tx.delete(taxStatementClients).where(and(eq(taxStatementClients.companyId, companyId), eq(taxStatementClients.statementId, id)));
    await tx.update(taxStatements).set({ rowsRemovedAt: clock.now() }).where(isIt);
  });
}
