/**
 * Reads a statement file as it arrives and stores its rows for the import job, so that memory use does not depend on the size of the file.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { clients, taxStatements } from '@portal/db/schema/schema.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import { AppError } from '@portal/domain/app-error.ts';
import {
  createStatementMatcher,
  type RowMatchResult,
  type StatementClient,
  type StatementRow,
} from '@portal/domain/tax-statements/combine-statements.ts';
import type { StatementTax } from '@portal/domain/tax-statements/statement-columns.ts';
import { UnreadableFileError } from '@portal/providers/records-file/unreadable-file-error.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { validateStatement } from './validate-statement.ts';
import { readStatementFile } from './read-statement-file.ts';
import { matchesStatement, type StatementKey } from './statement-key.ts';
import { enqueueStatement, assertNoneRunning, createStatementRunningError } from './start-statement.ts';

export type UploadedStatement = {
  readonly companyId: string;
  readonly tax: StatementTax;
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** A dry run only validates. The import starts when a user confirms it. */
  readonly isDryRun: boolean;
};

/** Rows per transaction. Small, because the embedded database runs nothing else during a transaction. */
const ROWS_PER_STEP = 1_000;

/** Stores the rows and queues the import job. Deletes everything again if the file can't be read to the end. */
export async function stageStatement(deps: AppDeps, actor: Actor, file: UploadedStatement, ip: string): Promise<StatementKey> {
  const { companyId, tax, fileName, isDryRun } = file;
  const { db } = deps.database;
  await assertNoneRunning(db, companyId, tax);
  const match = createStatementMatcher(tax, await loadClients(deps, companyId, tax));
  const key = { companyId, statementId: randomUUID() };
  let rows = 0;
  try {
    for await (const batch of readStatementFile(file.bytes, { fileName, tax, atLeast: ROWS_PER_STEP })) {
      if (rows === 0) await insertStatement(deps, key, { tax, fileName, importedBy: actor.userId });
      for (let from = 0; from < batch.length; from += ROWS_PER_STEP)
        await stageRows(deps, key, batch.slice(from, from + ROWS_PER_STEP), match);
      rows += batch.length;
    }
    if (rows === 0) throw createFileRejectedError(2, 'the file has no entries below its header row');
    await db.transaction((tx) => finishUpload(deps, tx, key, { tax, fileName, rows, actor, ip, isDryRun }));
    if (isDryRun) await validateStatement(deps, key, tax);
    return key;
  } catch (error) {
    if (rows > 0) await db.delete(taxStatements).where(and(matchesStatement(key), eq(taxStatements.state, 'reading')));
    if (error instanceof UnreadableFileError) throw createFileRejectedError(error.line, error.message);
    if (isUniqueViolation(error, 'tax_statements_live')) throw createStatementRunningError(error);
    throw error;
  }
}

async function insertStatement(
  { database, clock, wallClock }: AppDeps,
  { companyId, statementId }: StatementKey,
  values: Pick<typeof taxStatements.$inferInsert, 'tax' | 'fileName' | 'importedBy'>,
): Promise<void> {
  await database.db
    .insert(taxStatements)
    .values({ ...values, companyId, id: statementId, importedAt: clock.now(), state: 'reading', rows: 0, readingAt: wallClock.now() });
}

async function stageRows(
  { database, wallClock }: AppDeps,
  { companyId, statementId }: StatementKey,
  rows: readonly StatementRow[],
  match: (row: StatementRow) => RowMatchResult,
): Promise<void> {
  const list = rows.map((statementRow) => {
    const clientMatch = match(statementRow);
    if (!clientMatch.matched) return clientMatch.rejected;
    const { entry, pays, problems } = statementRow;
    return { row: statementRow.row, client_id: clientMatch.clientId, parsed_row: { entry, pays, problems } };
  });
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into tax_statement_rows (company_id, statement_id, "row", client_id, parsed_row, field, problem)
      select ${companyId}::uuid, ${statementId}::uuid, n."row", n.client_id, n.parsed_row, n.field, n.problem
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as n("row" int, client_id uuid, parsed_row jsonb, field text, problem text)`);
    await tx
      .update(taxStatements)
      .set({ rows: sql`${taxStatements.rows} + ${rows.length}`, readingAt: wallClock.now() })
      .where(matchesStatement({ companyId, statementId }));
  });
}

type FinishedUpload = {
  readonly tax: StatementTax;
  readonly fileName: string;
  readonly rows: number;
  readonly actor: Actor;
  readonly ip: string;
  readonly isDryRun: boolean;
};

async function finishUpload(
  deps: AppDeps,
  tx: Tx,
  key: StatementKey,
  { tax, fileName, rows, actor, ip, isDryRun }: FinishedUpload,
): Promise<void> {
  const { companyId, statementId } = key;
  await tx.execute(sql`
    insert into tax_statement_clients (company_id, statement_id, client_id, outcome)
    select distinct company_id, statement_id, client_id, 'waiting' from tax_statement_rows
    where company_id = ${companyId} and statement_id = ${statementId} and client_id is not null`);
  await tx.execute(sql`
    update tax_statements set state = ${isDryRun ? 'ready' : 'importing'}, reading_at = null, rows_done = n.refused, rows_rejected = n.refused, clients = n.clients
    from (select
      (select count(*) from tax_statement_rows where company_id = ${companyId} and statement_id = ${statementId} and problem is not null) as refused,
      (select count(*) from tax_statement_clients where company_id = ${companyId} and statement_id = ${statementId}) as clients) as n
    where company_id = ${companyId} and id = ${statementId}`);
  const at = deps.clock.now();
  const after = { tax, file_name: fileName, rows };
  await recordAudit(tx, { companyId, at, actor: actor.userId, action: 'tax_statements.read', subject: statementId, after, ip });
  if (!isDryRun) await enqueueStatement(deps, tx, key);
}

function loadClients({ database }: AppDeps, companyId: string, tax: StatementTax): Promise<StatementClient[]> {
  return database.db
    .select({
      id: clients.id,
      hasTax: { paye: clients.hasPaye, ct: clients.hasCt }[tax],
      paye_reference: clients.payeReference,
      utr: clients.utr,
      company_number: clients.companyNumber,
    })
    .from(clients)
    .where(eq(clients.companyId, companyId));
}

function createFileRejectedError(line: number, reason: string): AppError {
  const sentence = reason.replace(/^line \d+ /i, '');
  return new AppError(
    'impossible',
    'tax_statements.file_refused',
    `We couldn’t read the file. No figures have changed. Line ${line}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.?$/, '.')}`,
    { errors: [{ line, column: '', reason: sentence }] },
  );
}
