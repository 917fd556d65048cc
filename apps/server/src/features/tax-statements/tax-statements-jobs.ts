/** Statement import jobs, and a sweep for statements whose job or upload was lost. */
import { taxStatements } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { failStatement, runStatement } from './run-statement.ts';
import { enqueueStatement } from './start-statement.ts';

/** An upload without new rows for this long belonged to a process that died. The user never got a response. */
const UPLOAD_TIMEOUT_MS = 300_000;

export function taxStatementJobs(deps: AppDeps): Pick<PortalJobHandlers, 'statements.import' | 'statements.sweep'> {
  return {
    'statements.import': async ({ company_id: companyId, statement_id: statementId }, run) => {
      try {
        await runStatement(deps, { companyId, statementId }, run);
      } catch (error) {
        if (run.isLastAttempt) await failStatement(deps, { companyId, statementId });
        throw error;
      }
    },
    'statements.sweep': () => sweepStatements(deps),
  };
}

export async function sweepStatements(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const cutOff = addMilliseconds(deps.wallClock.now(), -UPLOAD_TIMEOUT_MS);
  await db.delete(taxStatements).where(and(eq(taxStatements.state, 'reading'), lt(taxStatements.readingAt, cutOff)));
  const runningStatements = await db
    .select({ companyId: taxStatements.companyId, statementId: taxStatements.id })
    .from(taxStatements)
    .where(eq(taxStatements.state, 'importing'));
  await tryEach(runningStatements, (key) => enqueueStatement(deps, db, key));
}
