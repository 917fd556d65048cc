/** Starts and cancels statement imports, and queues their job. */
import type { StatementState } from '@portal/domain/tax-statements/statement-states.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { taxStatements } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { and, eq, gt, inArray } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { clearFindings } from './clear-findings.ts';
import { matchesStatement, type StatementKey } from './statement-key.ts';

export type Requester = { readonly userId: string; readonly ip: string };

/** Starts a validated statement, or resumes one that failed or was cancelled. Starting it twice has no further effect. */
export async function startStatement(deps: AppDeps, key: StatementKey, requester: Requester): Promise<void> {
  try {
    await deps.database.db.transaction(async (tx) => {
      const lockedStatement = await lockStatement(tx, key);
      const { state } = lockedStatement;
      if (state === 'importing' || state === 'completed') return;
      if (state === 'reading') throw createStillUploadingError();
      if (lockedStatement.rowsRemovedAt !== null) throw createRowsPurgedError();
      await assertNotOutdated(tx, lockedStatement);
      if (state === 'ready') await clearFindings(tx, key);
      await tx.update(taxStatements).set({ state: 'importing', endedAt: null, reason: null }).where(matchesStatement(key));
      await auditStateChange(deps, tx, key, requester, 'tax_statements.started', state);
      await enqueueStatement(deps, tx, key, { shouldReplaceParked: true });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'tax_statements_live')) throw createStatementRunningError(error);
    throw error;
  }
}

/** Lets the current step finish. Keeps figures that have already been imported. */
export async function cancelStatement(deps: AppDeps, key: StatementKey, requester: Requester): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const { state } = await lockStatement(tx, key);
    if (state === 'cancelled') return;
    if (state !== 'importing' && state !== 'ready') {
      throw new AppError(
        'conflict',
        'tax_statements.not_running',
        'This statement isn’t being imported at the moment, so you can’t cancel it.',
      );
    }
    // The findings may be out of date when the statement is started, so it will be validated again.
    if (state === 'ready') await clearFindings(tx, key);
    await tx.update(taxStatements).set({ state: 'cancelled', endedAt: deps.clock.now() }).where(matchesStatement(key));
    await auditStateChange(deps, tx, key, requester, 'tax_statements.cancelled', state);
  });
}

export function enqueueStatement(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Db | Tx,
  { companyId, statementId }: StatementKey,
  { shouldReplaceParked = false } = {},
): Promise<void> {
  const options = { singletonKey: `statements.import:${statementId}`, shouldReplaceParked };
  return deps.enqueue(db, 'statements.import', { company_id: companyId, statement_id: statementId }, options);
}

/** Locks the statement, so that its state can only change between two steps. */
export async function lockStatement(tx: Tx, key: StatementKey): Promise<typeof taxStatements.$inferSelect> {
  const [lockedStatement] = await tx.select().from(taxStatements).where(matchesStatement(key)).for('update');
  if (!lockedStatement) throw createNotFoundError();
  return lockedStatement;
}

/** Rejects early, so that users don't upload a large file for nothing. The unique index is the actual guard. */
export async function assertNoneRunning(db: Db, companyId: string, tax: StatementTax): Promise<void> {
  const [runningStatement] = await db
    .select({ id: taxStatements.id })
    .from(taxStatements)
    .where(and(eq(taxStatements.companyId, companyId), eq(taxStatements.tax, tax), eq(taxStatements.state, 'importing')));
  if (runningStatement) throw createStatementRunningError();
}

export function createStatementRunningError(cause?: unknown): AppError {
  return new AppError(
    'conflict',
    'tax_statements.running',
    'Another statement for this tax is being imported. Wait until it finishes, or cancel it. No figures from this file have been imported.',
    undefined,
    cause,
  );
}

/** Throws if a later statement has been imported, because older figures would replace its newer ones. */
async function assertNotOutdated(tx: Tx, { companyId, tax, importedAt }: typeof taxStatements.$inferSelect): Promise<void> {
  const isOfTax = and(eq(taxStatements.companyId, companyId), eq(taxStatements.tax, tax));
  const [laterStatement] = await tx
    .select({ id: taxStatements.id })
    .from(taxStatements)
    .where(and(isOfTax, gt(taxStatements.importedAt, importedAt), inArray(taxStatements.state, ['importing', 'completed'])))
    .limit(1);
  if (!laterStatement) return;
  throw new AppError(
    'conflict',
    'tax_statements.outdated',
    'A later statement for this tax has been imported since. To use this one anyway, upload its file again.',
  );
}

function createStillUploadingError(): AppError {
  return new AppError(
    'conflict',
    'tax_statements.still_read',
    'This file is still uploading. We’ll import its figures automatically once it has arrived.',
  );
}

function createRowsPurgedError(): AppError {
  return new AppError('conflict', 'tax_statements.rows_gone', 'The rows of this statement have been deleted. Upload the file again.');
}

function auditStateChange(
  { clock }: AppDeps,
  tx: Tx,
  { companyId, statementId }: StatementKey,
  { userId, ip }: Requester,
  action: string,
  state: StatementState,
): Promise<void> {
  return recordAudit(tx, { companyId, at: clock.now(), actor: userId, action, subject: statementId, before: { state }, ip });
}
